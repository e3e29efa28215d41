//! Where Redis is, as it is written in a setting.

use std::fmt;
use std::str::FromStr;

use redis::{ConnectionInfo, IntoConnectionInfo};

/// Where Redis is: one server, or some nodes of a cluster.
#[derive(Clone)]
pub enum RedisAddress {
    /// One server, or whatever stands in front of it and its replicas.
    Server(Box<ConnectionInfo>),
    /// Some nodes of a cluster, by which the others are found.
    Cluster(Vec<ConnectionInfo>),
}

/// The text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it must look like redis://[user:password@]host[:port][,host…][/database][?cluster=true], or rediss:// for TLS"
)]
pub struct ParseAddressError;

impl FromStr for RedisAddress {
    type Err = ParseAddressError;

    /// Reads `redis://user:password@host:port/database`; several hosts with commas between them, or
    /// `?cluster=true`, mean a cluster.
    fn from_str(text: &str) -> Result<RedisAddress, ParseAddressError> {
        let (scheme, rest) = text.split_once("://").ok_or(ParseAddressError)?;
        let (rest, is_cluster) = match rest.split_once('?') {
            None => (rest, false),
            Some((rest, "cluster=true")) => (rest, true),
            Some((rest, "cluster=false")) => (rest, false),
            Some(_) => return Err(ParseAddressError),
        };
        let (hosts, database) = rest.split_once('/').map_or((rest, ""), |(hosts, database)| (hosts, database));
        let (credentials, hosts) = hosts.rsplit_once('@').map_or(("", hosts), |(before, hosts)| (before, hosts));
        let at = if credentials.is_empty() { "" } else { "@" };
        let node = |host: &str| match host {
            "" => Err(ParseAddressError),
            host => format!("{scheme}://{credentials}{at}{host}/{database}")
                .into_connection_info()
                .map_err(|_| ParseAddressError),
        };
        let mut nodes = hosts.split(',').map(node).collect::<Result<Vec<_>, _>>()?;
        match nodes.len() {
            1 if !is_cluster => Ok(RedisAddress::Server(Box::new(nodes.remove(0)))),
            _ => Ok(RedisAddress::Cluster(nodes)),
        }
    }
}

impl fmt::Display for RedisAddress {
    /// Without what must not be logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedisAddress::Server(server) => write!(f, "{}", server.addr()),
            RedisAddress::Cluster(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(|node| node.addr().to_string()).collect();
                write!(f, "cluster of {}", nodes.join(", "))
            }
        }
    }
}

impl fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_of_a_server_or_of_a_cluster() {
        for (text, shown) in [
            ("redis://localhost", "localhost:6379"),
            ("redis://:secret@10.0.0.1:7000/3", "10.0.0.1:7000"),
            ("rediss://user:secret@example.org", "example.org:6379"),
            ("redis://a:1,b:2,c", "cluster of a:1, b:2, c:6379"),
            ("redis://:secret@a:1?cluster=true", "cluster of a:1"),
            ("redis://a:1/?cluster=false", "a:1"),
        ] {
            let address: RedisAddress = text.parse().unwrap();
            assert_eq!(format!("{address} {address:?}"), format!("{shown} {shown}"), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_address() {
        for text in ["", "redis", "redis://", "http://a", "redis://a,,b", "redis://a?x=1", "redis://a/x", "redis://a:x"]
        {
            assert_eq!(text.parse::<RedisAddress>().unwrap_err(), ParseAddressError, "{text}");
        }
    }
}
