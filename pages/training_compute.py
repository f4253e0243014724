"""How fast does training compute grow?"""

from pages.show import show
from views.training_compute import VIEW

show(VIEW)
