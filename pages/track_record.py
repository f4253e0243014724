"""How good would such forecasts have been?"""

from pages.show import show
from views.track_record import VIEW

show(VIEW)
