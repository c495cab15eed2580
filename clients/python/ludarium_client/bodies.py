"""What HTTP carries, made from `api-schema/openapi.json` by `make schema`: not to be edited by hand."""
from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

BotScope = str
"""One of: chat, me:read, play, tables. More values may come: treat those that you do not know as a default."""

CardHolders = str
"""One of: bots, people. More values may come: treat those that you do not know as a default."""

ChatRoom = str
"""One of: seats, spectators. More values may come: treat those that you do not know as a default."""

EndReason = str
"""One of: abandoned, adjudicated, agreed, finished, resigned, timed_out, voided. More values may come: treat those that
you do not know as a default."""

EntryStatus = str
"""One of: in, left, missing, reserve. More values may come: treat those that you do not know as a default."""

GameOutcome = Literal['lost', 'none', 'shared', 'won']

HouseExtent = str
"""One of: cards, none, values. More values may come: treat those that you do not know as a default."""

Icon = str
"""One of: coin, crown, drop, layers, number, shield, spark, star, step, sword, token. More values may come: treat those
that you do not know as a default."""

InvitationWay = str
"""One of: invitation, link. More values may come: treat those that you do not know as a default."""

LobbyOrder = Literal['newest', 'people']

MissedGame = str
"""One of: mean, none, win. More values may come: treat those that you do not know as a default."""

OfficialRole = str
"""One of: arbiter, broadcaster, host, owner. More values may come: treat those that you do not know as a default."""

PlayerKind = str
"""One of: account, bot, guest. More values may come: treat those that you do not know as a default."""

ProposalQuestion = str
"""One of: draw, pause, resume, takeback. More values may come: treat those that you do not know as a default."""

RatingSize = str
"""One of: many, two. More values may come: treat those that you do not know as a default."""

RecordOrder = Literal['longest', 'newest', 'shortest']

ReplayViewer = str
"""One of: 0, 1, 2, 3, 4, 5, 6, 7, everything, spectator. More values may come: treat those that you do not know as a
default."""

ReportReason = str
"""One of: cheating, child-safety, insult, name, other, rating-transfer, spam, stalling, threat. More values may come:
treat those that you do not know as a default."""

RoundStatus = str
"""One of: closed, drafted, published. More values may come: treat those that you do not know as a default."""

RulingVerdict = str
"""One of: places, upheld, void. More values may come: treat those that you do not know as a default."""

Scope = str
"""One of: admin, chat, me:read, me:write, play, tables, tournaments:host, tournaments:play. More values may come: treat
those that you do not know as a default."""

SeatingWay = str
"""One of: invitation, link, match, open, opener, rematch, reserved. More values may come: treat those that you do not
know as a default."""

TablePace = Literal['live', 'none', 'turn-based']

TableStatus = str
"""One of: open, over, playing. More values may come: treat those that you do not know as a default."""

TournamentStatus = str
"""One of: cancelled, closed, draft, open, over. More values may come: treat those that you do not know as a default."""

Viewer = Literal['0', '1', '2', '3', '4', '5', '6', '7', 'spectator']

Weight = str
"""One of: heavy, light, medium. More values may come: treat those that you do not know as a default."""


class AbsenceBody(Struct, frozen=True, kw_only=True):
    """What happens when a seat's time runs out.

    - `remedy` is `default` or `bot` if the ruleset's default action or a bot plays until the player is back. With
      `forfeit` the seat is out of the game. With `claim` an opponent can demand that.
    - `grace` is the number of seconds until the game ends after all people have left. In a tournament it ends
      immediately.
    """

    remedy: str | UnsetType = UNSET
    bot: str | None = None
    grace: int | UnsetType = UNSET


class Accepted(Struct, frozen=True, kw_only=True):
    """The response to a change of a table.

    `events` lists the new events as the caller may see them.
    """

    seq: int
    head: str
    events: list[TableEvent]
    view: TableView | UnsetType = UNSET


class Act(Struct, frozen=True, kw_only=True):
    """An entry of the audit.

    - `by` is the id of the moderator; null for an operator.
    - `player` and `table` are those that the act concerns. For `sanction` and `unlist`, `table` is the tournament.
    """

    id: str
    kind: str
    by: str | None
    player: str | None
    table: str | None
    reason: str
    until: str | None
    at: str


class ActBody(Struct, frozen=True, kw_only=True):
    """The result of a command. `seq` is the tournament's version after it.

    `entry` or `round` is what the command created, if anything.
    """

    seq: int
    entry: int | None
    round: int | None


class ActedData(Struct, frozen=True, kw_only=True):
    """A seat has acted.

    `facts` describe what happened. `story` describes the same in sentences; records do not contain it, since texts may
    be corrected. Only the seat itself gets `verb` and `args`.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET
    seat: int
    facts: list[Fact]
    story: list[LineBody] | UnsetType = UNSET
    verb: str | UnsetType = UNSET
    args: list[int] | UnsetType = UNSET


class ActedEvent(Struct, frozen=True, kw_only=True, tag="acted"):
    seq: int
    head: str
    data: ActedData


class ActionBody(Struct, frozen=True, kw_only=True):
    """The id of an offer, with the chosen subset if the offer has a pool."""

    id: str
    subset: list[int] | UnsetType = UNSET


class Address(Struct, frozen=True, kw_only=True):
    address: str


class AdmittedBody(Struct, frozen=True, kw_only=True, tag="admitted"):
    """The rules disclose something hidden: 1 or 0, or for a comparison 1, 0 or -1."""

    message: Message
    answer: int
    to: list[int] | None


class Analysis(Struct, frozen=True, kw_only=True):
    """The positions after the moves that were tried.

    `viewer` is the seat whose knowledge the deal is based on. It is null for a finished game, where the deal is the
    true one.
    """

    table: str
    at: int
    viewer: int | None
    positions: list[TriedPosition]


class App(Struct, frozen=True, kw_only=True):
    """A registered app. `id` is its `client_id`."""

    id: str
    name: str
    redirects: list[str]
    created_at: str


class Approval(Struct, frozen=True, kw_only=True):
    """An approval of an app. `app` is the app's `client_id`.

    It ends at `expires_at` unless the app refreshes its token before then.
    """

    id: str
    app: str
    name: str
    scopes: list[str]
    created_at: str
    expires_at: str


class Area(Struct, frozen=True, kw_only=True):
    """A group of spaces on one piece of land or within one wall.

    On a map with land, the rest is water. `name` is the id of the text that names the area, if it has a name. An offer
    that uses this text is about these spaces.
    """

    kind: str
    spaces: list[int]
    name: str | None


class ArrivedData(Struct, frozen=True, kw_only=True):
    """A player has arrived at a tournament's table.

    They may not have acted yet.
    """

    seat: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class ArrivedEvent(Struct, frozen=True, kw_only=True, tag="arrived"):
    seq: int
    head: str
    data: ArrivedData


class Arrow(Struct, frozen=True, kw_only=True):
    """An arrow between two pieces. Without `end`, it is a circle around one."""

    start: Pointed
    end: Pointed | None = None


class AskingApp(Struct, frozen=True, kw_only=True):
    """An app that asks for approval.

    - `host` is the host, or `scheme:`, to which the user is sent back; null for a device.
    - `scopes` lists the requested scopes, each with its meaning.
    """

    id: str
    name: str
    owner: Player
    host: str | None
    scopes: dict[str, str]


class Assertion(Struct, frozen=True, kw_only=True):
    clientDataJSON: str
    authenticatorData: str
    signature: str
    userHandle: str | None


class Attestation(Struct, frozen=True, kw_only=True):
    clientDataJSON: str
    attestationObject: str


class AutopilotAct(Struct, frozen=True, kw_only=True):
    """Settings of the autopilot.

    `rest` is the number of seconds from the close of a round until the next one is drafted and published. `settle` is
    the number of seconds from the end of a round's last table until the round is closed. Less than 900 shortens the
    time in which players can dispute results.
    """

    expected_seq: int
    on: bool
    rest: int | UnsetType = UNSET
    settle: int | UnsetType = UNSET


class AutopilotBody(Struct, frozen=True, kw_only=True):
    """The current settings of the autopilot.

    `why` is the problem that has stopped it. `next` is its next step and `next_at` the time of that step, if they are
    known.
    """

    on: bool
    rest: int
    settle: int
    why: str
    next: str | None
    next_at: str | None


class Badge(Struct, frozen=True, kw_only=True):
    """A printed fact to show on cards of every size, if the card has it."""

    fact: str
    icon: Icon


class BecameBody(Struct, frozen=True, kw_only=True, tag="became"):
    """A number, or a list of numbers, gets a new value."""

    slot: SlotBody
    value: int | bool | list[int]


class Because(Struct, frozen=True, kw_only=True):
    """The reason for an act."""

    reason: str


class BlockedPairs(Struct, frozen=True, kw_only=True):
    """Pairs of entries of which one has blocked the other.

    The response does not say which one.
    """

    pairs: list[list[int]]


class Board(Struct, frozen=True, kw_only=True):
    """A map for a number of seats and these options of the table.

    - `zone` is a zone with an entry for each space. Arguments that refer to it are indices of spaces.
    - `areas` are drawn below the spaces, the lowest first. On a map with land, the rest is water.
    - `house` says whether the map is our own instead of the printed one.
    """

    seats: int
    options: dict[str, bool]
    zone: str
    spaces: list[Space]
    edges: list[Edge]
    areas: list[Area]
    house: bool


class BoardBody(Struct, frozen=True, kw_only=True):
    """A board of a round.

    - `table` is null until the table can be used, a few moments after the round is published.
    - `seats` lists the entries by seat. So do `places`, `points` and `absent`, once the board is over.
    - `deal` is the BLAKE2b-256 hash of the seed of its deal.
    - `disputed` is the entry that disputes the result, until there is a ruling. `dispute` is its reason, for officials
      only.
    - `looks` lists the officials who have seen all hands.
    - `earlier` lists its tables before it was played again, and `replayed` is the reason for that.
    - `ends_at` is its time limit, without the time of a current pause.
    - `paused` is a pause of this board alone. `added` lists the time given by officials.

    In a match of several games, `table`, `status`, `reason` and `deal` are those of the newest game, `points` are the
    sum, and `places` are those of the match. `games` lists all finished games, and `score` has the units by seat, 120
    for a won game. Both are empty for a single game.
    """

    board: int
    table: str | None
    status: str
    seats: list[int]
    places: list[int]
    points: list[int]
    absent: list[int]
    reason: EndReason | None
    ruling: RulingBody | None
    disputed: int | None
    dispute: str | None
    deal: str
    seq: int
    looks: list[LookBody]
    earlier: list[str]
    replayed: str | None
    starts_at: str | None
    ends_at: str | None
    paused: PauseBody | None
    featured: bool
    games: list[GameBody]
    score: list[int]
    added: list[TimeAddedBody]


class Bot(Struct, frozen=True, kw_only=True):
    """A bot of the caller.

    `scopes` are those of its token, which expires at `expires_at`. After that, `scopes` is empty.
    """

    id: str
    name: str
    scopes: list[BotScope]
    created_at: str
    expires_at: str | None


class BotScopes(Struct, frozen=True, kw_only=True):
    """The new scopes of the bot."""

    scopes: list[BotScope]


class BotWithToken(Struct, frozen=True, kw_only=True):
    """A bot with its new token, which is returned only once."""

    bot: Bot
    token: str


class BracketBody(Struct, frozen=True, kw_only=True):
    seq: int
    stage: int
    rounds: list[BracketRound]


class BracketRound(Struct, frozen=True, kw_only=True):
    round: int
    tables: list[BracketTable]
    byes: list[int]


class BracketTable(Struct, frozen=True, kw_only=True):
    """A table of a bracket. In a match, `score` has the units by seat."""

    board: int
    seats: list[int]
    places: list[int]
    score: list[int]


class BranchBody(Struct, frozen=True, kw_only=True):
    """The origin of a branch: the position of another game after event `at`.

    `viewer` is the seat whose knowledge the position is based on; null if it is the true position.
    """

    table: str
    at: int
    viewer: int | None


class BulkTable(Struct, frozen=True, kw_only=True):
    """A table to open, and the players to invite.

    `players` are invited for seats 0 and up. Each sits down by themselves.
    """

    table: NewTable
    players: list[str] | UnsetType = UNSET


class CardBody(Struct, frozen=True, kw_only=True):
    """A card or tile of a ruleset.

    - `id` is its number in zones. All copies of a card have the same `kind`.
    - `name` is in each locale. `text` is the message id of its effect.
    - `icons` names icons of the ruleset, most important first.
    - `chapter` is the chapter of the guide that explains the card; null if there is none.
    - `house` lists the values that are our own instead of printed: `name`, `effect`, `copies` or a fact. The texts name
      them in `house.field.<name>`.
    - `details` describes the card in words, in the requested language.
    """

    id: int
    kind: str
    name: dict[str, str]
    text: str
    facts: dict[str, Any]
    icons: list[str]
    chapter: str | None
    house: list[str]
    details: CardDetails | UnsetType = UNSET


class CardDetails(Struct, frozen=True, kw_only=True):
    """A card's name, its effect and its named facts, in the requested language.

    `house` is a sentence about which values are our own instead of printed; null if all are printed.
    """

    name: str
    text: str
    facts: list[FactText]
    house: str | None


class CardFigures(Struct, frozen=True, kw_only=True):
    """The results of seats that held a card at any time in the game.

    `kind` is as in the ruleset's cards.
    """

    kind: str
    won: WinRate


class CardStatistics(Struct, frozen=True, kw_only=True):
    """Statistics of the cards of a ruleset.

    `seats`, `seat` and `who` are the filters; null means all. `every` has the results of all seats, for comparison.
    """

    ruleset: str
    seats: int | None
    seat: int | None
    who: CardHolders
    every: WinRate
    cards: list[CardFigures]


class Change(Struct, frozen=True, kw_only=True):
    """Changes of the view by an event, in addition to its facts.

    The facts already describe changes of zones, turn, outcome and preferences. Each field here replaces the one in the
    view. Fields that are left out are unchanged.

    - `sights` has the visibility of the zones into which the facts move cards, if some viewers do not see all of them.
      It uses the values of `sight` in the ruleset's zones.
    - `sum`, in some events, is the CRC-32 of the view's `zones` as JSON without spaces, in their order. If yours
      differs, request the view.
    """

    asked: list[int] | UnsetType = UNSET
    agenda: list[FrameBody] | UnsetType = UNSET
    focus: Focus | UnsetType | None = UNSET
    choice: Choice | UnsetType | None = UNSET
    undo: UndoBody | UnsetType | None = UNSET
    proposal: ProposalBody | UnsetType | None = UNSET
    clocks: ClocksBody | UnsetType | None = UNSET
    sights: dict[str, str] | UnsetType = UNSET
    sum: int | UnsetType = UNSET


class Chapter(Struct, frozen=True, kw_only=True):
    """A part of a study that begins at event `at`.

    `eyes` is the audience whose view it shows.
    """

    title: str
    at: int | UnsetType = UNSET
    eyes: ReplayViewer | UnsetType = UNSET
    notes: list[Note] | UnsetType = UNSET


class ChatMessage(Struct, frozen=True, kw_only=True):
    """A chat message.

    - `number` counts the messages of the room.
    - `phrase` is the id of a predefined phrase; all other messages have a `text`.
    - `at` is the time in RFC 3339.
    - `gone` says that the message is no longer shown: `hidden` by its author, or `deleted` by the table's host.
    """

    id: str
    room: ChatRoom
    number: int
    player: str
    phrase: str | None
    text: str | None
    at: str
    gone: str | None


class ChatPage(Struct, frozen=True, kw_only=True):
    """A page of messages.

    `next` is the `after` of the next page; null on the last page. `read` is the number of the last message that the
    caller has read on any device; 0 for none.
    """

    room: ChatRoom
    messages: list[ChatMessage]
    next: int | None
    read: int


class Choice(Struct, frozen=True, kw_only=True):
    """A question to the viewer's seat, with the offers to choose from.

    A command is accepted if its `expected_seq` is `since` or later. If the question is a window, `passes` has the names
    under which the seat can always pass it.
    """

    id: str
    since: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup]
    passes: list[str]


class Claim(Struct, frozen=True, kw_only=True):
    """The seat that has run out of time."""

    seat: int


class Claims(Struct, frozen=True, kw_only=True):
    """Data of a record that is neither hashed nor signed.

    `names` has the players' names by id. `scores` has the points by seat.
    """

    names: dict[str, str] | UnsetType = UNSET
    scores: list[dict[str, int]] | UnsetType = UNSET


class ClockBody(Struct, frozen=True, kw_only=True):
    """A seat's clock.

    - `remaining_ms` is the time left at `as_of`. It decreases while the clock `runs`. Otherwise, it is the time for the
      seat's next turn.
    - `deadline` is when a running turn-based clock runs out; null during a pause.
    - `late_ms` is the latency that can still be credited.

    Outages are credited to the remaining time and to the deadline.
    """

    seat: int
    remaining_ms: int
    runs: bool
    late_ms: int
    deadline: str | None


class ClocksBody(Struct, frozen=True, kw_only=True):
    """The clocks of all seats.

    `as_of` is the moment of these times, by the server's clock.
    """

    as_of: str
    seats: list[ClockBody]


class Command(Struct, frozen=True, kw_only=True):
    """A command of a seat.

    `expected_seq` is the table's `seq` on which the caller based the decision. `head` is the head of that event. If the
    log has lost the event, the command is refused.
    """

    expected_seq: int
    action: ActionBody
    head: str | None = None


class Comment(Struct, frozen=True, kw_only=True):
    """A comment on a game.

    `hidden` means that a moderator has hidden it, so that only its author sees it.
    """

    id: str
    table: str
    player: str
    at: int | None
    text: str
    said_at: str
    hidden: bool


class CommentPage(Struct, frozen=True, kw_only=True):
    """A page of comments.

    `next` is the `after` of the next page; null on the last page.
    """

    comments: list[Comment]
    next: str | None


class Consent(Struct, frozen=True, kw_only=True):
    """The query with which the app has sent its user, and the user's decision.

    OAuth 2.1 requires a challenge and forbids `plain`.
    """

    client_id: str
    redirect_uri: str
    response_type: Literal['code']
    code_challenge: str
    code_challenge_method: Literal['S256']
    scope: str
    approve: bool
    state: str | None = None


class ConsentData(Struct, frozen=True, kw_only=True):
    """A proposal to all other players, or a seat's answer to it.

    The answer `settled` ends the proposal. `seat` is -1 if officials of the tournament pause or resume the table.
    """

    seat: int
    question: ProposalQuestion
    answer: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class ConsentEvent(Struct, frozen=True, kw_only=True, tag="consent"):
    seq: int
    head: str
    data: ConsentData


class CountedBody(Struct, frozen=True, kw_only=True, tag="counted"):
    """A number changes by an amount."""

    slot: SlotBody
    by: int


class Criterion(Struct, frozen=True, kw_only=True):
    name: str
    value: str


class CrossCell(Struct, frozen=True, kw_only=True):
    """An entry's units and opponents in a round; no opponents if it did not play."""

    opponents: list[int]
    units: int


