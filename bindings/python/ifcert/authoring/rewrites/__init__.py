"""Small graphs that engines' optimizers rewrite, as data, and what numpy computes of them."""
