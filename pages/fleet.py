"""How much compute and bandwidth has been shipped?"""

from pages.show import show
from views.fleet.view import VIEW

show(VIEW)
