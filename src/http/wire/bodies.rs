//! Bodies by which something is made or joined, parsed strictly and turned into what the house works with.

use std::time::Duration;

use axum::http::HeaderMap;
use serde::Deserialize;

use crate::cards::{Deck, Packs, PysolfcNumberError, Seed};
use crate::games::{self, Game, Options};
use crate::http::{Code, Problem, body};
use crate::session::race::{NewRace, NewRaceDeal};
use crate::session::{Autoplay, Credential, NewDeal, NewSession, PlayerName, Secret, Undoing, Visibility};

use super::values::{OptionsBody, WholeNumber, invalid, present, sentence};

/// What is to be made.
pub(in crate::http) enum Wished<N> {
    /// As it is said there.
    AsSaid(N),
    /// With a deal that can be won.
    Winnable(N),
}

impl<N> Wished<N> {
    fn new(new: N, winnable: Option<bool>) -> Wished<N> {
        match winnable {
            Some(true) => Wished::Winnable(new),
            Some(false) | None => Wished::AsSaid(new),
        }
    }
}

/// A wish for a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewSessionBody {
    game: String,
    #[serde(default)]
    options: OptionsBody,
    #[serde(default, deserialize_with = "present")]
    seed: Option<String>,
    #[serde(default, deserialize_with = "present")]
    deck: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present")]
    pysolfc: Option<String>,
    #[serde(default, deserialize_with = "present")]
    seats: Option<WholeNumber>,
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    visibility: Option<String>,
    #[serde(default, deserialize_with = "present")]
    undo: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    autoplay: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    winnable: Option<bool>,
}

impl TryFrom<NewSessionBody> for Wished<NewSession> {
    type Error = Problem;

    fn try_from(body: NewSessionBody) -> Result<Wished<NewSession>, Problem> {
        let winnable = body.winnable;
        let wished = Wished::new(NewSession::try_from(body)?, winnable);
        match &wished {
            Wished::Winnable(new) if !matches!(new.deal, NewDeal::Drawn) => {
                Err(invalid("winnable", "The server chooses a deal that can be won, so there is no other to be given."))
            }
            _ => Ok(wished),
        }
    }
}

impl TryFrom<NewSessionBody> for NewSession {
    type Error = Problem;

    fn try_from(body: NewSessionBody) -> Result<NewSession, Problem> {
        let (game, options) = game_and_options(&body.game, body.options)?;
        Ok(NewSession {
            game,
            deal: new_deal(game.engine(&options).rules().packs, body.seed, body.deck, body.pysolfc)?,
            options,
            seats: seats(body.seats)?,
            name: name(body.name.as_deref().unwrap_or("Player 1"))?,
            visibility: visibility(body.visibility.as_deref())?,
            undoing: match body.undo {
                Some(false) => Undoing::NotAllowed,
                Some(true) | None => Undoing::Allowed,
            },
            autoplay: match body.autoplay {
                Some(true) => Autoplay::AfterEachMove,
                Some(false) | None => Autoplay::Off,
            },
        })
    }
}

/// What is said of the later one if two of them are given.
const ONE_SOURCE: &str = "A deal comes from a seed, from a deck or from a PySolFC number, not from several.";

fn new_deal(
    packs: Packs,
    seed: Option<String>,
    deck: Option<Vec<String>>,
    pysolfc: Option<String>,
) -> Result<NewDeal, Problem> {
    match (seed, deck, pysolfc) {
        (None, None, None) => Ok(NewDeal::Drawn),
        (Some(seed), None, None) => {
            let seed = Seed::try_from(seed).map_err(|error| invalid("seed", sentence(&error)))?;
            Ok(NewDeal::Seed(seed))
        }
        (None, Some(names), None) => {
            let wrong = |error| Problem::new(Code::InvalidDeck, sentence(&error)).at_field("deck");
            Deck::parse(packs, &names).map(NewDeal::Deck).map_err(wrong)
        }
        (None, None, Some(number)) => {
            let number = number.parse().map_err(|error: PysolfcNumberError| invalid("pysolfc", sentence(&error)))?;
            Ok(NewDeal::Pysolfc(number))
        }
        (Some(_), Some(_), None) => Err(invalid("deck", ONE_SOURCE)),
        (_, _, Some(_)) => Err(invalid("pysolfc", ONE_SOURCE)),
    }
}

