"""Code that all routes share: callers, parameters, rate limits and responses."""
