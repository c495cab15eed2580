"""Shared deals of several tables.

Events, streams, service, projection, verification.
"""
