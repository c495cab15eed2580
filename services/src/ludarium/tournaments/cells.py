"""Text in the cells of CSV files: spreadsheets must not take it for a formula."""
from __future__ import annotations

import re
from typing import Any

SIGNS = "=+@-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63\u2212"
"""With their full-width and small forms, which spreadsheets read alike in East Asian locales."""
BEGINS = rf"(?=\s*[{re.escape(SIGNS)}]|[\t\r\n])"
FORMULA = re.compile(rf"(^|;){BEGINS}")
"""Also after a semicolon: it parts cells where the comma belongs to numbers."""
ESCAPED = re.compile(rf"(^|;)'{BEGINS}")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def escape_formula(cell: Any) -> Any:
    """Put an apostrophe before what could be a formula; numbers stay numbers.

    >>> plain("=1+1"), plain(-5), plain("-5"), plain("Ada")
    ("'=1+1", -5, '-5', 'Ada')
    """
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    return FORMULA.sub(r"\1'", cell)


def unescape_formula(cell: str) -> str:
    """Take away the apostrophes that `escape_formula` has put there.

    >>> read("'=1+1"), read("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return ESCAPED.sub(r"\1", cell)
