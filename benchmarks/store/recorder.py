"""Append single events with the recorder of `eventsourcing`, from threads.

`peer.py` runs this program in an environment of its own. It prints the appends per second:

    python recorder.py SOCKETS USER DATABASE TABLES PAYLOAD THREADS
"""
from __future__ import annotations

import sys
from threading import Thread
from time import monotonic
from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

SECONDS = 3.0


def main(host: str, user: str, database: str, tables: int, payload: bytes, threads: int) -> None:
    store = PostgresDatastore(database, host, 5432, user, "", pool_size=threads)
    recorder = PostgresApplicationRecorder(store, events_table_name="peer")
    recorder.create_table()
    counts = [0] * threads
    end = monotonic() + SECONDS
    workers = [Thread(target=work, args=(recorder, n, tables // threads, payload, end, counts)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    store.close()
    print(sum(counts) / SECONDS)


def work(
    recorder: PostgresApplicationRecorder, nth: int, tables: int, payload: bytes, end: float, counts: list[int]
) -> None:
    """Append to the tables of one thread, one after another, until `end`."""
    streams, version = [uuid4() for _ in range(tables)], 0
    while True:
        version += 1
        for stream in streams:
            if monotonic() > end:
                return
            recorder.insert_events([StoredEvent(stream, version, "happened", payload)])
            counts[nth] += 1


if __name__ == "__main__":
    host, user, database, *numbers = sys.argv[1:]
    tables, payload, threads = map(int, numbers)
    main(host, user, database, tables, bytes(payload), threads)
