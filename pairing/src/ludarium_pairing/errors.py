"""What cannot be asked of the core."""
from __future__ import annotations


class Refused(Exception):
    """code: one of CODES, stable; detail: which entry, table or setting."""

    CODES = ("settings-invalid", "pairing-invalid", "result-invalid", "unknown-version")

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail
