//! The engine knows no game: three that the catalogue lacks are described here as data and nothing
//! else, and played in step with the second implementation.

use patience::cards::{Packs, Rank};
use patience::rules::{Corner, Engine, Filling, Offer, Piles, Reason, Rules, Sequence, To, Turning};

use crate::pair::{Seen, assert_seen, play_in_step};
use crate::reference::{self, Game};
use crate::support::{position, proposal};

fn forty_thieves() -> Rules {
    Rules {
        packs: Packs::Two,
        turning: Turning::Always,
        redeals: 0,
        piles: vec![
            Piles::stock(),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13)),
            Piles::tableau(10)
                .dealt_face_up(4)
                .takes(Sequence::from_any().down_in_suit())
                .gives(Offer::Top, To::Anywhere),
        ],
    }
}

/// Captive Queens, but that the waste may be turned over until nothing comes of it any more.
fn captive_queens_without_end() -> Rules {
    Rules {
        packs: Packs::One,
        turning: Turning::WhileWasteIsBlocked,
        redeals: 99,
        piles: vec![
            Piles::stock(),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::foundations(8)
                .takes(Sequence::from(Rank::Five).down_in_suit().corner(Corner::Turned).complete_at(6))
                .takes(Sequence::from(Rank::Six).up_in_suit().complete_at(6)),
            Piles::queens().takes(Sequence::from(Rank::Queen).same_rank().complete_at(4)),
        ],
    }
}

/// Topsy-Turvy Queens the right way up: captives under foundations that go from ace to king.
fn captives_under_aces() -> Rules {
    let foundations = |count| {
        Piles::foundations(count)
            .filled(Filling::LeftToRight)
            .takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13))
            .gives(Offer::Captive, To::Foundations)
    };
    Rules {
        packs: Packs::Two,
        turning: Turning::Always,
        redeals: 2,
        piles: vec![
            Piles::stock(),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            foundations(7).over_a_captive(),
            foundations(1),
            Piles::tableau(8)
                .dealt_face_up(4)
                .takes(Sequence::from_any().down_in_suit())
                .gives(Offer::Top, To::Foundations)
                .gives(Offer::Run, To::Anywhere),
        ],
    }
}

fn in_step(rules: Rules, game: Game, ranks: &str, games: u64) -> Seen {
    let mut seen = Seen::new();
    play_in_step(&Engine::new(rules), game, ranks, games, &mut seen);
    seen
}

#[test]
fn forty_thieves_is_played_from_its_description() {
    let seen = in_step(forty_thieves(), Game::FortyThieves, "A23456789TJQK", 24);
    assert_seen(&seen, &["a draw", "a space filled", "won", "too_many_cards", "no_redeals_left", "not_available"]);
    assert!(!seen.contains_key("a run moved") && !seen.contains_key("the stock to a space"));
}

#[test]
fn captive_queens_with_ninety_nine_redeals_is_played_from_its_description() {
    let (start, play) = (reference::Start::Empty, reference::Play::Forced);
    let game = Game::CaptiveQueens { start, play, redeals: 99 };
    let seen = in_step(captive_queens_without_end(), game, "56Q473829ATKJ", 60);
    assert_seen(&seen, &["a redeal", "won", "play_waste_first"]);
    assert!(!seen.contains_key("lost"), "{seen:?}");
}

#[test]
fn captives_under_aces_are_played_from_their_description() {
    let (kings, corner) = (reference::Kings::LeftToRight, reference::Corner::Closed);
    let game = Game::TopsyTurvyQueens { kings, corner, redeals: 2, foundations_start: Rank::Ace };
    let seen = in_step(captives_under_aces(), game, "A23456789TJQK", 24);
    assert_seen(&seen, &["a captive freed", "a captive home", "captive_to_foundation_only", "fill_from_the_left"]);
    assert_seen(&seen, &["a draw", "a redeal", "a run moved", "a space filled"]);
}

#[test]
fn a_space_that_wants_a_king_takes_no_card_that_nobody_has_seen() {
    let rules = Rules {
        packs: Packs::One,
        turning: Turning::Always,
        redeals: 0,
        piles: vec![
            Piles::stock().gives(Offer::Top, To::Spaces),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::tableau(2).takes(Sequence::from(Rank::King).down_in_suit()),
        ],
    };
    let engine = Engine::new(rules);
    for (waste, reason) in [("KC", Ok(())), ("QC", Err(Reason::NeedsBaseCard))] {
        let table = position(&engine, 0, &[("stock", "KS"), ("waste", waste)]);
        let judge = |chosen| engine.check(table.view(), &proposal(chosen)).map(|_| ());
        assert_eq!(judge("waste tableau-1"), reason);
        assert_eq!(judge("stock tableau-1"), Err(Reason::NeedsBaseCard));
        assert_eq!(engine.legal_moves(table.view()).len(), if reason.is_ok() { 3 } else { 1 });
    }
}
