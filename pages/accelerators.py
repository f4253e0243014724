"""How fast do chips' bandwidth, throughput, links, power and price grow, and which part lags?"""

from pages.show import show
from views.accelerators import VIEW

show(VIEW)
