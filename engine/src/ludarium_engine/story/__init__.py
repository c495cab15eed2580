"""What is told of a game beyond its zones: the lines of an event, their words in a language, and offers in groups."""
