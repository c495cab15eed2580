"""What people may ask of whoever keeps something about them: to see all of it, and to have it forgotten."""
