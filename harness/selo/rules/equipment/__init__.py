"""What a game is played with: cards, dice and places, and what conditions may ask of them."""
