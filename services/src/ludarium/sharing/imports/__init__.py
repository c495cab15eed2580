"""Imported records of games that were played elsewhere.

They are no tables of this server.
"""
