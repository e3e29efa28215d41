//! Captive Queens: eight foundations in a circle around four queens, one pack, no tableau.

use crate::cards::{Packs, Rank};
use crate::rules::{Corner, Offer, PileId, PileKind, Piles, Rules, Sequence, Start, To, Turning};

use super::{Choice, Domain, Game, GameOption, Options, Place};

/// The game.
pub(super) static GAME: Game = Game {
    id: "captive-queens",
    name: "Captive Queens",
    also_known_as: &["Quadrille", "Partners", "Prisoner Queens"],
    summary: "Four foundations go down from the fives and four go up from the sixes, in a circle around the queens.",
    prose: "One pack. All cards are in the stock; one at a time is drawn to the waste, whose top card can be played.\n\n\
        Eight empty foundations form a circle. An empty one takes any five or any six. On a five go the 4, 3, 2, ace and king \
        of its suit; on a six go the 7, 8, 9, 10 and jack of its suit. Six cards complete a foundation.\n\n\
        A queen goes to the centre of the circle and stays there.\n\n\
        A card that can be played must be played: only while the top of the waste cannot be may the next card be drawn, or the \
        waste be turned over when the stock is empty. The waste may be turned over twice, and is not shuffled.\n\n\
        The game is won when all eight foundations are complete and the four queens are in the centre.",
    revision: 1,
    options: OPTIONS,
    rules,
    place,
};

static OPTIONS: &[GameOption] = &[
    GameOption {
        name: "start",
        description: "What is laid out before the deal.",
        domain: Domain::Choice(&[
            Choice { value: "empty", description: "Nothing is laid out." },
            Choice { value: "queens", description: "The four queens are laid in the centre." },
            Choice {
                value: "full",
                description: "The queens are laid in the centre, all fives and sixes on the foundations.",
            },
        ]),
    },
    GameOption {
        name: "play",
        description: "Whether a card that can be played must be played.",
        domain: Domain::Choice(&[
            Choice {
                value: "forced",
                description: "Cards are drawn and redealt only while the waste cannot be played.",
            },
            Choice { value: "free", description: "Cards may be drawn and redealt at any time." },
        ]),
    },
    GameOption::REDEALS,
];

fn rules(options: &Options) -> Rules {
    let start = options.word("start");
    let queens = match start {
        "queens" | "full" => Start::Chosen { rows: 4, ranks: &[Rank::Queen] },
        _ => Start::Empty,
    };
    let foundations = match start {
        "full" => Start::Chosen { rows: 1, ranks: &[Rank::Five, Rank::Six] },
        _ => Start::Empty,
    };
    Rules {
        packs: Packs::One,
        redeals: options.number("redeals"),
        turning: match options.word("play") {
            "free" => Turning::Always,
            _ => Turning::WhileWasteIsBlocked,
        },
        piles: vec![
            Piles::stock(),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::foundations(8)
                .starting(foundations)
                .takes(Sequence::from(Rank::Five).down_in_suit().corner(Corner::Turned).complete_at(6))
                .takes(Sequence::from(Rank::Six).up_in_suit().complete_at(6)),
            Piles::queens().starting(queens).takes(Sequence::from(Rank::Queen).same_rank().complete_at(4)),
        ],
    }
}

/// A circle of foundations around the queens, clockwise from the top; stock and waste at its left. It spans fewer rows than
/// columns, since those are narrower.
fn place(pile: PileId) -> Place {
    const CIRCLE: [Place; 8] = [
        Place::at(3.8, 0.0),
        Place::at(5.64, 0.55),
        Place::at(6.4, 1.86),
        Place::at(5.64, 3.17),
        Place::at(3.8, 3.72),
        Place::at(1.96, 3.17),
        Place::at(1.2, 1.86),
        Place::at(1.96, 0.55),
    ];
    match pile.kind {
        PileKind::Stock => Place::at(0.0, 0.8),
        PileKind::Waste => Place::at(0.0, 1.86),
        PileKind::Queens => Place::at(3.3, 1.86).to_the_right(2.0),
        PileKind::Foundation | PileKind::Tableau => CIRCLE[(usize::from(pile.number) + 7) % 8],
    }
}
