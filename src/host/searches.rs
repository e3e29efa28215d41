//! The threads that search. A search takes a processor for longer than a move may wait, so none is done on the
//! threads of the runtime.
//!
//! There are so many threads and no more; the first comes with the first search. They have the lowest priority, and
//! those who wait for one stand in a bounded line. What somebody waits for goes before what is prepared for later,
//! and what takes long leaves a thread to what takes a moment.
//!
//! Architecture Invariant: nobody waits for these threads when the host ends.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use std::{io, thread};

use metrics::{counter, histogram};
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use crate::solver::{Budget, TO_SEE_THE_END};

use super::{HostError, Limits, measures};

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// What a player could do next.
    Hint,
    /// Whether anything can still be done.
    Outlook,
    /// A line that wins a game that is over.
    Solution,
    /// A deal that can be won, for somebody who will ask for one.
    Deal,
}

impl Search {
    /// Its stable name, in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Search::Hint => "hint",
            Search::Outlook => "outlook",
            Search::Solution => "solution",
            Search::Deal => "deal",
        }
    }

    /// How many tables it may look at: each takes 0.3 to 0.7 µs, and more in hints where captives might wait for one
    /// another. A hint seldom needs a tenth of them. A search for a deal tries one after the other, and each of them, and
    /// all that are not won together, may take as many.
    pub const fn budget(self) -> Budget {
        let tables = match self {
            Search::Hint => 300_000,
            // A hint is given as long as this sees no end, so both look equally far.
            Search::Outlook => TO_SEE_THE_END,
            Search::Deal => 150_000,
            Search::Solution => 1_500_000,
        };
        Budget { tables }
    }

    const fn is_long(self) -> bool {
        matches!(self, Search::Solution | Search::Deal)
    }
}

/// The threads that search, and those who wait for one.
pub(super) struct Searches(Arc<Shared>);

struct Shared {
    lines: Mutex<Lines>,
    /// There may be something to do, or nothing any more.
    news: Condvar,
    threads: usize,
    places: usize,
}

/// Who waits, and what the threads do.
#[derive(Default)]
struct Lines {
    /// What somebody waits for.
    asked: VecDeque<Box<dyn Job>>,
    /// What is prepared for later.
    prepared: VecDeque<Box<dyn Job>>,
    threads: usize,
    idle: usize,
    /// How many threads do what takes long.
    long: usize,
    is_closed: bool,
}

/// A search that waits for a thread.
trait Job: Send {
    fn search(&self) -> Search;

    /// Whether somebody still waits for what it finds.
    fn is_wanted(&self) -> bool;

    fn run(self: Box<Self>);
}

struct Asked<T, W> {
    search: Search,
    work: W,
    answer: oneshot::Sender<T>,
}

impl<T: Send, W: FnOnce(Budget) -> T + Send> Job for Asked<T, W> {
    fn search(&self) -> Search {
        self.search
    }

    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    fn run(self: Box<Self>) {
        let began = Instant::now();
        let found = (self.work)(self.search.budget());
        histogram!(measures::SEARCH_SECONDS, "search" => self.search.as_str()).record(began.elapsed());
        count(self.search, "done");
        // Whoever has left meanwhile needs no answer.
        let _ = self.answer.send(found);
    }
}

impl Searches {
    pub(super) fn new(limits: &Limits) -> Searches {
        Searches(Arc::new(Shared {
            lines: Mutex::default(),
            news: Condvar::new(),
            threads: limits.solver_threads,
            places: limits.solver_queue,
        }))
    }

    /// Has something searched for by one of the threads. It is not begun if this is not waited for any more. The
    /// work is given its budget, and keeps nothing of the host alive.
    ///
    /// # Errors
    /// If too many wait already, or the work panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        search: Search,
        work: impl FnOnce(Budget) -> T + Send + 'static,
    ) -> Result<T, HostError> {
        self.begin(search, work)?.await
    }

    /// The same, put in line at once. What this gives waits for what is found, and may outlive the host.
    ///
    /// # Errors
    /// If too many wait already.
    pub(super) fn begin<T: Send + 'static, W: FnOnce(Budget) -> T + Send + 'static>(
        &self,
        search: Search,
        work: W,
    ) -> Result<impl Future<Output = Result<T, HostError>> + Send + use<T, W>, HostError> {
        let (answer, answered) = oneshot::channel();
        self.0.queue_up(Box::new(Asked { search, work, answer }))?;
        Ok(async { answered.await.map_err(|_| HostError::Failed) })
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.0.lines.lock().waiting()
    }

    /// Begins nothing more. What has begun is left to itself.
    pub(super) fn close(&self) {
        let mut lines = self.0.lines.lock();
        lines.is_closed = true;
        let left = (std::mem::take(&mut lines.asked), std::mem::take(&mut lines.prepared));
        drop(lines);
        drop(left);
        self.0.news.notify_all();
    }
}

