"""What is fast, told beside a limit or a peer. See README.md in this folder."""
