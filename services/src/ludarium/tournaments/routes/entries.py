"""Routes for the entries of a tournament."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from ludarium.accounts.access import Access, Player
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import may_seat_directly
from ludarium.accounts.names import checked_line
from ludarium.http.answers import kept
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.http.rate_limits import address_of
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import FieldError, Problem
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tournaments import invitation_commands, player_commands
from ludarium.tournaments.csv_import import HIGHEST, parsed_lines, raise_errors
from ludarium.tournaments.entry_addresses import EntryAddresses
from ludarium.tournaments.listed_names import LONGEST_NAME
from ludarium.tournaments.plan import MOST_ROUNDS
from ludarium.tournaments.routes.invitations import ConsentDep, ListedNamesDep, forget_former, inviting_to, settle
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
)
from ludarium.tournaments.schemas.entries import EntryList, entry_list, entry_texts
from ludarium.tournaments.schemas.tournaments import ActBody, OwnPlace, own_place
from ludarium.tournaments.state import TournamentState
from ludarium_pairing.ratings import size_class

EntryAddressesDep = NamedDependency[EntryAddresses]
RESTS = ("not-entered", "no-sitting-out", "round-published", "round-drafted", "tournament-over")
EntryNumber = Annotated[int, PathParameter(ge=1, le=2**31 - 1)]


class NewEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An entry. If the plan's `entrance` is `code`, it needs the `code`."""

    code: Annotated[str, Meta(max_length=64)] = ""


