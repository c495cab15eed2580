"""Routes for officials' corrections and checks, and for players' nonces."""

from typing import Annotated

import msgspec
from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.access import Access, Player
from ludarium.accounts.consent import may_seat_directly
from ludarium.accounts.names import checked_line
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tables.schemas import TableView
from ludarium.tables.service import Tables
from ludarium.tables.views import table_view
from ludarium.tournaments import corrections, fairness, invitation_commands, organiser_commands, player_commands
from ludarium.tournaments.routes.entries import EntryAddressesDep, EntryNumber
from ludarium.tournaments.routes.invitations import ConsentDep, ListedNamesDep, forget_former, inviting_to
from ludarium.tournaments.routes.rounds import (
    BOARD,
    BY_BOARD,
    LONGEST,
    ROUND,
    BoardDep,
    Number,
    Reason,
    RoundNumber,
    Stage,
    with_reason,
)
from ludarium.tournaments.routes.tournaments import (
    CHANGED,
    DESK,
    READ,
    Caller,
    DeskAct,
    TextsDep,
    TournamentId,
    TournamentStoreDep,
    done_body,
    known,
    text_id,
)
from ludarium.tournaments.schemas.tournaments import ActBody
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import CommandResult
from ludarium.tournaments.texts import Text
from ludarium_pairing.model import WIN

DatabaseDep = NamedDependency[Database]
MOST_PAIRS, MOST_UNITS = 1000, 100 * WIN
RULING = (*CHANGED, "stale-desk", "future-sequence", "not-arbiter", "plays-there", "unkind-words")
AT_BOARD = ("round-not-published", "round-closed", "game-not-started")


