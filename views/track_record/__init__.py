"""How good would such forecasts have been?"""
