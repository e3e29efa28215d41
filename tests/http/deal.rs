//! The deal: what pins it, when it is shown, and that it was the one that was played.

use std::time::Duration;

use patience::cards::{Packs, PysolfcNumber, Seed};
use patience::games;
use patience::session::race::{NewRace, NewRaceDeal};
use patience::session::{Autoplay, Gathering, NewDeal, NewSession, PlayerName, Undoing, Visibility};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::oracle::names;
use crate::to_the_end;

/// The cards of a session at its first version, as far as they are face up, and as they must be if
/// that deck was dealt.
fn is_dealt_from(first: &Value, deck: &[&str]) -> bool {
    let captives = if first["game"] == "topsy-turvy-queens" { 7 } else { 0 };
    let tableau: Vec<&Value> =
        first["piles"].as_array().unwrap().iter().filter(|pile| pile["kind"] == "tableau").collect();
    tableau.iter().enumerate().all(|(number, pile)| {
        let column: Vec<&str> = (0..4).map(|row| deck[captives + row * tableau.len() + number]).collect();
        pile["cards"] == json!(column)
    })
}

/// Draws all the stock of a session.
async fn draw_all(app: &TestApp, seat: &Seat) -> Vec<Value> {
    let mut waste = Value::Null;
    while app.session(seat).await["piles"][0]["face_down"] != 0 {
        waste = app.draw(seat).await.expect(200).json()["piles"][1]["cards"].clone();
    }
    waste.as_array().unwrap().clone()
}

#[tokio::test]
async fn the_servers_seed_is_pinned_before_and_shown_after_and_gives_the_deal() {
    let app = TestApp::start().await;
    for (game, packs) in
        [("captive-queens", Packs::One), ("napoleons-square", Packs::Two), ("topsy-turvy-queens", Packs::Two)]
    {
        let options = if game == "captive-queens" { json!({"play": "free"}) } else { json!({}) };
        let seat = app.create(json!({"game": game, "options": options})).await;
        let commitment = seat.first["deal"]["commitment"].clone();
        let stock = draw_all(&app, &seat).await;
        assert_eq!(app.session(&seat).await["deal"], seat.first["deal"], "nothing more is shown");

        let deal = app.resign(&seat).await.expect(200).json()["deal"].clone();
        let seed = deal["seed"].as_str().unwrap();
        assert_eq!(deal["commitment"], commitment);
        assert_eq!(commitment, hex::encode(Sha256::digest(seed)));
        let is_drawn = seed.len() == 32 && seed.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
        assert!(is_drawn, "32 lower-case hex digits: {seed}");

        let deck = Seed::try_from(seed.to_string()).unwrap().deck(packs);
        let deck = names(deck.cards());
        assert!(is_dealt_from(&seat.first, &deck), "{game} {seed}");
        assert_eq!(stock, deck[deck.len() - stock.len()..], "{game} {seed}");
    }
}

#[tokio::test]
async fn every_session_gets_a_seed_of_its_own() {
    let app = TestApp::start().await;
    let mut seen = std::collections::HashSet::new();
    for _ in 0..30 {
        let session = app.plain("captive-queens").await.first;
        assert!(seen.insert(session["deal"]["commitment"].to_string()));
    }
}

#[tokio::test]
async fn a_seed_a_deck_or_a_number_of_the_clients_is_not_shown_either_until_the_end() {
    let app = TestApp::start().await;
    let deck = to_the_end::winning_napoleon();
    let number = json!("12345678901234567890");
    for (name, value) in [("seed", json!("  Zoë’s deal\u{0} ")), ("deck", json!(deck)), ("pysolfc", number)] {
        let seat = app.create(json!({"game": "napoleons-square", name: value})).await;
        let hidden = json!({"source": name, "commitment": null, "seed": null, "deck": null, "pysolfc": null});
        assert_eq!(seat.first["deal"], hidden);
        assert_eq!(app.draw(&seat).await.expect(200).json()["deal"], hidden);
        let deal = app.resign(&seat).await.expect(200).json()["deal"].clone();
        let mut shown = hidden;
        shown[name] = value;
        assert_eq!(deal, shown);
    }
}

#[tokio::test]
async fn the_same_seed_is_the_same_deal_everywhere() {
    let (one, two) = (TestApp::start().await, TestApp::start().await);
    for game in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        let wish = json!({"game": game, "seed": "the same"});
        let (one, two) = (one.create(wish.clone()).await, two.create(wish).await);
        assert_eq!(one.first["piles"], two.first["piles"]);
    }
}

#[tokio::test]
async fn a_number_deals_what_pysolfc_deals_under_it() {
    let app = TestApp::start().await;
    for (game, packs) in
        [("captive-queens", Packs::One), ("napoleons-square", Packs::Two), ("topsy-turvy-queens", Packs::Two)]
    {
        for number in ["1", "12345678901234567890"] {
            let seat = app.create(json!({"game": game, "pysolfc": number})).await;
            let deck = number.parse::<PysolfcNumber>().unwrap().deck(packs);
            let listed = app.create(json!({"game": game, "deck": names(deck.cards())})).await;
            assert!(is_dealt_from(&seat.first, &names(deck.cards())), "{game} {number}");
            assert_eq!(
                app.draw(&seat).await.json()["piles"],
                app.draw(&listed).await.json()["piles"],
                "{game} {number}"
            );
        }
    }
}

