"""What do the five articles argue, and does it hold?"""

from pages.show import show
from views.story.view import VIEW

show(VIEW)
