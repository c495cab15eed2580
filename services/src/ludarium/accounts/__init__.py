"""Players, their sign-ins, and what their tokens may do."""
