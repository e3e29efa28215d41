//! Topsy-Turvy Queens: foundations that start with kings, over seven face-down captives, two packs.

use crate::cards::{Packs, Rank};
use crate::rules::{Corner, Filling, Offer, PileId, PileKind, Piles, Rules, Sequence, To, Turning};

use super::{Choice, Domain, Game, GameOption, Options, Place};

/// The game.
pub(super) static GAME: Game = Game {
    id: "topsy-turvy-queens",
    name: "Topsy-Turvy Queens",
    also_known_as: &[],
    summary: "Foundations start with kings and hold seven captives, each freed when the queen above it is reached.",
    prose: "Two packs. Seven cards are dealt face down in a row: the captives, at the places of the first seven foundations. Below \
        them are eight tableau piles of four face-up cards; the other 65 cards are the stock, drawn one at a time to the waste.\n\n\
        Foundations start with a king, and then go ace, 2, 3 and so on to the queen of its suit. A king goes to the leftmost place \
        that has no king yet, on top of the captive there, and the eighth king to the eighth place, which has none.\n\n\
        When a foundation reaches its queen, the captive under it is turned face up on top. It may go to another foundation and \
        nowhere else; nothing goes on a pile that shows a captive.\n\n\
        Tableau piles are built down in suit; a king does not go on an ace. The top card of the waste or of a tableau pile can go to a \
        foundation. The top card of the waste, and any run of a tableau pile, whole or its upper part, can go to another tableau pile \
        or to a space.\n\n\
        The waste may be turned over twice, and is not shuffled. The game is won when all eight foundations are complete and no \
        captive is left.",
    revision: 1,
    options: OPTIONS,
    rules,
    place,
};

static OPTIONS: &[GameOption] = &[
    GameOption {
        name: "kings",
        description: "Where a king goes.",
        domain: Domain::Choice(&[
            Choice { value: "left_to_right", description: "To the leftmost place that has no king yet." },
            Choice { value: "any", description: "To any place that has no king yet." },
        ]),
    },
    GameOption {
        name: "corner",
        description: "Whether tableau piles are built on past the ace.",
        domain: Domain::Choice(&[
            Choice { value: "closed", description: "Nothing goes on an ace." },
            Choice { value: "turned", description: "A king goes on an ace of its suit, and runs pass that corner." },
        ]),
    },
    GameOption::REDEALS,
];

fn rules(options: &Options) -> Rules {
    let filling = match options.word("kings") {
        "any" => Filling::AnyPlace,
        _ => Filling::LeftToRight,
    };
    let corner = match options.word("corner") {
        "turned" => Corner::Turned,
        _ => Corner::Closed,
    };
    let foundations = |count| {
        Piles::foundations(count)
            .filled(filling)
            .takes(Sequence::from(Rank::King).up_in_suit().corner(Corner::Turned).complete_at(13))
    };
    Rules {
        packs: Packs::Two,
        redeals: options.number("redeals"),
        turning: Turning::Always,
        piles: vec![
            Piles::stock(),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            foundations(7).over_a_captive().gives(Offer::Captive, To::Foundations),
            foundations(1),
            Piles::tableau(8)
                .dealt_face_up(4)
                .takes(Sequence::from_any().down_in_suit().corner(corner))
                .gives(Offer::Top, To::Foundations)
                .gives(Offer::Run, To::Anywhere),
        ],
    }
}

/// Stock and waste above the row of foundations, and the tableau below it.
fn place(pile: PileId) -> Place {
    let column = f32::from(pile.number) - 1.0;
    match pile.kind {
        PileKind::Stock => Place::at(0.0, 0.0),
        PileKind::Waste => Place::at(1.0, 0.0),
        PileKind::Foundation | PileKind::Queens => Place::at(column, 1.05),
        PileKind::Tableau => Place::at(column, 2.15).down(3.1),
    }
}