class CrossRow(Struct, frozen=True, kw_only=True):
    """A row of the crosstable. `group` is as in the standings."""

    entry: int
    group: int | None
    rounds: list[CrossCell]


class CrosstableBody(Struct, frozen=True, kw_only=True):
    seq: int
    stage: int
    rows: list[CrossRow]


class Cut(Struct, frozen=True, kw_only=True):
    """Events that a log has lost, as confirmed by the operator.

    Either the log lost the events of one table after `kept` (-1: all of them), whose last hash was `lost`. Or, after a
    restore, it lost events of unknown tables between `since` and `until`.
    """

    key: str | None
    signature: str | None
    log: str
    table: str | None
    kept: int | None
    lost: str | None
    since: str | None
    until: str | None
    found_at: str


class CutList(Struct, frozen=True, kw_only=True):
    """Events that the log has lost, the newest losses first."""

    cuts: list[Cut]


class DataExport(Struct, frozen=True, kw_only=True):
    """All data stored about you, except hashes and other players' reports."""

    account: KeptAccount
    codes: list[KeptCode]
    letters: list[KeptLetter]
    passkeys: list[KeptPasskey]
    tokens: list[KeptToken]
    sign_ins: list[KeptSignIn]
    apps: list[KeptApp]
    approvals: list[KeptApproval]
    bots: list[KeptBot]
    sanctions: list[KeptSanction]
    acts: list[KeptAct]
    follows: list[KeptTie]
    blocks: list[KeptTie]
    reports: list[KeptReport]
    messages: list[KeptMessage]
    invitations: list[KeptInvitation]
    tickets: list[KeptTicket]
    rests: list[KeptRest]
    imports: list[KeptImport]
    studies: list[KeptStudy]
    comments: list[KeptComment]
    listings: list[KeptListing]
    tournament_texts: list[KeptTournamentText]
    read_messages: list[KeptReadMessages]
    notices: list[KeptNotice]
    notice_preferences: list[KeptNoticePreferences]
    read_notices: list[KeptReadNotice]
    tables: list[KeptTable]


class DealBody(Struct, frozen=True, kw_only=True):
    """The source of a table's randomness.

    `commitment` is the BLAKE2b-256 hash of its seed, in hexadecimal. If several tables share the deal, `id` identifies
    it, `board` is the board played here, and `nonces` lists the nonces for all its tables.
    """

    commitment: str
    id: str | None
    board: int
    nonces: list[str]


class Decision(Struct, frozen=True, kw_only=True):
    """The offers that a seat could choose from, and what it chose.

    `action` has the id of the chosen offer and the chosen subset.
    """

    seat: int
    prompt: Message
    offers: list[OfferBody]
    action: ActionBody


class DelayAct(Struct, frozen=True, kw_only=True):
    """A delay for spectators, in events and in seconds; the longer one applies.

    If both are 0, the plan decides.
    """

    expected_seq: int
    events: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET


class DelayBody(Struct, frozen=True, kw_only=True):
    """A delay for spectators, in events and in seconds; the longer one applies."""

    events: int
    seconds: int


class DeskAct(Struct, frozen=True, kw_only=True):
    """A command of a host.

    `expected_seq` is the version of the last change of the part that the command concerns, or a later version. The
    responses about that part contain it.
    """

    expected_seq: int


class DeviceAnswer(Struct, frozen=True, kw_only=True):
    user_code: str
    approve: bool


class DeviceCode(Struct, frozen=True, kw_only=True):
    """A code for a device without a browser.

    The device polls with `device_code` and shows `user_code`.
    """

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class DeviceRequest(Struct, frozen=True, kw_only=True):
    client_id: str
    scope: str


class Dispute(Struct, frozen=True, kw_only=True):
    """The reason for which a player disputes a result."""

    reason: str


class Documents(Struct, frozen=True, kw_only=True):
    """The documents that events refer to by their BLAKE2b-256 hash.

    They are in the form that was hashed.
    """

    layouts: list[bytes]
    zones: list[bytes]


class DraftEdit(Struct, frozen=True, kw_only=True):
    """A change of a draft: either a swap, or whole tables by seat.

    After that, the remaining entries are paired again.
    """

    expected_seq: int
    swap: Swap | None = None
    tables: list[list[int]] | None = None


class Draining(Struct, frozen=True, kw_only=True):
    """The reason why new tables are refused; null if they are accepted."""

    reason: str | None


class Edge(Struct, frozen=True, kw_only=True):
    """Two adjacent spaces of a board, by index."""

    a: int
    b: int
    kind: str


class EndedBody(Struct, frozen=True, kw_only=True, tag="ended"):
    """The game is over. Rank 1 is the best, and tied seats share a rank."""

    outcome: list[int]


class EntryBody(Struct, frozen=True, kw_only=True):
    """An entry of a tournament.

    - `status` is `missing` if the player did not check in, `left` if the entry has withdrawn, and `reserve` if all
      places are taken.
    - `joined` is its first round. `points` are the units that it got for earlier rounds.
    - `listed_as` is the name that a host has listed it under, if any.
    - `former` lists its former players. `replaced` is the reason of the last replacement.
    - `nonce` is its newest nonce, in hexadecimal.
    - `sits_out` lists the rounds of the current stage that it sits out.
    """

    entry: int
    player: str
    name: str | None
    status: EntryStatus
    rating: int
    joined: int
    points: int
    checked_in: bool
    seq: int
    penalties: list[PenaltyBody]
    former: list[str]
    replaced: str | None
    nonce: str
    listed_as: str | None
    sits_out: list[int]


class EntryImport(Struct, frozen=True, kw_only=True):
    """Players to enter or invite, as CSV.

    Each line is `player`, `player,rating` or `player,rating,name`: the player's id, a rating (higher is better), and
    their public name in this tournament (1 to 60 characters). The first line may contain the names of these columns.
    Semicolons can replace commas, as in some spreadsheets.
    """

    csv: str


class EntryList(Struct, frozen=True, kw_only=True):
    """All entries of a tournament, in order of entry."""

    seq: int
    entries: list[EntryBody]


class EventData(Struct, frozen=True, kw_only=True):
    """The data that every event has.

    `view` is the viewer's view after the event, if it is the newest one. Subscriptions to changes get `change` instead.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class EventPage(Struct, frozen=True, kw_only=True):
    """A page of events.

    `next` is the value of `after` for the next page; null on the last page.
    """

    events: list[TableEvent]
    next: int | None


class Face(Struct, frozen=True, kw_only=True):
    """How clients draw the faces of cards.

    - `tint` is the fact that determines a card's colour.
    - `badges` are facts to show on cards of every size.
    - `pictured` lists facts whose words have icons. A card shows these icons if its kind has none.

    Show facts in words where the texts have `fact.<name>`.
    """

    tint: str | None
    badges: list[Badge]
    pictured: list[str]


class FactText(Struct, frozen=True, kw_only=True):
    """A printed fact of a card in words. `fact` is its name in `facts` of the card."""

    fact: str
    name: str
    value: str


class FeatureAct(Struct, frozen=True, kw_only=True):
    """Whether a table is featured, which means that it is shown first."""

    expected_seq: int
    featured: bool


class FeaturedBody(Struct, frozen=True, kw_only=True):
    """A featured board and its table."""

    board: int
    table: str


class FieldError(Struct, frozen=True, kw_only=True):
    """A fault in a field of a body (RFC 6901 pointer) or in a parameter (its name)."""

    pointer: str
    detail: str


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A finished game.

    `outcome` has the rank of each seat; null if there is no result. `events` is the number of the table's events.
    `ended_at` is in RFC 3339.
    """

    table: LobbyTable
    outcome: list[int] | None
    events: int
    ended_at: str


class FinishedPage(Struct, frozen=True, kw_only=True):
    """A page of finished games.

    `next` is the `after` of the next page; null on the last page.
    """

    games: list[FinishedGame]
    next: str | None


class Focus(Struct, frozen=True, kw_only=True):
    """The pieces that the current question is about, most important first.

    In a battle, `sides` lists the attacker first.
    """

    pieces: list[Piece]
    sides: list[Side]


class ForbiddenPairs(Struct, frozen=True, kw_only=True):
    """All pairs of entries that must not meet.

    They replace the previous pairs.
    """

    expected_seq: int
    pairs: list[list[int]]


class Forgotten(Struct, frozen=True, kw_only=True):
    login: str


