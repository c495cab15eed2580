"""Encrypted backups of the embedded PostgreSQL, and restores.

A folder or bucket with backups is called a place. Its files are sealed, which means encrypted. A signed mark lists them.
The ledger contains changes, such as deletions, that must survive a restore.
"""
