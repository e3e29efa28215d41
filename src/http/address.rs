//! Where a request comes from.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of the connection that a request came on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// What one client is told from another by: an address of version 4, or the first half of one of
/// version 6, because whoever has one of those has all with the same first half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        })
    }
}

/// The network of the client that a request comes from. Each proxy adds to `X-Forwarded-For` where it
/// got the request from; what the trusted ones have added is true, and anybody may have written the
/// rest.
pub(super) fn client(request: &Request, trusted_proxies: usize) -> Network {
    let peer = request.extensions().get::<Peer>().map_or(Ipv6Addr::UNSPECIFIED.into(), |peer| peer.0);
    forwarded_for(request.headers(), trusted_proxies).unwrap_or(peer).into()
}

/// What the first of the trusted proxies has added; nothing if there are fewer words, or it is no
/// address.
fn forwarded_for(headers: &HeaderMap, trusted_proxies: usize) -> Option<IpAddr> {
    let lines = headers.get_all(X_FORWARDED_FOR).iter().rev();
    let mut words = lines.flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b','));
    let word = str::from_utf8(words.nth(trusted_proxies.checked_sub(1)?)?).ok()?.trim();
    let with_port = || word.parse::<SocketAddr>().map(|address| address.ip());
    word.parse().or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::HeaderValue;

    fn client_of(peer: &str, lines: &[&str], trusted_proxies: usize) -> Network {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        for line in lines {
            request.headers_mut().append(X_FORWARDED_FOR, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        client(&request, trusted_proxies)
    }

    fn network(address: &str) -> Network {
        Network(address.parse().unwrap())
    }

    #[test]
    fn without_trusted_proxies_the_connection_tells() {
        assert_eq!(client_of("192.0.2.1", &["198.51.100.7"], 0), network("192.0.2.1"));
    }

    #[test]
    fn behind_proxies_the_first_trusted_one_tells() {
        let cases: [(&[&str], usize, &str); 10] = [
            (&["198.51.100.7"], 1, "198.51.100.7"),
            (&["203.0.113.9, 198.51.100.7"], 1, "198.51.100.7"),
            (&["203.0.113.9, 198.51.100.7"], 2, "203.0.113.9"),
            (&["203.0.113.9", "198.51.100.7"], 2, "203.0.113.9"),
            (&["198.51.100.7:5000"], 1, "198.51.100.7"),
            (&["203.0.113.9"], 2, "192.0.2.1"),
            (&["203.0.113.9, nonsense"], 1, "192.0.2.1"),
            (&["\u{e9}, 198.51.100.7"], 1, "198.51.100.7"),
            (&["198.51.100.7, \u{e9}"], 1, "192.0.2.1"),
            (&[], 1, "192.0.2.1"),
        ];
        for (lines, trusted_proxies, expected) in cases {
            let found = client_of("192.0.2.1", lines, trusted_proxies);
            assert_eq!(found, network(expected), "{lines:?} behind {trusted_proxies}");
        }
    }

    #[test]
    fn addresses_of_version_6_are_one_client_by_their_first_half() {
        for (one, other, same) in [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
        ] {
            let [one, other] = [one, other].map(|address| client_of(address, &[], 0));
            assert_eq!(one == other, same, "{one:?} {other:?}");
        }
        assert_eq!(client_of("192.0.2.1", &["[2001:db8:1:2::1]:80"], 1), network("2001:db8:1:2::"));
    }
}
