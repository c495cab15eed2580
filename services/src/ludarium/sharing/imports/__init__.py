"""Imported records of games that were played elsewhere.

They are not tables of this server.
"""
