"""Define the error that is raised for invalid input."""
from __future__ import annotations


class Refused(Exception):
    """The input is invalid.

    `code` is one of CODES and stable; `detail` names the wrong entry, table or setting.
    """

    CODES = ("settings-invalid", "pairing-invalid", "result-invalid", "unknown-version")

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail
