//! Napoleon's Square: a square of twelve tableau piles around eight foundations, two packs.

use crate::cards::{Packs, Rank};
use crate::rules::{Offer, PileId, PileKind, Piles, Rules, Sequence, To, Turning};

use super::{Choice, Domain, Game, GameOption, Options, Place};

/// The game.
pub(super) static GAME: Game = Game {
    id: "napoleons-square",
    name: "Napoleon’s Square",
    also_known_as: &["Le Carré Napoléon", "Quadruple Line"],
    summary: "Twelve piles along the sides of a square are built down in suit, to bring eight suits up from their aces.",
    prose: "Two packs. Twelve tableau piles of four face-up cards lie along the sides of a square, with eight empty foundations \
        inside; the other 56 cards are the stock, drawn one at a time to the waste.\n\n\
        Foundations start with an ace and are built up in suit to the king. Tableau piles are built down in suit; a king never goes \
        on an ace.\n\n\
        The top card of the waste or of a tableau pile can go to a foundation. The top card of the waste, and any run of a tableau \
        pile, whole or its upper part, can go to another tableau pile. A space takes the top card of the waste, any run, or the top \
        card of the stock directly.\n\n\
        There is no redeal. The game is won when all eight foundations are complete.",
    revision: 1,
    options: OPTIONS,
    rules,
    place,
};

static OPTIONS: &[GameOption] = &[GameOption {
    name: "moves",
    description: "How many cards move at once from tableau pile to tableau pile.",
    domain: Domain::Choice(&[
        Choice { value: "runs", description: "A run, whole or its upper part." },
        Choice { value: "single", description: "One card." },
    ]),
}];

fn rules(options: &Options) -> Rules {
    let tableau = Piles::tableau(12).dealt_face_up(4).takes(Sequence::from_any().down_in_suit());
    Rules {
        packs: Packs::Two,
        redeals: 0,
        turning: Turning::Always,
        piles: vec![
            Piles::stock().gives(Offer::Top, To::Spaces),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13)),
            match options.word("moves") {
                "single" => tableau.gives(Offer::Top, To::Anywhere),
                _ => tableau.gives(Offer::Top, To::Foundations).gives(Offer::Run, To::Anywhere),
            },
        ],
    }
}

/// Three tableau piles along each side of a square, the foundations in two rows inside, stock and
/// Three tableau piles along each side of a square, clockwise from the top; the foundations inside, in two rows; stock
/// and waste in a corner.
fn place(pile: PileId) -> Place {
    let number = f32::from(pile.number) - 1.0;
    match pile.kind {
        PileKind::Stock => Place::at(0.0, 0.25),
        PileKind::Waste => Place::at(1.0, 0.25),
        PileKind::Foundation | PileKind::Queens => Place::at(2.25 + number % 4.0, 2.5 + (number / 4.0).floor()),
        PileKind::Tableau => match pile.number {
            1..=3 => Place::at(2.45 + 1.25 * number, 0.0).down(1.9),
            4..=6 => Place::at(6.25, number - 1.0).to_the_right(2.15),
            7..=9 => Place::at(2.45 + 1.25 * (8.0 - number), 5.1).down(1.9),
            _ => Place::at(0.0, 13.0 - number).to_the_right(2.15),
        },
    }
}
