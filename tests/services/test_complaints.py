"""A normal start logs no warning, and a lasting fault logs one."""

import logging

import pytest

from ludarium.platform import complaints
from ludarium.platform.complaints import SETTLING, tried_again

log = logging.getLogger(__name__)


def test_a_failed_try_is_a_warning_only_once_the_process_has_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=__name__)
    monkeypatch.setattr(complaints, "monotonic", lambda: complaints.STARTED + SETTLING - 0.1)
    assert not tried_again(log, "deadlines wait: %s", "away")
    monkeypatch.setattr(complaints, "monotonic", lambda: complaints.STARTED + SETTLING)
    assert tried_again(log, "deadlines wait: %s", "away")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "deadlines wait: away"), ("WARNING", "deadlines wait: away"),
    ]  # fmt: skip
