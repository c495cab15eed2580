"""The titles, one in each package, which import only the kernel and their own modules."""
