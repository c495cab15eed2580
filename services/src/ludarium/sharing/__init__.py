"""What players share about games: pictures, studies and analyses."""
