//! Creation: a session that somebody wants, the first entry of its log, and what its host is told.

use crate::cards::{Deck, PysolfcNumber, Seed};
use crate::games::{Game, Options};

use super::decide::Context;
use super::entry::{Autoplay, Created, Deal, Entry, Event, Player, Undoing, Visibility};
use super::{IdempotencyKey, Opening, PlayerName, Secret, Session};

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
    /// Whether cards go up by themselves.
    pub autoplay: Autoplay,
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
    /// As PySolFC deals under this number.
    Pysolfc(PysolfcNumber),
    /// From this seed, which the server has drawn, and whose deal it has found a way to win.
    Winnable(Seed),
}

/// Decides on a new session: the first entry of its log, and what its host is told.
pub fn create(new: NewSession, key: Option<&IdempotencyKey>, context: &Context<'_>) -> (Entry, Opening) {
    let (opening, salt) = Opening::new::<Session>(new.visibility, key, context);
    let created = Created {
        id: opening.id,
        game: new.game.id.into(),
        revision: new.game.revision,
        options: new.options,
        deal: match new.deal {
            NewDeal::Drawn => Deal::Drawn(Seed::from_random(context.random())),
            NewDeal::Seed(seed) => Deal::Seed(seed),
            NewDeal::Deck(deck) => Deal::Deck(deck),
            NewDeal::Pysolfc(number) => Deal::Pysolfc(number),
            NewDeal::Winnable(seed) => Deal::Winnable(seed),
        },
        seats: new.seats,
        visibility: new.visibility,
        undoing: new.undoing,
        host: Player { name: new.name, token: opening.token.hash() },
        invite: opening.invite.as_ref().map(Secret::hash),
        salt,
        lifetimes: context.limits.lifetimes,
        race: None,
        autoplay: new.autoplay,
    };
    let (seat, key) = (Some(opening.seat), key.map(IdempotencyKey::usage));
    (Entry { at: context.now, seat, key, event: Event::Created(Box::new(created)) }, opening)
}
