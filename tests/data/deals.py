"""Deals worked out a second time, from the specification alone.

What a seed means must stay the same on every machine and in every later
release. This program follows the paragraph "The deal" of the API's description
with nothing but Python's standard library, and shares no line with the server;
`tests/deals.rs` checks that the server agrees with every vector printed here.

To regenerate, from the root of the repository:

    python3 tests/data/deals.py > tests/data/deals.json

A vector that changes is a broken promise: old seeds would deal other cards.
"""

import hashlib
import json
import struct

MASK = 0xFFFFFFFF


def chacha20_block(key, counter, nonce):
    """The block function of RFC 8439, section 2.3: 64 bytes of keystream."""
    start = [
        *struct.unpack("<4I", b"expand 32-byte k"),
        *struct.unpack("<8I", key),
        counter,
        *struct.unpack("<3I", nonce),
    ]
    x = list(start)

    def mix(a, b, d, bits):
        x[a] = (x[a] + x[b]) & MASK
        x[d] ^= x[a]
        x[d] = (x[d] << bits | x[d] >> (32 - bits)) & MASK

    def quarter_round(a, b, c, d):
        mix(a, b, d, 16)
        mix(c, d, b, 12)
        mix(a, b, d, 8)
        mix(c, d, b, 7)

    for _ in range(10):
        for i in range(4):  # the columns
            quarter_round(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):  # the diagonals
            quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *((a + b) & MASK for a, b in zip(x, start)))


# RFC 8439, section 2.3.2, and appendix A.1, vectors 1 and 2 (all zero; counters 0 and 1).
assert chacha20_block(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000")).hex() == (
    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
    "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
)
assert chacha20_block(bytes(32), 0, bytes(12)).hex() == (
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
)
assert chacha20_block(bytes(32), 1, bytes(12)).hex() == (
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
)


def words(key):
    """The keystream as little-endian words: zero nonce, counter from 0."""
    counter = 0
    while True:
        yield from struct.unpack("<16I", chacha20_block(key, counter, bytes(12)))
        counter += 1


def limit(k):
    """From here on a word is not used for the swap at k: it would be biased."""
    return 2**32 - 2**32 % (k + 1)


def deal(seed, packs):
    """The cards in dealing order, and the words drawn for them, each with its k."""
    key = hashlib.sha256(b"patience/deal/1" + b"\0" + seed.encode("utf-8")).digest()
    stream = words(key)
    cards = [rank + suit for _ in range(packs) for suit in "CDHS" for rank in "A23456789TJQK"]
    drawn = []
    for k in range(len(cards) - 1, 0, -1):
        while True:
            w = next(stream)
            drawn.append((k, w))
            if w < limit(k):
                break
        j = w % (k + 1)
        cards[k], cards[j] = cards[j], cards[k]
    return cards, drawn


SEEDS = [
    "1",
    "a",
    "patience",
    "0123456789abcdef0123456789abcdef",  # as the server draws them
    "\U0001F0A1" * 64,  # the longest there is: 64 characters, 256 bytes
    "caf\u00e9",  # composed and
    "cafe\u0301",  # decomposed: other bytes, so another deal
    " a seed\twith spaces,\na new line and a \0 zero ",
]

# One deal of two packs in 1.7 million, and one of one pack in 7 million, meets a
# word that must not be used. These were found by trying "rejected-0",
# "rejected-1" …: the seed, the packs, and what is rejected there, k and the word.
REJECTED = [
    ("rejected-1117246", 2, 39, 2**32 - 5),
    ("rejected-2202991", 1, 33, 2**32 - 11),
    ("rejected-2202991", 2, 85, 2**32 - 11),  # the same word, the 19th of both
    ("rejected-54523719", 1, 29, 2**32 - 16),  # the limit itself: `<`, not `<=`
    ("rejected-54523719", 2, 81, 2**32 - 16),
]

# And found likewise: the last word below the limit, which must be used.
ACCEPTED = ("accepted-42262023", 2, 70, 2**32 - 10)


def check_the_rare_words():
    """The seeds listed for a rejection do meet it, so the vectors cover it."""
    for seed, packs, k, word in REJECTED:
        _, drawn = deal(seed, packs)
        assert [(i, w) for i, w in drawn if w >= limit(i)] == [(k, word)], seed
        assert len(drawn) == packs * 52, seed  # one more than there are swaps
    assert limit(29) == 2**32 - 16
    seed, packs, k, word = ACCEPTED
    _, drawn = deal(seed, packs)
    assert (k, word) in drawn and word == limit(k) - 1 and len(drawn) == packs * 52 - 1


def main():
    check_the_rare_words()
    vectors = []
    rare = [seed for seed, *_ in [*REJECTED, ACCEPTED]]
    for seed in dict.fromkeys(SEEDS + rare):  # each once
        assert 1 <= len(seed) <= 64
        for packs in (1, 2):
            deck, _ = deal(seed, packs)
            assert len(deck) == packs * 52 and all(deck.count(card) == packs for card in deck)
            vectors.append(
                {
                    "seed": seed,
                    "packs": packs,
                    "commitment": hashlib.sha256(seed.encode("utf-8")).hexdigest(),
                    "deck": " ".join(deck),
                }
            )
    print(json.dumps(vectors, indent=1, ensure_ascii=True))


if __name__ == "__main__":
    main()
