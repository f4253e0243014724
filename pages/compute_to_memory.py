"""How many FLOP per byte will chips offer, and which work then becomes bound by memory?"""

from pages.show import show
from views.compute_to_memory.view import VIEW

show(VIEW)
