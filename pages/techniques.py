"""How many years of hardware is a technique worth?"""

from pages.show import show
from views.techniques.view import VIEW

show(VIEW)
