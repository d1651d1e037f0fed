"""The games of the law that ships, for tests that try each of them."""

GAMES = (
    "fish-prawn-crab",
    "three-card-baccarat",
    "bacara",
    "fortune-three-card-poker",
    "craps",
    "pai-kao",
)
#: Games with bets, hence with odds and with rounds at a live table.
GAMES_WITH_BETS = tuple(game for game in GAMES if game != "pai-kao")
