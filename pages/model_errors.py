"""How far off are the models, on measurements that set nothing?"""

from pages.show import show
from views.model_errors.view import VIEW

show(VIEW)
