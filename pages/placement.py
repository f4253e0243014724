"""Edge or cloud, for this work, in this year?"""

from pages.show import show
from views.placement.view import VIEW

show(VIEW)
