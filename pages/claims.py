"""Which published statements hold?"""

from pages.show import show
from views.claims.view import VIEW

show(VIEW)
