"""Sources that views list for the numbers in their results."""

from views import written
from views.result import Source

_SOURCES = {name: Source(**row) for name, row in written.toml(__file__, name="sources.toml").items()}
EPOCH_AI, CURATION = _SOURCES["EPOCH_AI"], _SOURCES["CURATION"]
HBM_SHIPPED = _SOURCES["HBM_SHIPPED"]
CHIP_COUNTS, CHIP_COSTS = _SOURCES["CHIP_COUNTS"], _SOURCES["CHIP_COSTS"]
SERVING_TABLES, TRAINING_TABLES = _SOURCES["SERVING_TABLES"], _SOURCES["TRAINING_TABLES"]
ARCHITECTURES, LINK_SOURCE = _SOURCES["ARCHITECTURES"], _SOURCES["LINK_SOURCE"]
