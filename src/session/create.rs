//! Creation: a session that somebody wants, the first entry of its log, and what its host is told.

use crate::cards::{Deck, Seed};
use crate::games::{Game, Options};

use super::decide::{Context, Refusal};
use super::entry::{Created, Deal, Entry, Event, Player, Undoing, Visibility};
use super::state::FIRST_SEAT;
use super::{IdempotencyKey, PlayerName, Seat, Secret, SessionId};

/// A session that somebody wants.
#[derive(Debug)]
pub struct NewSession {
    /// The game.
    pub game: &'static Game,
    /// Its options.
    pub options: Options,
    /// Where the cards come from.
    pub deal: NewDeal,
    /// How many seats there are, 1 to 8.
    pub seats: u8,
    /// The name of the first player.
    pub name: PlayerName,
    /// Who may watch.
    pub visibility: Visibility,
    /// Whether moves can be taken back.
    pub undoing: Undoing,
}

/// Where the cards of a new session come from.
#[derive(Debug)]
pub enum NewDeal {
    /// The server draws a seed.
    Drawn,
    /// From this seed.
    Seed(Seed),
    /// This deck, of the game's packs.
    Deck(Deck),
}

/// What the one who makes a session is told, and nobody else.
#[derive(Debug)]
pub struct Opening {
    /// The id of the session.
    pub id: SessionId,
    /// The seat of the host.
    pub seat: Seat,
    /// The token of that seat.
    pub token: Secret,
    /// The invite, of a private session.
    pub invite: Option<Secret>,
}

impl Opening {
    fn new(visibility: Visibility, context: &Context<'_>) -> Opening {
        let secret = || Secret::from_random(context.random());
        Opening {
            id: SessionId::from_random(context.random()),
            seat: FIRST_SEAT,
            token: secret(),
            invite: (visibility == Visibility::Private).then(secret),
        }
    }

    /// The opening that follows from a key, so that its holder can be given it again.
    fn under(key: &IdempotencyKey, visibility: Visibility, salt: &[u8; 16]) -> Opening {
        Opening {
            id: SessionId::from_random(key.bits("patience/session/1")),
            seat: FIRST_SEAT,
            token: key.secret("token", salt),
            invite: (visibility == Visibility::Private).then(|| key.secret("invite", salt)),
        }
    }
}

/// Decides on a new session: the first entry of its log, and what its host is told.
pub fn create(new: NewSession, key: Option<&IdempotencyKey>, context: &Context<'_>) -> (Entry, Opening) {
    let salt = key.map(|_| context.random());
    let opening = match (key, &salt) {
        (Some(key), Some(salt)) => Opening::under(key, new.visibility, salt),
        _ => Opening::new(new.visibility, context),
    };
    let created = Created {
        id: opening.id,
        game: new.game.id.into(),
        revision: new.game.revision,
        options: new.options,
        deal: match new.deal {
            NewDeal::Drawn => Deal::Drawn(Seed::from_random(context.random())),
            NewDeal::Seed(seed) => Deal::Seed(seed),
            NewDeal::Deck(deck) => Deal::Deck(deck),
        },
        seats: new.seats,
        visibility: new.visibility,
        undoing: new.undoing,
        host: Player { name: new.name, token: opening.token.hash() },
        invite: opening.invite.as_ref().map(Secret::hash),
        salt,
        lifetimes: context.limits.lifetimes,
        race: None,
    };
    let (seat, key) = (Some(opening.seat), key.map(IdempotencyKey::usage));
    (Entry { at: context.now, seat, key, event: Event::Created(Box::new(created)) }, opening)
}

/// What the one who has made a session under a key is told when he asks for it again.
///
/// # Errors
/// If what was asked for then was something else.
pub fn reopen(first: &Entry, key: &IdempotencyKey) -> Result<Opening, Refusal> {
    match &first.event {
        Event::Created(created) if first.key == Some(key.usage()) => {
            let salt = created.salt.ok_or(Refusal::KeyReused)?;
            Ok(Opening::under(key, created.visibility, &salt))
        }
        _ => Err(Refusal::KeyReused),
    }
}
