"""The titles, a package each. They import the kernel, their own modules and nothing else."""
