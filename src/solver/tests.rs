//! Tables as a search keeps them, held against the engine's.

use crate::cards::{Card, Deck, Packs, Rank, Suit};
use crate::rules::{
    Corner, Engine, Filling, Known, Memory, Mismatch, Offer, Piles, Rules, Sequence, Start, Table, To, Turning,
};

use super::ground::{Ground, each};
use super::hope::hopes;
use super::position::{Position, Step};
use super::random::Random;

impl Position {
    /// All legal moves, in the order of the engine.
    fn legal(&self, ground: &Ground<'_>) -> Vec<Step> {
        let wanted = self.wanted(ground);
        let mut steps: Vec<Step> = self.turn(ground, &wanted).into_iter().collect();
        for from in ground.piles().filter(|&from| self.len(from) > 0) {
            let (alone, in_a_run) = self.offers(ground, &wanted, from);
            let run = if in_a_run == 0 { 1 } else { self.run_length(ground, from) };
            let first = steps.len();
            for count in 1..=run {
                let takers = wanted.takers(ground.kind(self.nth(from, count - 1)));
                let reached = takers & if count == 1 { alone } else { in_a_run };
                steps.extend(each(reached).map(|to| Step { from, to, count }));
            }
            steps[first..].sort();
        }
        steps
    }
}

/// Games that have between them what the games of the catalogue have.
fn games() -> Vec<Engine> {
    let runs = |piles: Piles| piles.gives(Offer::Top, To::Foundations).gives(Offer::Run, To::Anywhere);
    let waste = || Piles::waste().gives(Offer::Top, To::Anywhere);
    let from_kings = |count, filling| {
        let up = Sequence::from(Rank::King).up_in_suit().corner(Corner::Turned).complete_at(13);
        Piles::foundations(count).filled(filling).takes(up)
    };
    let down = || Sequence::from_any().down_in_suit();
    let mut games = vec![
        (
            Packs::Two,
            Turning::Always,
            0,
            vec![
                Piles::stock().gives(Offer::Top, To::Spaces),
                waste(),
                Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13)),
                runs(Piles::tableau(12).dealt_face_up(4).takes(down())),
            ],
        ),
        (
            Packs::Two,
            Turning::Always,
            1,
            vec![
                Piles::stock(),
                waste(),
                Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13)),
                Piles::tableau(6).dealt_face_up(2).takes(down()).gives(Offer::Top, To::Anywhere),
            ],
        ),
        (
            Packs::One,
            Turning::WhileWasteIsBlocked,
            2,
            vec![
                Piles::stock(),
                waste(),
                Piles::foundations(8)
                    .starting(Start::Chosen { rows: 1, ranks: &[Rank::Five, Rank::Six] })
                    .takes(Sequence::from(Rank::Five).down_in_suit().corner(Corner::Turned).complete_at(6))
                    .takes(Sequence::from(Rank::Six).up_in_suit().complete_at(6)),
                Piles::queens().takes(Sequence::from(Rank::Queen).same_rank().complete_at(4)),
            ],
        ),
    ];
    for (filling, corner) in [(Filling::LeftToRight, Corner::Closed), (Filling::AnyPlace, Corner::Turned)] {
        let freed = from_kings(7, filling).over_a_captive().gives(Offer::Captive, To::Foundations);
        let tableau = runs(Piles::tableau(8).dealt_face_up(4).takes(down().corner(corner)));
        games.push((
            Packs::Two,
            Turning::Always,
            2,
            vec![Piles::stock(), waste(), freed, from_kings(1, filling), tableau],
        ));
    }
    let engine = |(packs, turning, redeals, piles)| Engine::new(Rules { packs, piles, turning, redeals });
    games.into_iter().map(engine).collect()
}

fn dealt(engine: &Engine, random: &mut Random) -> Table {
    let packs = engine.rules().packs;
    let mut cards: Vec<Card> = Deck::unshuffled(packs).into();
    random.shuffle(&mut cards);
    engine.deal(&Deck::new(packs, cards).unwrap())
}

fn play(engine: &Engine, table: &mut Table, ground: &Ground<'_>, step: Step) -> Result<(), Mismatch> {
    engine.steps(table, step.as_move(ground)).iter().try_for_each(|step| table.apply(step))
}

#[test]
fn a_search_sees_the_moves_that_the_engine_lists_and_makes_of_a_table_what_it_does() {
    for (number, engine) in games().iter().enumerate() {
        for seed in 0..20 {
            let mut random = Random::from(seed);
            let mut table = dealt(engine, &mut random);
            let (ground, mut position) = Ground::new(engine, &Known::all_of(&table)).unwrap();
            for turn in 0..400 {
                let place = format!("game {number}, seed {seed}, move {turn}");
                let steps = position.legal(&ground);
                let moves: Vec<_> = steps.iter().map(|step| step.as_move(&ground)).collect();
                assert_eq!(moves, engine.legal_moves(table.view()), "{place}");
                assert!(steps.iter().all(|&step| position.allows(&ground, step)), "{place}");
                assert_eq!(usize::from(position.placed), engine.placed(table.view()), "{place}");
                let afresh = Ground::new(engine, &Known::all_of(&table)).unwrap().1;
                assert_eq!(position.score(&ground), afresh.score(&ground), "{place}");
                let Some(&step) = steps.get(random.below(steps.len().max(1))) else { break };
                position.play(&ground, step);
                play(engine, &mut table, &ground, step).unwrap();
            }
        }
    }
}

