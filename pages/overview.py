"""What is the gap between training compute and memory bandwidth, in one page?"""

from pages.show import show
from views.overview import VIEW

show(VIEW)
