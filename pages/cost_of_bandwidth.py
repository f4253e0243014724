"""What does a terabyte a second cost, and what a petaFLOP?"""

from pages.show import show
from views.cost_of_bandwidth.view import VIEW

show(VIEW)
