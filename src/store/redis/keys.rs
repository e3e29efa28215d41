//! What is kept under which key. All that belongs to a partition has its tag in the key, so that it is in
//! one slot of a cluster and one script can change it.

use crate::session::Timestamp;
use crate::store::{Kind, LogId, Place};

/// Makes keys, all with the same beginning.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    prefix: String,
}

impl Keys {
    pub(super) fn new(prefix: &str) -> Keys {
        Keys { prefix: prefix.into() }
    }

    /// The log: a stream. The id of an entry is its version.
    pub(super) fn log(&self, id: LogId) -> String {
        self.of(id.partition(), &name(id))
    }

    /// What is known of a log besides its entries: a hash.
    pub(super) fn facts(&self, id: LogId) -> String {
        self.log(id) + ":facts"
    }

    /// Who watches a log: a set of nodes, sorted by when they said so.
    pub(super) fn presence(&self, id: LogId) -> String {
        self.log(id) + ":presence"
    }

    /// That a log was removed, and by which request.
    pub(super) fn removed(&self, id: LogId) -> String {
        self.log(id) + ":removed"
    }

    /// What happens in a partition: a stream that forgets.
    pub(super) fn feed(&self, partition: u8) -> String {
        self.of(partition, "feed")
    }

    /// When to look whether logs have expired: their names, sorted by time.
    pub(super) fn due(&self, partition: u8) -> String {
        self.of(partition, "due")
    }

    /// How many there are: a hash.
    pub(super) fn census(&self, partition: u8) -> String {
        self.of(partition, "census")
    }

    /// What everyone may be told of: sorted by age.
    pub(super) fn lobby(&self, partition: u8, kind: Kind) -> String {
        self.of(
            partition,
            match kind {
                Kind::Session => "lobby:s",
                Kind::Race => "lobby:r",
            },
        )
    }

    /// The keys of a partition that scripts begin with.
    pub(super) fn of_partition(&self, partition: u8) -> [String; 5] {
        let lobby = |kind| self.lobby(partition, kind);
        let (sessions, races) = (lobby(Kind::Session), lobby(Kind::Race));
        [self.feed(partition), self.due(partition), self.census(partition), sessions, races]
    }

    fn of(&self, partition: u8, what: &str) -> String {
        format!("{}:{{{partition:02x}}}:{what}", self.prefix)
    }
}

/// How a log is called in the partition that it is in.
pub(super) fn name(id: LogId) -> String {
    match id {
        LogId::Session(id) => format!("s:{id}"),
        LogId::Race(id) => format!("r:{id}"),
    }
}

/// The log of that name.
pub(super) fn named(name: &str) -> Option<LogId> {
    match name.split_at_checked(2)? {
        ("s:", id) => id.parse().ok().map(LogId::Session),
        ("r:", id) => id.parse().ok().map(LogId::Race),
        _ => None,
    }
}

/// What a lobby says of a log.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) place: Place,
    pub(super) game: String,
    pub(super) status: String,
    pub(super) free_seats: u8,
}

impl Notice {
    pub(super) fn parse(kind: Kind, member: &str, begun_at: u64) -> Option<Notice> {
        let mut parts = member.split('|');
        let [id, game, status, free_seats] = std::array::from_fn(|_| parts.next());
        let id = match kind {
            Kind::Session => LogId::Session(id?.parse().ok()?),
            Kind::Race => LogId::Race(id?.parse().ok()?),
        };
        let place = Place { begun_at: Timestamp::from_millis(begun_at), id };
        Some(Notice { place, game: game?.into(), status: status?.into(), free_seats: free_seats?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{RaceId, SessionId};

    #[test]
    fn a_log_is_found_by_its_name() {
        for id in [LogId::Session(SessionId::from_random([7; 16])), LogId::Race(RaceId::from_random([9; 16]))] {
            assert_eq!(named(&name(id)), Some(id));
        }
        for text in ["", "s:", "x:07070707-0707-4707-8707-070707070707", "é", "s:é"] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn all_that_one_script_changes_has_one_tag() {
        let (keys, id) = (Keys::new("patience"), LogId::Session(SessionId::from_random([0xab; 16])));
        assert_eq!(keys.log(id), "patience:{ab}:s:abababab-abab-4bab-abab-abababababab");
        for key in keys.of_partition(0xab).into_iter().chain([keys.facts(id), keys.presence(id)]) {
            assert!(key.starts_with("patience:{ab}:"), "{key}");
        }
    }

    #[test]
    fn a_notice_says_what_is_looked_for() {
        let id = SessionId::from_random([1; 16]);
        let member = format!("{id}|some-game|playing|3");
        let place = Place { begun_at: Timestamp::from_millis(5), id: LogId::Session(id) };
        let expected = Notice { place, game: "some-game".into(), status: "playing".into(), free_seats: 3 };
        assert_eq!(Notice::parse(Kind::Session, &member, 5), Some(expected));
        assert_eq!(Notice::parse(Kind::Session, "nonsense", 5), None);
    }
}
