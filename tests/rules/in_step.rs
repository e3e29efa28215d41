//! The games, played at random by the engine and the second implementation in step: after every
//! move the two must agree on everything. What is worth to be played must have come up, so each
//! test says what it has to have seen: what happened, how games ended, and reasons of refusals.

use crate::pair::{Seen, assert_seen, play_in_step};
use crate::support::{engine, ranks, reference_game};

fn in_step(game: &str, games: u64, seen: &mut Seen) {
    play_in_step(&engine(game), reference_game(game), ranks(game), games, seen);
}

fn with_every_number_of_redeals(game: &str, games: u64) -> Seen {
    let mut seen = Seen::new();
    for redeals in 0..=10 {
        in_step(&format!("{game} redeals={redeals}"), games, &mut seen);
    }
    seen
}

#[test]
fn captive_queens_with_every_start_and_play() {
    let mut seen = Seen::new();
    for options in ["", " start=queens", " start=full", " play=free", " start=full play=free redeals=1"] {
        in_step(&format!("captive-queens{options}"), 200, &mut seen);
    }
    assert_seen(&seen, &["a draw", "a redeal", "won", "lost", "legal"]);
    assert_seen(&seen, &["no_such_pile", "same_pile", "not_available", "empty_source", "too_many_cards"]);
    assert_seen(&seen, &["no_building", "pile_complete", "needs_base_card", "wrong_suit", "wrong_rank"]);
    assert_seen(&seen, &["stock_empty", "stock_not_empty", "nothing_to_redeal", "no_redeals_left", "play_waste_first"]);
}

#[test]
fn captive_queens_with_every_number_of_redeals() {
    let seen = with_every_number_of_redeals("captive-queens", 100);
    assert_seen(&seen, &["a redeal", "won", "lost", "no_redeals_left", "play_waste_first"]);
}

#[test]
fn napoleons_square_with_both_moves() {
    for (moves, expected) in [("runs", &["a run moved", "not_a_run"][..]), ("single", &["too_many_cards"])] {
        let mut seen = Seen::new();
        in_step(&format!("napoleons-square moves={moves}"), 40, &mut seen);
        assert_seen(&seen, expected);
        assert_eq!(seen.contains_key("a run moved"), moves == "runs");
        assert_seen(&seen, &["a draw", "a space filled", "the stock to a space", "won", "legal"]);
        assert_seen(&seen, &["no_such_pile", "same_pile", "not_available", "empty_source", "no_building"]);
        assert_seen(&seen, &["pile_complete", "needs_base_card", "wrong_suit", "wrong_rank"]);
        assert_seen(&seen, &["stock_empty", "stock_not_empty", "no_redeals_left"]);
    }
}

#[test]
fn topsy_turvy_queens_with_all_kings_and_corners() {
    for options in ["", " kings=any", " corner=turned", " kings=any corner=turned redeals=10"] {
        let mut seen = Seen::new();
        in_step(&format!("topsy-turvy-queens{options}"), 24, &mut seen);
        assert_eq!(seen.contains_key("a corner passed"), options.contains("turned"));
        assert_eq!(seen.contains_key("fill_from_the_left"), !options.contains("any"));
        assert_seen(&seen, &["a draw", "a redeal", "a run moved", "a space filled", "legal"]);
        assert_seen(&seen, &["a captive freed", "a captive home", "captive_to_foundation_only", "pile_complete"]);
        assert_seen(&seen, &["no_such_pile", "same_pile", "not_available", "empty_source", "too_many_cards"]);
        assert_seen(&seen, &["not_a_run", "no_building", "needs_base_card", "wrong_suit", "wrong_rank"]);
        assert_seen(&seen, &["stock_empty", "stock_not_empty", "nothing_to_redeal"]);
    }
}

#[test]
fn topsy_turvy_queens_with_every_number_of_redeals() {
    let seen = with_every_number_of_redeals("topsy-turvy-queens", 12);
    assert_seen(&seen, &["a redeal", "a captive freed", "a captive home", "won", "lost", "no_redeals_left"]);
}
