"""Tools that check titles by random games, non-interference proofs and simulations."""
