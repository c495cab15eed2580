"""The HTTP API: routes of all features, the OpenAPI document, the web client."""
