//! A line to Redis that can go bad: it is slow, or silent, or cut, or not there.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::dice::Dice;

/// How the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Fine,
    /// Everything takes so much longer.
    Slow(Duration),
    /// Nothing goes through; it does later.
    Silent,
    /// Who connects is cut off at once.
    Closed,
}

/// A line to a server.
pub(crate) struct Line {
    pub(crate) port: u16,
    state: Arc<watch::Sender<State>>,
    /// How often all connections were cut.
    cuts: Arc<watch::Sender<u64>>,
    listening: JoinHandle<()>,
}

impl Line {
    /// A line to a server, which is fine.
    pub(crate) async fn to(server: SocketAddr) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, cuts) = (Arc::new(watch::Sender::new(State::Fine)), Arc::new(watch::Sender::new(0)));
        let listening = tokio::spawn(listen(listener, server, state.clone(), cuts.clone()));
        Line { port, state, cuts, listening }
    }

    /// Goes bad again and again for so long, and is fine then; says how often it went bad in which way.
    pub(crate) async fn be_bad(&self, time: Duration, dice: &mut Dice) -> String {
        let began = Instant::now();
        let (mut slow, mut silent, mut cut, mut closed) = (0, 0, 0, 0);
        while began.elapsed() < time {
            pause(dice, 50, 400).await;
            match dice.below(4) {
                0 => {
                    slow += 1;
                    let by = Duration::from_millis(20 + dice.below(300) as u64);
                    self.state.send_replace(State::Slow(by));
                    pause(dice, 200, 800).await;
                }
                1 => {
                    silent += 1;
                    self.state.send_replace(State::Silent);
                    for_a_while(dice).await;
                }
                2 => {
                    cut += 1;
                    self.cut();
                }
                _ => {
                    closed += 1;
                    self.state.send_replace(State::Closed);
                    self.cut();
                    for_a_while(dice).await;
                }
            }
            self.state.send_replace(State::Fine);
        }
        format!("slow {slow} times, silent {silent}, cut {cut}, closed {closed}")
    }

    fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.listening.abort();
        self.cut();
    }
}

/// Once in a while that is longer than a node asks again.
async fn for_a_while(dice: &mut Dice) {
    let (least, most) = if dice.one_in(4) { (3_200, 5_000) } else { (100, 900) };
    pause(dice, least, most).await;
}

async fn pause(dice: &mut Dice, least: usize, most: usize) {
    tokio::time::sleep(Duration::from_millis((least + dice.below(most - least)) as u64)).await;
}

async fn listen(
    listener: TcpListener,
    server: SocketAddr,
    state: Arc<watch::Sender<State>>,
    cuts: Arc<watch::Sender<u64>>,
) {
    loop {
        let (near, _) = listener.accept().await.unwrap();
        if *state.borrow() == State::Closed {
            continue;
        }
        let Ok(far) = TcpStream::connect(server).await else { continue };
        let [near, far] = [near, far].map(|stream| {
            stream.set_nodelay(true).unwrap();
            stream.into_split()
        });
        for (from, to) in [(near.0, far.1), (far.0, near.1)] {
            let (state, mut cut) = (state.subscribe(), cuts.subscribe());
            tokio::spawn(async move {
                tokio::select! {
                    () = pass_on(from, to, state) => {}
                    _ = cut.changed() => {}
                }
            });
        }
    }
}

/// Passes bytes on in one direction, as well as the line does. What was sent arrives, however late, though the
/// one who has sent it may have gone: that is what makes an answer that did not come say nothing.
async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut state: watch::Receiver<State>) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let now = *state.borrow();
        if let State::Slow(by) = now {
            tokio::time::sleep(by).await;
        }
        if state.wait_for(|state| *state != State::Silent).await.is_err() {
            return;
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