impl Drop for Searches {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn queue_up(self: &Arc<Shared>, job: Box<dyn Job>) -> Result<(), HostError> {
        let search = job.search();
        let mut lines = self.lines.lock();
        if !lines.has_place(search, self.places) || !self.has_thread(&mut lines) {
            count(search, "full");
            return Err(HostError::TooManySearches);
        }
        lines.of(search).push_back(job);
        drop(lines);
        self.news.notify_one();
        Ok(())
    }

    /// Whether there is a thread for one more search, now or later. One is started if none is idle.
    fn has_thread(self: &Arc<Shared>, lines: &mut Lines) -> bool {
        if lines.idle <= lines.waiting() && lines.threads < self.threads {
            match self.start_thread() {
                Ok(()) => lines.threads += 1,
                Err(error) => tracing::error!(%error, "a thread cannot be started"),
            }
        }
        lines.threads > 0
    }

    fn start_thread(self: &Arc<Shared>) -> io::Result<()> {
        let shared = self.clone();
        let thread = thread::Builder::new().name("solver".to_string());
        thread.spawn(move || shared.search_on()).map(|_| ())
    }

    /// Does one search after the other.
    fn search_on(&self) {
        give_way();
        while let Some(job) = self.next() {
            let search = job.search();
            if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
                count(search, "failed");
            }
            self.lines.lock().long -= usize::from(search.is_long());
        }
    }

    /// What is to be done next; waits until there is something. Nothing if there is no more.
    fn next(&self) -> Option<Box<dyn Job>> {
        let mut lines = self.lines.lock();
        while !lines.is_closed {
            if let Some(job) = lines.take(self.threads) {
                return Some(job);
            }
            lines.idle += 1;
            self.news.wait(&mut lines);
            lines.idle -= 1;
        }
        None
    }
}

impl Lines {
    fn of(&mut self, search: Search) -> &mut VecDeque<Box<dyn Job>> {
        match search {
            Search::Hint | Search::Outlook | Search::Solution => &mut self.asked,
            Search::Deal => &mut self.prepared,
        }
    }

    fn waiting(&self) -> usize {
        self.asked.len() + self.prepared.len()
    }

    /// Whether one more may wait.
    fn has_place(&mut self, search: Search, places: usize) -> bool {
        if self.is_full(search, places) {
            self.forget_unwanted();
        }
        !self.is_closed && !self.is_full(search, places)
    }

    /// Whether all places are taken. Solutions, which take long, leave most of the line to what takes a moment.
    fn is_full(&mut self, search: Search, places: usize) -> bool {
        let solutions = self.asked.iter().filter(|job| job.search() == Search::Solution).count();
        let has_its_share = search != Search::Solution || solutions < places.div_ceil(4);
        self.of(search).len() >= places || !has_its_share
    }

    /// Lets go of what nobody waits for any more.
    fn forget_unwanted(&mut self) {
        for line in [&mut self.asked, &mut self.prepared] {
            line.retain(|job| {
                let is_wanted = job.is_wanted();
                if !is_wanted {
                    count(job.search(), "left");
                }
                is_wanted
            });
        }
    }

    /// What is to be done next, if one of so many threads may do it.
    fn take(&mut self, threads: usize) -> Option<Box<dyn Job>> {
        self.forget_unwanted();
        let most_long = threads.saturating_sub(1).max(1);
        let may_be_long = self.long < most_long;
        for line in [&mut self.asked, &mut self.prepared] {
            let place = line.iter().position(|job| may_be_long || !job.search().is_long());
            if let Some(job) = place.and_then(|place| line.remove(place)) {
                self.long += usize::from(job.search().is_long());
                return Some(job);
            }
        }
        None
    }
}

/// Whoever plays goes before whoever wants to know: moves are made by other threads of this process.
#[cfg(target_os = "linux")]
fn give_way() {
    // Linux counts each thread for itself here.
    if let Err(error) = rustix::process::setpriority_process(None, LOWEST_PRIORITY) {
        tracing::warn!(%error, "searches cannot be given a low priority");
    }
}

/// The highest niceness there is.
#[cfg(target_os = "linux")]
const LOWEST_PRIORITY: i32 = 19;

/// Elsewhere only the whole process has a priority.
#[cfg(not(target_os = "linux"))]
fn give_way() {}

