"""What the routes share: who asks, what they may ask for, how often, and how answers are encoded."""