class FoundPlayer(Struct, frozen=True, kw_only=True):
    """A player as moderators see them, without e-mail address and network."""

    id: str
    name: str
    kind: PlayerKind
    role: str
    owner: str | None
    login: str | None
    created_at: str
    banned_until: str | None
    muted_until: str | None


class FrameBody(Struct, frozen=True, kw_only=True):
    """A script that is under way.

    In the agenda, the script on top comes last.

    - `asked` lists the seats that still have to answer.
    - `answered` lists the seats whose sealed answer is shown once all have answered.
    - `picks` has only the values that all viewers may see.
    """

    script: str
    seat: int
    asked: list[int]
    picks: dict[str, int]
    answered: list[int]


class FramePage(Struct, frozen=True, kw_only=True):
    """A page of views of a finished game.

    `next` is the `after` of the next page; null on the last page.
    """

    frames: list[ReplayFrame]
    next: int | None


class GameBody(Struct, frozen=True, kw_only=True):
    """A finished game of a match.

    `seats`, `places`, `points` and `absent` are by the seats of its table.
    """

    table: str
    seats: list[int]
    places: list[int]
    points: list[int]
    absent: list[int]
    reason: EndReason


class GameEndedData(Struct, frozen=True, kw_only=True):
    """The game has ended.

    `outcome` has the rank of each seat; null if there is no result.
    """

    reason: EndReason
    outcome: list[int] | None
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class GameEndedEvent(Struct, frozen=True, kw_only=True, tag="game_ended"):
    seq: int
    head: str
    data: GameEndedData


class GameRecord(Struct, frozen=True, kw_only=True):
    """A game as a file that anyone can verify.

    `viewer` is a seat. It is null for spectators, and for a complete record, which opens every leaf.
    """

    format: Literal['ludarium-record/2']
    table: str
    viewer: int | None
    rows: list[RecordRow]
    documents: Documents
    claims: Claims


class GameStartedData(Struct, frozen=True, kw_only=True):
    """The game has started.

    - `data_hash`, `layout_hash` and `zones_hash` identify documents of the record.
    - `nonces` has the nonce of each seat. They are mixed into the seed of the deal.
    - `facts` set up the game. `story` describes them in sentences, as in `acted`.
    - `branch` names the position from which the game continues, if it began at another table.
    """

    rules: str
    data_hash: str
    layout_hash: str
    zones_hash: str
    nonces: list[str]
    facts: list[Fact]
    story: list[LineBody] | UnsetType = UNSET
    branch: BranchBody | UnsetType = UNSET
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class GameStartedEvent(Struct, frozen=True, kw_only=True, tag="game_started"):
    seq: int
    head: str
    data: GameStartedData


class Guest(Struct, frozen=True, kw_only=True):
    """A new guest with a token and a rejoin code.

    Both are returned only once, because the server stores only their hashes.
    """

    player: Player
    token: str
    rejoin_code: str


class GuestToken(Struct, frozen=True, kw_only=True):
    """The token of the guest who has the seat.

    It is stored on the device that the guest used.
    """

    guest: str


class GuideChapter(Struct, frozen=True, kw_only=True):
    """A chapter of the guide for new players.

    The texts have its body in `how.<id>`, its heading in `how.<id>.name`, and a description of its picture in
    `how.<id>.picture`.

    - `asks` lists the questions that it explains. An entry `x` stands for the prompt `prompt.x` and for all that begin
      with `prompt.x.`; the texts have a hint for it in `hint.x`.
    - `options` lists the options that it explains, by rulings or in the text `how.option.<name>`.
    """

    id: str
    asks: list[str]
    options: list[str]
    picture: GuidePicture | None


class GuidePicture(Struct, frozen=True, kw_only=True):
    """A picture of the guide.

    `href` is its address, a WebP image that can be cached permanently. `width` and `height` are in pixels.
    """

    href: str
    width: int
    height: int


class HandedOverData(Struct, frozen=True, kw_only=True):
    """The table has a new host."""

    player: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class HandedOverEvent(Struct, frozen=True, kw_only=True, tag="handed_over"):
    seq: int
    head: str
    data: HandedOverData


class HandsBody(Struct, frozen=True, kw_only=True):
    """All hands of a table.

    `hands` has the table as each seat sees it. `seq` is the number of the event that records the look.
    """

    seq: int
    hands: list[TableView]


class Health(Struct, frozen=True, kw_only=True):
    """The result of a health check."""

    status: str


class Hidden(Struct, frozen=True, kw_only=True, tag="hidden"):
    """An event that the viewer may not see. It keeps its number."""

    seq: int
    head: str
    data: EventData


class Hour(Struct, frozen=True, kw_only=True):
    """The tables of a log that ended within an hour, as a Merkle root.

    `root` is the root over their ids and last hashes, and `previous` is the root before.
    """

    key: str | None
    signature: str | None
    log: str
    hour: str
    root: str
    previous: str
    count: int


class HourPage(Struct, frozen=True, kw_only=True):
    """A page of hours.

    `next` is the `from` of the next page; null on the last page.
    """

    hours: list[Hour]
    next: str | None


class HourProof(Struct, frozen=True, kw_only=True):
    """The proof that a table's last hash is under the root of an hour."""

    head: str
    path: list[Step]
    hour: Hour


class HouseSummary(Struct, frozen=True, kw_only=True):
    """How much of the cards and maps is our own instead of printed.

    `extent` is `cards` if most effects are our own, `values` if only other values are, and `none` if all values are
    printed. `options` has the extent for the cards that each value of an option adds. The ruleset's texts describe it
    in `house`, and for options in `house.<option>.<value>`.
    """

    extent: HouseExtent
    options: dict[str, dict[str, HouseExtent]]


class HouseValues(Struct, frozen=True, kw_only=True):
    """How many kinds of cards have values that are our own instead of printed.

    - `extent` is `cards` if most effects are our own, `values` if only other values are, and `none` if all values are
      printed.
    - `kinds` is the number of all kinds.
    - `fields` maps each field (`name`, `effect`, `copies` or a fact) to the number of kinds whose value is our own.
    """

    extent: HouseExtent
    kinds: int
    fields: dict[str, int]


class HouseValuesBody(Struct, frozen=True, kw_only=True):
    """How many kinds of cards have values that are our own instead of printed.

    `all` counts all cards. `options` counts the cards that each value of an option adds.
    """

    all: HouseValues
    options: dict[str, dict[str, HouseValues]]


class ImportBody(Struct, frozen=True, kw_only=True):
    """A record that you imported.

    `size` is the size of the file in bytes. `imported_at` is in RFC 3339.
    """

    id: str
    imported_at: str
    size: int
    game: ImportedGame


class ImportCheck(Struct, frozen=True, kw_only=True):
    """The number of values that were verified in an imported record.

    - `rows` counts the events in the hash chain.
    - `roots` counts the roots that were computed again.
    - `draws` counts the shuffles and dice that were computed from the seed.
    - `rerun` counts the decisions that the rules made again.
    - `made_under` lists other versions of the rules, whose decisions were not made again.
    """

    rows: int
    roots: int
    draws: int
    rerun: int
    made_under: list[str]


class ImportPage(Struct, frozen=True, kw_only=True):
    """A page of imported records.

    `next` is the `after` of the next page; null on the last page.
    """

    imports: list[ImportBody]
    next: str | None


class ImportedGame(Struct, frozen=True, kw_only=True):
    """A summary of an imported record, stored with it: new fields need a default.

    - `table` and the ids of players are those of the original server.
    - `rules` is the last version of the rules. `head` is the hash of the last event, in hexadecimal.
    - `began_at` and `ended_at` are in RFC 3339, by the clock of the original server.
    """

    table: str
    ruleset: str
    options: dict[str, Any]
    rules: str
    seats: list[ImportedSeat]
    reason: EndReason | None
    outcome: list[int] | None
    head: str
    began_at: str
    ended_at: str
    checked: ImportCheck


class ImportedSeat(Struct, frozen=True, kw_only=True):
    """A seat of an imported game.

    `player` is an id of the original server. `name` is **as in the file** and not verified.
    """

    player: str | None
    bot: str | None
    name: str | None


class InvitationList(Struct, frozen=True, kw_only=True):
    """Links without their secrets, and players who are invited or have used a link."""

    links: list[Link]
    guests: list[TableGuest]


class Invite(Struct, frozen=True, kw_only=True):
    """An invitation to send to a player, by id.

    `seat` is the seat to reserve for them, if any.
    """

    player: str
    seat: int | None = None


class Invited(Struct, frozen=True, kw_only=True):
    """A table to which the player is invited."""

    table: str
    way: InvitationWay


class InvitedPage(Struct, frozen=True, kw_only=True):
    """The tables to which the caller is invited, the newest first."""

    tables: list[Invited]


class IssuedToken(Struct, frozen=True, kw_only=True):
    """A new token. `secret` is returned only once."""

    secret: str
    token: TokenBody


