"""The commands of `ludarium`, a module each: it registers them and keeps what only they need."""
