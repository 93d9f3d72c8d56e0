"""The dice procedures of the games: one resolver a module, see `tableside.core.stages`."""

# Modules by their ID.
RESOLVERS = (
    "", "dice", "w40k10", "w40k11", "killteam_shoot", "killteam_fight", "overkill", "space_hulk", "death_angel",
)
