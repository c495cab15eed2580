"""What keeps the service running: backups, the archive of old games, checks of a host."""
