"""Growth statistics: selection of points, fitted lines, intervals and projections."""
