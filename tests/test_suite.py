"""`make test` runs each module once, splits them evenly, and names failed tests."""

from pathlib import Path

import pytest

from tests.support import suite

SECONDS = {"a.py": 9.0, "b.py": 5.0, "c.py": 4.0, "d.py": 1.0}
REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_suite" name="test_one" time="1.5"/>
<testcase classname="tests.test_suite.TestClass" name="test_two" time="2.25"><failure>no</failure></testcase>
</testsuite></testsuites>"""


def test_both_parts_take_equally_long() -> None:
    assert suite.split(["a.py", "b.py", "c.py", "d.py"], SECONDS, 2) == [["a.py", "d.py"], ["b.py", "c.py"]]


def test_a_module_without_a_record_counts_as_the_median() -> None:
    assert suite.split(["a.py", "new.py", "b.py"], SECONDS, 2) == [["a.py"], ["b.py", "new.py"]]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_each_module_of_the_suite_is_in_one_part(jobs: int) -> None:
    modules = suite.modules_in(["tests"])
    assert "tests/test_suite.py" in modules and len({*modules}) == len(modules)
    parts = suite.split(modules, suite.recorded(), jobs)
    assert sorted(module for part in parts for module in part) == modules
    assert parts == suite.split(modules[::-1], suite.recorded(), jobs)


def test_the_report_names_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(suite, "REPORTS", tmp_path)
    (tmp_path / "here-1.xml").write_text(REPORT)
    (tmp_path / "here-too-1.xml").write_text(REPORT)        # of another run
    suite.summarise("here")
    lines = capsys.readouterr().out.splitlines()[1:]
    assert lines[1:] == [
        "     2.2 s  tests/test_suite.py::test_two", "     1.5 s  tests/test_suite.py::test_one",
        "FAILED  tests/test_suite.py::test_two", "1 passed, 1 failed, 0 skipped",
    ]  # fmt: skip


def test_a_process_that_fails_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "REPORTS", tmp_path)
    monkeypatch.setattr(suite, "command", lambda modules, report, order: ["test", modules[0], "=", "tests/support/none"])
    (tmp_path / "here-too-1.xml").write_text(REPORT)
    with pytest.raises(SystemExit) as ended:
        suite.run("here", ["tests/eventstore"])
    assert ended.value.code == 1 and (tmp_path / "here-too-1.xml").exists()


def test_temporary_files_of_a_run_are_in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = tmp_path / "noted"
    monkeypatch.setattr(suite, "REPORTS", tmp_path)
    monkeypatch.setattr(suite, "command", lambda *_: ["sh", "-c", f'test -k "$TMPDIR" && echo "$TMPDIR" > {noted}'])
    with pytest.raises(SystemExit) as ended:
        suite.run("here", ["tests/eventstore"], jobs=1)
    folder = Path(noted.read_text().strip())
    assert ended.value.code == 0 and folder.name.startswith("lud-") and not folder.exists()


def test_memory_without_room_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "MEMORY", tmp_path)
    monkeypatch.setattr(suite, "ROOM", 1 << 60)
    with suite.temporary_folder() as folder:
        assert Path(folder).parent != tmp_path
    monkeypatch.setattr(suite, "ROOM", 0)
    with suite.temporary_folder() as folder:
        assert Path(folder).parent == tmp_path
