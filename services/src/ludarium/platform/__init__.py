"""What every part of the service uses: settings, databases, identifiers, logs, metrics, problems."""