class NonceGift(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A nonce of 1 to 32 bytes in hexadecimal. Choose one that cannot be guessed."""

    nonce: Annotated[str, Meta(pattern="^([0-9a-f]{2}){1,32}$")]


class ForbiddenPairs(DeskAct, frozen=True, kw_only=True):
    """All pairs of entries that must not meet.

    They replace the previous pairs.
    """

    pairs: Annotated[list[Annotated[list[Number], Meta(min_length=2, max_length=2)]], Meta(max_length=MOST_PAIRS)]


class BlockedPairs(msgspec.Struct, frozen=True):
    """Pairs of entries of which one has blocked the other.

    The response does not say which one.
    """

    pairs: list[list[int]]


class SharedAddresses(msgspec.Struct, frozen=True):
    """Entries that came from the same address, in a list for each address."""

    entries: list[list[int]]


class PenaltyAct(DeskAct, frozen=True, kw_only=True):
    """A penalty for an entry.

    `units` is the whole penalty in this stage, taken from the entry's points; 120 units are a win. 0 removes the
    penalty.
    """

    stage: Annotated[int, Meta(ge=1, le=5)] = 1
    units: Annotated[int, Meta(ge=0, le=MOST_UNITS)]
    reason: Reason


class ReplayAct(DeskAct, frozen=True, kw_only=True):
    """A request to have a board played again, with a public reason."""

    reason: Reason


class ReplaceAct(DeskAct, frozen=True, kw_only=True):
    """A replacement: `player` continues as this entry."""

    player: Annotated[str, Meta(pattern=ids.PATTERN)]
    reason: Reason


class HandsBody(msgspec.Struct, frozen=True):
    """All hands of a table.

    `hands` has the table as each seat sees it. `seq` is the number of the event that records the look.
    """

    seq: int
    hands: list[TableView]


# --- fairness -------------------------------------------------------------------------------------------------------------
@put(
    "/tournaments/{tournament_id:str}/nonce", tags=["tournaments"],
    opt=operation(
        *CHANGED, "not-entered", "tournament-over", "nonce-given", need="tournaments:play", example={"nonce": "7f3a09"},
    ),
)  # fmt: skip
async def give_nonce(
    tournament_id: TournamentId, data: JSONBody[NonceGift], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Add a nonce to the randomness of your boards.

    It applies to rounds that are published from now on. You can give one nonce before each round: at the check-in, or
    once the draft has committed the server to its seeds.
    """
    identity, nonce = identity_of(key, player.id, (tournament_id, data)), bytes.fromhex(data.nonce)
    return done_body(await tournaments.change_in_group(
        stream_of(tournament_id), player.id, lambda s, _: fairness.give_nonce(s, player.id, nonce), identity
    ))  # fmt: skip


@get(
    "/tournaments/{tournament_id:str}/blocks", tags=["tournaments"], opt=operation(*READ, "forbidden", need="tournaments:host")
)
async def list_blocked_pairs(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, people: DatabaseDep
) -> BlockedPairs:
    """List pairs of entries of which one has blocked the other, for a host.

    Blocks alone do not keep a pair apart, because players could then choose their opponents. A host can forbid these
    pairs.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    player_commands.require_host(state, player.id)
    found = await relations.blocked_pairs(people, [entrant.player for entrant in state.listed])
    entries = sorted(sorted(state.by_player[one] for one in pair) for pair in found)
    return BlockedPairs(entries)


@get(
    "/tournaments/{tournament_id:str}/shared-addresses", tags=["tournaments"],
    opt=operation(*READ, "forbidden", need="tournaments:host"),
)  # fmt: skip
async def list_shared_addresses(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, addresses: EntryAddressesDep
) -> SharedAddresses:
    """List entries that came from the same address within 30 days, for the owner.

    The list is based on entering and checking in. Families, schools and mobile networks share addresses too, so a
    shared address is a reason to look closer and not a proof. The list does not contain the addresses, of which only
    hashes are stored.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    if state.role_of(player.id) != "owner":
        raise Problem("forbidden")
    found = [
        sorted(state.by_player[one] for one in players if one in state.by_player)
        for players in await addresses.shared(state.stream)
    ]
    return SharedAddresses(sorted(entries for entries in found if len(entries) > 1))


@put(
    "/tournaments/{tournament_id:str}/forbidden", tags=["tournaments"],
    opt=operation(
        *DESK, "tournament-over", "pairing-invalid", need="tournaments:host", example={"expected_seq": 0, "pairs": [[1, 2]]}
    ),
)  # fmt: skip
async def forbid_pairs(
    tournament_id: TournamentId, data: JSONBody[ForbiddenPairs], player: Caller, tournaments: TournamentStoreDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Set which entries must not meet in rounds that are drafted from now on.

    The pairs are public, so that everybody can verify the pairings.
    """
    identity = identity_of(key, player.id, (tournament_id, "forbidden", data))
    return done_body(await tournaments.change(
        stream_of(tournament_id), lambda s: fairness.forbid_pairs(s, player.id, data.expected_seq, data.pairs), identity
    ))  # fmt: skip


@post(
    f"{BOARD}/hands", tags=["tournaments"], status_code=200,
    dependencies=BY_BOARD,
    opt=operation(
        *CHANGED, "not-arbiter", "plays-there", *AT_BOARD, need="tournaments:host",
    ),
)  # fmt: skip
async def look_at_hands(
    place: BoardDep, player: Caller,
    tournaments: TournamentStoreDep, tables: NamedDependency[Tables], key: Key = None,
) -> HandsBody:  # fmt: skip
    """Show all hands of a table to an official, who then cannot enter.

    Officials who have entered cannot use this. Each look is recorded in a public event of the tournament.
    """
    identity = place.identity(key, player.id, "hands")

    def decide(state: TournamentState) -> player_commands.Events:
        return fairness.see_hands(state, player.id, *place.find(state))

    done = await tournaments.change(place.stream, decide, identity)
    _, there = place.find(await tournaments.fresh(place.stream))
    table = await tables.cache.fresh(there.table)
    return HandsBody(done.version, [table_view(table, seat) for seat in range(table.opened.seats)])


# --- what is mended -------------------------------------------------------------------------------------------------------
@post(
    f"{ROUND}/take-back", tags=["tournaments"], status_code=200,
    opt=operation(*DESK, "tournament-over", "round-published", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def undo_draft_change(
    tournament_id: TournamentId, stage: Stage, round: RoundNumber, data: JSONBody[DeskAct], player: Caller,
    tournaments: TournamentStoreDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Undo the last change of a draft or, if there is none, the draft itself.

    The seed stays the same: if you draft the round again with the same entries, you get the same round.
    """
    identity = identity_of(key, player.id, (tournament_id, stage, round, "take-back", data))
    return done_body(await tournaments.change(
        stream_of(tournament_id),
        lambda s: corrections.undo_draft_change(s, player.id, organiser_commands.get_round(s, stage, round), data.expected_seq),
        identity,
    ))  # fmt: skip


@put(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/penalty", tags=["tournaments"],
    opt=operation(
        *RULING, "tournament-over", "stage-over", need="tournaments:host",
        example={"expected_seq": 0, "units": 60, "reason": "Late three times"},
    ),
)  # fmt: skip
async def penalize_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[PenaltyAct], player: Caller,
    tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Set the penalty of an entry, as an official.

    The penalty is taken from the points in the standings of the stage, and when its next rounds are paired by points.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, entry, data))
    words, reason = text_id(tournaments, stream, identity), Text(checked_line(data.reason, LONGEST, "/reason"))
    await known(tournaments, stream)
    await texts.save(words, stream, reason, player.id)
    return done_body(await tournaments.change(
        stream,
        lambda s: corrections.penalize(s, player.id, entry, data.expected_seq, data.stage, data.units, words.bytes), identity,
    ))  # fmt: skip