fn seats(seats: Option<WholeNumber>) -> Result<u8, Problem> {
    match seats.map_or(1, |WholeNumber(seats)| seats) {
        seats @ 1..=8 => Ok(seats as u8),
        _ => Err(invalid("seats", "A session has 1 to 8 seats.")),
    }
}

fn name(name: &str) -> Result<PlayerName, Problem> {
    PlayerName::try_from(name).map_err(|error| invalid("name", sentence(&error)))
}

fn visibility(word: Option<&str>) -> Result<Visibility, Problem> {
    match word {
        None | Some("unlisted") => Ok(Visibility::Unlisted),
        Some("private") => Ok(Visibility::Private),
        Some("public") => Ok(Visibility::Public),
        Some(_) => Err(invalid("visibility", "It is unlisted, private or public.")),
    }
}

/// A wish to join.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct JoiningBody {
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    invite: Option<String>,
}

impl JoiningBody {
    /// Reads it from a body, which may be empty.
    ///
    /// # Errors
    /// If the body is not of its schema.
    pub(in crate::http) fn read(headers: &HeaderMap, body: &[u8]) -> Result<JoiningBody, Problem> {
        body::parse_if_any(headers, body)
    }

    /// The name, if one is wished for.
    ///
    /// # Errors
    /// If it is none.
    pub(in crate::http) fn name(&self) -> Result<Option<PlayerName>, Problem> {
        self.name.as_deref().map(name).transpose()
    }

    /// The invite, in whatever form it came.
    pub(in crate::http) fn invite(&self) -> Credential {
        match self.invite.as_ref().map(|invite| invite.parse::<Secret>()) {
            None => Credential::None,
            Some(Ok(invite)) => Credential::Token(invite.hash()),
            Some(Err(_)) => Credential::Malformed,
        }
    }
}

/// A wish for a race.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewRaceBody {
    game: String,
    #[serde(default)]
    options: OptionsBody,
    seats: WholeNumber,
    #[serde(default, deserialize_with = "present")]
    limit_s: Option<WholeNumber>,
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    visibility: Option<String>,
    #[serde(default, deserialize_with = "present")]
    winnable: Option<bool>,
}

impl TryFrom<NewRaceBody> for Wished<NewRace> {
    type Error = Problem;

    fn try_from(body: NewRaceBody) -> Result<Wished<NewRace>, Problem> {
        let winnable = body.winnable;
        Ok(Wished::new(NewRace::try_from(body)?, winnable))
    }
}

impl TryFrom<NewRaceBody> for NewRace {
    type Error = Problem;

    fn try_from(body: NewRaceBody) -> Result<NewRace, Problem> {
        let (game, options) = game_and_options(&body.game, body.options)?;
        let WholeNumber(seats) = body.seats;
        let limit = body.limit_s.map_or(3_600, |WholeNumber(seconds)| seconds);
        Ok(NewRace {
            game,
            options,
            deal: NewRaceDeal::Drawn,
            seats: match seats {
                2..=64 => seats as u8,
                _ => return Err(invalid("seats", "A race has 2 to 64 seats.")),
            },
            limit: match limit {
                60..=86_400 => Duration::from_secs(limit as u64),
                _ => return Err(invalid("limit_s", "A race lasts 60 to 86,400 seconds.")),
            },
            name: name(body.name.as_deref().unwrap_or("Player 1"))?,
            visibility: visibility(body.visibility.as_deref())?,
        })
    }
}

fn game_and_options(id: &str, options: OptionsBody) -> Result<(&'static Game, Options), Problem> {
    let game = games::find(id).ok_or_else(|| invalid("game", "There is no game of that id."))?;
    let options = game.options_from(options.0).map_err(|error| {
        let field = format!("options.{}", error.name());
        invalid(field, sentence(&error))
    })?;
    Ok((game, options))
}
