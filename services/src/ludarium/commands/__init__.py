"""The commands of `ludarium`, a module each, which registers them."""
