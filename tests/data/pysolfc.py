"""PySolFC's deals worked out a second time, from what is known of PySolFC 3.6.

A game number must deal here what it deals there, for good. This program has
nothing but Python's standard library, whose `random.Random` is the very
generator that PySolFC shuffles with, and shares no line with the server;
`tests/deals.rs` checks that the server agrees with every vector printed here.

To regenerate, from the root of the repository:

    python3 tests/data/pysolfc.py > tests/data/pysolfc.json

A vector that changes is a broken promise: old numbers would deal other cards.
"""

import hashlib
import json
import random

RANKS = "A23456789TJQK"

# From here on Python's generator shuffles, below it Microsoft's.
PYTHONS = 32_000


def microsofts_choices(number):
    """What the C library of Microsoft gives after `srand(number)`: 15 bits at a time."""
    state = number
    while True:
        state = (214_013 * state + 2_531_011) % 2**31
        yield state // 2**16


def deal(number, packs):
    """The cards in dealing order: those of PySolFC's talon, from its top."""
    if number < PYTHONS and packs == 1:
        cards = [rank + suit for rank in RANKS for suit in "CDHS"]
    else:
        cards = [rank + suit for _ in range(packs) for suit in "CSHD" for rank in RANKS]
    values, generator = microsofts_choices(number), random.Random(number)
    for k in range(len(cards) - 1, 0, -1):
        if number < PYTHONS:
            j = next(values) % (k + 1)
        else:
            j = int(generator.random() * (k + 1))
        cards[k], cards[j] = cards[j], cards[k]
    return cards[::-1]


# What PySolFC itself deals: the first cards, and the SHA-256 of all of them.
KNOWN = [
    (1, 1, "JD 2D 9H JC 5D", "dfc7f8b31adf124d"),
    (1, 2, "3D 5H JC KH 5S", "da24703f53cd7a5d"),
    (12345678901234567890, 2, "2C 5D AS 9H TH", "f4da56ad0700f87e"),
]

NUMBERS = [
    0,
    1,
    2,
    11982,  # the deal of FreeCell that nobody wins
    31999,  # the last of Microsoft's
    32000,  # and the first of Python's
    2**31,
    2**32 - 1,  # the last that seeds with one word
    2**32,
    12345678901234567,  # of the 17 digits and more that PySolFC draws
    2**64 - 1,
    2**64,  # the first that seeds with three
    12345678901234567890,
    10**20 - 1,
    10**20,  # the greatest
]


def main():
    for number, packs, first, digest in KNOWN:
        text = " ".join(deal(number, packs))
        assert text.startswith(first) and hashlib.sha256(text.encode()).hexdigest().startswith(digest)
    vectors = []
    for number in NUMBERS:
        for packs in (1, 2):
            deck = deal(number, packs)
            assert len(deck) == packs * 52 and all(deck.count(card) == packs for card in deck)
            vectors.append({"number": str(number), "packs": packs, "deck": " ".join(deck)})
    print(json.dumps(vectors, indent=1, ensure_ascii=True))


if __name__ == "__main__":
    main()