class EntryImport(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Players to enter or invite, as CSV.

    Each line is `player`, `player,rating` or `player,rating,name`: the player's id, a rating (higher is better), and
    their public name in this tournament (1 to 60 characters). The first line may contain the names of these columns.
    Semicolons can replace commas, as in some spreadsheets.
    """

    csv: Annotated[str, Meta(max_length=150_000)]


class MendedName(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A new public name for an entry, 1 to 60 characters long."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class ListedName(msgspec.Struct, frozen=True):
    entry: int
    listed_as: str


class SittingOut(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A round of the current stage to sit out.

    Set `on` to false to play it after all.
    """

    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    on: bool = True


class SitOutAct(DeskAct, frozen=True, kw_only=True):
    """A round of the current stage that an entry sits out, as in SittingOut."""

    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    on: bool = True


class SeedAct(DeskAct, frozen=True, kw_only=True):
    """A rating for seeding; higher is better.

    Entries with equal ratings are in order of entry.
    """

    rating: Annotated[int, Meta(ge=-HIGHEST, le=HIGHEST)]


@get(
    "/tournaments/{tournament_id:str}/entries", tags=["tournaments"], opt=operation(*READ, headers=("ETag",), tells=EntryList)
)
async def list_entries(
    request: Request[Any, Any, Any], tournament_id: TournamentId, tournaments: TournamentStoreDep, texts: TextsDep,
    accounts: NamedDependency[Accounts], listed_names: ListedNamesDep,
) -> Response[EntryList]:
    """List all entries of a tournament, in order of entry.

    Entries beyond the number of places are reserves.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    named = await accounts.named(entrant.player for entrant in state.listed)
    said, called = await texts.by_id(entry_texts(state)), await listed_names.by_player(state.stream)
    return await kept(request, msgspec.json.encode(entry_list(state, named, said, called)), "application/json", {})


@post(
    "/tournaments/{tournament_id:str}/entries", tags=["tournaments"], status_code=201,
    opt=operation(
        *CHANGED, "already-entered", "tournament-not-open", "tournament-over", "entry-refused", "entry-late",
        "tournament-full", "saw-hands", "outside-limits", need="tournaments:play", example={"code": ""},
    ),
)  # fmt: skip
async def enter_tournament(
    request: Request[Any, Any, Any], tournament_id: TournamentId, data: JSONBody[NewEntry], player: Caller,
    tournaments: TournamentStoreDep, texts: TextsDep, projections: NamedDependency[Projections], addresses: EntryAddressesDep,
    consent: ConsentDep, listed_names: ListedNamesDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Enter a tournament, accept an invitation to it, or come back after withdrawing.

    If a host has invited you, you need no code, and can accept even while registration is closed.

    After the start you enter the next round, if the plan allows late entries then. If you withdrew, you get your entry
    and its points back, but no points for the rounds that you missed. As long as you have missed none, you can come
    back at any time. If a host has withdrawn you, only a host can bring you back. The tournament's owner sees which
    entries came from the same address.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, data))
    state = await tournaments.fresh(stream)
    wanted = (await texts.get(state.text)).code
    knows, guest = bool(wanted) and data.code == wanted, player.kind == "guest"
    strength = await strength_of(projections, state, player)

    def decide(s: TournamentState, more: int = 0) -> player_commands.Events:
        return invitation_commands.enter(s, player.id, guest=guest, knows=knows, strength=strength, more=more)

    invited = state.invitations.of(player.id)
    if invited is not None and invited.event.entry:       # two may be invited to the same entry
        done = await tournaments.change(stream, decide, identity)
    else:
        done = await tournaments.change_in_group(stream, player.id, decide, identity)
    if invited is not None:
        now = await tournaments.fresh(stream)
        await settle(consent, now, player.id)
        if invited.event.entry:
            await forget_former(listed_names, now, invited.event.entry)
    addresses.add(state, player.id, address_of(request.scope))
    return done_body(done)


async def strength_of(projections: Projections, state: TournamentState, player: Player) -> player_commands.Strength:
    """Return a player's rating at the first stage's table size, if ratings matter."""
    tables = state.plan.tables
    if not tables.policies.rated and state.plan.limits is None:
        return player_commands.NO_RATING
    pool = tables.ruleset, size_class(state.stage_of(1).seats)
    known = {(each.ruleset, each.size): each for each in await projections.ratings_of(player.id)}
    return player_commands.Strength(known[pool].rating, known[pool].games) if pool in known else player_commands.NO_RATING


@delete(
    "/tournaments/{tournament_id:str}/entries", tags=["tournaments"], status_code=200,
    opt=operation(*CHANGED, "not-entered", "tournament-over", need="tournaments:play"),
)  # fmt: skip
async def leave_tournament(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, listed_names: ListedNamesDep,
    consent: ConsentDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Withdraw from all rounds that are not yet published, or decline an invitation.

    If you decline, hosts cannot invite you to this tournament again, but you can still change your mind. A running game
    continues until it is over or you resign there. The name that a host has listed you under is deleted.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "leave"))
    done = await tournaments.change_in_group(stream, player.id, lambda s, _: invitation_commands.leave(s, player.id), identity)
    await settle(consent, await tournaments.fresh(stream), player.id)
    await listed_names.delete(stream, player.id)
    return done_body(done)


@put(
    "/tournaments/{tournament_id:str}/sitting-out", tags=["tournaments"],
    opt=operation(*CHANGED, *RESTS, need="tournaments:play", example={"round": 3, "on": True}),
)  # fmt: skip
async def sit_out_round(
    tournament_id: TournamentId, data: JSONBody[SittingOut], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Sit out an unpublished round of a swiss or a round robin, or play it after all.

    You get no points for it (a zero-point bye), and stay in the tournament. While the round is a draft, you can rejoin
    it only if you were in that draft.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, data))
    return done_body(await tournaments.change_in_group(
        stream, player.id,
        lambda s, _: player_commands.sit_out(s, player_commands.entry_of(s, player.id), None, data.round, on=data.on), identity,
    ))  # fmt: skip


@post(
    "/tournaments/{tournament_id:str}/check-in", tags=["tournaments"], status_code=200,
    opt=operation(
        *CHANGED, "not-entered", "no-check-in", "check-in-early", "check-in-late", need="tournaments:play",
    ),
)  # fmt: skip
async def check_in_to_tournament(
    request: Request[Any, Any, Any], tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep,
    addresses: EntryAddressesDep, consent: ConsentDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Check in, which also accepts an invitation.

    The plan sets how long before the start you can check in. Players who do not check in are not paired. The
    tournament's owner sees which entries came from the same address.
    """
    stream, now = stream_of(tournament_id), tournaments.now()
    identity = identity_of(key, player.id, (tournament_id, "check-in"))
    invited = (await tournaments.fresh(stream)).invitations.of(player.id)
    done = await tournaments.change_in_group(
        stream, player.id, lambda s, more: invitation_commands.check_in(s, player.id, now, more), identity
    )
    if invited is not None:
        await settle(consent, await tournaments.fresh(stream), player.id)
    state = tournaments.cache.get(stream) or await tournaments.fresh(stream)
    addresses.add(state, player.id, address_of(request.scope))
    return done_body(done)


@get(
    "/tournaments/{tournament_id:str}/me", tags=["tournaments"],
    opt=operation(*READ, "not-entered", need="tournaments:play", headers=("ETag",), tells=OwnPlace),
)  # fmt: skip
async def get_own_place(
    request: Request[Any, Any, Any], tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep
) -> Response[OwnPlace]:
    """Get your table in the newest round.

    When you are ready, send `POST /tables/{id}/ready`. The game begins when all players are ready, or at `starts_at`.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    body = own_place(state, player_commands.entry_of(state, player.id), await tournaments.unopened(state))
    return await kept(request, msgspec.json.encode(body), "application/json", {})


# --- the desk -----------------------------------------------------------------------------------------------------------
@post(
    "/tournaments/{tournament_id:str}/entries/import", tags=["tournaments"], status_code=201,
    opt=operation(
        *CHANGED, "forbidden", "invalid-import", "already-entered", "already-invited", "tournament-over", "entry-late",
        "tournament-full", "saw-hands", "too-many-invitations", need="tournaments:host",
        example={"csv": f"{ids.EXAMPLE},1500\n"},
    ),
)  # fmt: skip
async def import_entries(
    tournament_id: TournamentId, data: JSONBody[EntryImport], access: NamedDependency[Access], tournaments: TournamentStoreDep,
    consent: ConsentDep, listed_names: ListedNamesDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Invite a list of players; one wrong line refuses the whole list.

    Only the hosts see these players until they accept or check in. If the operator has made you an organiser, they are
    entered immediately. Names are stored outside the tournament's log. Players can change theirs, and it is deleted
    when they withdraw.
    """
    player = access.player
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, data))
    state = await tournaments.fresh(stream)
    player_commands.require_host(state, player.id)
    lines = parsed_lines(data.csv)
    wanted = [*lines.values()]
    people = await consent.reachable(player.id, (one.player for one in wanted))
    kinds = ("account",) if state.plan.tables.policies.rated else ("account", "guest")
    strangers = [at for at, one in lines.items() if one.player not in people or people[one.player].kind not in kinds]
    raise_errors([FieldError(f"/csv/{at}", f"no player of this id who is {' or '.join(kinds)}") for at in strangers])
    if may_seat_directly(access):
        done = await tournaments.change(stream, lambda s: invitation_commands.enter_all(s, player.id, wanted), identity)
        await settle(consent, await tournaments.fresh(stream), *(one.player for one in wanted))
    else:
        done = await inviting_to(
            tournaments, consent, stream, player.id, [*people],
            lambda: tournaments.change(stream, lambda s: invitation_commands.invite_all(s, player.id, wanted), identity),
        )
    await listed_names.save(stream, {one.player: one.name for one in wanted if one.name})
    return done_body(done)


