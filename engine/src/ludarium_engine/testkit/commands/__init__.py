"""The commands of `ludarium-engine`, which need the extra `testkit`."""
