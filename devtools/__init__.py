"""Commands for developers of this repository: `python -m devtools --help`. No wheel contains them."""
