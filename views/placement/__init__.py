"""The page /placement: whether to run a workload at the edge or in a cloud."""
