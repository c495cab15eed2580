"""Append, read and subscribe on PostgreSQL. Knows streams, versions and bytes, not games."""
