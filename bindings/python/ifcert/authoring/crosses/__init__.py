"""Crosses: vectors that combine features that other vectors have one at a time.

A cross has dimensions with a few values each (dimensions.py), of which an author excludes the illegal combinations. Its
rows are a covering array (arrays.py), kept in vectors/<system>/crosses.json (rows.py); a family makes a model of each
row. coverage.py checks that every pair is there, and writes docs/coverage.md.
"""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, Exclusion, Row, without
from ifcert.authoring.crosses.rows import case_of_row, read_rows

__all__ = ["Cross", "Dimension", "Exclusion", "Row", "case_of_row", "read_rows", "without"]
