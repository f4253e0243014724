"""What will a million tokens cost, at which speed, by year?"""

from pages.show import show
from views.cost_of_tokens.view import VIEW

show(VIEW)
