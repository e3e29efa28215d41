//! What the one who makes a session or a race is told, and can be told again.

use super::decide::{Context, Refusal};
use super::entry::{Entry, Visibility};
use super::gathering::Gathering;
use super::state::FIRST_SEAT;
use super::{IdempotencyKey, Seat, Secret, SessionId};

/// What the one who makes a session or a race is told, and nobody else.
#[derive(Debug)]
pub struct Opening<Id = SessionId> {
    /// The id of what was made.
    pub id: Id,
    /// The seat of the host.
    pub seat: Seat,
    /// The token of that seat.
    pub token: Secret,
    /// The invite, if it is private.
    pub invite: Option<Secret>,
}

/// What goes into an opening under a key, together with the key.
pub(super) type Salt = [u8; 16];

impl<Id> Opening<Id> {
    /// A new opening, and its salt if it is to follow from a key.
    pub(super) fn new<G: Gathering<Id = Id>>(
        visibility: Visibility,
        key: Option<&IdempotencyKey>,
        context: &Context<'_>,
    ) -> (Opening<Id>, Option<Salt>) {
        if let Some(key) = key {
            let salt = context.random();
            return (Opening::under::<G>(key, visibility, &salt), Some(salt));
        }
        let secret = || Secret::from_random(context.random());
        let opening = Opening {
            id: G::id_from(context.random()),
            seat: FIRST_SEAT,
            token: secret(),
            invite: (visibility == Visibility::Private).then(secret),
        };
        (opening, None)
    }

    /// The opening that follows from a key, so that its holder can be given it again.
    fn under<G: Gathering<Id = Id>>(key: &IdempotencyKey, visibility: Visibility, salt: &Salt) -> Opening<Id> {
        Opening {
            id: keyed_id::<G>(key),
            seat: FIRST_SEAT,
            token: key.secret("token", salt),
            invite: (visibility == Visibility::Private).then(|| key.secret("invite", salt)),
        }
    }
}

/// The id of what is made under a key.
pub fn keyed_id<G: Gathering>(key: &IdempotencyKey) -> G::Id {
    G::id_from(key.bits(G::KEYED_ID))
}

/// What the one is told again who has made something under a key; that is given as it was made, with the
/// first entry of its log.
///
/// # Errors
/// If what was asked for then was something else.
pub fn reopen<G: Gathering>(
    made: &G,
    first: &Entry<G::Event>,
    key: &IdempotencyKey,
) -> Result<Opening<G::Id>, Refusal> {
    match made.salt() {
        Some(salt) if first.key == Some(key.usage()) => Ok(Opening::under::<G>(key, made.visibility(), salt)),
        _ => Err(Refusal::KeyReused),
    }
}