@put(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/seed", tags=["tournaments"],
    opt=operation(*DESK, "tournament-begun", need="tournaments:host", example={"expected_seq": 0, "rating": 1500}),
)  # fmt: skip
async def seed_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[SeedAct], player: Caller, tournaments: TournamentStoreDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Set an entry's rating for seeding.

    This is possible until the first round is drafted.
    """
    identity = identity_of(key, player.id, (tournament_id, entry, data))
    return done_body(await tournaments.change(
        stream_of(tournament_id), lambda s: player_commands.seed(s, player.id, data.expected_seq, entry, data.rating), identity
    ))  # fmt: skip


@post(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/remove", tags=["tournaments"], status_code=200,
    opt=operation(*DESK, "not-entered", "tournament-over", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def remove_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep,
    listed_names: ListedNamesDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Withdraw an entry, as a host.

    This has the same effect as if its player had withdrawn. The name that a host has listed it under is deleted.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "remove", entry, data))
    done = await tournaments.change(stream, lambda s: player_commands.remove(s, player.id, data.expected_seq, entry), identity)
    await listed_names.delete(stream, player_commands.get_entry(await tournaments.fresh(stream), entry).player)
    return done_body(done)


@post(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/return", tags=["tournaments"], status_code=200,
    opt=operation(
        *DESK, "already-entered", "tournament-over", "entry-late", "saw-hands", need="tournaments:host",
        example={"expected_seq": 0},
    ),
)  # fmt: skip
async def return_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Bring back an entry that has withdrawn.

    It keeps its points, and gets none for the rounds that it missed. If it has missed a round, it can come back only
    while newcomers can enter.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "return", entry, data))
    return done_body(
        await tournaments.change(stream, lambda s: player_commands.bring_back(s, player.id, data.expected_seq, entry), identity)
    )


@put(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/sitting-out", tags=["tournaments"],
    opt=operation(*DESK, *RESTS, need="tournaments:host", example={"expected_seq": 0, "round": 3, "on": True}),
)  # fmt: skip
async def rest_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[SitOutAct], player: Caller, tournaments: TournamentStoreDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Have an entry sit out an unpublished round, or play it after all.

    The same rules apply as for its player.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "sitting-out", entry, data))
    return done_body(await tournaments.change(
        stream, lambda s: player_commands.host_sit_out(s, player.id, data.expected_seq, entry, data.round, on=data.on), identity
    ))  # fmt: skip


@put(
    "/tournaments/{tournament_id:str}/entries/{entry:int}/name", tags=["tournaments"],
    opt=operation(
        *READ, "forbidden", "not-listed", "unkind-words", "key-reused", need="tournaments:host",
        example={"name": "Ada Lovelace"},
    ),
)  # fmt: skip
async def rename_entry(
    tournament_id: TournamentId, entry: EntryNumber, data: JSONBody[MendedName], player: Caller,
    tournaments: TournamentStoreDep, listed_names: ListedNamesDep, accounts: NamedDependency[Accounts], key: Key = None,
) -> ListedName:  # fmt: skip
    """Correct the name that a host has listed an entry under.

    The newest name counts, also in files that are made again at the end. Entries that were not listed by a host have
    the player's own name.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    player_commands.require_host(state, player.id)
    name = checked_line(data.name, LONGEST_NAME, "/name")
    await accounts.keys.made(identity_of(key, player.id, (tournament_id, "name", entry, data)), "name of an entry", player.id)
    if not await listed_names.change(state.stream, player_commands.get_entry(state, entry).player, name):
        raise Problem("not-listed")
    return ListedName(entry, name)
