"""Titles, one package each; they import only the kernel and their own modules."""
