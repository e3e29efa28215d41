//! What is worked out of a session for those who play and watch: what could be done next, and whether anything can
//! still be done.
//!
//! Each is worked out once for a version, however many ask, and told of the newest version only.
//!
//! Architecture Invariant: nothing goes into these searches but what a player with a perfect memory
//! [knows](crate::rules::Known), so neither what is told nor how long that takes depends on a card nobody has seen.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OnceCell, watch};

use crate::session::{self, Gathering, Refusal, Session, Status, Version};
use crate::solver::{self, Hint, Outlook};

use super::audience::Stirs;
use super::live::Live;
use super::means::Means;
use super::searches::{Search, Searches};
use super::{Host, HostError};

/// How long a session that is watched must have been left alone before it is worked out whether anything can still be
/// done.
const QUIET: Duration = Duration::from_millis(250);

/// Whether anything could still be done in a session at one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The version.
    pub version: Version,
    /// Whether anything could. Where nothing may be played any more, nothing can.
    pub outlook: Outlook,
}

impl Host {
    /// What a player could do next in a session as he sees it.
    ///
    /// # Errors
    /// If he may not be told, or there is nothing to do; if too many searches wait.
    pub async fn hint(&self, live: &Live, session: &Arc<Session>) -> Result<Hint, HostError> {
        let refused = |refusal| HostError::refused(&**session, refusal);
        session::judge_hint(session).map_err(refused)?;
        let hint = live.insights().at(session.version()).hint(&self.means.searches, session).await?;
        hint.ok_or_else(|| refused(Refusal::NoMoves))
    }

    /// Whether anything can still be done in a session as somebody sees it.
    ///
    /// # Errors
    /// If too many searches wait.
    pub async fn prospect(&self, live: &Live, session: &Arc<Session>) -> Result<Prospect, HostError> {
        prospect(&self.means.searches, live, session).await
    }
}

async fn prospect(searches: &Searches, live: &Live, session: &Arc<Session>) -> Result<Prospect, HostError> {
    let version = session.version();
    let outlook = live.insights().at(version).outlook(searches, session).await?;
    Ok(Prospect { version, outlook })
}

/// Works out, whenever a session has been left alone for a while, whether anything can still be done, and tells those
/// who watch. It goes on until it is dropped.
pub(super) async fn look_out(means: Arc<Means>, live: Arc<Live>) -> Infallible {
    let mut news = live.audience().listen();
    loop {
        let session = live.current();
        tokio::select! {
            biased;
            () = another_version(&live, session.version(), &mut news) => {}
            () = tell_prospect(&means.searches, &live, &session) => {}
        }
    }
}

/// Waits until a session is at another version.
async fn another_version(live: &Live, version: Version, news: &mut watch::Receiver<Stirs>) {
    while live.current().version() == version {
        if news.changed().await.is_err() {
            pending::<Infallible>().await;
        }
    }
}

/// Tells those who watch whether anything can still be done. Ends when that is to be tried again.
async fn tell_prospect(searches: &Searches, live: &Live, session: &Arc<Session>) {
    tokio::time::sleep(QUIET).await;
    match prospect(searches, live, session).await {
        Err(HostError::TooManySearches) => return,
        Err(error) => tracing::error!(%error, "it cannot be said whether anything can still be done"),
        Ok(_) => live.audience().wake(),
    }
    pending().await
}

/// What was worked out of the newest version that somebody has asked about.
#[derive(Default)]
pub(super) struct Insights(Mutex<Option<Arc<Insight>>>);

impl Insights {
    /// What there is to be worked out of a version. It is kept unless a newer one has been asked about.
    fn at(&self, version: Version) -> Arc<Insight> {
        let mut newest = self.0.lock();
        match &*newest {
            Some(insight) if insight.version == version => insight.clone(),
            Some(insight) if insight.version > version => Arc::new(Insight::of(version)),
            _ => newest.insert(Arc::new(Insight::of(version))).clone(),
        }
    }

    /// Whether anything could still be done at a version, if that has been worked out.
    pub(super) fn prospect(&self, version: Version) -> Option<Prospect> {
        let newest = self.0.lock();
        let insight = newest.as_ref().filter(|insight| insight.version == version)?;
        Some(Prospect { version, outlook: *insight.outlook.get()? })
    }
}

/// What can be worked out of a version, each by the first who asks.
struct Insight {
    version: Version,
    hint: OnceCell<Option<Hint>>,
    outlook: OnceCell<Outlook>,
}

impl Insight {
    fn of(version: Version) -> Insight {
        Insight { version, hint: OnceCell::new(), outlook: OnceCell::new() }
    }

    async fn hint(&self, searches: &Searches, session: &Arc<Session>) -> Result<Option<Hint>, HostError> {
        let search = || {
            let session = session.clone();
            searches.run(Search::Hint, move |budget| solver::hint(session.engine(), &session.known(), budget))
        };
        self.hint.get_or_try_init(search).await.copied()
    }

    async fn outlook(&self, searches: &Searches, session: &Arc<Session>) -> Result<Outlook, HostError> {
        let search = async || {
            if session.status() != Status::Playing {
                return Ok(Outlook::Stuck);
            }
            let session = session.clone();
            let search = move |budget| solver::outlook(session.engine(), &session.known(), budget);
            searches.run(Search::Outlook, search).await
        };
        self.outlook.get_or_try_init(search).await.copied()
    }
}
