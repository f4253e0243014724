"""What every view of a trend shares: the fit a link asks for, its finding, marks, figures and words."""
