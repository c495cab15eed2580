"""Commands of `ludarium-engine`, one in each module; they need extra `testkit`."""
