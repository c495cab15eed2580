"""Backups of the embedded PostgreSQL, sealed as a whole, in a folder or an S3 bucket; and the way back."""
