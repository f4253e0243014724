"""Is memory falling behind compute?"""

from pages.show import show
from views.growth_gap.view import VIEW

show(VIEW)
