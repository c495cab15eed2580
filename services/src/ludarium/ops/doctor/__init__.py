"""Checks of the settings and the servers that they name (`ludarium doctor`).

Each finding is ok, a warning or an error, with advice on what to do.
"""
