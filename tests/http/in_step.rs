//! Random games over HTTP, in step with the reference: after every answer all that is shown is what
//! the second implementation says it is, and every refusal gives the reason that it gives.
//!
//! By default a few games of each kind; `PATIENCE_GAMES=100` plays a hundred of each game and twenty
//! of each option value.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::dice::Dice;
use crate::oracle::{dealt, differences, wire};
use crate::reference::{Draws, Game, Move, Table};

/// A game with options, to be played under a seed.
#[derive(Clone)]
struct Plan {
    game: &'static str,
    /// Names and values, as text.
    options: Vec<(&'static str, String)>,
    seed: u64,
    moves: usize,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} seed {:?}", self.game, self.options, self.seed.to_string())
    }
}

/// How many games of each kind, of each option value, and the most moves of one.
struct Amount {
    of_each_game: u64,
    of_each_value: u64,
    moves: usize,
}

impl Amount {
    fn wanted() -> Amount {
        match std::env::var("PATIENCE_GAMES").ok().and_then(|games| games.parse().ok()) {
            Some(games) => Amount { of_each_game: games, of_each_value: (games / 5).max(1), moves: 250 },
            None => Amount { of_each_game: 3, of_each_value: 1, moves: 100 },
        }
    }
}

fn plans(amount: &Amount) -> Vec<Plan> {
    let redeals = || (0..=10).map(|number: u32| number.to_string()).collect();
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    type Domains = Vec<(&'static str, Vec<String>)>;
    let games: [(&'static str, Domains); 3] = [
        (
            "captive-queens",
            vec![
                ("start", words(&["empty", "queens", "full"])),
                ("play", words(&["forced", "free"])),
                ("redeals", redeals()),
            ],
        ),
        ("napoleons-square", vec![("moves", words(&["runs", "single"]))]),
        (
            "topsy-turvy-queens",
            vec![
                ("kings", words(&["left_to_right", "any"])),
                ("corner", words(&["closed", "turned"])),
                ("redeals", redeals()),
            ],
        ),
    ];
    let mut plans = Vec::new();
    let mut plan = |game, options, seed| plans.push(Plan { game, options, seed, moves: amount.moves });
    for (game, domains) in &games {
        (0..amount.of_each_game).for_each(|seed| plan(*game, Vec::new(), seed));
        for (name, values) in domains {
            for value in values {
                for seed in 0..amount.of_each_value {
                    // The other options are whatever comes.
                    let seed = 1_000 + seed;
                    let mut dice = Dice::new(seed);
                    let mut options: Vec<_> =
                        domains.iter().map(|(name, values)| (*name, dice.pick(values).clone())).collect();
                    options.iter_mut().filter(|(each, _)| each == name).for_each(|(_, each)| each.clone_from(value));
                    plan(*game, options, seed);
                }
            }
        }
    }
    plans
}

/// What was played.
#[derive(Default)]
struct Total {
    games: usize,
    requests: usize,
    refusals: usize,
    differences: Vec<String>,
}

/// A game in play, on both sides.
struct InStep<'a> {
    app: &'a TestApp,
    plan: &'a Plan,
    seat: Seat,
    made: Vec<Point>,
    undone: Vec<Point>,
    total: Total,
}

/// A table, and how many moves have led to it.
struct Point {
    table: Table,
    moves: usize,
}

impl InStep<'_> {
    fn table(&self) -> &Table {
        &self.made.last().unwrap().table
    }

    fn make(&mut self, table: Table, moves: usize) {
        let moves = self.made.last().unwrap().moves + moves;
        self.made.push(Point { table, moves });
        self.undone.clear();
    }

    fn compare(&mut self, session: &Value, after: &str) {
        self.total.requests += 1;
        let mut found = differences(session, self.table());
        let moves = self.made.last().unwrap().moves;
        let is_won = session["status"] == "won";
        let stack = [json!(moves), json!(self.made.len() > 1 && !is_won), json!(!self.undone.is_empty() && !is_won)];
        if [&session["moves"], &session["can_undo"], &session["can_redo"]] != [&stack[0], &stack[1], &stack[2]] {
            found.push(format!("moves, can_undo, can_redo should be {stack:?}"));
        }
        let about = format!("{} at version {} after {after}", self.plan, session["version"]);
        self.total.differences.extend(found.into_iter().map(|difference| format!("{about}: {difference}")));
    }

    async fn play(&mut self, play: &Move) {
        let session = self.app.play(&self.seat, &wire(play)).await.expect(200).json();
        let mut next = self.table().clone();
        next.play(play);
        self.make(next, 1);
        self.compare(&session, &format!("{play:?}"));
    }

    async fn autoplay(&mut self, draws: Draws) {
        let ask = Ask::post(&self.seat.at("/autoplay")).token(&self.seat.token);
        let answer = self.app.ask(ask.json(&json!({"draws": draws == Draws::WhileForced}))).await;
        let mut next = self.table().clone();
        let moves = next.autoplay(draws).len();
        if moves == 0 {
            answer.refused(409, "nothing_to_play");
            self.total.requests += 1;
        } else {
            self.make(next, moves);
            self.compare(&answer.expect(200).json(), "autoplay");
        }
    }

    async fn undo(&mut self) {
        let answer = self.app.undo(&self.seat).await;
        if self.made.len() == 1 {
            answer.refused(409, "nothing_to_undo");
            self.total.requests += 1;
        } else {
            self.undone.push(self.made.pop().unwrap());
            self.compare(&answer.expect(200).json(), "undo");
        }
    }

    async fn redo(&mut self) {
        let answer = self.app.redo(&self.seat).await;
        match self.undone.pop() {
            Some(point) => {
                self.made.push(point);
                self.compare(&answer.expect(200).json(), "redo");
            }
            None => {
                answer.refused(409, "nothing_to_redo");
                self.total.requests += 1;
            }
        }
    }

    /// Tries what may well be nonsense.
    async fn propose(&mut self, proposal: &Move) {
        let Some(reason) = self.table().refusal(proposal) else {
            return self.play(proposal).await;
        };
        let refused = self.app.play(&self.seat, &wire(proposal)).await.refused(422, "illegal_move");
        self.total.requests += 1;
        self.total.refusals += 1;
        if refused.reason() != reason {
            let (plan, given, version) = (self.plan, refused.reason(), refused.version());
            let text = format!("{plan} at version {version}: {proposal:?} is refused for {given}, not for {reason}");
            self.total.differences.push(text);
        }
    }
}

