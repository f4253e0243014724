"""The page /track-record: how accurate forecasts of this kind would have been in the past."""
