"""The page /latency-floor: how fast a token can be generated at best."""