/// Any move at all, of piles that there are and some that there are not.
fn any_move(dice: &mut Dice, table: &Table) -> Move {
    let mut names: Vec<String> = table.piles().into_iter().map(|pile| pile.name).collect();
    match dice.below(12) {
        0 => Move::Draw,
        1 => Move::Redeal,
        _ => {
            names.extend(["queens", "foundation-9", "tableau-13", "tableau"].map(str::to_string));
            let [from, to] = [dice.pick(&names).clone(), dice.pick(&names).clone()];
            let count = if dice.one_in(3) { 2 + dice.below(4) } else { 1 };
            Move::Move { from, to, count }
        }
    }
}

/// A legal move: cards go up and are drawn more often than they are moved about.
fn some_move(dice: &mut Dice, legal: &[Move]) -> Move {
    let up = |each: &&Move| matches!(each, Move::Move { to, .. } if to.starts_with('f') || to.starts_with('q'));
    let going_up: Vec<&Move> = legal.iter().filter(up).collect();
    match dice.below(4) {
        0 | 1 if !going_up.is_empty() => (*dice.pick(&going_up)).clone(),
        0..=2 if legal[0] == Move::Draw => Move::Draw,
        _ => dice.pick(legal).clone(),
    }
}

async fn play(app: &TestApp, plan: &Plan) -> Total {
    let mut options = json!({});
    for (name, value) in &plan.options {
        options[name] = value.parse::<u32>().map_or(json!(value), |number| json!(number));
    }
    let seed = plan.seed.to_string();
    let given: Vec<(&str, &str)> = plan.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let table = dealt(Game::named(plan.game, &given), &seed);
    let seat = app.create(json!({"game": plan.game, "options": options, "seed": seed})).await;
    let first = seat.first.clone();
    let mut game =
        InStep { app, plan, seat, made: vec![Point { table, moves: 0 }], undone: Vec::new(), total: Total::default() };
    game.compare(&first, "the deal");
    let mut dice = Dice::new(plan.seed);
    for _ in 0..plan.moves {
        let legal = game.table().legal_moves();
        if legal.is_empty() {
            // Lost games go on from some moves before, once in a while.
            let is_lost = crate::oracle::status(game.table()) == "lost";
            game.app.draw(&game.seat).await.refused(409, "session_over");
            if !is_lost || dice.one_in(3) {
                break;
            }
            game.undo().await;
            continue;
        }
        match dice.below(80) {
            0..=33 => {
                let chosen = some_move(&mut dice, &legal);
                game.play(&chosen).await;
            }
            34..=37 => game.undo().await,
            38..=41 => game.redo().await,
            42..=43 => game.autoplay(Draws::Never).await,
            44 => game.autoplay(Draws::WhileForced).await,
            _ => {
                let proposal = any_move(&mut dice, game.table());
                game.propose(&proposal).await;
            }
        }
    }
    // What was shown is what is there, and the history leads to it.
    let session = app.session(&game.seat).await;
    game.compare(&session, "all");
    game.total.games = 1;
    game.total
}

#[tokio::test(flavor = "multi_thread")]
async fn random_games_go_as_the_reference_says() {
    let app = Arc::new(TestApp::start().await);
    let amount = Amount::wanted();
    let mut total = Total::default();
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut plans = plans(&amount).into_iter();
    let mut playing = tokio::task::JoinSet::new();
    loop {
        while playing.len() < workers {
            let Some(plan) = plans.next() else { break };
            let app = app.clone();
            playing.spawn(async move { play(&app, &plan).await });
        }
        let Some(played) = playing.join_next().await else { break };
        let played = played.unwrap();
        total.games += played.games;
        total.requests += played.requests;
        total.refusals += played.refusals;
        total.differences.extend(played.differences);
    }
    println!(
        "{} games, {} answers compared ({} refusals among them), {} differences",
        total.games,
        total.requests,
        total.refusals,
        total.differences.len()
    );
    let shown: Vec<&String> = total.differences.iter().take(5).collect();
    assert!(shown.is_empty(), "{} differences; the first are {shown:#?}", total.differences.len());
}
