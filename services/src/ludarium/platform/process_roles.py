"""What a process is for. All of it, unless it is told otherwise; any number of processes may have a role."""

ALL = ("api", "live", "projections", "bots", "timers")


class Roles(frozenset[str]):
    """api: HTTP. live: WebSockets. projections: follows the log for lists. bots: plays them. timers: what is due by itself."""

    def __new__(cls, names: str = ",".join(ALL)) -> "Roles":
        """`names`: separated by commas. Raises ValueError."""
        given = [name.strip() for name in names.split(",") if name.strip()]
        if unknown := sorted({*given} - {*ALL}):
            raise ValueError(f"there is no role {', '.join(unknown)}; there are {', '.join(ALL)}")
        if not given:
            raise ValueError(f"name some of {', '.join(ALL)}")
        return super().__new__(cls, given)

    def __str__(self) -> str:
        return ",".join(name for name in ALL if name in self)

    @property
    def complete(self) -> bool:
        return len(self) == len(ALL)

    @property
    def commands(self) -> bool:
        """Whether players send it commands."""
        return bool(self & {"api", "live"})

    @property
    def answers_http(self) -> bool:
        """The API, or that it is well; where it has sockets alone, their port tells that."""
        return "api" in self or "live" not in self
