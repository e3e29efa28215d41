//! Somebody who reads along, and his place in the log.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio::sync::watch;

use crate::session::{Credential, Entry, Gathering, SecretHash, Version};
use crate::store::Logged;

use super::HostError;
use super::audience::{Attendance, Stirs};
use super::follow::Held;
use super::insight::Prospect;
use super::live::{End, Live};

/// How many versions somebody may be behind and still be told of each.
pub(super) const FAR_BEHIND: Version = 256;

/// How many changes a reader takes with him at a time.
const HANDFUL: usize = 16;

/// An entry, and what has become of the session or the race with it.
pub struct Change<G: Gathering> {
    entry: Entry<G::Event>,
    state: Arc<G>,
    written: OnceLock<Option<Bytes>>,
}

impl<G: Gathering> Change<G> {
    pub(super) fn new(entry: Entry<G::Event>, state: Arc<G>) -> Change<G> {
        Change { entry, state, written: OnceLock::new() }
    }

    /// The version that it has led to.
    pub fn version(&self) -> Version {
        self.state.version()
    }

    /// What is written of it: by the first who asks, for all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn written<E>(&self, write: impl FnOnce(&Entry<G::Event>, &G) -> Result<Bytes, E>) -> Result<Bytes, HostError> {
        self.written.get_or_init(|| write(&self.entry, &self.state).ok()).clone().ok_or(HostError::Failed)
    }
}

/// What a reader is told next.
pub enum Told<G: Gathering> {
    /// How it stands, which stands for all versions from this one on.
    Snapshot(Version, Arc<G>),
    /// What has happened next.
    Change(Arc<Change<G>>),
    /// Something is new besides: who is there, or who is ahead.
    Stirred(Stirs),
    /// Whether anything can still be done in a session as he knows it.
    Prospect(Prospect),
    /// There is nothing more to read.
    End(End),
}

/// Somebody who reads along. He has no queue: what he has not read yet is in the log.
pub struct Reader<G: Logged> {
    held: Held<G>,
    news: watch::Receiver<Stirs>,
    /// The last version that he knows, if he knows one.
    place: Option<Version>,
    at_hand: VecDeque<Arc<Change<G>>>,
    /// The token of the seat that he has, if he has one.
    token: Option<SecretHash>,
    stirs: Stirs,
    /// The last version of which he was told whether anything can still be done.
    foreseen: Option<Version>,
    has_left: bool,
    _attendance: Attendance<G>,
}

impl<G: Logged> Reader<G> {
    /// One who asks to read on from a version, if there is or was such a one, and from now on if not.
    ///
    /// # Errors
    /// If as many watch as may.
    pub(super) fn new(held: Held<G>, who: &Credential, after: Option<Version>) -> Result<Reader<G>, HostError> {
        let live = held.live();
        let mut news = live.audience().listen();
        let stirs = *news.borrow_and_update();
        let state = live.current();
        let token = who.token().copied();
        let seat = token.and_then(|token| state.seats().of(&token));
        let _attendance = live.audience().attend(seat)?;
        Ok(Reader {
            news,
            place: after.filter(|version| (1..=state.version()).contains(version)),
            at_hand: VecDeque::new(),
            token: token.filter(|_| seat.is_some()),
            stirs,
            foreseen: None,
            has_left: false,
            _attendance,
            held,
        })
    }

    /// What he reads.
    pub fn live(&self) -> &Arc<Live<G>> {
        self.held.live()
    }

    /// What he is told next; waits until there is something. He misses nothing when it is not waited for
    /// to the end.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn next(&mut self) -> Result<Told<G>, HostError> {
        loop {
            if let Some(change) = self.at_hand.pop_front() {
                self.place = Some(change.version());
                self.see_who_is_there(&change.state);
                return Ok(Told::Change(change));
            }
            let stirs = *self.news.borrow_and_update();
            if let Some(end) = self.has_left.then_some(End::SeatLeft).or(self.live().ended()) {
                return Ok(Told::End(end));
            }
            let state = self.live().current();
            let Some(place) = self.place.filter(|place| state.version() - place <= FAR_BEHIND) else {
                let from = self.place.replace(state.version()).unwrap_or(0) + 1;
                self.see_who_is_there(&state);
                match self.has_left {
                    true => continue,
                    false => return Ok(Told::Snapshot(from, state)),
                }
            };
            if self.stirs != stirs {
                self.stirs = stirs;
                return Ok(Told::Stirred(stirs));
            }
            if place < state.version() {
                match self.after(place).await {
                    Ok(changes) => self.at_hand = changes.into(),
                    // It was removed under his eyes.
                    Err(HostError::NoSuch(_)) => return Ok(Told::End(self.live().ended().unwrap_or(End::Deleted))),
                    Err(error) => return Err(error),
                }
            } else if let Some(prospect) = self.news_of_prospect(place) {
                return Ok(Told::Prospect(prospect));
            } else if self.news.changed().await.is_err() {
                return Ok(Told::End(End::Deleted));
            }
        }
    }

    /// Whether anything can still be done at a version, if that is known now and he was not told.
    fn news_of_prospect(&mut self, version: Version) -> Option<Prospect> {
        let untold = self.foreseen != Some(version);
        let prospect = untold.then(|| self.live().insights().prospect(version)).flatten();
        self.foreseen = prospect.map(|prospect| prospect.version).or(self.foreseen);
        prospect
    }

    /// What is written for a stir: by the first who asks, for all. Nothing if it cannot be written now.
    pub async fn aside<E: Display>(&self, stir: Stirs, write: impl Future<Output = Result<Bytes, E>>) -> Option<Bytes> {
        self.live().audience().aside(stir, write).await
    }

    /// Lets go of what nobody needs any more. To be called now and then.
    pub fn tidy(&self) {
        self.live().audience().tidy();
    }

    async fn after(&self, place: Version) -> Result<Vec<Arc<Change<G>>>, HostError> {
        let recent = self.live().audience().recent_after(place, HANDFUL);
        if recent.is_empty() { self.held.keeper().changes(self.live(), place, HANDFUL).await } else { Ok(recent) }
    }

    /// Whoever has read that he has left reads no more.
    fn see_who_is_there(&mut self, state: &G) {
        if self.token.is_some_and(|token| state.seats().of(&token).is_none()) {
            self.has_left = true;
            self.at_hand.clear();
        }
    }
}
