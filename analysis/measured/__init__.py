"""Models of device speed fitted to published measurements (decode and prefill), and their errors."""
