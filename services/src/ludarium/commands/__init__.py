"""The commands of `ludarium`, one module each."""
