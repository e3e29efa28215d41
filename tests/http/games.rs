//! `/v1/games`: the catalogue.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::client::Ask;
use crate::manners::keys;

const IDS: [&str; 3] = ["captive-queens", "napoleons-square", "topsy-turvy-queens"];

#[tokio::test]
async fn the_catalogue_lists_the_three_games_and_each_is_shown_as_it_is_listed() {
    let app = TestApp::start().await;
    let list = app.get("/v1/games").await.expect(200).json();
    assert_eq!(keys(&list), ["items", "next"]);
    assert!(list["next"].is_null());
    let items = list["items"].as_array().unwrap();
    let ids: Vec<&str> = items.iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids, IDS);
    for (id, listed) in IDS.iter().zip(items) {
        let shown = app.get(&format!("/v1/games/{id}")).await.expect(200).json();
        assert_eq!(shown, *listed, "{id}");
    }
}

#[tokio::test]
async fn a_game_says_in_words_all_that_a_client_needs_that_knows_no_game() {
    let app = TestApp::start().await;
    for id in IDS {
        let game = app.get(&format!("/v1/games/{id}")).await.expect(200).json();
        let members = ["also_known_as", "id", "name", "options", "packs", "piles", "rules", "summary"];
        assert_eq!(keys(&game), members, "{id}");
        for text in ["name", "summary", "rules"] {
            assert!(game[text].as_str().is_some_and(|text| text.len() > 5), "{id}: {text}");
        }
        assert!(game["also_known_as"].as_array().unwrap().iter().all(Value::is_string), "{id}");
        let mut places = BTreeSet::new();
        for pile in game["piles"].as_array().unwrap() {
            assert_eq!(keys(pile), ["gives", "home", "id", "kind", "place", "starts_with", "takes"], "{id}");
            assert!(!pile["takes"].as_str().unwrap().is_empty() && !pile["gives"].as_str().unwrap().is_empty());
            let is_home = pile["kind"] == "foundation" || pile["kind"] == "queens";
            assert_eq!(pile["home"], is_home, "{id}");
            assert_eq!(keys(&pile["place"]), ["column", "room", "row", "spread"], "{id}");
            assert!(["none", "right", "down"].iter().any(|spread| pile["place"]["spread"] == *spread), "{id}");
            let coordinates = ["column", "row", "room"].map(|name| pile["place"][name].as_f64().unwrap());
            assert!(coordinates.iter().all(|&coordinate| (0.0..20.0).contains(&coordinate)), "{id}");
            assert!(places.insert(pile["place"].to_string()), "{id}: two piles in one place");
        }
    }
}

#[tokio::test]
async fn the_piles_of_a_game_are_those_of_its_sessions_in_the_same_order() {
    let app = TestApp::start().await;
    for id in IDS {
        let game = app.get(&format!("/v1/games/{id}")).await.expect(200).json();
        let session = app.plain(id).await.first;
        let names = |piles: &Value| -> Vec<String> {
            piles.as_array().unwrap().iter().map(|pile| format!("{} {}", pile["id"], pile["kind"])).collect()
        };
        assert_eq!(names(&game["piles"]), names(&session["piles"]), "{id}");
        assert_eq!(session["cards"], game["packs"].as_u64().unwrap() * 52, "{id}");
    }
}

#[tokio::test]
async fn options_have_a_type_a_domain_and_the_default_that_a_session_then_has() {
    let app = TestApp::start().await;
    let choice = |default: &str, values: &[&str]| json!({"type": "choice", "default": default, "values": values});
    let redeals = || json!({"type": "integer", "default": 2, "minimum": 0, "maximum": 10});
    let expected = [
        json!({"start": choice("empty", &["empty", "queens", "full"]), "play": choice("forced", &["forced", "free"]),
               "redeals": redeals()}),
        json!({"moves": choice("runs", &["runs", "single"])}),
        json!({"kings": choice("left_to_right", &["left_to_right", "any"]),
               "corner": choice("closed", &["closed", "turned"]), "redeals": redeals()}),
    ];
    for (id, expected) in IDS.iter().zip(expected) {
        let mut options = app.get(&format!("/v1/games/{id}")).await.expect(200).json()["options"].clone();
        let mut defaults = json!({});
        for (name, option) in options.as_object_mut().unwrap() {
            let option = option.as_object_mut().unwrap();
            let description = option.remove("description").unwrap();
            assert!(description.as_str().is_some_and(|text| text.len() > 10), "{id}: {name}");
            for value in option.get_mut("values").and_then(Value::as_array_mut).into_iter().flatten() {
                assert_eq!(keys(value), ["description", "value"], "{id}: {name}");
                *value = value["value"].take();
            }
            defaults[name] = option["default"].clone();
        }
        assert_eq!(options, expected, "{id}");
        assert_eq!(app.plain(id).await.first["options"], defaults, "{id}");
    }
}

#[tokio::test]
async fn what_is_no_game_and_what_is_no_parameter_is_told_apart() {
    let app = TestApp::start().await;
    for id in ["klondike", "Captive-Queens", "captive-queens%20", "%ff", "%00", "captive_queens"] {
        app.raw("GET", &format!("/v1/games/{id}"), &[], b"").await.refused(404, "no_such_game");
    }
    for path in ["/v1/games?page=2", "/v1/games/captive-queens?version=1", "/v1/games?"] {
        let answer = app.get(path).await;
        if path.ends_with('?') {
            answer.expect(200)
        } else {
            answer.refused(400, "malformed_request")
        };
    }
    for path in ["/v1/games/", "/v1/games/captive-queens/", "/v1/games/captive-queens/rules", "/games", "/v2/games"] {
        app.get(path).await.refused(404, "no_such_path");
    }
    for (method, path) in [("POST", "/v1/games"), ("DELETE", "/v1/games/captive-queens"), ("PUT", "/v1/games")] {
        let refused = app.ask(Ask::new(method, path)).await.refused(405, "method_not_allowed");
        assert!(refused.header("allow").unwrap().contains("GET"), "{method} {path}");
    }
}

#[tokio::test]
async fn a_head_of_the_catalogue_is_its_get_without_a_body() {
    let app = TestApp::start().await;
    for path in ["/v1/games", "/v1/games/captive-queens", "/v1/games/klondike"] {
        let get = app.get(path).await;
        let head = app.ask(Ask::new("HEAD", path)).await.expect(get.status);
        for name in ["content-type", "cache-control", "content-length"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
    }
}
