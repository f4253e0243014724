"""What the settings ask for of the chips shipped."""

import numpy as np

from analysis.fleet import DrawnSeries, in_use, shipped
from views.chips.shipments import ShipmentEstimates
from views.fleet.settings import NEVER, FleetSettings


def fleet(
    counted_: ShipmentEstimates, settings: FleetSettings, *, maker: str = "", kind: str = ""
) -> DrawnSeries:
    """Return what the settings ask for, of all chips or those of one maker or kind."""
    shipments = counted_.shipments
    keep = None
    if maker or kind:
        names, wanted = (shipments.maker, maker) if maker else (shipments.kind, kind)
        keep = np.array([name == wanted for name in names])
    if settings.count == "shipped":
        return shipped(shipments, counted_.units, keep=keep)
    retired = None if settings.retire == NEVER else float(settings.retire)
    return in_use(shipments, counted_.units, retired_after_years=retired, keep=keep)