class KeptAccount(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    kind: str
    role: str
    created_at: str
    login: str | None
    mail: str | None
    mail_verified_at: str | None
    password_changed_at: str | None
    hides_history: bool
    hides_presence: bool


class KeptAct(Struct, frozen=True, kw_only=True):
    """A moderation act about you, without the moderator's name."""

    id: str
    kind: str
    reason: str
    until: str | None
    at: str


class KeptApp(Struct, frozen=True, kw_only=True):
    """An app that you have registered."""

    id: str
    name: str
    redirects: list[str]
    created_at: str


class KeptApproval(Struct, frozen=True, kw_only=True):
    """What you allowed an app to do."""

    app: str
    name: str
    scopes: list[str]
    created_at: str
    expires_at: str


class KeptBot(Struct, frozen=True, kw_only=True):
    """A bot that you own. Its own token gives access to its tables."""

    id: str
    name: str
    created_at: str


class KeptCode(Struct, frozen=True, kw_only=True):
    """A rejoin code that you have. The code itself is not stored."""

    created_at: str


class KeptComment(Struct, frozen=True, kw_only=True):
    """A comment on a game. `moment` is the event to which it refers."""

    id: str
    table: str
    moment: int | None
    text: str
    at: str


class KeptImport(Struct, frozen=True, kw_only=True):
    """A record that you imported. `record` is the path of its file."""

    id: str
    at: str
    size: int
    record: str


class KeptInvitation(Struct, frozen=True, kw_only=True):
    """An invitation to a table."""

    table: str
    invited_at: str
    revoked_at: str | None


class KeptLetter(Struct, frozen=True, kw_only=True):
    """A code that was sent to you by e-mail, without the code itself."""

    purpose: str
    address: str
    created_at: str


class KeptListing(Struct, frozen=True, kw_only=True):
    """The name that a host has listed you under in a tournament."""

    tournament: str
    name: str
    at: str


class KeptMessage(Struct, frozen=True, kw_only=True):
    """A chat message that you wrote."""

    id: str
    table: str
    room: str
    phrase: str | None
    text: str | None
    at: str
    gone: str | None


class KeptNotice(Struct, frozen=True, kw_only=True):
    """A notice that waits for you at a table.

    Invitations and acts about you have their own lists.
    """

    kind: str
    table: str
    at: str


class KeptNoticePreferences(Struct, frozen=True, kw_only=True):
    """The notices that you have switched off."""

    kinds: list[str]
    tables: list[str]
    people: list[str]
    at: str


class KeptPasskey(Struct, frozen=True, kw_only=True):
    """A passkey of your account."""

    name: str
    created_at: str
    used_at: str | None


class KeptReadMessages(Struct, frozen=True, kw_only=True):
    """A chat room that you have read up to message `number`."""

    table: str
    room: str
    number: int
    at: str


class KeptReadNotice(Struct, frozen=True, kw_only=True):
    """A notice that you have read, by its id."""

    notice: str
    at: str


class KeptReport(Struct, frozen=True, kw_only=True):
    """A report that you made."""

    id: str
    reason: str
    player: str | None
    table: str | None
    message: str | None
    text: str | None
    at: str
    closed_at: str | None


class KeptRest(Struct, frozen=True, kw_only=True):
    """Your playing hours and vacations, and since when they apply."""

    since: str
    rest: Rest


class KeptSanction(Struct, frozen=True, kw_only=True):
    """A ban or a mute."""

    kind: str
    reason: str
    until: str


class KeptSignIn(Struct, frozen=True, kw_only=True):
    """A sign-in or a failed attempt.

    `network` and `client` say roughly where it came from, and with which program.
    """

    id: int
    at: str
    way: str
    succeeded: bool
    network: str
    client: str


class KeptStudy(Struct, frozen=True, kw_only=True):
    """A version of a study. `id` is the id of this version."""

    id: str
    study: str
    version: int
    table: str
    title: str
    chapters: Any
    shared: bool
    at: str


class KeptTable(Struct, frozen=True, kw_only=True):
    """A table at which you sat, or which you opened.

    `seat` is null if you opened it and did not sit there. `record` is the path of the part of its log that you may see.
    """

    id: str
    ruleset: str
    status: str
    seat: int | None
    opened_at: str
    record: str


class KeptTicket(Struct, frozen=True, kw_only=True):
    """A request for a quick match. `table` is null while it is waiting."""

    id: str
    wanted: Any
    table: str | None
    made_at: str


class KeptTie(Struct, frozen=True, kw_only=True):
    """A player whom you follow or block, and since when."""

    player: str
    at: str


class KeptToken(Struct, frozen=True, kw_only=True):
    """A session, a personal token, or an app's token, without its secret."""

    kind: str
    name: str | None
    scopes: list[str]
    created_at: str
    expires_at: str | None
    used_at: str | None


class KeptTournamentText(Struct, frozen=True, kw_only=True):
    """A text that you wrote for a tournament.

    It is the title, description and entry code of the tournament or, in `title`, the reason of a ruling or dispute.
    """

    id: str
    tournament: str
    title: str
    body: str
    code: str
    at: str


class Leaderboard(Struct, frozen=True, kw_only=True):
    """The best players, best first."""

    ruleset: str
    size: RatingSize
    players: list[RankedPlayer]


class LeftData(Struct, frozen=True, kw_only=True):
    """A seat was given up before the game."""

    seat: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class LeftEvent(Struct, frozen=True, kw_only=True, tag="left"):
    seq: int
    head: str
    data: LeftData


class Lengths(Struct, frozen=True, kw_only=True):
    """The lengths of games, in events."""

    shortest: int
    mean: float
    longest: int


class LimitsBody(Struct, frozen=True, kw_only=True):
    """Limits for players who enter by themselves.

    They are compared with the ratings for this ruleset and table size, and with the number of finished rated games.
    Players without a rating have 0.
    """

    least_rating: int | None = None
    most_rating: int | None = None
    games: int | UnsetType = UNSET


class LineBody(Struct, frozen=True, kw_only=True):
    """A sentence of the game log.

    `seat` is the seat that acted, or null if no seat did. `turn` says whether this sentence begins the seat's turn.
    """

    message: Message
    seat: int | None
    turn: bool


class Link(Struct, frozen=True, kw_only=True):
    """An invitation link.

    - `secret` is returned only once, to the player who made the link.
    - `used` is the number of players who have joined by it, and `most` is the limit.
    - `expires_at` is in RFC 3339.
    """

    id: str
    most: int
    used: int
    expires_at: str
    revoked: bool
    secret: str | None


class ListedName(Struct, frozen=True, kw_only=True):
    entry: int
    listed_as: str


class LiveClock(Struct, frozen=True, kw_only=True, tag="live"):
    """A clock for live play, in seconds.

    - `bank` is the time of a seat for the whole game.
    - `increment` is added to the bank each time the seat finishes acting.
    - `delay` is the time for each decision before the bank runs.
    - `cap` limits the time from when the seat is asked until it need not act any more, even if the bank has more.
    """

    bank: int
    increment: int | UnsetType = UNSET
    delay: int | UnsetType = UNSET
    cap: int | None = None


class LobbyTable(Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: TableStatus
    creator: str
    seats: list[SeatBody]
    clock: TableClock | None
    rated: bool


class LogCutData(Struct, frozen=True, kw_only=True):
    """The log has lost the events after event `kept`.

    `lost` is the head of the last of these events.
    """

    kept: int
    lost: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class LogCutEvent(Struct, frozen=True, kw_only=True, tag="log_cut"):
    seq: int
    head: str
    data: LogCutData


class LookBody(Struct, frozen=True, kw_only=True):
    """An official's look at all hands.

    `seq` is the number of the event that records it.
    """

    by: str
    seq: int


class MailCode(Struct, frozen=True, kw_only=True):
    code: str


class MendedName(Struct, frozen=True, kw_only=True):
    """A new public name for an entry, 1 to 60 characters long."""

    name: str


class Message(Struct, frozen=True, kw_only=True):
    """A message from the ruleset's texts, with the values of its parameters.

    `params` has the values for `{0}`, `{1}` and so on. `text` is the formatted message in the requested language.
    """

    id: str
    params: list[Piece]
    text: str | UnsetType = UNSET


class Metadata(Struct, frozen=True, kw_only=True):
    """Metadata of the authorization server (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    device_authorization_endpoint: str
    service_documentation: str
    scopes_supported: list[Scope]
    response_types_supported: list[Literal['code']]
    response_modes_supported: list[Literal['query']]
    grant_types_supported: list[str]
    code_challenge_methods_supported: list[Literal['S256']]
    token_endpoint_auth_methods_supported: list[Literal['none']]
    revocation_endpoint_auth_methods_supported: list[Literal['none']]
    authorization_response_iss_parameter_supported: bool


class MoreTime(Struct, frozen=True, kw_only=True):
    """Time to give to another seat."""

    seat: int
    seconds: int


class MovedBody(Struct, frozen=True, kw_only=True, tag="moved"):
    """Cards move between slots; -1 stands for each card that the viewer may not see."""

    cards: list[int]
    src: SlotBody
    dst: SlotBody


class Myself(Struct, frozen=True, kw_only=True):
    """The caller, and the scopes of their token.

    - `owner` is the player responsible for a bot; null for people.
    - `login` and `mail` are null if the caller has none.
    - `passkeys` is the number of passkeys.
    """

    id: str
    name: str
    kind: str
    owner: str | None
    scopes: list[Scope]
    login: str | None
    mail: str | None
    mail_verified: bool
    has_password: bool
    passkeys: int
    hides_history: bool
    hides_presence: bool


class NewAccount(Struct, frozen=True, kw_only=True):
    """An account to open, with a password, a passkey, or both.

    `passkey` is made with the options of `POST /me/passkeys/options`. `passkey_name` is the name of the passkey's
    device.
    """

    login: str
    password: str | None = None
    passkey: NewCredential | None = None
    passkey_name: str | UnsetType = UNSET


class NewAct(Struct, frozen=True, kw_only=True):
    """An act on a player.

    - `reason` is stored in the audit, and shown to the player except for `revoke`.
    - `seconds` is the length of a mute or ban.
    - `name` is the new name for a rename.
    """

    act: Literal['ban', 'mute', 'rename', 'revoke', 'unban', 'unmute', 'warn']
    reason: str
    seconds: int | None = None
    name: str | None = None


class NewAnalysis(Struct, frozen=True, kw_only=True):
    """Moves to try one after the other, beginning after event `at`.

    - `seat` is the seat to move for; by default the caller's own seat, or else the first one.
    - `eyes` is the seat whose view all positions show. By default it is `seat` or, if that seat need not act, the first
      seat that must.
    - `since` is the number of moves before the first position that is returned.
    - `deal` selects one of the possible deals of a running game. The same number always gives the same deal.
    """

    table: str
    at: int
    moves: list[TriedMove] | UnsetType = UNSET
    seat: int | None = None
    eyes: int | None = None
    since: int | UnsetType = UNSET
    deal: int | UnsetType = UNSET


class NewApp(Struct, frozen=True, kw_only=True):
    """An app to register.

    `redirects` lists the addresses to which users may be sent back. It is empty for apps that only show a code.
    """

    name: str
    redirects: list[str]


class NewBot(Struct, frozen=True, kw_only=True):
    """A bot to create.

    `scopes` are what its owner allows. To sit down, it needs `tables`.
    """

    name: str
    scopes: list[BotScope]


class NewBranch(Struct, frozen=True, kw_only=True):
    """A branch to open, with the position from which it continues.

    - `at` is the number of the event after which to continue.
    - `seat` is the caller's seat: by default the same as in the game or, for a caller without a seat, the first one.
    - `bot` plays all other seats.
    """

    at: int
    seat: int | None = None
    bot: str | UnsetType = UNSET


class NewComment(Struct, frozen=True, kw_only=True):
    """A comment to write.

    `at` is the event that it is about; by default it is about the whole game.
    """

    text: str
    at: int | None = None


class NewCredential(Struct, frozen=True, kw_only=True):
    """The result of `navigator.credentials.create`, by its `toJSON()`."""

    id: str
    rawId: str
    type: str
    response: Attestation


class NewDrain(Struct, frozen=True, kw_only=True):
    """Whether to refuse new tables, for example before the server stops.

    Set `on` to false to accept them again. Players whose tables are refused see the reason.
    """

    on: bool
    reason: str


class NewEntry(Struct, frozen=True, kw_only=True):
    """An entry. If the plan's `entrance` is `code`, it needs the `code`."""

    code: str | UnsetType = UNSET


class NewGuest(Struct, frozen=True, kw_only=True):
    name: str | None = None


class NewHost(Struct, frozen=True, kw_only=True):
    """The player to make the host."""

    player: str


class NewLink(Struct, frozen=True, kw_only=True):
    """An invitation link to create.

    `most` is the number of players who can use it, `seconds` the time for which it is valid.
    """

    most: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET


class NewMessage(Struct, frozen=True, kw_only=True):
    """A message to send: either the id of a phrase, or a text of one line."""

    phrase: str | None = None
    text: str | None = None


class NewName(Struct, frozen=True, kw_only=True):
    name: str


class NewPasskey(Struct, frozen=True, kw_only=True):
    """A passkey to add.

    `enrolment` is a code from `ludarium admin enrol`, for staff who have no passkey yet.
    """

    name: str
    credential: NewCredential
    enrolment: str | None = None


class NewPassword(Struct, frozen=True, kw_only=True):
    """A password to set.

    If the account already has a password, send `current_password` or, if you have forgotten it, `recovery_code`.
    """

    password: str
    current_password: str | None = None
    recovery_code: str | None = None


class NewProposal(Struct, frozen=True, kw_only=True):
    """A proposal to the other players.

    `takeback` proposes to undo your latest command and everything after it. `resume` needs no consent.
    """

    question: ProposalQuestion


class NewRatingVoid(Struct, frozen=True, kw_only=True):
    """Players whose common rated games no longer count.

    `players` are two or more who all played in these games. `ruleset` limits this to the games of one ruleset.
    """

    players: list[str]
    reason: str
    ruleset: str | None = None


class NewReport(Struct, frozen=True, kw_only=True):
    """A report about a player, a table, or a text at that table.

    If the report is about a text, its author is the reported player.

    - `tournament` is set to report the name under which a host lists the player there.
    - `message` is a chat message.
    - `writing` is a comment or shared study.
    - `text` is the reporter's own description.
    """

    reason: ReportReason
    player: str | None = None
    table: str | None = None
    message: str | None = None
    writing: str | None = None
    tournament: str | None = None
    text: str | UnsetType = UNSET


class NewSanction(Struct, frozen=True, kw_only=True):
    """The officials of a tournament for whom the site vouches.

    `officials` are the owner, hosts or arbiters. An empty list ends the sanction.
    """

    officials: list[str]
    reason: str


class NewStudy(Struct, frozen=True, kw_only=True):
    """A study to create or to change.

    With `shared`, everyone with the link can read it. This is possible only for finished games.
    """

    title: str
    chapters: list[Chapter] | UnsetType = UNSET
    shared: bool | UnsetType = UNSET


class NewTable(Struct, frozen=True, kw_only=True):
    """A table to open, with its settings."""

    ruleset: str
    seats: int
    options: dict[str, Any] | UnsetType = UNSET
    policies: PoliciesBody | UnsetType = UNSET


class NewTableAct(Struct, frozen=True, kw_only=True):
    """An act on a table.

    - `close` removes an open table, or ends a running game with its current standing.
    - `void` ends the game without a result.
    - `unrate` removes a finished game from the ratings; for administrators.
    """

    act: Literal['close', 'unrate', 'void']
    reason: str


class NewTables(Struct, frozen=True, kw_only=True):
    """The tables to open."""

    tables: list[BulkTable]


class NewToken(Struct, frozen=True, kw_only=True):
    """A personal token to make.

    Its maker chooses the `name`. The token expires after `days`.
    """

    name: str
    scopes: list[Scope]
    days: int | UnsetType = UNSET


class NewTournament(Struct, frozen=True, kw_only=True):
    """A tournament to create.

    `title` is one line, `about` the description. If the plan's `entrance` is `code`, players need the `code` to enter.
    """

    title: str
    plan: PlanBody
    about: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class NewlyOpened(Struct, frozen=True, kw_only=True):
    """A new account with the token of a new session and a recovery code.

    Both are returned only once.
    """

    player: Player
    token: str
    recovery_code: str


class NonceGift(Struct, frozen=True, kw_only=True):
    """A nonce of 1 to 32 bytes in hexadecimal. Choose one that cannot be guessed."""

    nonce: str


class Note(Struct, frozen=True, kw_only=True):
    """A note on event `at`: a text, a glyph, and arrows on pieces."""

    at: int
    text: str | UnsetType = UNSET
    glyph: str | None = None
    arrows: list[Arrow] | UnsetType = UNSET


class NoteData(Struct, frozen=True, kw_only=True):
    """An event whose type this server does not know.

    It changes nothing in the game.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class Notice(Struct, frozen=True, kw_only=True):
    """A notice: something that waits for the caller.

    Fields that do not apply to its kind are null.

    - `id` is the same on all devices, and in the messages of `/me/stream`.
    - `kind` says what waits. Ignore kinds that you do not know.
    - `at` is since when it waits, in RFC 3339.
    - `read` says whether the caller has read it on any device.
    - `table`, `tournament` and `seat` say where it is. `seat` is the caller's seat; null without one.
    - `seq` is the event of the table that it is about.
    - `by` is the id of the player who caused it. Moderators are not named.
    - `question` is the question of a proposal.
    - `until`, in RFC 3339, is when the time is up, an invitation expires, or a sanction ends.
    - `verdict` is what was ruled, such as `mute` or `places`, and `reason` is why.
    - `count` is the number of unread chat messages.
    - `stage`, `round` and `board` say where it is in the tournament. `board` is null for a bye.
    """

    id: str
    kind: str
    at: str
    read: bool
    table: str | None
    tournament: str | None
    ruleset: str | None
    seat: int | None
    seq: int | None
    by: str | None
    question: str | None
    until: str | None
    verdict: str | None
    reason: str | None
    count: int | None
    stage: int | None
    round: int | None
    board: int | None


class NoticePage(Struct, frozen=True, kw_only=True):
    """A page of notices, the newest first.

    `unread` is the number of all unread notices. `next` is the `after` of the next page; null on the last page.
    """

    notices: list[Notice]
    unread: int
    next: str | None


class NoticePreferences(Struct, frozen=True, kw_only=True):
    """The notices that the caller has switched off.

    They are not listed, counted or pushed.

    - `kinds` are kinds that are switched off. Rulings cannot be switched off.
    - `tables` are muted tables.
    - `people` are muted players. What they do causes no notice; their messages and proposals still appear at the table.
    """

    kinds: list[str] | UnsetType = UNSET
    tables: list[str] | UnsetType = UNSET
    people: list[str] | UnsetType = UNSET


class NumbersRevealedBody(Struct, frozen=True, kw_only=True, tag="numbers_revealed"):
    """A number, or a list of numbers, is shown to some seats or to everybody."""

    slot: SlotBody
    value: int | list[int]
    to: list[int] | None


class OAuthError(Struct, frozen=True, kw_only=True):
    error: str
    error_description: str


class OfferBody(Struct, frozen=True, kw_only=True):
    """An action that the seat can take.

    To take it, send its `id`, together with a chosen subset if the offer has one. `touches` lists the pieces that the
    action affects.
    """

    id: str
    verb: str
    args: list[int]
    label: Message
    touches: list[Piece]
    subset: Subset | None


class OfferGroup(Struct, frozen=True, kw_only=True):
    """Offers with the same verb that touch the same piece first.

    `piece` is null if the offers touch no piece. `offers` contains lists of offer ids. The offers in one list have the
    same effect, on equal cards in the same pile: show one of them, with their number. `text`, in the requested
    language, is the label of the only list, or a heading for several lists.
    """

    verb: str
    piece: Piece | None
    offers: list[list[str]]
    text: str | UnsetType = UNSET


class Official(Struct, frozen=True, kw_only=True):
    """An official of a tournament.

    If `sanctioned`, the site vouches for this official, so their rulings count for ratings.
    """

    player: str
    role: OfficialRole
    seq: int
    sanctioned: bool


class Opened(Struct, frozen=True, kw_only=True):
    """An opened leaf of an event, with its content and salt.

    Leaf 0 is the stored event, leaf 1 the spectators' version, and leaf 2 + i that of seat i.
    """

    leaf: int
    data: bytes
    salt: bytes


class OpenedTable(Struct, frozen=True, kw_only=True):
    """The result for one table: either the table or the reason why it was not opened."""

    table: TableBody | None
    problem: ProblemDetails | None


class OpenedTables(Struct, frozen=True, kw_only=True):
    """The results, in the order of the request."""

    tables: list[OpenedTable]


class OwnInvitation(Struct, frozen=True, kw_only=True):
    """An invitation that the caller has received.

    - `host` is the host who sent it.
    - `entry` is the entry that the caller would take over; null for a new entry.
    - `role` is the role of an official, to be accepted with `POST …/role`; null for an invitation to play.
    - `listed_as` is the public name that the host has listed the caller under. It is shown once the caller accepts.
    """

    tournament: str
    title: str
    host: str
    host_name: str | None
    entry: int | None
    role: OfficialRole | None
    listed_as: str | None
    starts_at: int | None


class OwnInvitations(Struct, frozen=True, kw_only=True):
    """The caller's invitations, the newest first."""

    invitations: list[OwnInvitation]


class OwnListedName(Struct, frozen=True, kw_only=True):
    """A public name to be listed under, 1 to 60 characters long.

    With null, you are listed under your own name.
    """

    name: str | None


class OwnPlace(Struct, frozen=True, kw_only=True):
    """The caller's entry, and their table in the newest published round.

    `table` is null with a bye, without a place in the round, and until the table can be used, a few moments after the
    round is published. `paused` includes a pause of the whole tournament. `check_in` is when the check-in begins. It is
    null once the player has checked in or the first round is drafted.
    """

    seq: int
    entry: int
    status: EntryStatus
    stage: int | None
    round: int | None
    board: int | None
    table: str | None
    bye: bool
    starts_at: str | None
    ends_at: str | None
    paused: bool
    check_in: str | None


class OwnTable(Struct, frozen=True, kw_only=True):
    """A table at which the caller sits, or which they opened.

    - `seat` is null if the caller does not sit there.
    - `your_turn` says whether the seat must act, and `since` is the number of the event since which it must.
    - `deadline`, in RFC 3339, is when the time of a running clock is up. A live clock allows a little more for latency.
    """

    table: LobbyTable
    seat: int | None
    your_turn: bool
    since: int
    deadline: str | None


class OwnTablePage(Struct, frozen=True, kw_only=True):
    """A page of the caller's tables.

    `next` is the `after` of the next page; null on the last page.
    """

    tables: list[OwnTable]
    next: str | None


class PasskeyBody(Struct, frozen=True, kw_only=True):
    """A passkey of the account."""

    id: str
    name: str
    created_at: str
    used_at: str | None


class PasskeyLogin(Struct, frozen=True, kw_only=True):
    """A request for a passkey.

    `login` is the name under which the device lists the passkey.
    """

    login: str


class PasskeyOptions(Struct, frozen=True, kw_only=True):
    """Options for a passkey, valid for five minutes.

    Pass them to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    """

    options: dict[str, Any]


class PasswordReset(Struct, frozen=True, kw_only=True):
    code: str
    password: str


class PasswordSignIn(Struct, frozen=True, kw_only=True):
    login: str
    password: str


class PauseAct(Struct, frozen=True, kw_only=True):
    """A pause, with a public reason."""

    expected_seq: int
    reason: str


class PauseBody(Struct, frozen=True, kw_only=True):
    """A pause by an official, with its reason. `since` is in RFC 3339."""

    by: str
    since: str
    reason: str


class PenaltyAct(Struct, frozen=True, kw_only=True):
    """A penalty for an entry.

    `units` is the whole penalty in this stage, taken from the entry's points; 120 units are a win. 0 removes the
    penalty.
    """

    expected_seq: int
    stage: int | UnsetType = UNSET
    units: int
    reason: str


class PenaltyBody(Struct, frozen=True, kw_only=True):
    """Units taken from an entry's points in a stage; 120 units are a win."""

    stage: int
    units: int
    reason: str
    by: str


class Phrase(Struct, frozen=True, kw_only=True):
    """A predefined phrase, with its text in each locale."""

    id: str
    texts: dict[str, str]


class PhraseList(Struct, frozen=True, kw_only=True):
    """All predefined phrases."""

    phrases: list[Phrase]


class Piece(Struct, frozen=True, kw_only=True):
    """A piece that an action touches or a sentence names.

    - `kind` says what `value` contains: a card's id, a seat, a number, a message id (`text`), an index into `zone`
      (`slot`), or a list of card ids (`cards`). In this list, -1 stands for a card that the viewer does not see.
    - `text` is the piece's name in the requested language.
    """

    kind: str
    value: int | str | list[int]
    zone: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class PlanBody(Struct, frozen=True, kw_only=True):
    """The plan of a tournament.

    - `entrance` says who can enter: anyone, players with the `code`, or only players listed by a host. `guests` lets
      guests enter.
    - `places` is the number of places. Entries beyond it are reserves, who play while others are missing.
    - `late_rounds` is the number of rounds after which players can still join. They get `late_points` units (120 are a
      win) for each of these rounds.
    - `starts_at` is in seconds since 1970. `check_in` is the number of seconds before it in which players must check
      in; 0 for no check-in.
    - `wait` is the number of seconds from a round's publication until its games start, even if players are not ready.
    - `grace` is the number of seconds for the first action of a player who was not ready. After that, the absence
      policy applies.
    - `limits` restricts who can enter; null means no limits.
    """

    tables: TablesBody
    stages: list[StageBody]
    entrance: str | UnsetType = UNSET
    guests: bool | UnsetType = UNSET
    places: int | None = None
    late_rounds: int | UnsetType = UNSET
    late_points: int | UnsetType = UNSET
    starts_at: int | None = None
    check_in: int | UnsetType = UNSET
    wait: int | UnsetType = UNSET
    grace: int | UnsetType = UNSET
    limits: LimitsBody | None = None


class Player(Struct, frozen=True, kw_only=True):
    """A player as everyone sees them.

    `owner` is the player responsible for a `bot`; null for people.
    """

    id: str
    name: str
    kind: PlayerKind
    owner: str | None


class PlayerRating(Struct, frozen=True, kw_only=True):
    """A player's rating in a ruleset.

    - `rating` is 100 x (mean - 3 x deviation), rounded. It is a lower bound of the player's strength.
    - `size` says whether it applies to tables of two seats or of many.
    - `provisional` means that the deviation is still above 6.
    - `history` has the newest 200 steps, oldest first. It is empty in lists of players.
    """

    ruleset: str
    size: RatingSize
    rating: int
    mean: float
    deviation: float
    provisional: bool
    games: int
    history: list[RatingStep]


class PlayerRatings(Struct, frozen=True, kw_only=True):
    """The ratings in all rulesets in which the player finished a rated game."""

    player: str
    ratings: list[PlayerRating]


class Pointed(Struct, frozen=True, kw_only=True):
    """A piece as in a view: a card, a seat, or an entry of a zone.

    For a `slot`, `value` is the index of the entry in `zone`.
    """

    kind: str
    value: int
    zone: str | None = None


class PoliciesBody(Struct, frozen=True, kw_only=True):
    """The settings of a table.

    - `join` says who can sit down.
    - `undo` is `free` if a seat can undo commands that revealed nothing to others, `consent` if it can also ask the
      others to undo more.
    - `auto_start` starts the game as soon as all seats are taken and ready.
    - `expires` is the number of seconds after which a table that has not started is closed.
    - `order` says whether players keep the seats that they chose, or seats are drawn at random when the game starts.
    - `substitutes` lets another player take over the seat of an absent player.
    - `branches` lets players try variations at another table during the game.
    """

    spectators: SpectatorsBody | UnsetType = UNSET
    join: str | UnsetType = UNSET
    undo: str | UnsetType = UNSET
    chat: str | UnsetType = UNSET
    absence: AbsenceBody | UnsetType = UNSET
    clock: TableClock | None = None
    rated: bool | UnsetType = UNSET
    auto_start: bool | UnsetType = UNSET
    expires: int | UnsetType = UNSET
    order: str | UnsetType = UNSET
    substitutes: bool | UnsetType = UNSET
    branches: bool | UnsetType = UNSET


class PoliciesData(Struct, frozen=True, kw_only=True):
    """The policies of the table have changed.

    `policy_texts` has a sentence for each policy, in the requested language.
    """

    policies: PoliciesBody
    policy_texts: dict[str, str] | UnsetType = UNSET
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class PoliciesEvent(Struct, frozen=True, kw_only=True, tag="policies"):
    seq: int
    head: str
    data: PoliciesData


class PositionPage(Struct, frozen=True, kw_only=True):
    """A page of games as spectators see them.

    `next` is the `after` of the next page; null on the last page.
    """

    positions: list[TableView]
    next: str | None


class Preference(Struct, frozen=True, kw_only=True):
    """A setting to always pass a window. Other players do not see it.

    `window` is a name from `passes` of a choice, as listed in `always_passes` of the view.
    """

    seat: int
    window: str
    on: bool


class PreferredBody(Struct, frozen=True, kw_only=True, tag="preferred"):
    """A seat starts or stops always passing `window`; other seats do not see this."""

    window: str
    on: bool


class PresenceBody(Struct, frozen=True, kw_only=True):
    """The seats with connected players, and the number of spectators' connections."""

    seats: list[int]
    spectators: int


class Privacy(Struct, frozen=True, kw_only=True):
    """Settings for what others can see of the caller.

    With `hides_history`, others cannot list the caller's finished games. With `hides_presence`, followers do not find
    the caller's tables.
    """

    hides_history: bool | UnsetType = UNSET
    hides_presence: bool | UnsetType = UNSET


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """A problem (RFC 9457).

    `code` is stable; `title` and `detail` are for people. `text` is what to show to players, in the requested language.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str | UnsetType = UNSET
    instance: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    cause: str | UnsetType = UNSET
    events: list[TableEvent] | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    retry_after: int | UnsetType = UNSET
    until: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class Profile(Struct, frozen=True, kw_only=True):
    """A player's public profile.

    `name` is "" if the player is `deleted`; show that in the reader's language. `hides_history` means that others
    cannot list the player's finished games.
    """

    id: str
    name: str
    kind: PlayerKind
    owner: str | None
    deleted: bool
    hides_history: bool


class Profiles(Struct, frozen=True, kw_only=True):
    """Profiles in the order of the request. Unknown players are left out."""

    players: list[Profile]


class Proof(Struct, frozen=True, kw_only=True):
    """Hashes of the seeds and events of a table, in hexadecimal.

    - `commitment` and `deal_commitment` are the BLAKE2b-256 hashes of the seeds. `seed` and `deal_seed` are null until
      they are revealed.
    - `hashes` has a hash for each event, which covers the event and the hash before. The last one covers the whole log.
    """

    commitment: str
    deal_commitment: str
    seed: str | None
    deal_seed: str | None
    hashes: list[str]


class ProposalAnswer(Struct, frozen=True, kw_only=True):
    """Whether the caller agrees to the proposal."""

    agree: bool


class ProposalBody(Struct, frozen=True, kw_only=True):
    """A seat's proposal to all other people, and the seats that have agreed so far."""

    seat: int
    question: ProposalQuestion
    agreed: list[int]


class PublicKey(Struct, frozen=True, kw_only=True):
    """A public key, in hexadecimal.

    `id` has the first 16 digits of the key's BLAKE2b-256 hash. `key` has its 32 bytes.
    """

    id: str
    key: str


class QualityBody(Struct, frozen=True, kw_only=True):
    """The quality of a pairing, as docs/tournaments.md explains it.

    `sizes` has the number of tables of each size.
    """

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[str, int]


class RankedPlayer(Struct, frozen=True, kw_only=True):
    """A player on the leaderboard.

    `place` is the rank among all rated players, listed or not. Equal ratings share a rank.
    """

    place: int
    player: str
    name: str
    rating: PlayerRating


class RatedPair(Struct, frozen=True, kw_only=True):
    """Two players with all their rated games for two.

    - `score` is the score of the first player; a win is 1, a draw 0.5.
    - `resigned` has the number of games that each of them resigned, in the order of `players`.
    - `newest` is when their last game ended.
    """

    players: list[str]
    games: int
    score: float
    resigned: list[int]
    newest: str


class RatingStep(Struct, frozen=True, kw_only=True):
    """A player's rating after a game that ended at `at`.

    `table` is null if the game is not public.
    """

    at: str
    table: str | None
    rating: int


class RatingVoidedData(Struct, frozen=True, kw_only=True):
    """An administrator has removed the finished game from the ratings."""

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class RatingVoidedEvent(Struct, frozen=True, kw_only=True, tag="rating_voided"):
    seq: int
    head: str
    data: RatingVoidedData


class ReadMessages(Struct, frozen=True, kw_only=True):
    """Messages to mark as read: all up to `number`.

    `room` is by default the room where the caller can write.
    """

    number: int
    room: ChatRoom | None = None


class ReadNotices(Struct, frozen=True, kw_only=True):
    """The ids of notices to mark as read.

    Notices that are already settled are skipped.
    """

    notices: list[str]


class Readiness(Struct, frozen=True, kw_only=True):
    """Whether a process is ready to serve requests.

    Without a writable database the service is not ready. Without Valkey it is ready, but events reach clients more
    slowly.

    - `database` means that the database answers.
    - `writable` means that it accepts and commits rows. A standby does not, nor does a server with a full disk or a
      missing synchronous standby.
    - `stopped` names the lists whose projection cannot continue, each with the position of the log that it has reached.
      They are out of date; everything else works.
    """

    status: str
    database: bool
    writable: bool
    redis: bool
    stopped: dict[str, int]


class ReadyBody(Struct, frozen=True, kw_only=True):
    """Whether the caller is ready to begin under the current policies."""

    ready: bool


class ReadyData(Struct, frozen=True, kw_only=True):
    """A seat's player is ready to begin, or no longer ready."""

    seat: int
    on: bool
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class ReadyEvent(Struct, frozen=True, kw_only=True, tag="ready"):
    seq: int
    head: str
    data: ReadyData


class ReceivedReport(Struct, frozen=True, kw_only=True):
    """A report as moderators see it.

    - `tournament` is set if the report is about the name `said` under which a host lists the player.
    - `said` is that name, or the reported message, comment or title, as long as it is stored.
    - `writing` is the id of the reported comment or study.
    - `reporter` is visible only to moderators.
    """

    id: str
    reporter: str
    player: str | None
    table: str | None
    reason: str
    text: str | None
    said: str | None
    writing: str | None
    tournament: str | None
    at: str
    closed_at: str | None


class RecordRow(Struct, frozen=True, kw_only=True):
    """An event of a record.

    `event` is the content of the opened leaf in the form of the API.
    """

    seq: int
    type: int
    schema: int
    at_us: int
    layout: bytes
    leaf_0: bytes
    leaves: list[bytes] | None
    root: bytes
    link: bytes
    opened: list[Opened]
    mended: bytes | None
    event: TableEvent


class RecoveryCode(Struct, frozen=True, kw_only=True):
    recovery_code: str


class Recutting(Struct, frozen=True, kw_only=True):
    """The whole round: tables by board, byes, and entries that sit it out."""

    expected_seq: int
    tables: list[list[int]]
    byes: list[int] | UnsetType = UNSET
    out: list[int] | UnsetType = UNSET


class Redirected(Struct, frozen=True, kw_only=True):
    """The address to which the page must go next."""

    redirect: str


class Rejoin(Struct, frozen=True, kw_only=True):
    rejoin_code: str


class ReplaceAct(Struct, frozen=True, kw_only=True):
    """A replacement: `player` continues as this entry."""

    expected_seq: int
    player: str
    reason: str


class ReplacedData(Struct, frozen=True, kw_only=True):
    """A seat has a new player; the former one is ranked below all seats.

    `way` is how the new player joined, as in `seated`.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET
    seat: int
    player: str
    way: SeatingWay | None


class ReplacedEvent(Struct, frozen=True, kw_only=True, tag="replaced"):
    seq: int
    head: str
    data: ReplacedData


class Replay(Struct, frozen=True, kw_only=True):
    """A game event by event, as its viewer may see it.

    To get the views, apply the facts of the steps to `start`.

    - `everything` means that nothing is hidden. Each `shuffled` is then followed by a `became` with the order.
    - `seq` and `head` are those of the last step.
    - `over` means that everybody may see the whole game.
    - `scores` and `sources` are as in a view, once the game has ended.
    """

    table: str
    viewer: int | None
    everything: bool
    over: bool
    seq: int
    head: str
    began: str
    start: ReplayStart
    steps: list[ReplayStep]
    scores: list[dict[str, int]]
    sources: list[dict[str, list[Source]]] | UnsetType = UNSET


class ReplayAct(Struct, frozen=True, kw_only=True):
    """A request to have a board played again, with a public reason."""

    expected_seq: int
    reason: str


class ReplayFrame(Struct, frozen=True, kw_only=True):
    """A finished game after event `seq`."""

    seq: int
    view: ViewBody


class ReplayStart(Struct, frozen=True, kw_only=True):
    """The view of the game before its set-up.

    Apply the facts of the steps to this view.
    """

    turn: int
    outcome: list[int] | None
    zones: dict[str, Any]
    always_passes: list[str]


class ReplayStep(Struct, frozen=True, kw_only=True):
    """An event of the game.

    Fields from `asked` on are left out if they have not changed.

    - `at` is in milliseconds since the first step.
    - `to` means that the game returns to its state after this event.
    - `story` has the event in sentences.
    - `decision` is that of the viewer's own seat or, if everything is shown, of any seat.
    - `focus` is as in a view. It is empty if it has no pieces and sides.
    - `veiled` lists zones that the viewer currently sees as other seats do, although the facts contained more.
    - `points` has the points of each seat if the game ended here. Only finished games have it.
    - `left` has the milliseconds left on each seat's clock.
    """

    seq: int
    at: int
    seat: int | UnsetType = UNSET
    to: int | UnsetType = UNSET
    facts: list[Fact] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET
    decision: Decision | UnsetType = UNSET
    asked: list[int] | UnsetType = UNSET
    agenda: list[FrameBody] | UnsetType = UNSET
    focus: Focus | UnsetType = UNSET
    veiled: list[str] | UnsetType = UNSET
    points: list[int] | UnsetType = UNSET
    left: list[int] | UnsetType = UNSET


class Report(Struct, frozen=True, kw_only=True):
    """A report as its reporter sees it.

    `closed` means that a moderator has processed it.
    """

    id: str
    reason: ReportReason
    player: str | None
    table: str | None
    message: str | None
    tournament: str | None
    at: str
    closed: bool


class ReservedData(Struct, frozen=True, kw_only=True):
    """An empty seat is reserved for a player, or for no one if `player` is null."""

    seat: int
    player: str | None
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class ReservedEvent(Struct, frozen=True, kw_only=True, tag="reserved"):
    seq: int
    head: str
    data: ReservedData


class Rest(Struct, frozen=True, kw_only=True):
    """A player's playing hours and vacations.

    `opens` and `closes` are minutes of the local day, between which the player plays. If they are equal, the player can
    play at any time.
    """

    zone: str | UnsetType = UNSET
    opens: int | UnsetType = UNSET
    closes: int | UnsetType = UNSET
    vacations: list[Vacation] | UnsetType = UNSET


class Results(Struct, frozen=True, kw_only=True):
    """The results of people, or of a bot, on a seat.

    `places` has the number of games won, of second places, and so on. `bot` is null for people.
    """

    seat: int
    bot: str | None
    places: list[int]


class RetiredData(Struct, frozen=True, kw_only=True):
    """A seat is out of the game, and ranked below all seats that stay."""

    seat: int
    why: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class RetiredEvent(Struct, frozen=True, kw_only=True, tag="retired"):
    seq: int
    head: str
    data: RetiredData


class ReturnedData(Struct, frozen=True, kw_only=True):
    """An absent player has returned."""

    seat: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class ReturnedEvent(Struct, frozen=True, kw_only=True, tag="returned"):
    seq: int
    head: str
    data: ReturnedData


class RevealedBody(Struct, frozen=True, kw_only=True, tag="revealed"):
    """Cards are shown to some seats or to everybody; they do not move."""

    cards: list[int]
    slot: SlotBody
    to: list[int] | None


class Revocation(Struct, frozen=True, kw_only=True):
    """An access token or a refresh token to revoke."""

    client_id: str
    token: str


class RoleAct(Struct, frozen=True, kw_only=True):
    """A role to give to a player.

    A host can do what the owner can, except give roles. An arbiter rules on tables. A broadcaster sets featured tables
    and the delay. `owner` hands the tournament over. null takes the role away, or withdraws an invitation.
    """

    expected_seq: int
    role: OfficialRole | None


class RolledBody(Struct, frozen=True, kw_only=True, tag="rolled"):
    """A slot gets a random value of `among`, or a list of independent ones."""

    slot: SlotBody
    value: int | list[int]
    among: list[int]


class Root(Struct, frozen=True, kw_only=True):
    """The version of this server, its features, and the addresses of its parts.

    - `origin` is the origin of the pages on which passkeys work.
    - `ws_url` is the URL of the WebSocket for live tables.
    - `features` names what this server offers, so that clients know what to show. More features may be added.
    - `pages` names the operator's pages: `about`, `privacy` and `terms`. Read them at `/about` and so on; `?lang=`
      selects the language.
    - `rulesets` has the digest of each ruleset. A response of `GET /rulesets/{id}` that is requested with its digest
      can be cached permanently.
    """

    version: str
    origin: str
    ws_url: str
    docs: str
    openapi: str
    asyncapi: str
    features: list[str]
    pages: list[str]
    rulesets: dict[str, str]


class RoundBody(Struct, frozen=True, kw_only=True):
    """A round of a stage.

    `commitment` is the BLAKE2b-256 hash of the seed, which is revealed when the round is published. `starts_at` is in
    RFC 3339. Only drafts have a `quality`. `recuts` counts the changes after publication. `nonce`, in hexadecimal, is
    what its entries have added to the randomness of its boards. `edits` counts the changes of a draft that can be
    undone. `groups` lists the entries of each group, the best seed first. `nonce` and `groups` can be empty.
    """

    stage: int
    round: int
    seq: int
    status: RoundStatus
    algorithm: int
    commitment: str
    seed: str | None
    starts_at: str | None
    tables: list[BoardBody]
    byes: list[int]
    quality: QualityBody | None
    recuts: int
    nonce: str
    edits: int
    groups: list[list[int]]


class RoundPlace(Struct, frozen=True, kw_only=True):
    """A round of a stage, with its status."""

    stage: int
    round: int
    status: RoundStatus
    seq: int


class RulesChangedData(Struct, frozen=True, kw_only=True):
    """The game continues with another version of the rules."""

    rules: str
    data_hash: str
    layout_hash: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class RulesChangedEvent(Struct, frozen=True, kw_only=True, tag="rules_changed"):
    seq: int
    head: str
    data: RulesChangedData


class Ruleset(Struct, frozen=True, kw_only=True):
    """A ruleset with everything that a client needs to show a game.

    - `guide` explains the game in chapters.
    - `options` is the JSON Schema of the options of a table.
    - `option_seats` has the numbers of seats that each value of an option allows, for options with a fixed set of
      values.
    - `windows` lists scripts that a seat can always pass, by name or by a name derived from it (see `passes` of a
      choice).
    - `letters` has a letter for each seat. No space of a map has one of these letters as its name.
    - `icons` maps names to SVG paths of 512 by 512 units (game-icons.net, CC BY 3.0).
    - `texts` has the messages by locale and id, in ICU MessageFormat 1.
    """

    id: str
    name: dict[str, str]
    about: dict[str, str]
    seats: SeatRange
    version: str
    bots: list[str]
    minutes: int | None
    weight: Weight | None
    house: HouseSummary
    art: TitleArt | None
    guide: list[GuideChapter]
    options: dict[str, Any]
    option_seats: dict[str, dict[str, list[int]]]
    rulings: list[Ruling]
    cards: list[CardBody]
    house_values: HouseValuesBody
    zones: list[Zone]
    boards: list[Board]
    spots: list[Spot]
    face: Face
    windows: list[str]
    letters: list[str]
    icons: dict[str, str]
    texts: dict[str, dict[str, str]]


class RulesetSummary(Struct, frozen=True, kw_only=True):
    """A game that can be played on this server.

    - `name` and `about` are in each locale.
    - `version` is the version of the rules and their data.
    - `bots` lists the bots that can be seated.
    - `minutes` is the usual length of a game between people, and `weight` the complexity of the rules. Each is null if
      it is unknown.
    - `art` is null if the title has none.
    """

    id: str
    name: dict[str, str]
    about: dict[str, str]
    seats: SeatRange
    version: str
    bots: list[str]
    minutes: int | None
    weight: Weight | None
    house: HouseSummary
    art: TitleArt | None


class Rulesets(Struct, frozen=True, kw_only=True):
    """The rulesets that can be played on this server."""

    rulesets: list[RulesetSummary]


class Ruling(Struct, frozen=True, kw_only=True):
    """How a game is played here where the rulebook is silent or unclear.

    - `text` is in the language of Accept-Language. The texts have it in every language in `ruling.<id>`.
    - `option` is the option that changes the ruling; null if there is none.
    - `house` means that the ruling is our own and not from any rulebook.
    - `basis` is what the ruling follows, and `source` the name of the rulebook or answer.
    - `why` is the reason for the ruling; the texts have it in `why.<why>`.
    - `asks` and `cards` list the questions and the kinds of cards that it is about. `asks` is as in the chapters of the
      guide.
    """

    id: str
    text: str
    option: str | None
    house: bool
    basis: str
    source: str | None
    why: str | None
    asks: list[str]
    cards: list[str]


class RulingAct(Struct, frozen=True, kw_only=True):
    """A ruling on a table.

    The verdict `places` sets the given ranks by seat, `void` ends without a result, and with `upheld` the result
    stands.
    """

    expected_seq: int
    verdict: RulingVerdict
    reason: str
    places: list[int] | UnsetType = UNSET


class RulingBody(Struct, frozen=True, kw_only=True):
    by: str
    verdict: RulingVerdict
    places: list[int]
    reason: str


class SeatBody(Struct, frozen=True, kw_only=True):
    """A seat, with its player or bot.

    - `reserved` is the player for whom the seat is reserved.
    - `ready` says whether its player is ready to begin.
    - `away` says whether its player is absent. `by` is what plays instead: a bot's name, or `default`.
    - `retired` says whether the seat is out of the game.
    - `left` lists its former players in this game, in order. They are ranked below all seats.
    - `owner` is the player responsible for the seat's player, if that is a bot.
    """

    seat: int
    player: str | None
    bot: str | None
    reserved: str | None
    ready: bool
    away: bool
    by: str | None
    retired: bool
    left: list[str]
    owner: str | None


class SeatChoice(Struct, frozen=True, kw_only=True):
    """What a seat can choose. `groups` and `passes` are as in a choice."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup]
    passes: list[str]


class SeatRange(Struct, frozen=True, kw_only=True):
    """The smallest and the greatest number of seats."""

    least: int
    most: int


class SeatedData(Struct, frozen=True, kw_only=True):
    """A player or bot has sat down.

    `way` is how the player joined, if known. `owner` is the player responsible for a player that is a bot.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET
    seat: int
    player: str | None
    bot: str | None
    way: SeatingWay | None
    owner: str | UnsetType = UNSET


class SeatedEvent(Struct, frozen=True, kw_only=True, tag="seated"):
    seq: int
    head: str
    data: SeatedData


class SeatsStatistics(Struct, frozen=True, kw_only=True):
    """Finished games with this number of seats."""

    seats: int
    games: int
    lengths: Lengths
    results: list[Results]


class Secret(Struct, frozen=True, kw_only=True):
    """The secret of an invitation link."""

    secret: str


class SeedAct(Struct, frozen=True, kw_only=True):
    """A rating for seeding; higher is better.

    Entries with equal ratings are in order of entry.
    """

    expected_seq: int
    rating: int


class SeedsRevealedData(Struct, frozen=True, kw_only=True):
    """The seeds behind the commitments are revealed.

    All salts, shuffles and dice can be computed from them.
    """

    seed: str
    deal_seed: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class SeedsRevealedEvent(Struct, frozen=True, kw_only=True, tag="seeds_revealed"):
    seq: int
    head: str
    data: SeedsRevealedData


class SentInvitation(Struct, frozen=True, kw_only=True):
    """An invitation that a host has sent.

    `entry` is the entry that the player would take over; null for a new entry. `role` is the role of an official; null
    for an invitation to play.
    """

    player: str
    name: str | None
    status: str
    rating: int
    entry: int | None
    role: OfficialRole | None
    listed_as: str | None


class SentInvitations(Struct, frozen=True, kw_only=True):
    """The invitations that were sent, in order of sending."""

    seq: int
    invitations: list[SentInvitation]


class SharedAddresses(Struct, frozen=True, kw_only=True):
    """Entries that came from the same address, in a list for each address."""

    entries: list[list[int]]


class SharedBody(Struct, frozen=True, kw_only=True, tag="shared"):
    """The content of a shared slot for its new members; all others get -1 for each."""

    slot: SlotBody
    value: int | list[int]


class ShuffledBody(Struct, frozen=True, kw_only=True, tag="shuffled"):
    """A slot is shuffled. All viewers see that, but not the order."""

    slot: SlotBody


class Side(Struct, frozen=True, kw_only=True):
    """One of two sides that meet, for example in a battle.

    - `number` counts the units or cards that the side has.
    - `cards` lists those of its cards that all viewers may see.
    - `counts` maps printed facts to the side's total so far, as far as all viewers may know it. It is empty if nothing
      is counted or the count is over.
    """

    seat: int
    number: int
    cards: list[int]
    counts: dict[str, int]


class SignIn(Struct, frozen=True, kw_only=True):
    """A sign-in or a failed attempt.

    `network` and `client` say roughly where it came from, and with which program. `current` marks the session of this
    request.
    """

    at: str
    way: str
    succeeded: bool
    network: str
    client: str
    current: bool


class SignedIn(Struct, frozen=True, kw_only=True):
    """A player with the token of a new session, which is returned only once."""

    player: Player
    token: str


class SigningKeys(Struct, frozen=True, kw_only=True):
    """The keys with which the server signs or has signed.

    `present` is the id of the current key; null if the server signs nothing. `keys` includes earlier keys.
    """

    present: str | None
    keys: list[PublicKey]


class Sit(Struct, frozen=True, kw_only=True):
    """A seat to take.

    - `seat` is by default the first free one.
    - `bot` is a bot to seat instead of the caller.
    - `nonce`, up to 32 bytes in hexadecimal, is mixed into the randomness of the game. Anyone can verify this once the
      game is over.
    """

    seat: int | None = None
    bot: str | None = None
    nonce: str | UnsetType = UNSET


class SitOutAct(Struct, frozen=True, kw_only=True):
    """A round of the current stage that an entry sits out, as in SittingOut."""

    expected_seq: int
    round: int
    on: bool | UnsetType = UNSET


class SittingOut(Struct, frozen=True, kw_only=True):
    """A round of the current stage to sit out.

    Set `on` to false to play it after all.
    """

    round: int
    on: bool | UnsetType = UNSET


class SlotBody(Struct, frozen=True, kw_only=True):
    """A zone or one of its entries.

    `index` is left out if the zone has only one entry.
    """

    zone: str
    index: int | UnsetType = UNSET


class Source(Struct, frozen=True, kw_only=True):
    """A card, or a set of cards, that scored points."""

    cards: list[int]
    points: int


class Space(Struct, frozen=True, kw_only=True):
    """A space of a board, which others refer to by its index.

    `name` is in each locale. `x` and `y` say where to draw it, in hundredths from the upper left corner.
    """

    id: str
    name: dict[str, str]
    x: float
    y: float
    facts: dict[str, int | str]


class SpectatorsBody(Struct, frozen=True, kw_only=True):
    """Who can watch a table.

    With `named` and `nobody` the table is private: all others get `not-found`. `named` lets the players in `people`
    watch, by their ids.

    - `events` and `seconds` delay what spectators see, by whichever is longer. Once the game is over, they see all of
      it.
    - `listed` says whether others find the table in lists.
    """

    who: str | UnsetType = UNSET
    events: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    people: list[str] | UnsetType = UNSET
    listed: bool | UnsetType = UNSET


class Spot(Struct, frozen=True, kw_only=True):
    """A zone that clients draw, and how to draw it.

    Draw zones in the order of their spots. Do not draw zones that no spot names.

    - `shape`: a `stack` shows its top card and its size. A `row` shows all its cards. A `hand` is a row that belongs to
      its owner. `dice` show their numbers. An `amount` shows a number. A `mark` appears only if it is set: true, or a
      seat or text. A `standing` shows the rank at which a seat has finished while others play on, or 0. `places` show a
      board of actions in `rows`: each place shows the seats that have its number.
    - `at` is the `centre` of the table, each `seat`, each space of the `board`, or a zone whose entries this zone is
      drawn with.
    - `rows` has the number of entries in each row, from the top. `entries` lists the entries in these rows, if they are
      not in order.
    - `fold` means that the zone is shown on request, or if something in it can be chosen.
    - `groups` lists the printed facts by which its cards are grouped and sorted, most important first.
    - `whose` names a zone whose entries say which seat each entry belongs to.
    - `purse` means that the zone is used to pay. Also show the player's own amount where they choose.
    """

    zone: str
    shape: str
    at: str
    icon: Icon | None
    rows: list[int]
    entries: list[int]
    fold: bool
    groups: list[str]
    whose: str | None
    purse: bool


class StageBody(Struct, frozen=True, kw_only=True):
    """A stage of a tournament; docs/tournaments.md explains formats and points.

    - `seats` is the number of seats of a table. Tables can also have from `least` to `most` seats.
    - `rounds` is the number of rounds of a swiss or round robin.
    - `through` is how many entries advance to this stage from the standings of the stage before; null in the first
      stage.
    - `groups` is the number of groups of a swiss or round robin, drawn by seed. The same number of each group advances
      to the next stage, filled up with the best of all others.
    - `best_of` is the number of games of a match between two players, who exchange seats after each game. Once a player
      has won more than half of the games, the match ends.
    - `deals` says whether each table has its own deal, or all tables of a round share one. With the scheme `duplicate`,
      equal seats are compared.
    - `round_time` is the number of seconds from the start of a round to its end; null means no limit. After that, each
      table has `overtime` seconds to finish the current turn. Then the game is decided by its current position.
    """

    format: str
    seats: int | UnsetType = UNSET
    least: int | None = None
    most: int | None = None
    rounds: int | None = None
    through: int | None = None
    short: str | UnsetType = UNSET
    scheme: str | UnsetType = UNSET
    bye: MissedGame | UnsetType = UNSET
    void: MissedGame | UnsetType = UNSET
    advance: int | UnsetType = UNSET
    lives: int | UnsetType = UNSET
    groups: int | None = None
    best_of: int | UnsetType = UNSET
    reset: bool | UnsetType = UNSET
    seating: str | UnsetType = UNSET
    deals: str | UnsetType = UNSET
    tie_breaks: list[str] | UnsetType = UNSET
    round_time: int | None = None
    overtime: int | UnsetType = UNSET


class StandingRow(Struct, frozen=True, kw_only=True):
    """A row of the standings. `points` are in units; 120 units are a win.

    `by` lists the tie-breaks in order. `group` is the number of the group, from 1; null without groups.
    """

    group: int | None
    place: int
    entry: int
    player: str
    points: int
    by: list[Criterion]


class StandingsBody(Struct, frozen=True, kw_only=True):
    """The standings of a stage up to `after_round`, counting its finished tables."""

    seq: int
    stage: int
    after_round: int
    rows: list[StandingRow]


class Statement(Struct, frozen=True, kw_only=True):
    """A statement about the length and the last hash of a table's log.

    The same log always gives the same statement. `places` has the ranks of the seats; null while there is no result.
    `at` is when the last event was written, in RFC 3339.
    """

    key: str | None
    signature: str | None
    table: str
    length: int
    head: str
    places: list[int] | None
    at: str


class Statistics(Struct, frozen=True, kw_only=True):
    """Statistics of a ruleset's finished games, by number of seats."""

    ruleset: str
    by_seats: list[SeatsStatistics]


class Step(Struct, frozen=True, kw_only=True):
    """A step from a leaf to its root.

    `left` says whether `hash` is the left neighbour.
    """

    left: bool
    hash: str


class StoodInData(Struct, frozen=True, kw_only=True):
    """A seat's player is absent.

    `by` is what plays instead: a bot's name, or `default`; null if nothing does.
    """

    seat: int
    by: str | None
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class StoodInEvent(Struct, frozen=True, kw_only=True, tag="stood_in"):
    seq: int
    head: str
    data: StoodInData


class Story(Struct, frozen=True, kw_only=True):
    """A game log in sentences.

    `seq` is the number of the last event so far: send it as `after` to get the rest. `locale` is the language of the
    lines, and `asked` the requested one. Lines are in English if the title has no texts in the requested language.
    """

    table: str
    seq: int
    locale: str
    asked: str
    lines: list[StoryLine]


class StoryLine(Struct, frozen=True, kw_only=True):
    """A sentence of the game log, with its place in the game.

    - `seq` is the number of the event.
    - `turn` is the number of the turn, or 0 before the first one. `whose` is the seat whose turn it is.
    - `seat` is the seat that acted, or null if no seat did.
    - `begins` says whether this sentence begins the turn.
    """

    seq: int
    turn: int
    whose: int | None
    seat: int | None
    begins: bool
    message: Message
    text: str


class StreamBody(Struct, frozen=True, kw_only=True):
    """All events of a tournament."""

    tournament: str
    rows: list[StreamRow]


class StreamRow(Struct, frozen=True, kw_only=True):
    """An event of a tournament.

    `ludarium tournament verify` checks `schema`, `data` (in hexadecimal) and `hash`. `row` has the same data in
    readable form.
    """

    seq: int
    at: str
    at_us: int
    type: str
    number: int
    schema: int
    data: str
    hash: str
    row: dict[str, Any]


class Study(Struct, frozen=True, kw_only=True):
    """A study of a game.

    `player` is its author. `hidden` means that a moderator has hidden it from others. `changed_at` is when this version
    was written.
    """

    id: str
    table: str
    player: str
    version: int
    title: str
    chapters: list[Chapter]
    shared: bool
    hidden: bool
    made_at: str
    changed_at: str


class StudyPage(Struct, frozen=True, kw_only=True):
    """A page of studies.

    `next` is the `after` of the next page; null on the last page.
    """

    studies: list[StudySummary]
    next: str | None


class StudySummary(Struct, frozen=True, kw_only=True):
    """A study without its chapters."""

    id: str
    table: str
    version: int
    title: str
    shared: bool
    hidden: bool
    changed_at: str


class Subset(Struct, frozen=True, kw_only=True):
    """A selection of distinct pieces from a pool, with limits on their total worth.

    The worth of the chosen pieces must add up to at least `least` and at most `most`. If `worth` is empty, each piece
    counts as 1. `texts` has the names of the pieces in the requested language, in the order of `pool`.
    """

    kind: str
    pool: list[int]
    worth: list[int]
    least: int
    most: int
    texts: list[str] | UnsetType = UNSET


class Swap(Struct, frozen=True, kw_only=True):
    """Two entries that exchange places; either may have the bye."""

    one: int
    other: int


class TableBody(Struct, frozen=True, kw_only=True):
    """A table as everyone may see it.

    - `reason` and `outcome` say why the game ended, and the rank of each seat.
    - `presence` is included if you request it and it is available.
    - `rematch` is the id of the next table, if you request it and may see that table.
    - `tournament` is the table's place in a tournament, if it belongs to one.
    - `policy_texts` has a sentence for each policy, in the requested language.
    """

    id: str
    ruleset: str
    options: dict[str, Any]
    status: TableStatus
    policies: PoliciesBody
    creator: str
    host: str
    seats: list[SeatBody]
    seq: int
    rules: str
    commitment: str
    deal: DealBody
    reason: EndReason | None
    outcome: list[int] | None
    presence: PresenceBody | UnsetType = UNSET
    rematch: str | UnsetType = UNSET
    tournament: TournamentPlace | UnsetType = UNSET
    policy_texts: dict[str, str] | UnsetType = UNSET


class TableGuest(Struct, frozen=True, kw_only=True):
    """An invited player.

    `way` says whether the player was invited by name (`invitation`) or by a link.
    """

    player: str
    way: InvitationWay
    link: str | None


class TableOpenedData(Struct, frozen=True, kw_only=True):
    """A table was opened.

    `creator` is the player who opened it. At a table of a tournament it is the tournament, and no player has the rights
    of a host.
    """

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: str
    undo: str
    creator: str
    commitment: str
    deal: DealBody
    tournament: TournamentPlace | UnsetType = UNSET
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TableOpenedEvent(Struct, frozen=True, kw_only=True, tag="table_opened"):
    seq: int
    head: str
    data: TableOpenedData


class TablePage(Struct, frozen=True, kw_only=True):
    """A page of tables.

    `next` is the `after` of the next page; null on the last page.
    """

    tables: list[LobbyTable]
    next: str | None


class TableView(Struct, frozen=True, kw_only=True):
    """A table as its viewer may see it.

    - `viewer` is the viewer's seat, or null for spectators.
    - `clocks` is null if the table has none.
    - `halted` means that officials of the tournament have paused the table, so that players cannot resume it.
    """

    table: str
    seq: int
    head: str
    viewer: int | None
    status: TableStatus
    seats: list[SeatBody]
    view: ViewBody | None
    choice: Choice | None
    undo: UndoBody | None
    proposal: ProposalBody | None
    paused: bool
    clocks: ClocksBody | None
    halted: bool


class TablesBody(Struct, frozen=True, kw_only=True):
    """The game that is played at the tables.

    `policies` applies to spectators, clocks and absences. The tournament itself decides about seats and starts.
    """

    ruleset: str
    options: dict[str, Any] | UnsetType = UNSET
    policies: PoliciesBody | UnsetType = UNSET


class TakenOverData(Struct, frozen=True, kw_only=True):
    """A guest's seat now belongs to the same person's account."""

    seat: int
    player: str
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TakenOverEvent(Struct, frozen=True, kw_only=True, tag="taken_over"):
    seq: int
    head: str
    data: TakenOverData


class Ticket(Struct, frozen=True, kw_only=True):
    """A player's request in the matchmaking queue.

    `table` is the table to play at, once there are enough players. Poll again after `seconds`; tickets that are not
    polled are dropped.
    """

    id: str
    table: str | None
    seconds: int


class Tie(Struct, frozen=True, kw_only=True):
    """A player whom the caller follows or blocks, and since when."""

    player: Player
    at: str


class TimeAct(Struct, frozen=True, kw_only=True):
    """Time to give to an entry, with a public reason."""

    expected_seq: int
    entry: int
    seconds: int
    reason: str


class TimeAddedBody(Struct, frozen=True, kw_only=True):
    """Time that an official has given to an entry at this table, above 0 seconds."""

    by: str
    entry: int
    seconds: int
    reason: str


class TimeGivenData(Struct, frozen=True, kw_only=True):
    """A seat gets more time.

    `seat` is the seat that gives it; -1 if officials of the tournament do.
    """

    seat: int
    to: int
    seconds: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TimeGivenEvent(Struct, frozen=True, kw_only=True, tag="time_given"):
    seq: int
    head: str
    data: TimeGivenData


class TimedOutData(Struct, frozen=True, kw_only=True):
    """A seat has run out of time to answer what it was asked at event `since`.

    The consequences follow a second later.
    """

    seat: int
    since: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TimedOutEvent(Struct, frozen=True, kw_only=True, tag="timed_out"):
    seq: int
    head: str
    data: TimedOutData


class TitleArt(Struct, frozen=True, kw_only=True):
    """The look of a title: its colour and a drawn scene.

    - `href` is the address of the scene, an SVG image that can be cached permanently. `width` and `height` are its
      size.
    - `hue` is in degrees, as in CSS `oklch`. `strength` is the strength of the colour, from 0 to 1.
    """

    href: str
    width: int
    height: int
    hue: int
    strength: float


class TokenBody(Struct, frozen=True, kw_only=True):
    """A token as its owner sees it.

    `current` marks the token of this request. `used_at` is accurate to within some minutes.
    """

    id: str
    kind: str
    name: str | None
    scopes: list[Scope]
    created_at: str
    expires_at: str | None
    used_at: str | None
    current: bool


class TokenPair(Struct, frozen=True, kw_only=True):
    """An access token and a refresh token (RFC 6749)."""

    access_token: str
    refresh_token: str
    scope: str
    expires_in: int
    token_type: str


class TokenRequest(Struct, frozen=True, kw_only=True):
    """A token request.

    `grant_type` determines which fields are needed: `code`, `code_verifier` and `redirect_uri`; or `refresh_token`; or
    `device_code`.
    """

    grant_type: str
    client_id: str
    code: str | None
    code_verifier: str | None
    redirect_uri: str | None
    refresh_token: str | None
    device_code: str | None


class ToldBody(Struct, frozen=True, kw_only=True, tag="told"):
    """A sentence of the game log for certain recipients; it changes nothing."""

    message: Message
    to: list[int] | None


class TournamentBody(Struct, frozen=True, kw_only=True):
    """A tournament.

    `seq` is the number of its newest event. Each field that ends in `_seq` is the `expected_seq` of commands about that
    part. `stage` is the current or next stage. `forbidden` lists pairs of entries that must not meet. `paused` is a
    pause of the whole tournament. `delay` is that of spectators; if both values are 0, the plan decides. `featured` has
    tables of the current round.
    """

    id: str
    seq: int
    status: TournamentStatus
    status_seq: int
    title: str
    about: str
    plan: PlanBody
    plan_seq: int
    officials: list[Official]
    entries: int
    stage: int
    rounds: list[RoundPlace]
    forbidden: list[list[int]]
    forbidden_seq: int
    paused: PauseBody | None
    paused_seq: int
    autopilot: AutopilotBody | None
    autopilot_seq: int
    delay: DelayBody
    delay_seq: int
    featured: list[FeaturedBody]


class TournamentChange(Struct, frozen=True, kw_only=True):
    """The new settings of a tournament, which replace all old ones."""

    title: str
    plan: PlanBody
    about: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    expected_seq: int


class TournamentPage(Struct, frozen=True, kw_only=True):
    """A page of tournaments.

    `next` is the `after` of the next page; null on the last page.
    """

    tournaments: list[TournamentSummary]
    next: str | None


class TournamentPlace(Struct, frozen=True, kw_only=True):
    """A table's place in a tournament.

    Stage, round and board are counted from 1.
    """

    id: str
    stage: int
    round: int
    board: int


class TournamentSummary(Struct, frozen=True, kw_only=True):
    """A tournament in the list.

    `featured` lists the tables to show first while they are running.
    """

    id: str
    title: str
    status: TournamentStatus
    ruleset: str
    owner: str
    entries: int
    featured: list[str]


class TriedMove(Struct, frozen=True, kw_only=True):
    """A move of a seat that must act, as an offer of the position."""

    seat: int
    action: ActionBody


class TriedPosition(Struct, frozen=True, kw_only=True):
    """The game after a number of moves, as the seat `eyes` sees it.

    - `facts` and `story` describe the last move, as in a step of a replay.
    - `choices` has the choices of all seats that must act.
    """

    moves: int
    eyes: int
    view: ViewBody
    choices: list[SeatChoice]
    facts: list[Fact] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET


class TurnBasedClock(Struct, frozen=True, kw_only=True, tag="turn-based"):
    """A clock for turn-based play.

    It pauses outside the player's playing hours and on vacation.

    - `days` is the time for each turn. `bank` has further days for the whole game.
    - `window_hours` is the time for a question that can be passed. After that, it is passed automatically.
    """

    days: int
    bank: int | UnsetType = UNSET
    window_hours: int | UnsetType = UNSET


class TurnPassedBody(Struct, frozen=True, kw_only=True, tag="turn_passed"):
    """The turn of this seat begins."""

    seat: int


class TypedCode(Struct, frozen=True, kw_only=True):
    """The code that the device shows. Case and spacing do not matter."""

    user_code: str


class UncoveredBody(Struct, frozen=True, kw_only=True, tag="uncovered"):
    """A card is now on top of a pile that shows its top card."""

    card: int
    slot: SlotBody


class Undo(Struct, frozen=True, kw_only=True):
    """A request to undo the seat's latest command.

    `expected_seq` and `head` are as for a command.
    """

    expected_seq: int
    head: str | None = None


class UndoBody(Struct, frozen=True, kw_only=True):
    """The number of its latest commands that the viewer's seat can undo now.

    `cause` is null unless `count` is 0.
    """

    count: int
    cause: str | None


class UndoneData(Struct, frozen=True, kw_only=True):
    """A seat has undone commands: the game returns to its state after event `to`."""

    seat: int
    to: int
    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class UndoneEvent(Struct, frozen=True, kw_only=True, tag="undone"):
    seq: int
    head: str
    data: UndoneData


class UnknownEvent(Struct, frozen=True, kw_only=True, tag="unknown"):
    seq: int
    head: str
    data: NoteData


class UnsealedBody(Struct, frozen=True, kw_only=True, tag="unsealed"):
    """The sealed answers of these seats are opened, since all have answered."""

    seats: list[int]


class UsedCredential(Struct, frozen=True, kw_only=True):
    """The result of `navigator.credentials.get`, by its `toJSON()`."""

    id: str
    rawId: str
    type: str
    response: Assertion


class Vacancy(Struct, frozen=True, kw_only=True):
    """The seat of an absent player, to be taken over."""

    seat: int


class Vacation(Struct, frozen=True, kw_only=True):
    """A vacation in whole days, including the first and the last one."""

    first: str
    last: str


class Verdict(Struct, frozen=True, kw_only=True):
    """A ruling that ends a game.

    `places` has the rank of each seat, 1 for the winner. If it is null, the ruleset ranks the seats by the current
    position.
    """

    places: list[int] | None = None


class ViewBody(Struct, frozen=True, kw_only=True):
    """A game as an audience sees it.

    In `zones`, -1 stands for a card or number that the audience may not know.

    - `focus` is what the current question is about; null if it is about nothing in particular.
    - `scores` has each seat's points by message id, once a game that is decided by points is over.
    - `sources` has the cards that scored these points, by seat and message id. It is left out if no cards did.
    """

    turn: int
    outcome: list[int] | None
    asked: list[int]
    agenda: list[FrameBody]
    zones: dict[str, Any]
    always_passes: list[str]
    scores: list[dict[str, int]]
    focus: Focus | None
    sources: list[dict[str, list[Source]]] | UnsetType = UNSET


class VoidedGames(Struct, frozen=True, kw_only=True):
    """The games that were taken out of the ratings.

    `tables` are the tables of these games. If `more` is true, repeat the request for the rest.
    """

    tables: list[str]
    more: bool


class WhyBody(Struct, frozen=True, kw_only=True):
    """Explanations of an entry's place and pairing, in sentences.

    `table` explains the opponents and the seat, or the bye, in the newest round. For the owner and hosts this includes
    drafts.
    """

    entry: int
    place: list[str]
    table: list[str]


class WinRate(Struct, frozen=True, kw_only=True):
    """A rate of won games, with its 95 % interval.

    `low` and `high` are Wilson's interval. A shared first place counts as a win.
    """

    games: int
    wins: int
    rate: float
    low: float
    high: float


class Zone(Struct, frozen=True, kw_only=True):
    """A field of the game's view, with its visibility and the kind of its values.

    `of` says what its numbers stand for, if they are not amounts: `seat`, or a prefix of message ids such as `colour.`.
    """

    name: str
    sight: str
    kind: str
    of: str | None


class Unknown(Struct, frozen=True, kw_only=True, tag="?"):
    """Something of a type that the server has and this client does not know yet, as it came."""

    seq: int = -1
    was: dict[str, Any]


Fact = (
    MovedBody | UncoveredBody | CountedBody | BecameBody | RolledBody | ShuffledBody | RevealedBody | ToldBody |
    UnsealedBody | TurnPassedBody | EndedBody | PreferredBody | AdmittedBody | NumbersRevealedBody | SharedBody |
    Unknown
)


TableClock = (
    LiveClock | TurnBasedClock | Unknown
)


TableEvent = (
    Hidden | TableOpenedEvent | SeatedEvent | LeftEvent | GameStartedEvent | ActedEvent | UndoneEvent | GameEndedEvent |
    RulesChangedEvent | SeedsRevealedEvent | PoliciesEvent | HandedOverEvent | ReservedEvent | ReadyEvent | RetiredEvent
    | StoodInEvent | ReturnedEvent | ReplacedEvent | TakenOverEvent | ConsentEvent | TimeGivenEvent | TimedOutEvent |
    ArrivedEvent | LogCutEvent | RatingVoidedEvent | UnknownEvent | Unknown
)
