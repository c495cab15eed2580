"""The HTTP API: it assembles the routes of all features, the OpenAPI document and the web client."""
