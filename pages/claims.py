"""Which published statements hold?"""

from pages.show import show
from views.claims import VIEW

show(VIEW)
