"""The error that refuses an invalid request."""
from __future__ import annotations


class Refused(Exception):
    """An invalid request.

    `code`: one of CODES, stable; `detail`: the entry, table or setting at fault.
    """

    CODES = ("settings-invalid", "pairing-invalid", "result-invalid", "unknown-version")

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail
