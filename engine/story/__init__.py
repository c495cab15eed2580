"""What happened, in sentences: the lines of an event, and their words in a language."""
