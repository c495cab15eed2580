"""Commands for developers of this repository: `python -m devtools --help`.

They are not part of any wheel.
"""
