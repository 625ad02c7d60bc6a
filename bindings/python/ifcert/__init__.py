"""ifcert: a conformance suite and a reference for the operator If."""
