"""Basic modules for all parts of the service.

They cover settings, databases, ids, logs, metrics, problems, processes and the HTTP server.
"""
