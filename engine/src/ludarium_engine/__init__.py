"""The rules engine and the titles.

It is deterministic and uses no I/O, clock or global random numbers.
"""
