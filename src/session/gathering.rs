//! What people sit at and a log tells: a session or a race.

use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::decide::{Limits, Refusal, Role};
use super::entry::{Entry, Joined, Visibility};
use super::key::Keys;
use super::seats::Seats;
use super::state::Damaged;
use super::{Credential, Seat, SecretHash, Timestamp, Version};

/// What folding a log gives, and people sit at. It is cheap to clone, and a clone is a checkpoint.
pub trait Gathering: Clone + Send + Sync + Sized + 'static {
    /// What names it.
    type Id: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// What can happen to it.
    type Event: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// What a creation makes.
    ///
    /// # Errors
    /// If the entry is none, or needs something that this program does not know.
    fn start(entry: &Entry<Self::Event>) -> Result<Self, Damaged>;

    /// Brings it one version further.
    ///
    /// # Errors
    /// If the entry cannot have happened to it; it is then of no more use.
    fn apply(&mut self, entry: &Entry<Self::Event>) -> Result<(), Damaged>;

    /// It as far as it is to be shown, and never decided on again; that takes less room.
    #[must_use]
    fn to_be_shown(&self) -> Self;

    /// Its id.
    fn id(&self) -> Self::Id;
    /// How many entries its log has.
    fn version(&self) -> Version;
    /// When its latest entry happened.
    fn updated_at(&self) -> Timestamp;
    /// Until when it is kept, unless something happens to it.
    fn expires_at(&self) -> Timestamp;

    /// Who may watch it.
    fn visibility(&self) -> Visibility;
    /// What an invite to it is known by, if it is private.
    fn invite(&self) -> Option<&SecretHash>;
    /// How many seats it has.
    fn seat_count(&self) -> u8;
    /// Who sits where.
    fn seats(&self) -> &Seats;
    /// The keys that were used.
    fn keys(&self) -> &Keys;

    /// The seat that the next to join takes.
    ///
    /// # Errors
    /// If nobody can join now.
    fn seat_to_take(&self, limits: &Limits) -> Result<Seat, Refusal>;
    /// The event of somebody's joining.
    fn joined(joined: Joined) -> Self::Event;
    /// Who has joined, if that is the event.
    fn who_joined(event: &Self::Event) -> Option<&Joined>;

    /// Whether somebody who is nobody here may know that it exists.
    fn is_open_to_strangers(&self) -> bool {
        self.visibility() != Visibility::Private
    }

    /// Whether the one who asks may know that it exists.
    fn is_visible_to(&self, who: &Credential) -> bool {
        match (self.visibility(), who) {
            (Visibility::Private, Credential::Token(token)) => self.seats().of(token).is_some(),
            (Visibility::Private, _) => false,
            (Visibility::Unlisted | Visibility::Public, _) => true,
        }
    }

    /// The seat of the one who asks for something.
    ///
    /// # Errors
    /// If it is not one who may ask for it.
    fn judge(&self, who: &Credential, role: Role) -> Result<Seat, Refusal> {
        if !self.is_visible_to(who) {
            return Err(Refusal::NotVisible);
        }
        let seat = match who {
            Credential::None => return Err(Refusal::TokenRequired),
            Credential::Malformed => return Err(Refusal::InvalidToken),
            Credential::Token(token) => self.seats().of(token).ok_or(Refusal::NotAPlayer)?,
        };
        let suffices = match role {
            Role::Player => true,
            Role::Host => self.seats().host() == Some(seat),
            Role::HostIfShared => self.seat_count() == 1 || self.seats().host() == Some(seat),
        };
        suffices.then_some(seat).ok_or(Refusal::NotHost)
    }
}
