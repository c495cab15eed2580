"""The server of Ludarium: its services, its HTTP API and its commands."""
