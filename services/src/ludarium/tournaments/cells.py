"""Cells of CSV files, escaped so that spreadsheets do not run them as formulas."""
from __future__ import annotations

import re
from typing import Any

SIGNS = "=+@-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63\u2212"
"""Signs that begin a formula, with full-width and small forms accepted in East Asian locales."""
BEGINS = rf"(?=\s*[{re.escape(SIGNS)}]|[\t\r\n])"
FORMULA = re.compile(rf"(^|;){BEGINS}")
"""Also after a semicolon, which separates cells in locales with decimal commas."""
ESCAPED = re.compile(rf"(^|;)'{BEGINS}")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def escape_formula(cell: Any) -> Any:
    """Put an apostrophe before text that could be a formula; leave numbers unchanged.

    >>> escape_formula("=1+1"), escape_formula(-5), escape_formula("-5"), escape_formula("Ada")
    ("'=1+1", -5, '-5', 'Ada')
    """
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    return FORMULA.sub(r"\1'", cell)


def unescape_formula(cell: str) -> str:
    """Remove the apostrophes that `escape_formula` has added.

    >>> unescape_formula("'=1+1"), unescape_formula("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return ESCAPED.sub(r"\1", cell)
