"""Manual changes of a draft are hidden until publication and verifiable later."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import httpx
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.draft_events import DraftChange, DraftChanged
from ludarium.tournaments.event_types import AnyTournamentEvent, decode, encode
from ludarium.tournaments.events import Published
from ludarium.tournaments.stream_export import import_stream
from ludarium_eventstore import EventStore, StoredEvent
from tests.support.tournaments import Event, event_of
from tests.tournaments.tampered import relinked


async def changed(event: Event, draft: dict[str, Any], **change: Any) -> dict[str, Any]:
    """Change a draft and return it."""
    path = event.round_path(draft["stage"], draft["round"])
    await event.change(path, draft["seq"], **change)
    return await event.round(draft["stage"], draft["round"])


async def stream_of(http: httpx.AsyncClient, event: Event) -> list[dict[str, Any]]:
    """Return the events as seen by a reader without a token."""
    rows: list[dict[str, Any]] = (await http.get(f"/tournaments/{event.id}/stream")).json()["rows"]
    return rows


async def test_the_stream_does_not_show_how_a_draft_was_changed(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4)
    draft = await event.drafted()
    by_hand = await changed(event, draft, tables=[[1, 2]])
    assert [1, 2] in [table["seats"] for table in by_hand["tables"]]
    await changed(event, by_hand, swap={"one": 1, "other": 3})
    locked, swapped = (await stream_of(http, event))[-2:]
    assert locked["type"] == swapped["type"] == "draft_changed"
    assert locked["row"].keys() == swapped["row"].keys() == {"by", "stage", "round", "commitment", "sealed"}
    assert len(locked["data"]) == len(swapped["data"])
    assert b"\x92\x01\x02" not in bytes.fromhex(locked["row"]["sealed"])


async def test_a_publication_reveals_the_changes_that_count_and_everybody_can_check_them(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4)
    draft = await changed(event, await event.drafted(), tables=[[1, 2]])
    await event.act(f"{event.round_path(1, 1)}/take-back", draft["seq"])
    draft = await changed(event, await event.round(1, 1), tables=[[1, 3]])
    draft = await changed(event, draft, swap={"one": 1, "other": 2})
    told = await event.publish(draft)
    assert {tuple(sorted(table["seats"])) for table in told["tables"]} == {(2, 3), (1, 4)}
    rows = await stream_of(http, event)
    commitments = [row["row"]["commitment"] for row in rows if row["type"] == "draft_changed"]
    shown = rows[-1]["row"]
    assert shown["changes"] == [{"tables": [[1, 3]], "swap": []}, {"tables": [], "swap": [1, 2]}]
    pairs = zip(shown["salts"], shown["changes"], strict=True)
    assert [hash_of(salt, change) for salt, change in pairs] == commitments[1:]
    await holds(http, event, module_database_url)


def hash_of(salt: str, change: dict[str, Any]) -> str:
    return blake2b(bytes.fromhex(salt) + msgspec.msgpack.encode(change), digest_size=32).hexdigest()


async def holds(http: httpx.AsyncClient, event: Event, url: str) -> None:
    """Check that the log verifies, both with the tournament's key and without."""
    stream, rows = import_stream((await http.get(f"/tournaments/{event.id}/stream")).content)
    assert verify_events(stream, rows, keyed=False)[1].fault is None
    async with await EventStore.open(url) as store:
        assert verify_events(stream, await store.read(stream), keyed=True)[1].fault is None


def without_a_change(row: AnyTournamentEvent) -> AnyTournamentEvent | None:
    return msgspec.structs.replace(row, salts=[], changes=[]) if isinstance(row, Published) else None


def with_another_change(row: AnyTournamentEvent) -> AnyTournamentEvent | None:
    other = [DraftChange(tables=[[2, 1]])]
    return msgspec.structs.replace(row, changes=other) if isinstance(row, Published) else None


def with_another_salt(row: AnyTournamentEvent) -> AnyTournamentEvent | None:
    return msgspec.structs.replace(row, salts=[bytes(32)]) if isinstance(row, Published) else None


def with_another_commitment(row: AnyTournamentEvent) -> AnyTournamentEvent | None:
    return msgspec.structs.replace(row, commitment=bytes(32)) if isinstance(row, DraftChanged) else None


@pytest.mark.parametrize("forge", [without_a_change, with_another_change, with_another_salt, with_another_commitment])
async def test_verify_finds_a_publication_that_reveals_something_else(
    forge: Any, http: httpx.AsyncClient, base: Database
) -> None:
    event = await event_of(http, base, 4)
    await event.publish(await changed(event, await event.drafted(), tables=[[1, 2]]))
    stream, rows = import_stream((await http.get(f"/tournaments/{event.id}/stream")).content)
    fault = verify_events(stream, forged(rows, forge), keyed=False)[1].fault
    assert fault is not None and fault.version == len(rows) - 1
    assert fault.what == "it does not reveal the changes of the draft that were committed to"


def forged(rows: Sequence[StoredEvent], forge: Callable[[AnyTournamentEvent], AnyTournamentEvent | None]) -> list[StoredEvent]:
    """Change events by `forge`, and link them by a new hash chain."""
    made = ((row, forge(decode(row.type, row.schema, row.data))) for row in rows)       # type: ignore[arg-type]
    return relinked([msgspec.structs.replace(row, data=encode(other)) if other else row for row, other in made])


async def test_the_key_shows_that_a_sealed_change_is_not_what_was_committed_to(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4)
    await changed(event, await event.drafted(), tables=[[1, 2]])
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
    fault = verify_events(stream, forged(rows, with_another_commitment), keyed=True)[1].fault
    assert fault is not None and "commits to" in fault.what
