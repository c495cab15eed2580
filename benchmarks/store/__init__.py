"""Peers of the event store: the limit of PostgreSQL itself, and other libraries."""
