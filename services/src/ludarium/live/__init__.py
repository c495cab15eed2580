"""Send live updates, so that viewers get each event of a table once and in order.

`publisher` announces committed events through Redis. `hub` receives each event once in every process, and passes the
event to the `feed` of each audience. `gateway` serves the WebSockets, with a `session` for each client. Messages in
Redis may be lost, so clients are sent what the log contains.
"""
