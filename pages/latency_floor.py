"""What is the fastest possible answer?"""

from pages.show import show
from views.latency_floor.view import VIEW

show(VIEW)
