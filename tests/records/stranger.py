"""An independent verifier of records, written from docs/record.md alone.

It uses only the standard library. `python tests/records/stranger.py FILE...` prints for each file whether it verifies, or
else the fault and its row.
"""
import base64
import hashlib
import hmac
import json
import struct
import sys
import time
from typing import Any

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ROW = {"seq", "type", "schema", "at_us", "layout", "leaf_0", "leaves", "root", "link", "opened", "mended", "event"}
HEAD = {"format", "table", "viewer", "rows", "documents", "claims"}
OPENED, STARTED, ACTED, UNDONE, ENDED, CHANGED, SEEDS_REVEALED, NOTES = 1, 4, 5, 6, 7, 8, 10, 128


class Wrong(Exception):
    """An error for a fault, with its row (or None) and its description."""


def check(condition: Any, row: Any, what: Any) -> None:
    if not condition:
        raise Wrong(row, what)


# --- reading ----------------------------------------------------------------------------------------------------------------
def pairs(found: Any) -> Any:
    check(len(dict(found)) == len(found), None, "a key stands twice")
    return dict(found)


def is_deep(value: Any, left: Any) -> Any:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left < 0 or any(is_deep(each, left - 1) for each in inside)


def no_number(constant: Any) -> Any:
    raise Wrong(None, f"{constant} is no number")