/// A seed that was found to win, as if the server had drawn it.
fn winning() -> Seed {
    Seed::try_from(to_the_end::WINNING.to_string()).unwrap()
}

#[tokio::test]
async fn a_seed_that_was_won_is_pinned_and_shown_like_any_other_that_the_server_has_drawn() {
    let app = TestApp::start().await;
    let game = games::find("captive-queens").unwrap();
    let new = NewSession {
        game,
        options: game.default_options(),
        deal: NewDeal::Winnable(winning()),
        seats: 1,
        name: PlayerName::try_from("Ada").unwrap(),
        visibility: Visibility::Unlisted,
        undoing: Undoing::Allowed,
        autoplay: Autoplay::Off,
    };
    let (session, opening) = app.host.create(new, None).await.unwrap();
    let path = format!("/v1/sessions/{}", session.id());
    let mut deal = json!({"source": "winnable", "commitment": winning().commitment(), "seed": null, "deck": null, "pysolfc": null});
    let first = app.get(&path).await.expect(200).json();
    assert_eq!(first["deal"], deal);
    let same = app.create(json!({"game": "captive-queens", "seed": to_the_end::WINNING})).await;
    assert_eq!(first["piles"], same.first["piles"]);
    app.ask(Ask::post(&format!("{path}/resign")).token(opening.token.reveal())).await.expect(200);
    deal["seed"] = json!(to_the_end::WINNING);
    assert_eq!(app.get(&path).await.expect(200).json()["deal"], deal);
}

#[tokio::test]
async fn a_race_on_a_seed_that_was_won_says_so_and_so_do_its_sessions() {
    let app = TestApp::start().await;
    let game = games::find("captive-queens").unwrap();
    let new = NewRace {
        game,
        options: game.default_options(),
        deal: NewRaceDeal::Winnable(winning()),
        seats: 2,
        limit: Duration::from_secs(60),
        name: PlayerName::try_from("Ada").unwrap(),
        visibility: Visibility::Unlisted,
    };
    let (race, opening) = app.host.create_race(new, None).await.unwrap();
    let path = format!("/v1/races/{}", race.id());
    let mut deal = json!({"source": "winnable", "commitment": winning().commitment(), "seed": null, "deck": null, "pysolfc": null});
    assert_eq!(app.get(&path).await.expect(200).json()["deal"], deal);
    app.ask(Ask::post(&format!("{path}/players")).json(&json!({}))).await.expect(201);
    let started = app.ask(Ask::post(&format!("{path}/start")).token(opening.token.reveal())).await.expect(200).json();
    let lanes = started["standings"].as_array().unwrap();
    let lane = |number: usize| format!("/v1/sessions/{}", lanes[number]["session"].as_str().unwrap());
    let own = app.ask(Ask::get(&lane(0)).token(opening.token.reveal())).await.expect(200).json();
    assert_eq!([&started["deal"], &own["deal"]], [&deal, &deal]);

    app.clock.advance(Duration::from_secs(60));
    deal["seed"] = json!(to_the_end::WINNING);
    for path in [path, lane(0), lane(1)] {
        assert_eq!(app.get(&path).await.expect(200).json()["deal"], deal, "{path}");
    }
}

#[tokio::test]
async fn what_is_hidden_in_a_past_version_stays_hidden_there() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.draw(&seat).await.expect(200);
    app.resign(&seat).await.expect(200);
    for version in 1..=3 {
        let session = app.get(&seat.at(&format!("?version={version}"))).await.expect(200).json();
        assert_eq!(session["deal"]["seed"].is_string(), version == 3, "version {version}");
        assert_eq!(session["status"], if version == 3 { "resigned" } else { "playing" });
    }
}

#[tokio::test]
async fn a_lost_game_shows_its_deal_if_nothing_can_be_undone_and_hides_it_otherwise() {
    let app = TestApp::start().await;
    for undo in [true, false] {
        let seat = app.create(json!({"game": "captive-queens", "seed": to_the_end::LOSING, "undo": undo})).await;
        let lost = to_the_end::play_simply(&app, &seat).await;
        assert_eq!(lost["status"], "lost");
        assert_eq!(lost["deal"]["seed"], if undo { Value::Null } else { json!(to_the_end::LOSING) });
        assert_eq!(lost["finished_at"].is_null(), undo);
        let version = lost["version"].as_u64().unwrap();
        let before = app.get(&seat.at(&format!("?version={}", version - 1))).await.expect(200).json();
        assert!(before["deal"]["seed"].is_null() && before["finished_at"].is_null());
        let at_the_end = app.get(&seat.at(&format!("?version={version}"))).await.expect(200).json();
        assert_eq!(at_the_end, lost);
    }
}
