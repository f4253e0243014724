"""How good past forecasts were, and what that says of the next one."""