@post(
    f"{BOARD}/replay", tags=["tournaments"], status_code=201,
    dependencies=BY_BOARD,
    opt=operation(
        *RULING, *AT_BOARD, "tournament-full", need="tournaments:host",
        example={"expected_seq": 0, "reason": "A card was shown"},
    ),
)  # fmt: skip
async def replay_board(
    place: BoardDep, data: JSONBody[ReplayAct],
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Have a board played again at a new table with a new deal.

    Only officials who do not play there can do this. The previous result no longer counts. A running game ends without
    a result.
    """
    identity, now = place.identity(key, player.id, data), tournaments.now()
    return await with_reason(
        tournaments, texts, player.id, place, data.reason, identity,
        lambda s, at, there, said: corrections.replay(s, player.id, at, there, data.expected_seq, said, now),
    )


@post(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/replace", tags=["tournaments"], status_code=200,
    opt=operation(
        *DESK, "no-such-player", "not-entered", "already-entered", "already-invited", "entry-refused", "saw-hands",
        "tournament-over", "too-many-invitations", "unkind-words", need="tournaments:host",
        example={"expected_seq": 0, "player": ids.EXAMPLE, "reason": "Ada fell ill"},
    ),
)  # fmt: skip
async def replace_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[ReplaceAct], access: NamedDependency[Access],
    tournaments: TournamentStoreDep, texts: TextsDep, consent: ConsentDep, listed_names: ListedNamesDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Invite a new player to continue as an entry, with its points.

    The player must never have been in the tournament, and must not have looked at hands as an official. They replace
    the entry's player when they accept, even during a game. If you are an organiser, they do so immediately. The listed
    name of the former player is deleted.
    """
    player = access.player
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, entry, data))
    words, reason = text_id(tournaments, stream, identity), Text(checked_line(data.reason, LONGEST, "/reason"))
    player_commands.require_host(await tournaments.fresh(stream), player.id)
    guest = is_guest((await consent.reachable(player.id, [data.player])).get(data.player))
    await texts.save(words, stream, reason, player.id)
    at_once = may_seat_directly(access)
    name = invitation_commands.substitute_now if at_once else invitation_commands.invite_substitute

    async def change() -> CommandResult:
        return await tournaments.change(
            stream, lambda s: name(s, player.id, entry, data.expected_seq, data.player, words.bytes, guest=guest), identity
        )

    if not at_once:
        return done_body(await inviting_to(tournaments, consent, stream, player.id, [data.player], change))
    done = await change()
    await forget_former(listed_names, await tournaments.fresh(stream), entry)
    return done_body(done)


def is_guest(wanted: Player | None) -> bool:
    """Return whether a player is a guest.

    Raises:
        Problem: `no-such-player` for a bot, or if there is no player.
    """
    if wanted is None or wanted.kind == "bot":
        raise Problem("no-such-player")
    return wanted.kind == "guest"
