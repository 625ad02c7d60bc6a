"""The crosses of invalid models: each fault that a body can hold, at each place, at each depth.

A fault is data (table.py): the rule that it breaks, its sentences, and an edit of a sound form. A system has a table of
its faults, a cross of them with the places of its models (dimensions), and the text of a sound model of each row
(places). vectors.py makes the vectors, each with its twin: the row without the fault.
"""
