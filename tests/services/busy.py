"""Work for the worker processes of a test."""
import os
import signal
import time


def burn(seconds: float) -> float:
    """Use this many seconds of CPU time."""
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass
    return seconds


def stop_and_burn(seconds: float) -> float:
    """Stop this process, and use CPU time once it is continued."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return burn(seconds)


def wait_for(path: str) -> str:
    """Wait, without using CPU time, until a named pipe is written to."""
    with open(path) as pipe:
        return pipe.read()


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)
