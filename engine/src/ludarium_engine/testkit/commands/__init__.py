"""The commands of `ludarium-engine`, one a module; they need the extra `testkit`."""
