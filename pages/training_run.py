"""What limits this training run?"""

from pages.show import show
from views.training_run.view import VIEW

show(VIEW)
