//! A race: what folding its log gives.

use std::sync::Arc;

use crate::games::Game;
use crate::session::decide::{Limits, Refusal, must_have_room};
use crate::session::entry::{Deal, Joined, Player, Visibility};
use crate::session::gathering::Gathering;
use crate::session::key::{Asker, Keys};
use crate::session::seats::Seats;
use crate::session::state::{Damaged, FIRST_SEAT, known_game};
use crate::session::{PlayerName, RaceId, Seat, SecretHash, SessionId, Timestamp, Version};

use super::entry::{Finish, RaceCreated, RaceEntry, RaceEvent, Runner};

/// A race at one of its versions. It is cheap to clone, and a clone is a checkpoint.
#[derive(Clone, Debug)]
pub struct Race {
    facts: Arc<Facts>,
    version: Version,
    status: RaceStatus,
    seats: Arc<Seats>,
    keys: Keys,
    lanes: Arc<Vec<Lane>>,
    starts_at: Option<Timestamp>,
    updated_at: Timestamp,
}

/// What never changes while a race lives.
#[derive(Debug)]
struct Facts {
    created: RaceCreated,
    created_at: Timestamp,
    game: &'static Game,
    deal: Deal,
    commitment: Option<String>,
}

/// One who was dealt cards, and how he has come to an end, if he has.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) seat: Seat,
    pub(super) name: PlayerName,
    pub(super) session: SessionId,
    pub(super) finish: Option<Finish>,
}

/// How a race stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RaceStatus {
    /// It can be joined.
    Open,
    /// The cards are dealt.
    Running,
    /// Everyone has come to an end.
    Over,
}

impl RaceStatus {
    /// All of them.
    pub const ALL: [RaceStatus; 3] = [RaceStatus::Open, RaceStatus::Running, RaceStatus::Over];

    /// Its stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            RaceStatus::Open => "open",
            RaceStatus::Running => "running",
            RaceStatus::Over => "over",
        }
    }
}

impl Race {
    /// What was settled when it was made.
    pub fn created(&self) -> &RaceCreated {
        &self.facts.created
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.facts.game
    }

    /// How it stands.
    pub fn status(&self) -> RaceStatus {
        self.status
    }

    /// Where everybody's cards come from.
    pub fn deal(&self) -> &Deal {
        &self.facts.deal
    }

    /// What pins the deal from the beginning.
    pub fn commitment(&self) -> Option<&str> {
        self.facts.commitment.as_deref()
    }

    /// The deal, once it is no secret: the race is over.
    pub fn revealed_deal(&self) -> Option<&Deal> {
        (self.status == RaceStatus::Over).then_some(&self.facts.deal)
    }

    /// Whether everyone may be told of it: that it can be joined.
    pub fn is_listed(&self) -> bool {
        self.facts.created.visibility == Visibility::Public && self.status == RaceStatus::Open
    }

    /// When it was made.
    pub fn created_at(&self) -> Timestamp {
        self.facts.created_at
    }

    /// When the cards were dealt.
    pub fn starts_at(&self) -> Option<Timestamp> {
        self.starts_at
    }

    /// When the time is up, once the cards are dealt.
    pub fn ends_at(&self) -> Option<Timestamp> {
        self.starts_at.map(|starts_at| starts_at.plus(self.facts.created.limit))
    }

    /// Whether it goes on though its time is up.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.status == RaceStatus::Running && self.ends_at().is_some_and(|ends_at| ends_at <= now)
    }

    /// Those who were dealt cards, and their sessions.
    pub fn runners(&self) -> impl Iterator<Item = Runner> {
        self.lanes.iter().map(|lane| Runner { seat: lane.seat, session: lane.session })
    }

    /// The sessions of those who have not come to an end.
    pub fn still_running(&self) -> impl Iterator<Item = SessionId> {
        self.lanes.iter().filter(|lane| lane.finish.is_none()).map(|lane| lane.session)
    }

    pub(super) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Whether one who was dealt cards has not come to an end.
    pub(super) fn is_running(&self, seat: Seat) -> bool {
        self.lanes.iter().any(|lane| lane.seat == seat && lane.finish.is_none())
    }

    fn happen(&mut self, entry: &RaceEntry) -> Option<()> {
        match &entry.event {
            RaceEvent::Created(_) => return None,
            RaceEvent::Joined(joined) => {
                let seat = entry.seat.filter(|seat| !self.seats.is_taken(*seat))?;
                Arc::make_mut(&mut self.seats).take(seat, joined.player.clone());
            }
            RaceEvent::Left(seat) => Arc::make_mut(&mut self.seats).leave(*seat),
            RaceEvent::Started(runners) => {
                let lanes = runners.iter().map(|runner| self.lane(runner));
                self.lanes = Arc::new(lanes.collect::<Option<_>>()?);
                self.starts_at = Some(entry.at);
                self.status = RaceStatus::Running;
            }
            RaceEvent::Finished(finish) => {
                let mut lanes = Arc::make_mut(&mut self.lanes).iter_mut();
                lanes.find(|lane| lane.seat == finish.seat)?.finish = Some(*finish);
            }
            RaceEvent::Over => self.status = RaceStatus::Over,
        }
        Some(())
    }

    fn lane(&self, runner: &Runner) -> Option<Lane> {
        let (_, Player { name, .. }) = self.seats.taken().find(|(seat, _)| *seat == runner.seat)?;
        Some(Lane { seat: runner.seat, name: name.clone(), session: runner.session, finish: None })
    }
}

