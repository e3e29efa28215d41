//! Who sits where, at a table or in a race.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::entry::Player;
use super::{Credential, Seat, SecretHash};

/// Who sits where. A clone shares with the original what only grows.
#[derive(Clone, Debug)]
pub struct Seats {
    /// The taken seats in their order.
    taken: Vec<(Seat, Player)>,
    host: Option<Seat>,
    /// The tokens of seats that were left: they open nothing, but tell who asked for something.
    left: RedBlackTreeMapSync<[u8; 32], Seat>,
}

impl Seats {
    /// A table at which the one who made it sits alone.
    pub(super) fn of_host(seat: Seat, player: Player) -> Seats {
        Seats { taken: vec![(seat, player)], host: Some(seat), left: RedBlackTreeMapSync::new_sync() }
    }

    /// Seats a player; at a table where nobody sits, as the host.
    pub(super) fn take(&mut self, seat: Seat, player: Player) {
        let place = self.taken.partition_point(|(other, _)| *other < seat);
        self.taken.insert(place, (seat, player));
        self.host.get_or_insert(seat);
    }

    /// Makes a seat free. When it was the host's, the lowest that is still taken is the host's.
    pub(super) fn leave(&mut self, seat: Seat) {
        if let Some(place) = self.taken.iter().position(|(other, _)| *other == seat) {
            let (_, player) = self.taken.remove(place);
            self.left.insert_mut(*player.token.as_bytes(), seat);
        }
        if self.host == Some(seat) {
            self.host = self.taken.first().map(|(seat, _)| *seat);
        }
    }

    /// The same, but nobody has ever left.
    pub(super) fn without_left(self: &Arc<Seats>) -> Arc<Seats> {
        match self.left.is_empty() {
            true => self.clone(),
            false => Arc::new(Seats { left: RedBlackTreeMapSync::new_sync(), ..Seats::clone(self) }),
        }
    }

    /// The taken seats in their order, and who sits there.
    pub fn taken(&self) -> impl ExactSizeIterator<Item = (Seat, &Player)> {
        self.taken.iter().map(|(seat, player)| (*seat, player))
    }

    /// Whether somebody sits there.
    pub fn is_taken(&self, seat: Seat) -> bool {
        self.taken.iter().any(|(other, _)| *other == seat)
    }

    /// The seat of the host; nobody's where nobody sits.
    pub fn host(&self) -> Option<Seat> {
        self.host
    }

    /// The lowest free seat of so many.
    pub(super) fn lowest_free(&self, seats: u8) -> Option<Seat> {
        (1..=seats).find(|seat| !self.is_taken(*seat))
    }

    /// The seat of whoever has that token.
    pub fn of(&self, token: &SecretHash) -> Option<Seat> {
        self.taken.iter().find(|(_, player)| player.token == *token).map(|(seat, _)| *seat)
    }

    /// The seat that the one who asks has left: he may ask again for what he has asked for there.
    pub(super) fn left_by(&self, who: &Credential) -> Option<Seat> {
        match who {
            Credential::Token(token) => self.left.get(token.as_bytes()).copied(),
            Credential::None | Credential::Malformed => None,
        }
    }

    /// Whether somebody with that token has sat there, and does not any more.
    pub fn was_left_by(&self, who: &Credential) -> bool {
        self.left_by(who).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{PlayerName, Secret};

    fn player(number: u8) -> Player {
        Player { name: PlayerName::of_seat(number), token: token(number) }
    }

    fn token(number: u8) -> SecretHash {
        Secret::from_random([number; 32]).hash()
    }

    #[test]
    fn the_host_is_who_made_the_table_then_the_lowest_seat_then_the_next_to_join() {
        let mut seats = Seats::of_host(1, player(1));
        seats.take(3, player(3));
        seats.take(2, player(2));
        assert_eq!(seats.host(), Some(1));
        seats.leave(1);
        assert_eq!(seats.host(), Some(2));
        seats.take(1, player(4));
        assert_eq!(seats.host(), Some(2), "who comes later is not the host, however low the seat");
        [1, 2, 3].into_iter().for_each(|seat| seats.leave(seat));
        assert_eq!(seats.host(), None);
        seats.take(2, player(5));
        assert_eq!(seats.host(), Some(2));
    }

    #[test]
    fn a_seat_that_was_left_is_free_and_its_token_opens_nothing() {
        let mut seats = Seats::of_host(1, player(1));
        seats.take(2, player(2));
        assert_eq!(seats.lowest_free(2), None);
        seats.leave(1);
        assert_eq!(
            (seats.lowest_free(2), seats.of(&token(1)), seats.left_by(&Credential::Token(token(1)))),
            (Some(1), None, Some(1))
        );
        seats.take(1, player(7));
        assert_eq!(
            (seats.of(&token(7)), seats.of(&token(1)), seats.left_by(&Credential::Token(token(7)))),
            (Some(1), None, None)
        );
    }
}
