"""Live updates: viewers of a table get each of its events once, in order.

`publisher` announces committed events through Redis. `hub` receives them, once in each process, and passes them to the
`feed` of each audience. `gateway` serves the WebSockets, with a `session` for each client. Messages in Redis may be
lost; the log decides what is sent.
"""
