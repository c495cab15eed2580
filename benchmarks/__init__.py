"""Benchmarks, each figure compared with a limit or a peer.

See README.md in this folder.
"""
