"""Run a worker process: `python -m ludarium.platform.worker_process PATH…`.

A worker process reads pickled calls from stdin and writes their pickled outcomes to stdout. It ends when stdin ends.
"""
from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from time import process_time
from typing import Any, BinaryIO

SIZE = 8
"""Number of bytes in front of each message that contain the message's length."""


def packed(message: bytes) -> bytes:
    return len(message).to_bytes(SIZE) + message


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)   # Ctrl-C reaches all processes of a terminal
    calls, outcomes = own_streams()
    with suppress(BrokenPipeError), outcomes:      # raised if the calling process has been killed
        while size := calls.read(SIZE):
            outcomes.write(packed(outcome_of(calls.read(int.from_bytes(size)))))
            outcomes.flush()


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return this process's stdin and stdout, and redirect both for the work.

    The work reads nothing from stdin, and its output on stdout goes to stderr.
    """
    calls, outcomes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return calls, outcomes


def outcome_of(call: bytes) -> bytes:
    """Carry out a pickled call and return the pickled outcome.

    The outcome says whether the function returned, and contains its result or exception, and its CPU time in seconds.
    """
    began = process_time()
    try:
        work, seconds, nice, arguments = pickle.loads(call)     # imports what the work needs, before its time begins
        lower_priority(nice)
        began = process_time()
        return pickle.dumps((True, limited(seconds, work, arguments), process_time() - began))
    except Exception as error:
        took = process_time() - began
        try:
            return pickle.dumps((False, error, took))
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error)), took))


@cache
def lower_priority(nice: int) -> None:
    """Lower the priority of this process, once.

    This happens after the modules of the first call are imported, since at low priority imports could take minutes.
    """
    os.nice(nice)


def limited(seconds: float, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a function with a limit of CPU time.

    At the limit, the kernel kills the process, even inside C code.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return work(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    sys.path[:] = sys.argv[1:]
    main()