impl Gathering for Race {
    type Id = RaceId;
    type Event = RaceEvent;

    fn start(entry: &RaceEntry) -> Result<Race, Damaged> {
        let RaceEvent::Created(created) = &entry.event else {
            return Err(Damaged::OutOfPlace(1));
        };
        let created = RaceCreated::clone(created);
        let game = known_game(&created.game, created.revision)?;
        let deal = created.deal();
        let commitment = deal.commitment();
        let mut race = Race {
            version: 1,
            status: RaceStatus::Open,
            seats: Arc::new(Seats::of_host(FIRST_SEAT, created.host.clone())),
            keys: Keys::none(),
            lanes: Arc::default(),
            starts_at: None,
            updated_at: entry.at,
            facts: Arc::new(Facts { created, created_at: entry.at, game, deal, commitment }),
        };
        race.keys.note(Asker::of(&race, entry), entry.key.as_ref(), 1);
        Ok(race)
    }

    fn apply(&mut self, entry: &RaceEntry) -> Result<(), Damaged> {
        let (version, asker) = (self.version + 1, Asker::of(self, entry));
        self.happen(entry).ok_or(Damaged::Step(version))?;
        self.version = version;
        self.updated_at = entry.at;
        self.keys.note(asker, entry.key.as_ref(), version);
        Ok(())
    }

    fn to_be_shown(&self) -> Race {
        Race { keys: Keys::none(), ..self.clone() }
    }

    const KEYED_ID: &'static str = "patience/race/1";

    fn id_from(bits: [u8; 16]) -> RaceId {
        RaceId::from_random(bits)
    }

    fn id(&self) -> RaceId {
        self.facts.created.id
    }

    fn version(&self) -> Version {
        self.version
    }

    fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    fn expires_at(&self) -> Timestamp {
        let lifetimes = &self.facts.created.lifetimes;
        match (self.status, self.ends_at()) {
            (RaceStatus::Running, Some(ends_at)) => ends_at.plus(lifetimes.finished),
            (RaceStatus::Over, _) => self.updated_at.plus(lifetimes.finished),
            _ => self.facts.created_at.plus(lifetimes.unplayed),
        }
    }

    fn visibility(&self) -> Visibility {
        self.facts.created.visibility
    }

    fn invite(&self) -> Option<&SecretHash> {
        self.facts.created.invite.as_ref()
    }

    fn salt(&self) -> Option<&[u8; 16]> {
        self.facts.created.salt.as_ref()
    }

    fn seat_count(&self) -> u8 {
        self.facts.created.seats
    }

    fn seats(&self) -> &Seats {
        &self.seats
    }

    fn keys(&self) -> &Keys {
        &self.keys
    }

    fn seat_to_take(&self, limits: &Limits) -> Result<Seat, Refusal> {
        if self.status != RaceStatus::Open {
            return Err(Refusal::RaceNotOpen);
        }
        let seat = self.seats.lowest_free(self.seat_count()).ok_or(Refusal::RaceFull)?;
        must_have_room(self, limits)?;
        Ok(seat)
    }

    fn joined(joined: Joined) -> RaceEvent {
        RaceEvent::Joined(Box::new(joined))
    }

    fn who_joined(event: &RaceEvent) -> Option<&Joined> {
        match event {
            RaceEvent::Joined(joined) => Some(joined),
            _ => None,
        }
    }
}
