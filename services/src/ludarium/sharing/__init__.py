"""What people show each other of games: pictures, studies and analyses."""
