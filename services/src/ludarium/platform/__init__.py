"""Shared by all parts of the service.

Settings, databases, ids, logs, metrics, problems.
"""
