"""What people write about games: studies with notes at moments, and comments below what is over. None of it is in a log."""
