"""Portable game records, which anyone can verify without this server."""