def load(data: Any) -> Any:
    check(len(data) <= 64 << 20, None, "too large")
    try:
        record = json.loads(data.decode(), object_pairs_hook=pairs, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Wrong(None, f"no JSON: {error}") from None
    check(not is_deep(record, 64), None, "nested too deeply")
    check(isinstance(record, dict) and set(record) == HEAD, None, "its keys are not those of a record")
    check(record["format"] == "ludarium-record/2", None, "another format")
    check(set(record["documents"]) == {"layouts", "zones"} and set(record["claims"]) == {"names", "scores"}, None, "keys")
    check_claims(record["claims"])
    for n, row in enumerate(items(record["rows"], None)):
        read_row(row, n)
    for kind in ("layouts", "zones"):
        texts = items(record["documents"][kind], None)
        record["documents"][kind] = {blake(d): d for d in (raw(text, None) for text in texts)}
        check(len(record["documents"][kind]) == len(texts), None, "a document stands twice")
    return record


def items(value: Any, row: Any) -> Any:
    check(isinstance(value, list), row, "no array")
    return value


def check_claims(claims: Any) -> None:
    check(isinstance(claims["names"], dict), None, "names")
    check(all(isinstance(name, str) for name in claims["names"].values()), None, "names")
    for score in items(claims["scores"], None):
        check(isinstance(score, dict) and all(type(points) is int for points in score.values()), None, "scores")


def read_row(row: Any, n: Any) -> None:
    check(isinstance(row, dict) and set(row) == ROW and isinstance(row["event"], dict), n, "its keys are not those of a row")
    for key in ("seq", "type", "schema", "at_us"):
        check(type(row[key]) is int, n, f"{key} is no integer")
    check(0 <= row["type"] < 32_768 and 0 <= row["schema"] < 32_768, n, "its type or schema")
    for key in ("layout", "leaf_0", "root", "link"):
        row[key] = raw(row[key], n, 32)
    row["leaves"] = None if row["leaves"] is None else [raw(leaf, n, 32) for leaf in items(row["leaves"], n)]
    row["opened"] = [read_leaf(leaf, n) for leaf in items(row["opened"], n)]
    row["mended"] = None if row["mended"] is None else raw(row["mended"], n)


def read_leaf(leaf: Any, n: Any) -> Any:
    check(isinstance(leaf, dict) and set(leaf) == {"leaf", "data", "salt"} and type(leaf["leaf"]) is int, n, "a leaf")
    return leaf["leaf"], raw(leaf["data"], n), raw(leaf["salt"], n)


def raw(text: Any, row: Any, size: Any = None) -> Any:
    check(isinstance(text, str), row, "no text")
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        raise Wrong(row, "no base64") from None
    check(base64.b64encode(data).decode() == text, row, "base64 that is not canonical")
    check(size in (None, len(data)), row, "a hash of another length")
    return data


def unpack(data: Any) -> Any:
    value, end = item(data, 0)
    if end != len(data):
        raise ValueError("something stands behind the end")
    return value


def item(d: Any, i: Any) -> Any:
    """Decode the msgpack value at `i`, and return the value and the index of its end."""
    b = d[i]
    if b < 0x80:
        return b, i + 1
    if b >= 0xE0:
        return b - 256, i + 1
    if b < 0x90:
        return mapping(d, i + 1, b & 15)
    if b < 0xA0:
        return array(d, i + 1, b & 15)
    if b < 0xC0:
        return text(d, i + 1, b & 31)
    if b in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[b], i + 1
    if b in NUMBERS:
        form = NUMBERS[b]
        return struct.unpack_from(form, d, i + 1)[0], i + 1 + struct.calcsize(form)
    take, form = SIZED[b]
    return take(d, i + 1 + struct.calcsize(form), struct.unpack_from(form, d, i + 1)[0])


def text(d: Any, i: Any, n: Any) -> Any:
    return binary(d, i, n)[0].decode(), i + n


def binary(d: Any, i: Any, n: Any) -> Any:
    if i + n > len(d):
        raise ValueError("it is cut")
    return d[i : i + n], i + n


def array(d: Any, i: Any, n: Any) -> Any:
    found = []
    for _ in range(n):
        value, i = item(d, i)
        found.append(value)
    return found, i


def mapping(d: Any, i: Any, n: Any) -> Any:
    flat, i = array(d, i, 2 * n)
    return dict(zip(flat[::2], flat[1::2], strict=True)), i


NUMBERS = dict(zip(range(0xCA, 0xD4), (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True))
SIZED = {0xC4: (binary, ">B"), 0xC5: (binary, ">H"), 0xC6: (binary, ">I"), 0xD9: (text, ">B"), 0xDA: (text, ">H"),
         0xDB: (text, ">I"), 0xDC: (array, ">H"), 0xDD: (array, ">I"), 0xDE: (mapping, ">H"), 0xDF: (mapping, ">I")}


def fields(row: Any, n: Any, wanted: Any) -> Any:
    """Return the fields of a row's first open leaf or its replacement.

    Missing fields are None.
    """
    data = row["opened"][0][1] if row["opened"] else row["mended"]
    if data is None:
        return [None] * wanted
    try:
        found = unpack(data)
        return [*found, *[None] * (wanted - len(found))]
    except (ValueError, IndexError, KeyError, TypeError, struct.error, RecursionError) as error:
        raise Wrong(n, f"its bytes cannot be read: {error}") from None


# --- the chain ----------------------------------------------------------------------------------------------------------------
def blake(*parts: Any) -> Any:
    return hashlib.blake2b(b"".join(parts), digest_size=32).digest()


def mac(key: Any, *parts: Any) -> Any:
    return hmac.new(key, b"".join(parts), "sha256").digest()


def stream_of(table: Any) -> Any:
    check(len(table) == 26 and all(letter in ALPHABET for letter in table) and table[0] in "01234567", None, "no table's id")
    return sum(ALPHABET.index(letter) << 5 * i for i, letter in enumerate(reversed(table))).to_bytes(16, "big")


def check_words(row: Any, n: Any) -> None:
    """Check those texts of a row that follow from the row's numbers."""
    seconds, micros = divmod(row["at_us"], 1_000_000)
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{micros // 1000:03}Z"
    event, data = row["event"], row["event"].get("data")
    said = event.get("seq"), event.get("head"), data.get("at") if isinstance(data, dict) else None
    check(said == (n, row["link"][:8].hex(), at) and type(said[0]) is int, n, "its words")


def check_chain(record: Any) -> Any:
    """Check the hash chain of a record.

    Returns:
        Whether the record is whole, and its number of seats.
    """
    rows, viewer = record["rows"], record["viewer"]
    check(rows and rows[0]["type"] == OPENED, 0, "it opens no table")
    opening = fields(rows[0], 0, 8)
    check(type(opening[2]) is int and 0 < opening[2] < 65_535, 0, "it opens no table")
    whole, seats = bool(rows[0]["opened"]) and rows[0]["opened"][0][0] == 0, opening[2]
    check(viewer is None or (not whole and type(viewer) is int and 0 <= viewer < seats), None, "viewer")
    prev, at, layout, named = blake(b"ludarium stream", stream_of(record["table"])), 0, bytes(32), (set[bytes](), set[bytes]())
    for n, row in enumerate(rows):
        if row["type"] in (STARTED, CHANGED):
            said = fields(row, n, 6)
            layout = said[2]
            check(isinstance(layout, bytes), n, "its layout")
            named[0].add(layout)
            named[1].update({said[3]} if row["type"] == STARTED else ())
        check(row["seq"] == n, n, "another row stands in its place")
        check(at <= row["at_us"] <= 253_402_300_799_999_999, n, "its time")
        check(row["layout"] == layout, n, "its layout")
        if row["leaves"] is not None:
            check(len(row["leaves"]) == seats + 1, n, "the number of its leaves")
            check(blake(b"root", struct.pack(">H", seats + 1), *row["leaves"]) == row["root"], n, "its root")
        hashes = [row["leaf_0"], *(row["leaves"] or [])]
        shut = row["leaves"] is None or row["mended"] is not None
        wanted = range(len(hashes)) if whole else [] if shut else [1 if viewer is None else 2 + viewer]
        check([leaf for leaf, _, _ in row["opened"]] == [*wanted], n, "which leaves are open")
        for leaf, data, salt in row["opened"]:
            check(blake(b"leaf", salt, data) == hashes[leaf], n, f"leaf {leaf}")
        head = struct.pack(">IHHq", n, row["type"], row["schema"], row["at_us"])
        check_words(row, n)
        check(blake(b"link", prev, head, layout, row["leaf_0"], row["root"]) == row["link"], n, "its link")
        prev, at = row["link"], row["at_us"]
    check((set(record["documents"]["layouts"]), set(record["documents"]["zones"])) == named, None, "documents")
    return whole, seats


# --- the game -----------------------------------------------------------------------------------------------------------------
class Game:
    """The zones of a game, and how often each slot has drawn at random."""

    def __init__(self, layout: Any, zones: Any, chance: Any) -> None:
        self.names, self.zones, self.chance, self.draws = [f["name"] for f in layout["fields"]], zones, chance, 0
        self.drawn, self.after = dict[str, int](), dict[int, str]()

    def keep(self, version: Any) -> None:
        self.after[version] = json.dumps([self.zones, self.drawn])

    def back(self, version: Any) -> None:
        self.zones, self.drawn = json.loads(self.after[version])

    def slot(self, number: Any) -> Any:
        """Return the slot as (container, key, name)."""
        name, index = self.names[number >> 6], (number & 63) - 1
        return (self.zones, name, name) if index < 0 else (self.zones[name], index, f"{name}.{index}")

    def apply(self, fact: Any, n: Any) -> None:
        tag = fact[0]
        if tag == 0:
            (src, a, _), (dst, b, _) = self.slot(fact[2]), self.slot(fact[3])
            for card in fact[1]:
                src[a].remove(card)
            dst[b] = dst[b] + list(fact[1])
        elif tag in (2, 3, 4, 5):
            where, key, name = self.slot(fact[1])
            if tag in (4, 5):
                nth, self.drawn[name], self.draws = self.drawn.get(name, 0), self.drawn.get(name, 0) + 1, self.draws + 1
                numbers = self.numbers(name, nth)
                due = self.shuffled(where[key], numbers) if tag == 5 else self.rolled(fact[2], fact[3], numbers)
                check(due == fact[2], n, f"a draw of {name}")
            where[key] = where[key] + fact[2] if tag == 2 else fact[2]

    def numbers(self, name: Any, nth: Any) -> Any:
        k = 0
        while True:
            yield from struct.unpack(">16H", mac(self.chance, f"{name}/{nth}/{k}".encode()))
            k += 1

    def below(self, bound: Any, numbers: Any) -> Any:
        if not 0 < bound <= 65536:
            raise ValueError("no bound")
        return next(x for x in numbers if x < 65536 - 65536 % bound) % bound

    def rolled(self, value: Any, among: Any, numbers: Any) -> Any:
        if isinstance(value, list):
            return [among[self.below(len(among), numbers)] for _ in value]
        return among[self.below(len(among), numbers)]

    def shuffled(self, pile: Any, numbers: Any) -> Any:
        cards = list(pile)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1, numbers)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def play(record: Any, seats: Any) -> Any:
    """Replay a whole record.

    Returns:
        The zones after each row, and the number of random draws.
    """
    rows, documents = record["rows"], record["documents"]
    ends = [n for n, row in enumerate(rows) if row["type"] == SEEDS_REVEALED]
    check(ends and all(row["type"] >= NOTES for row in rows[ends[0] + 1 :]), len(rows) - 1, "its end")
    check(ends[0] and rows[ends[0] - 1]["type"] in (ENDED, *range(NOTES, 1 << 15)), ends[0], "the seeds come before the end")
    seed, deal_seed = fields(rows[ends[0]], ends[0], 2)
    opening, told, game = fields(rows[0], 0, 8), {}, Game({"fields": []}, {}, b"")
    check(isinstance(seed, bytes) and isinstance(deal_seed, bytes), 0, "the commitments")
    check((blake(seed), blake(deal_seed)) == (opening[6], opening[7][0]), 0, "the commitments")
    for n, row in enumerate(rows):
        for leaf, _, salt in row["opened"]:
            check(salt == blake(b"salt", seed, struct.pack(">IH", n, leaf)), n, f"the salt of leaf {leaf}")
        try:
            if row["type"] == STARTED:
                layout, zones, nonces = fields(row, n, 6)[2:5]
                mixed = b"".join(nonce.ljust(32, b"\0") for nonce in nonces)
                chance = mac(deal_seed, b"chance", mixed)
                game = Game(json.loads(documents["layouts"][layout]), json.loads(documents["zones"][zones]), chance)
            if row["type"] in (STARTED, ACTED):
                for fact in fields(row, n, 6)[5 if row["type"] == STARTED else 2]:
                    game.apply(fact, n)
            elif row["type"] == UNDONE:
                game.back(fields(row, n, 2)[1])
        except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
            raise Wrong(n, f"a fact does not fit: {error!r}") from None
        game.keep(n)
        if game.names:
            told[n] = hashlib.blake2b(json.dumps(game.zones, sort_keys=True).encode(), digest_size=8).hexdigest()
    return told, game.draws


def examine(data: Any) -> Any:
    """Verify a record and return (rows, draws, zones after each row).

    Raises:
        Wrong: The record does not verify.
    """
    try:
        record = load(data)
        whole, seats = check_chain(record)
        told, draws = play(record, seats) if whole else ({}, 0)
    except (TypeError, KeyError, AttributeError, ValueError, IndexError) as error:
        raise Wrong(None, f"it is not built as a record is: {error!r}") from None
    return len(record["rows"]), draws, told


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            with open(name, "rb") as file:
                rows, draws, _ = examine(file.read())
            print(f"{name} holds: {rows} rows, {draws} draws")
        except Wrong as wrong:
            print(f"{name}: row {wrong.args[0]}: {wrong.args[1]}")
