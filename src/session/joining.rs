//! Joining and leaving: somebody whom nobody knows yet takes a seat, somebody gives one up.

use super::decide::{Context, Precondition, Refusal, must_be_meant};
use super::entry::{Entry, Joined, Player};
use super::gathering::Gathering;
use super::key::Asker;
use super::{Credential, IdempotencyKey, PlayerName, Seat, Secret, Version};

/// A wish to join.
#[derive(Clone, Debug)]
pub struct Joining {
    /// The name; without one, that of the seat.
    pub name: Option<PlayerName>,
    /// The invite, in whatever form it came.
    pub invite: Credential,
    /// Under which key, so that it is done once however often it is asked for.
    pub key: Option<IdempotencyKey>,
    /// On which version.
    pub precondition: Precondition,
}

/// What the one who joins is told, and nobody else.
#[derive(Debug)]
pub struct Ticket {
    /// The seat.
    pub seat: Seat,
    /// The token of that seat.
    pub token: Secret,
}

/// What is decided about a wish to join that is not refused.
#[derive(Debug)]
pub enum Seating<E> {
    /// The seat is to be taken; this entry records it.
    Taken(Entry<E>, Ticket),
    /// It was taken already, and that led to this version.
    TakenBefore(Version),
}

/// Decides on a wish to join. Nothing is changed here.
///
/// # Errors
/// The first of these that applies: it is private and the invite not its own, the key is of another
/// request, the version is another, it is in no state for it, every seat is taken.
pub fn join<G: Gathering>(gathering: &G, wish: &Joining, context: &Context<'_>) -> Result<Seating<G::Event>, Refusal> {
    if !is_invited(gathering, &wish.invite) {
        return Err(Refusal::NotVisible);
    }
    let key = wish.key.as_ref().map(IdempotencyKey::usage);
    if let Some(version) = gathering.keys().earlier_use(Asker::NOBODY, key.as_ref())? {
        return Ok(Seating::TakenBefore(version));
    }
    must_be_meant(gathering.version(), &wish.precondition)?;
    let seat = gathering.seat_to_take(context.limits)?;
    let (joined, token) = wish.seated(seat, context);
    let at = context.now.max(gathering.updated_at());
    let entry = Entry { at, seat: Some(seat), key, event: G::joined(joined) };
    Ok(Seating::Taken(entry, Ticket { seat, token }))
}

/// What the one who has joined under a key is told when he asks for it again. The entry is the one that
/// records it.
///
/// # Errors
/// If it records something else.
pub fn rejoin<G: Gathering>(entry: &Entry<G::Event>, key: &IdempotencyKey) -> Result<Ticket, Refusal> {
    match (G::who_joined(&entry.event), entry.seat) {
        (Some(Joined { salt: Some(salt), .. }), Some(seat)) => Ok(Ticket { seat, token: key.secret("token", salt) }),
        _ => Err(Refusal::KeyReused),
    }
}

/// Whether one who sits there may make a seat free.
///
/// # Errors
/// If it is somebody else's and the one who asks is not the host, or nobody's.
pub(super) fn must_be_leavable<G: Gathering>(gathering: &G, asking: Seat, left: Seat) -> Result<(), Refusal> {
    if asking != left && gathering.seats().host() != Some(asking) {
        Err(Refusal::NotHost)
    } else if !gathering.seats().is_taken(left) {
        Err(Refusal::NoSuchSeat)
    } else {
        Ok(())
    }
}

/// Whether whoever shows that may join; for who may not, what is private does not exist.
pub fn is_invited<G: Gathering>(gathering: &G, shown: &Credential) -> bool {
    let fits = match (gathering.invite(), shown) {
        (Some(invite), Credential::Token(shown)) => invite == shown,
        _ => false,
    };
    gathering.is_open_to_strangers() || fits
}

impl Joining {
    /// Who sits in a seat from then on, and the token of that seat.
    fn seated(&self, seat: Seat, context: &Context<'_>) -> (Joined, Secret) {
        let salt = self.key.as_ref().map(|_| context.random());
        let token = match (&self.key, &salt) {
            (Some(key), Some(salt)) => key.secret("token", salt),
            _ => Secret::from_random(context.random()),
        };
        let name = self.name.clone().unwrap_or_else(|| PlayerName::of_seat(seat));
        (Joined { player: Player { name, token: token.hash() }, salt }, token)
    }
}
