"""The HTTP API: routes, wire types, problems, OpenAPI. It decides nothing itself."""