#[test]
fn two_ways_to_one_table_have_one_hash() {
    for engine in &games() {
        for seed in 0..50 {
            let mut random = Random::from(seed);
            let table = dealt(engine, &mut random);
            let (ground, start) = Ground::new(engine, &Known::all_of(&table)).unwrap();
            // Two moves that have no pile in common are made in one order and in the other.
            let steps = start.legal(&ground);
            let piles = |step: &Step| [step.from, step.to];
            for (first, second) in steps.iter().flat_map(|first| steps.iter().map(move |second| (first, second))) {
                if piles(first).iter().any(|pile| piles(second).contains(pile)) {
                    continue;
                }
                let after = |moves: [&Step; 2]| {
                    let mut position = start.clone();
                    moves.iter().for_each(|&&step| position.play(&ground, step));
                    position.hash()
                };
                assert_eq!(after([first, second]), after([second, first]), "{first:?} {second:?}");
            }
        }
    }
}

#[test]
fn captives_that_wait_for_one_another_are_found() {
    let engine = &games()[3];
    // Both homes of clubs lack the nine, and both nines lie under them; or one of the nines lies elsewhere.
    let nine = Card::new(Rank::Nine, Suit::Clubs);
    let king = Card::new(Rank::King, Suit::Clubs);
    for (other, is_deadlocked) in [(nine, true), (Card::new(Rank::Two, Suit::Spades), false)] {
        let captives = [nine, other];
        let piles: Vec<(Vec<Card>, Vec<Card>)> = engine
            .indices()
            .map(|pile| match pile.get() {
                home @ 2..=3 => (vec![captives[home - 2]], vec![king]),
                _ => (Vec::new(), Vec::new()),
            })
            .collect();
        let table = Table::standing(piles.iter().map(|(down, up)| (down.as_slice(), up.as_slice())), 0);
        let (ground, position) = Ground::new(engine, &Known::all_of(&table)).unwrap();
        assert_eq!(position.is_deadlocked(&ground), is_deadlocked);
    }
}

#[test]
fn the_king_of_the_suit_of_most_captives_is_best_kept_for_the_home_without_one() {
    let engine = &games()[3];
    let of = |rank, suit| Card::new(rank, suit);
    let [clubs, diamonds, hearts, spades] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
    // The kings of hearts and spades that are left lie in the tableau.
    let kings = [clubs, diamonds, hearts, spades, clubs, diamonds].map(|suit| of(Rank::King, suit));
    let ranks = [Rank::Two, Rank::Four, Rank::Six, Rank::Eight, Rank::Ten];
    let captives: Vec<Card> =
        ranks.iter().map(|&rank| of(rank, hearts)).chain([of(Rank::Three, clubs), of(Rank::Five, diamonds)]).collect();
    let mut waste: Vec<Card> = Deck::unshuffled(Packs::Two).into();
    for card in kings.iter().chain(&captives) {
        waste.remove(waste.iter().position(|other| other == card).unwrap());
    }
    let to_come = [of(Rank::King, hearts), of(Rank::King, spades)];
    waste.retain(|card| !to_come.contains(card));
    let piles: Vec<(Vec<Card>, Vec<Card>)> = engine
        .indices()
        .map(|pile| match pile.get() {
            1 => (Vec::new(), waste.clone()),
            home @ 2..=7 => (vec![captives[home - 2]], vec![kings[home - 2]]),
            8 => (vec![captives[6]], Vec::new()),
            column @ 10..=11 => (Vec::new(), vec![to_come[column - 10]]),
            _ => (Vec::new(), Vec::new()),
        })
        .collect();
    let table = Table::standing(piles.iter().map(|(down, up)| (down.as_slice(), up.as_slice())), 0);
    let (ground, start) = Ground::new(engine, &Known::of(&table, &Memory::of_deal(&table))).unwrap();
    let after = |from| {
        let mut reached = start.clone();
        reached.play(&ground, Step { from, to: 8, count: 1 });
        reached
    };
    let tables = [start.clone(), after(11), after(10)];
    let hopes = |ground: &Ground<'_>, start: &Position, tables: &[Position]| {
        hopes(ground, start, &tables.iter().collect::<Vec<_>>(), &mut Random::from(1))
    };
    let [either, keeps_hearts, keeps_spades] = hopes(&ground, &start, &tables)[..] else { panic!() };
    assert_eq!(either, keeps_hearts);
    assert!(keeps_hearts > 2 * keeps_spades, "{keeps_hearts} {keeps_spades}");
    // There is nothing to choose where all have started alike, nor where the captives have been seen.
    assert_eq!(hopes(&ground, &start, &tables[1..2]), [1]);
    let (ground, start) = Ground::new(engine, &Known::all_of(&table)).unwrap();
    assert_eq!(hopes(&ground, &start, &tables), [1; 3]);
}

#[test]
fn nothing_is_said_of_a_game_in_which_alike_tables_are_not_alike() {
    let cells = Piles::tableau(4).takes(Sequence::from_any().down_in_suit().complete_at(1));
    let up = || Sequence::from(Rank::Ace).up_in_suit().complete_at(13);
    let down = Sequence::from(Rank::King).down_in_suit().complete_at(13);
    let tableau = || Piles::tableau(8).dealt_face_up(4).takes(Sequence::from_any().down_in_suit());
    for (about, piles) in [
        ("two kinds of tableau piles", vec![Piles::foundations(8).takes(up()), tableau(), cells]),
        (
            "homes that want the same cards",
            vec![Piles::foundations(4).takes(up()), Piles::foundations(4).takes(down), tableau()],
        ),
    ] {
        let piles = [Piles::stock(), Piles::waste().gives(Offer::Top, To::Anywhere)].into_iter().chain(piles).collect();
        let engine = Engine::new(Rules { packs: Packs::Two, piles, turning: Turning::Always, redeals: 0 });
        let table = dealt(&engine, &mut Random::from(1));
        assert!(Ground::new(&engine, &Known::all_of(&table)).is_none(), "{about}");
    }
}
