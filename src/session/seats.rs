//! Who sits where, at a table or in a race.

use super::entry::Player;
use super::{Seat, SecretHash};

/// Who sits where.
#[derive(Clone, Debug)]
pub struct Seats {
    /// The taken seats in their order.
    taken: Vec<(Seat, Player)>,
    host: Option<Seat>,
}

impl Seats {
    /// A table at which the one who made it sits alone.
    pub(super) fn of_host(seat: Seat, player: Player) -> Seats {
        Seats { taken: vec![(seat, player)], host: Some(seat) }
    }

    /// Seats a player; at a table where nobody sits, as the host.
    pub(super) fn take(&mut self, seat: Seat, player: Player) {
        let place = self.taken.partition_point(|(other, _)| *other < seat);
        self.taken.insert(place, (seat, player));
        self.host.get_or_insert(seat);
    }

    /// Makes a seat free. When it was the host's, the lowest that is still taken is the host's.
    pub(super) fn leave(&mut self, seat: Seat) {
        self.taken.retain(|(other, _)| *other != seat);
        if self.host == Some(seat) {
            self.host = self.taken.first().map(|(seat, _)| *seat);
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

    /// What whoever sits there is known by.
    pub(super) fn token(&self, seat: Seat) -> Option<&SecretHash> {
        self.taken.iter().find(|(other, _)| *other == seat).map(|(_, player)| &player.token)
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
        assert_eq!((seats.lowest_free(2), seats.of(&token(1))), (Some(1), None));
        seats.take(1, player(7));
        assert_eq!((seats.of(&token(7)), seats.of(&token(1))), (Some(1), None));
    }
}
