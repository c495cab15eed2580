"""What the API says of tournaments."""
