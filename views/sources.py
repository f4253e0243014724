"""Where the numbers come from: every source that a view names beside its result."""

from views.result import Source

EPOCH_AI = Source(
    title="Data on AI (notable AI models; machine learning hardware)",
    publisher="Epoch AI",
    url="https://epoch.ai/data",
    licence="CC BY 4.0",
)
CURATION = Source(
    title="Corrections, exclusions and products",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)
HBM_SHIPPED = Source(
    title="Total AI chip memory bandwidth has grown 4.1x per year (24 March 2026)",
    publisher="Epoch AI",
    url="https://epoch.ai/data-insights/hbm-shipped",
    licence="CC BY 4.0",
)
CHIP_COUNTS = Source(
    title="AI chip counts: units shipped by chip and quarter (April 2026)",
    publisher="Epoch AI",
    url="https://github.com/epoch-research/ai-chip-counts",
    licence="MIT",
)
CHIP_COSTS = Source(
    title="AI Chip Components: cost of logic, packaging and memory by quarter (May 2026)",
    publisher="Epoch AI",
    url="https://epoch.ai/data/ai-chip-components",
    licence="CC BY 4.0",
)
SERVING_TABLES = Source(
    title="Devices, prices, networks, model shapes and measured speeds gathered from public sources",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)
TRAINING_TABLES = Source(
    title="Published tables, prices and model shapes gathered from public sources",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)
ARCHITECTURES = Source(
    title="Architectures of models (their own papers and configuration files, row by row)",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)
LINK_SOURCE = Source(
    title="Scale-up domains, links and latencies as stated on /methods",
    publisher="Scaling Gap",
    url="/methods",
    licence="CC BY 4.0",
)
