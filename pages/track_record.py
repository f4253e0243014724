"""How good would such forecasts have been?"""

from pages.show import show
from views.track_record.view import VIEW

show(VIEW)