fn count(search: Search, outcome: &'static str) {
    counter!(measures::SEARCHES, "outcome" => outcome, "search" => search.as_str()).increment(1);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const ALL: [Search; 4] = [Search::Hint, Search::Outlook, Search::Solution, Search::Deal];

    fn searches(solver_threads: usize, solver_queue: usize) -> Arc<Searches> {
        let limits = Limits {
            live_sessions: 1,
            queue: 1,
            checkpoint_every: 1,
            watchers: 1,
            solver_threads,
            solver_queue,
            winnable_deals: 0,
        };
        Arc::new(Searches::new(&limits))
    }

    /// A search that has begun, and goes on until this is dropped.
    struct Running(#[allow(dead_code, reason = "it is dropped")] mpsc::Sender<()>);

    async fn keep_busy(searches: &Arc<Searches>, search: Search) -> Running {
        let (go_on, told) = mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let shared = searches.clone();
        tokio::spawn(async move {
            shared
                .run(search, move |_| {
                    begun.send(()).unwrap();
                    told.recv().unwrap_err();
                })
                .await
        });
        has_begun.await.unwrap();
        Running(go_on)
    }

    /// Has something searched for that notes that it was begun, and waits until that is in line.
    async fn queue_up(
        searches: &Arc<Searches>,
        search: Search,
        begun: &Arc<Mutex<Vec<Search>>>,
    ) -> tokio::task::JoinHandle<Result<(), HostError>> {
        let (shared, begun, before) = (searches.clone(), begun.clone(), searches.waiting());
        let asked = tokio::spawn(async move { shared.run(search, move |_| begun.lock().push(search)).await });
        while searches.waiting() == before {
            tokio::task::yield_now().await;
        }
        asked
    }

    #[tokio::test]
    async fn a_search_is_told_its_budget_and_what_it_finds_is_told_to_who_has_asked() {
        let searches = searches(2, 10);
        for search in ALL {
            assert_eq!(searches.run(search, |budget| budget).await.unwrap(), search.budget());
        }
    }

    #[tokio::test]
    async fn what_somebody_waits_for_goes_before_what_is_prepared_in_the_order_in_which_it_was_asked() {
        let searches = searches(1, 10);
        let (begun, running) = (Arc::default(), keep_busy(&searches, Search::Deal).await);
        let mut asked = Vec::new();
        for search in [Search::Deal, Search::Solution, Search::Deal, Search::Hint, Search::Outlook] {
            asked.push(queue_up(&searches, search, &begun).await);
        }
        drop(running);
        for each in asked {
            each.await.unwrap().unwrap();
        }
        let expected = [Search::Solution, Search::Hint, Search::Outlook, Search::Deal, Search::Deal];
        assert_eq!(*begun.lock(), expected);
    }

    #[tokio::test]
    async fn who_finds_the_line_full_is_told_so_and_what_is_prepared_takes_no_place_from_him() {
        let searches = searches(1, 2);
        let (begun, running) = (Arc::default(), keep_busy(&searches, Search::Hint).await);
        let mut asked = Vec::new();
        for search in [Search::Deal, Search::Deal, Search::Hint, Search::Outlook] {
            asked.push(queue_up(&searches, search, &begun).await);
        }
        for search in ALL {
            assert!(matches!(searches.run(search, |_| ()).await, Err(HostError::TooManySearches)));
        }
        drop(running);
        for each in asked {
            each.await.unwrap().unwrap();
        }
        searches.run(Search::Hint, |_| ()).await.unwrap();
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_not_begun_and_gives_up_its_place() {
        let searches = searches(1, 1);
        let (begun, running) = (Arc::default(), keep_busy(&searches, Search::Outlook).await);
        let left = queue_up(&searches, Search::Hint, &begun).await;
        left.abort();
        assert!(left.await.unwrap_err().is_cancelled());
        let stays = tokio::spawn({
            let (searches, begun) = (searches.clone(), begun.clone());
            async move { searches.run(Search::Outlook, move |_| begun.lock().push(Search::Outlook)).await }
        });
        tokio::task::yield_now().await;
        drop(running);
        stays.await.unwrap().unwrap();
        assert_eq!(*begun.lock(), [Search::Outlook]);
    }

    #[tokio::test]
    async fn what_takes_long_leaves_a_thread_to_what_takes_a_moment() {
        let searches = searches(3, 10);
        let _long = [keep_busy(&searches, Search::Solution).await, keep_busy(&searches, Search::Deal).await];
        let begun = Arc::default();
        let waits = queue_up(&searches, Search::Solution, &begun).await;
        for search in [Search::Hint, Search::Outlook, Search::Hint] {
            searches.run(search, |_| ()).await.unwrap();
        }
        assert!(!waits.is_finished() && searches.waiting() == 1);
        drop(_long);
        waits.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_search_that_panics_takes_no_other_with_it() {
        let searches = searches(1, 10);
        for search in ALL {
            assert!(matches!(searches.run(search, |_| panic!("as it should")).await, Err(HostError::Failed)));
        }
        searches.run(Search::Deal, |_| ()).await.unwrap();
    }

    #[tokio::test]
    async fn the_end_waits_for_no_search() {
        let searches = searches(1, 10);
        let (begun, running) = (Arc::default(), keep_busy(&searches, Search::Solution).await);
        let waits = queue_up(&searches, Search::Hint, &begun).await;
        searches.close();
        assert!(matches!(waits.await.unwrap(), Err(HostError::Failed)));
        assert!(matches!(searches.run(Search::Hint, |_| ()).await, Err(HostError::TooManySearches)));
        assert!(begun.lock().is_empty());
        // Its thread ends when it is through, and then only.
        let shared = Arc::downgrade(&searches.0);
        drop(searches);
        drop(running);
        while shared.strong_count() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_threads_have_the_lowest_priority_and_others_keep_theirs() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        assert_eq!(searches(1, 1).run(Search::Hint, move |_| priority()).await.unwrap(), LOWEST_PRIORITY);
        assert_eq!(priority(), before);
    }
}
