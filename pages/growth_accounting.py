"""Where does the growth of training compute come from?"""

from pages.show import show
from views.growth_accounting.view import VIEW

show(VIEW)
