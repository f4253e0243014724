"""The page /track-record: how accurate past forecasts of this kind would have been."""
