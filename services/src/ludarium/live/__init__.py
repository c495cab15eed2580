"""Live tables: who watches a table is sent each of its events once, in order, as soon as it is committed.

`publisher` tells Redis what was committed; `hub` hears it, once a process, and hands it to the `feed` of each audience;
`gateway` holds the WebSockets and `session` speaks with one client. Redis is a lossy hint: the log decides.
"""
