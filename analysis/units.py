"""Seconds in an hour, a day and a year, and joules in a kilowatt-hour."""

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
YEAR_S = 365.25 * DAY_S
"""Length of a Julian year. [s]"""

JOULE_PER_KWH = 3.6e6
