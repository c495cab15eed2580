"""Records of games from elsewhere: files that somebody keeps here to look at, which are no tables of this server."""
