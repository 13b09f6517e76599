"""Games that tests keep in a store."""

from arena.test_replay import random_record

RECORDS = [
    random_record("isolation", 1),
    random_record("trap", 2),
    random_record("colosseum", 3, 2, size=6),
]
