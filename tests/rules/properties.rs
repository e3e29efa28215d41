//! What holds in every game, whatever is played: on tables that random play has come to, with any
//! options.

use std::sync::Arc;

use patience::cards::Card;
use patience::games::CATALOGUE;
use patience::rules::{Drawing, Engine, Move, Outcome, PileIndex, Proposal, Step, Steps, Table};
use patience::session::{Autoplay, Command, Entry, Event, Gathering, NewDeal, Play, Refusal, Session, Status};
use proptest::prelude::*;

use crate::support::{Chance, Live, all_cards, asked, conceivable, engine, indices, kind_deck, ranks, seeded};

/// A game of the catalogue with any options, and how it is played.
#[derive(Clone, Debug)]
struct Walk {
    game: String,
    seed: u64,
    kind: bool,
    eager: bool,
    moves: usize,
}

fn walks() -> impl Strategy<Value = Walk> {
    let played = (any::<u64>(), any::<bool>(), any::<bool>(), 0..160_usize);
    (games(), played).prop_map(|(game, (seed, kind, eager, moves))| Walk { game, seed, kind, eager, moves })
}

fn games() -> impl Strategy<Value = String> {
    (0..CATALOGUE.len(), any::<[u8; 3]>()).prop_map(|(index, choices)| {
        let game = CATALOGUE[index];
        let chosen = game.options.iter().zip(choices).map(|(option, choice)| {
            let values = option.domain.values();
            format!(" {}={}", option.name, values[usize::from(choice) % values.len()])
        });
        format!("{}{}", game.id, chosen.collect::<String>())
    })
}

impl Walk {
    fn deal(&self) -> NewDeal {
        let (engine, mut chance) = (engine(&self.game), Chance::new(self.seed));
        NewDeal::Deck(match self.kind {
            true => kind_deck(&engine, ranks(&self.game), chance.pick(&[0, 3, 10]), &mut chance),
            false => seeded(&self.seed.to_string(), engine.rules().packs),
        })
    }

    fn begin(&self) -> Walking {
        let engine = engine(&self.game);
        let NewDeal::Deck(deck) = self.deal() else { unreachable!() };
        let table = engine.deal(&deck);
        Walking { engine, table, chance: Chance::new(!self.seed), eager: self.eager, left: self.moves }
    }

    /// The game at its end.
    fn end(&self) -> Walking {
        let mut walking = self.begin();
        while let Some(chosen) = walking.choose() {
            walking.play(chosen);
        }
        walking
    }
}

/// A game that is being played.
struct Walking {
    engine: Arc<Engine>,
    table: Table,
    chance: Chance,
    eager: bool,
    left: usize,
}

impl Walking {
    /// The next move, unless it is time to stop.
    fn choose(&mut self) -> Option<Move> {
        let moves = self.engine.legal_moves(self.table.view());
        self.left = self.left.checked_sub(1)?;
        (!moves.is_empty()).then(|| self.chance.choose(&self.engine, &moves, self.eager))
    }

    fn play(&mut self, chosen: Move) -> Steps {
        let steps = self.engine.steps(&self.table, chosen);
        steps.iter().for_each(|step| self.table.apply(step).unwrap());
        steps
    }

    /// What is said about every conceivable move.
    fn judgements(&self, table: &Table) -> Vec<Result<Move, &'static str>> {
        let judge = |each| self.engine.check(table.view(), &each).map_err(|reason| reason.code());
        conceivable(&self.engine, table.view()).into_iter().map(judge).collect()
    }
}

/// The same table, but that the hidden cards have changed places.
fn with_others_hidden(engine: &Engine, table: &Table, chance: &mut Chance) -> Table {
    let piles = indices(engine);
    let mut hidden: Vec<Card> = piles.iter().flat_map(|&pile| table.hidden(pile)).copied().collect();
    chance.shuffle(&mut hidden);
    let mut rest = &hidden[..];
    let dealt = piles.into_iter().map(|pile| {
        let (here, others) = rest.split_at(table.hidden(pile).len());
        rest = others;
        (here, table.view().pile(pile).cards())
    });
    Table::standing(dealt, table.view().redeals_left())
}

