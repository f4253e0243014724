"""The page /cost-of-bandwidth: what a TB/s of bandwidth and a PFLOP/s of compute cost."""
