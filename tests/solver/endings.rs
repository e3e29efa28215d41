//! Endings: tables on which few cards are left to be placed, made at random, so that everything can be tried.

use patience::cards::{Card, Packs, Rank, Suit};
use patience::rules::{
    Corner, Engine, Filling, Move, Offer, PileIndex, PileKind, Piles, Rules, Sequence, Table, To, Turning,
};

use crate::dice::Dice;
use crate::exhaustive::after;

/// A way to play with few tableau piles, so that an ending can be hard.
pub(crate) struct Manner {
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
    /// With which rank foundations start.
    first: Rank,
    captives: usize,
}

/// Manners that have between them all that the games of the catalogue have.
pub(crate) fn manners() -> Vec<Manner> {
    let from_aces = || Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13));
    let down = || Sequence::from_any().down_in_suit();
    let runs = |piles: Piles| piles.gives(Offer::Top, To::Foundations).gives(Offer::Run, To::Anywhere);
    let from_kings = |count, filling| {
        let up = Sequence::from(Rank::King).up_in_suit().corner(Corner::Turned).complete_at(13);
        Piles::foundations(count).filled(filling).takes(up)
    };
    let captives = |filling, tableau, redeals| {
        let freed = from_kings(7, filling).over_a_captive().gives(Offer::Captive, To::Foundations);
        rules(redeals, vec![Piles::stock(), waste(), freed, from_kings(1, filling), tableau])
    };
    let turned = || Sequence::from_any().down_in_suit().corner(Corner::Turned);
    vec![
        Manner {
            name: "runs, spaces from the stock",
            engine: rules(
                0,
                vec![
                    Piles::stock().gives(Offer::Top, To::Spaces),
                    waste(),
                    from_aces(),
                    runs(Piles::tableau(1).takes(down())),
                ],
            ),
            first: Rank::Ace,
            captives: 0,
        },
        Manner {
            name: "single cards, one redeal",
            engine: rules(
                1,
                vec![
                    Piles::stock(),
                    waste(),
                    from_aces(),
                    Piles::tableau(2).takes(down()).gives(Offer::Top, To::Anywhere),
                ],
            ),
            first: Rank::Ace,
            captives: 0,
        },
        Manner {
            name: "captives, kings from the left",
            engine: captives(Filling::LeftToRight, runs(Piles::tableau(2).takes(down())), 1),
            first: Rank::King,
            captives: 3,
        },
        Manner {
            name: "captives, kings anywhere, round the corner",
            engine: captives(Filling::AnyPlace, runs(Piles::tableau(2).takes(turned())), 0),
            first: Rank::King,
            captives: 3,
        },
    ]
}

fn waste() -> Piles {
    Piles::waste().gives(Offer::Top, To::Anywhere)
}

fn rules(redeals: u32, piles: Vec<Piles>) -> Engine {
    Engine::new(Rules { packs: Packs::Two, piles, turning: Turning::Always, redeals })
}

impl Manner {
    /// A table on which so many cards are left to be placed, wherever they may lie.
    pub(crate) fn ending(&self, left: usize, dice: &mut Dice) -> Table {
        // Few homes lack many cards each, so that these are in one another's way.
        let (mut heights, mut cards) = ([13_usize; 8], Vec::new());
        let mut homes: Vec<usize> = (0..8).collect();
        shuffle(&mut homes, dice);
        homes.truncate(2 + dice.below(2));
        while cards.len() < left {
            let home = *dice.pick(&homes);
            if heights[home] > 0 {
                heights[home] -= 1;
                cards.push(self.card(home, heights[home]));
            }
        }
        shuffle(&mut cards, dice);
        let mut piles: Vec<(Vec<Card>, Vec<Card>)> = self.engine.piles().map(|_| (Vec::new(), Vec::new())).collect();
        self.place(&heights, &mut cards, &mut piles, dice);
        let loose: Vec<usize> =
            self.piles(|kind| matches!(kind, PileKind::Waste | PileKind::Tableau)).chain([0, 0]).collect();
        for card in cards {
            match *dice.pick(&loose) {
                0 => piles[0].0.push(card),
                pile => piles[pile].1.push(card),
            }
        }
        let redeals = dice.below(self.engine.rules().redeals as usize + 1) as u32;
        Table::standing(piles.iter().map(|(down, up)| (down.as_slice(), up.as_slice())), redeals)
    }

    /// An ending when some moves more have been made, cards placed where that was possible.
    pub(crate) fn late_ending(&self, left: usize, dice: &mut Dice) -> Table {
        let mut table = self.ending(left, dice);
        for _ in 0..dice.below(40) {
            let legal = self.engine.legal_moves(table.view());
            let places =
                |chosen: &&Move| matches!(chosen, Move::Transfer { to, .. } if self.engine.id(*to).kind.is_home());
            let placing: Vec<Move> = legal.iter().filter(places).copied().collect();
            let among = if placing.is_empty() { &legal } else { &placing };
            let Some(&chosen) = among.get(dice.below(among.len().max(1))) else { break };
            table = after(&self.engine, &table, chosen);
        }
        table
    }

    /// The card so far up in the home of a suit; two homes are of each.
    fn card(&self, home: usize, height: usize) -> Card {
        let rank = (self.first as usize + height) % 13;
        Card::new(Rank::ALL[rank], Suit::ALL[home % 4])
    }

    fn piles(&self, wanted: impl Fn(PileKind) -> bool) -> impl Iterator<Item = usize> {
        let piles = self.engine.piles().enumerate();
        piles.filter(move |(_, pile)| wanted(pile.kind)).map(|(index, _)| index)
    }

    /// Lays what is placed on the foundations, the ones without cards last, and captives under some that are not
    /// complete.
    fn place(
        &self,
        heights: &[usize; 8],
        cards: &mut Vec<Card>,
        piles: &mut [(Vec<Card>, Vec<Card>)],
        dice: &mut Dice,
    ) {
        let mut homes: Vec<usize> = (0..8).collect();
        shuffle(&mut homes, dice);
        homes.sort_by_key(|&home| heights[home] == 0);
        let places: Vec<usize> = self.piles(|kind| kind == PileKind::Foundation).collect();
        let mut captives = self.captives;
        for (&home, &place) in homes.iter().zip(&places) {
            piles[place].1 = (0..heights[home]).map(|height| self.card(home, height)).collect();
            if captives > 0 && heights[home] < 13 && place != places[7] && !cards.is_empty() {
                piles[place].0.extend(cards.pop());
                captives -= 1;
            }
        }
    }
}

/// What makes a table the one that it is.
pub(crate) fn fingerprint(engine: &Engine, table: &Table) -> Vec<u8> {
    let mut print = vec![table.view().redeals_left() as u8];
    for pile in engine.indices() {
        print.extend(table.hidden(pile).iter().map(|card| card.index() as u8));
        print.push(u8::MAX);
        print.extend(table.view().pile(pile).cards().iter().map(|card| card.index() as u8));
        print.push(u8::MAX);
    }
    print
}

/// How many cards the stock has.
pub(crate) fn stock(table: &Table) -> usize {
    table.hidden(PileIndex::STOCK).len()
}

/// Brings things into another order.
pub(crate) fn shuffle<T>(things: &mut [T], dice: &mut Dice) {
    for last in (1..things.len()).rev() {
        things.swap(last, dice.below(last + 1));
    }
}
