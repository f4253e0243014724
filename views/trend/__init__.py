"""Common parts of trend views: the fit, its finding, marks, figures and text."""
