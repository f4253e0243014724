"""Does the gap show in measured work?"""

from pages.show import show
from views.in_practice.view import VIEW

show(VIEW)
