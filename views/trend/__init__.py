"""What trend views share: the fit, its finding, marks, figures and text."""
