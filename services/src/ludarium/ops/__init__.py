"""Operations: backups, the archive of old games, and checks of a host."""
