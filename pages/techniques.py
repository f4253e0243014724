"""How many years of hardware is a technique worth?"""

from pages.show import show
from views.techniques import VIEW

show(VIEW)