fn turned_up(steps: &Steps) -> Vec<Card> {
    let cards = steps.iter().filter_map(|step| match step {
        Step::Turn { card, .. } | Step::Free { card, .. } => Some(*card),
        Step::Redeal | Step::Shift { .. } => None,
    });
    cards.collect()
}

/// What is asked of a session: mostly moves, and else undo, redo and autoplay.
fn command(live: &Live, eager: bool, chance: &mut Chance) -> Command {
    let moves = live.session.legal_moves();
    match chance.below(40) {
        0..=7 => Command::Undo,
        8..=11 => Command::Redo,
        12..=14 => Command::Autoplay(Drawing::Never),
        15 => Command::Autoplay(Drawing::WhileForced),
        _ if moves.is_empty() => Command::Undo,
        _ => Command::Play(asked(live.session.engine(), chance.choose(live.session.engine(), &moves, eager))),
    }
}

/// How many moves were made at once.
fn moves_of(event: &Event) -> usize {
    match event {
        Event::Moved(play) => play.steps.iter().filter(|step| step.as_move().is_some()).count(),
        _ => 0,
    }
}

/// All that can be seen of a session.
fn seen(session: &Session) -> impl PartialEq + std::fmt::Debug {
    (
        (session.version(), session.status(), session.is_over(), session.view().clone()),
        (session.legal_moves(), session.placed(), session.moves(), session.can_undo(), session.can_redo()),
        (session.has_been_played(), session.created().clone(), session.commitment().map(String::from)),
        (session.created_at(), session.updated_at(), session.finished_at(), session.expires_at()),
    )
}

/// Any step at all; most name piles that there are.
fn steps() -> impl Strategy<Value = Step> {
    let pile = || prop_oneof![9 => 0..12_u8, 1 => any::<u8>()].prop_map(pile_at);
    let card = || (0..Card::COUNT).prop_map(|index| Card::from_index(index).unwrap());
    prop_oneof![
        (pile(), card()).prop_map(|(to, card)| Step::Turn { to, card }),
        Just(Step::Redeal),
        (pile(), pile(), prop_oneof![0..6_u8, any::<u8>()]).prop_map(|(from, to, count)| Step::Shift {
            from,
            to,
            count
        }),
        (pile(), card()).prop_map(|(pile, card)| Step::Free { pile, card }),
    ]
}

/// A pile by its place, as a log has it, whether or not there is one.
fn pile_at(place: u8) -> PileIndex {
    serde_json::from_value(place.into()).unwrap()
}

/// The step, made to fit if it takes a face-down card: else one in fifty would.
fn fitting(step: Step, table: &Table, piles: usize) -> Step {
    let under = |pile: PileIndex| (pile.get() < piles).then(|| table.hidden(pile).last().copied()).flatten();
    match step {
        Step::Turn { to, card } => Step::Turn { to, card: under(PileIndex::STOCK).unwrap_or(card) },
        Step::Free { pile, card } => Step::Free { pile, card: under(pile).unwrap_or(card) },
        Step::Redeal | Step::Shift { .. } => step,
    }
}

fn events() -> impl Strategy<Value = Event> {
    let outcome = || prop_oneof![Just(Outcome::Playing), Just(Outcome::Won), Just(Outcome::Lost)];
    let play = || {
        (prop::collection::vec(steps(), 0..4), outcome())
            .prop_map(|(steps, outcome)| Play { steps: steps.into_iter().collect(), outcome })
    };
    prop_oneof![
        play().prop_map(Event::Moved),
        play().prop_map(Event::Undone),
        play().prop_map(Event::Redone),
        Just(Event::Resigned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn cards_are_conserved_by_every_move(walk in walks()) {
        let mut walking = walk.begin();
        let dealt = all_cards(&walking.engine, &walking.table);
        while let Some(chosen) = walking.choose() {
            walking.play(chosen);
            prop_assert_eq!(&all_cards(&walking.engine, &walking.table), &dealt);
        }
    }

    #[test]
    fn what_is_listed_is_exactly_what_is_accepted_of_all_that_is_conceivable(walk in walks()) {
        let mut walking = walk.begin();
        loop {
            let accepted: Vec<Move> = walking.judgements(&walking.table).into_iter().flatten().collect();
            let listed = walking.engine.legal_moves(walking.table.view());
            prop_assert!(listed.is_sorted());
            prop_assert_eq!(&listed, &accepted);
            let lost = walking.engine.outcome(walking.table.view()) != Outcome::Playing;
            prop_assert_eq!(listed.is_empty(), lost);
            let Some(chosen) = walking.choose() else { break };
            walking.play(chosen);
        }
    }

    #[test]
    fn a_refused_move_leaves_nothing_changed(walk in walks()) {
        let (mut live, mut walking) = (Live::new(&walk.game, walk.deal()), walk.begin());
        while let Some(chosen) = walking.choose() {
            walking.play(chosen);
            live.ask(Command::Play(asked(&walking.engine, chosen))).unwrap();
        }
        let before = (format!("{:?}", live.session), live.log.len());
        for each in conceivable(&walking.engine, walking.table.view()) {
            if let Err(reason) = walking.engine.check(walking.table.view(), &each) {
                let expected = match walking.engine.outcome(walking.table.view()) {
                    Outcome::Playing => Refusal::Illegal(reason),
                    Outcome::Won | Outcome::Lost => Refusal::SessionOver,
                };
                prop_assert_eq!(live.ask(Command::Play(each)), Err(expected));
            }
        }
        prop_assert_eq!((format!("{:?}", live.session), live.log.len()), before);
        prop_assert_eq!(live.session.view(), walking.table.view());
    }

    #[test]
    fn a_move_that_is_taken_back_leaves_the_table_as_it_was(walk in walks()) {
        let mut walking = walk.begin();
        while let Some(chosen) = walking.choose() {
            let before = walking.table.clone();
            let steps = walking.play(chosen);
            prop_assert_ne!(&walking.table, &before);
            let mut table = walking.table.clone();
            for step in steps.iter().rev() {
                table.revert(step).unwrap();
            }
            prop_assert_eq!(table, before);
            prop_assert_eq!(steps[0].as_move(), Some(chosen));
        }
    }

    #[test]
    fn undo_and_redo_lead_through_the_tables_that_were_there(
        walk in walks(),
        autoplay in prop_oneof![Just(Autoplay::Off), Just(Autoplay::AfterEachMove)],
    ) {
        let mut live = Live::with(autoplay, &walk.game, walk.deal());
        let mut chance = Chance::new(walk.seed);
        let (mut tables, mut here) = (vec![(live.session.view().clone(), 0)], 0_usize);
        for _ in 0..walk.moves {
            let command = command(&live, walk.eager, &mut chance);
            let expected = match command {
                Command::Undo if live.session.can_undo() => here.checked_sub(1),
                Command::Redo if live.session.can_redo() => Some(here + 1),
                Command::Play(_) => Some(here + 1),
                Command::Autoplay(drawing) => {
                    live.session.engine().autoplay(live.session.view(), drawing).map(|_| here + 1)
                }
                _ => None,
            };
            let is_new = matches!(command, Command::Play(_) | Command::Autoplay(_));
            let is_move = matches!(command, Command::Play(_));
            prop_assert_eq!(live.ask(command).is_ok(), expected.is_some());
            here = expected.unwrap_or(here);
            if is_new && expected.is_some() {
                tables.truncate(here);
                let made = moves_of(&live.log.last().unwrap().event);
                match autoplay {
                    Autoplay::Off => prop_assert!(made == 1 || !is_move),
                    Autoplay::AfterEachMove => {
                        prop_assert_eq!(live.session.engine().autoplay(live.session.view(), Drawing::Never), None);
                    }
                }
                let moves = tables[here - 1].1 + made;
                tables.push((live.session.view().clone(), moves));
            }
            prop_assert_eq!((live.session.view().clone(), live.session.moves() as usize), tables[here].clone());
            if !live.session.is_over() {
                prop_assert_eq!(live.session.can_undo(), here > 0);
                prop_assert_eq!(live.session.can_redo(), here + 1 < tables.len());
            }
        }
    }

    #[test]
    fn autoplay_makes_legal_moves_that_each_bring_a_card_to_its_place_until_it_finds_none(walk in walks()) {
        let mut walking = walk.end();
        let (mut placed, mut made) = (walking.engine.placed(walking.table.view()), 0);
        while let Some(next) = walking.engine.autoplay(walking.table.view(), Drawing::Never) {
            prop_assert!(walking.engine.legal_moves(walking.table.view()).contains(&next));
            walking.play(next);
            (placed, made) = (placed + 1, made + 1);
            prop_assert_eq!(walking.engine.placed(walking.table.view()), placed);
        }
        // Drawing begins where nothing goes up.
        let drawn = walking.engine.autoplay(walking.table.view(), Drawing::WhileForced);
        prop_assert!(matches!(drawn, None | Some(Move::Draw | Move::Redeal)), "after {} moves: {:?}", made, drawn);
        prop_assert!(drawn.is_none() || walking.engine.legal_moves(walking.table.view()).len() == 1);
    }

    #[test]
    fn what_is_played_by_itself_is_what_would_be_played_move_by_move(walk in walks()) {
        for drawing in [Drawing::Never, Drawing::WhileForced] {
            let mut live = Live::new(&walk.game, walk.deal());
            let mut walking = walk.begin();
            while let Some(chosen) = walking.choose() {
                walking.play(chosen);
                live.ask(Command::Play(asked(&walking.engine, chosen))).unwrap();
            }
            let mut steps = Steps::new();
            while let Some(next) = walking.engine.autoplay(walking.table.view(), drawing) {
                steps.extend(walking.play(next));
            }
            let before = live.session.clone();
            let outcome = live.ask(Command::Autoplay(drawing));
            if before.status() != Status::Playing {
                prop_assert_eq!(outcome, Err(Refusal::SessionOver));
            } else if steps.is_empty() {
                prop_assert_eq!(outcome, Err(Refusal::NothingToPlay));
            } else {
                let outcome = walking.engine.outcome(walking.table.view());
                prop_assert_eq!(&live.log.last().unwrap().event, &Event::Moved(Play { steps, outcome }));
                prop_assert_eq!(live.session.view(), walking.table.view());
            }
        }
    }

    #[test]
    fn captive_queens_with_forced_play_is_played_to_its_end(walk in walks(), start in 0..3_usize, redeals in 0..=10) {
        let start = ["empty", "queens", "full"][start];
        let walk = Walk { game: format!("captive-queens start={start} redeals={redeals}"), ..walk };
        let (mut live, mut by_hand) = (Live::new(&walk.game, walk.deal()), Live::new(&walk.game, walk.deal()));
        live.ask(Command::Autoplay(Drawing::WhileForced)).unwrap();
        while let Some(&first) = by_hand.session.legal_moves().first() {
            let chosen = asked(by_hand.session.engine(), first);
            by_hand.ask(Command::Play(chosen)).unwrap();
        }
        prop_assert!(matches!(live.session.status(), Status::Won | Status::Lost));
        prop_assert_eq!(live.session.status(), by_hand.session.status());
        prop_assert_eq!(live.session.moves(), by_hand.session.moves());
        prop_assert_eq!(live.session.view(), by_hand.session.view());
        prop_assert_eq!(live.session.version(), 2);
    }

    #[test]
    fn folding_a_log_gives_the_session_that_live_play_had_at_every_version(walk in walks()) {
        let mut live = Live::new(&walk.game, walk.deal());
        let mut chance = Chance::new(walk.seed);
        let mut versions = vec![live.session.clone()];
        for _ in 0..walk.moves {
            let command = command(&live, walk.eager, &mut chance);
            if live.ask(command).is_ok() {
                versions.push(live.session.clone());
            }
        }
        for (index, then) in versions.iter().enumerate().step_by(1 + versions.len() / 20).chain([(versions.len() - 1, &live.session)]) {
            let folded = Session::fold(&live.log[..=index]).unwrap();
            prop_assert_eq!(seen(&folded), seen(then));
            prop_assert_eq!(format!("{folded:?}"), format!("{then:?}"));
        }
        prop_assert_eq!(live.session.version() as usize, live.log.len());
    }

    #[test]
    fn nothing_depends_on_hidden_cards_until_a_move_turns_one_up(walk in walks()) {
        let mut walking = walk.end();
        let mut other = with_others_hidden(&walking.engine, &walking.table, &mut walking.chance);
        walking.left = 12;
        loop {
            let (here, there) = (walking.table.view(), other.view());
            let engine = &walking.engine;
            prop_assert_eq!(here, there);
            prop_assert_eq!(engine.legal_moves(here), engine.legal_moves(there));
            prop_assert_eq!((engine.outcome(here), engine.placed(here)), (engine.outcome(there), engine.placed(there)));
            for drawing in [Drawing::Never, Drawing::WhileForced] {
                prop_assert_eq!(engine.autoplay(here, drawing), engine.autoplay(there, drawing));
            }
            prop_assert_eq!(walking.judgements(&walking.table), walking.judgements(&other));
            let Some(chosen) = walking.choose() else { break };
            let others = walking.engine.steps(&other, chosen);
            let steps = walking.play(chosen);
            prop_assert_eq!(steps.len(), others.len());
            if turned_up(&steps) != turned_up(&others) {
                break;
            }
            prop_assert_eq!(&steps, &others);
            others.iter().for_each(|step| other.apply(step).unwrap());
        }
    }

    #[test]
    fn a_step_that_does_not_fit_leaves_the_table_as_it_was(
        walk in walks(),
        garbage in prop::collection::vec((steps(), any::<bool>(), any::<bool>()), 1..40),
    ) {
        let Walking { engine, mut table, .. } = walk.end();
        let dealt = all_cards(&engine, &table);
        for (step, back, fits) in garbage {
            let step = if fits { fitting(step, &table, engine.piles().len()) } else { step };
            let before = table.clone();
            let done = if back { table.revert(&step) } else { table.apply(&step) };
            if done.is_err() {
                prop_assert_eq!(&table, &before);
            } else if back {
                table.apply(&step).unwrap();
                prop_assert_eq!(&table, &before);
                table.revert(&step).unwrap();
            } else {
                table.revert(&step).unwrap();
                prop_assert_eq!(&table, &before);
                table.apply(&step).unwrap();
            }
            prop_assert_eq!(&all_cards(&engine, &table), &dealt);
        }
    }

    #[test]
    fn a_session_survives_entries_that_do_not_fit(
        walk in walks(),
        garbage in prop::collection::vec(events(), 1..20),
    ) {
        let mut live = Live::new(&walk.game, walk.deal());
        let mut chance = Chance::new(walk.seed);
        for _ in 0..walk.moves.min(60) {
            // What is refused here is not what this is about.
            let _ = live.ask(command(&live, walk.eager, &mut chance));
        }
        let created = live.log[0].event.clone();
        for event in garbage.into_iter().chain([created]) {
            let single = match &event {
                Event::Moved(play) | Event::Undone(play) | Event::Redone(play) => play.steps.len() < 2,
                Event::Created(_) | Event::Resigned | Event::Joined(_) | Event::Left(_) | Event::Revealed(_) => true,
            };
            let mut session = live.session.clone();
            let before = format!("{session:?}");
            let entry = Entry { event, ..live.log[0].clone() };
            if session.apply(&entry).is_ok() {
                prop_assert_eq!(session.version(), live.session.version() + 1);
                live.session = session;
            } else if single {
                prop_assert_eq!(format!("{session:?}"), before);
            }
            // Whatever has become of the table, it can be looked at.
            prop_assert!(live.session.placed() <= 104);
            prop_assert!(live.session.legal_moves().is_sorted());
        }
    }
}

#[test]
fn a_move_of_no_cards_or_of_more_than_there_could_be_is_refused() {
    for game in CATALOGUE {
        let engine = engine(game.id);
        let table = engine.deal(&seeded("counts", engine.rules().packs));
        for count in [0, 256, 257, u32::MAX] {
            for from in engine.piles() {
                for to in engine.piles() {
                    let asked = Proposal::Transfer { from: from.to_string(), to: to.to_string(), count };
                    assert!(engine.check(table.view(), &asked).is_err(), "{asked:?}");
                }
            }
        }
    }
}
