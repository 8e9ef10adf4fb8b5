//! Which addresses lead to this machine, to its surroundings or to nobody in particular.
//!
//! The tables follow IANA's registries of special addresses. An address of version 6 that carries one of version 4 is
//! judged by what it carries, since somebody on the way may unwrap it. What is not known to be public is not public.

use core::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// What an address that is not public leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Loopback, unspecified, or an address that one of its interfaces has.
    ThisMachine,
    /// A private network.
    Private,
    /// The cable or the radio that the machine is on.
    Link,
    /// Addresses that a carrier shares between its customers.
    Carrier,
    /// The service that tells a machine in a cloud who it is, and with which keys.
    Metadata,
    /// Several machines at once.
    Multicast,
    /// Examples, tests and measurements.
    Documentation,
    /// No use that anybody would connect to.
    Reserved,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ThisMachine => "this machine",
            Self::Private => "a private network",
            Self::Link => "the local link",
            Self::Carrier => "a carrier's shared network",
            Self::Metadata => "a cloud's metadata service",
            Self::Multicast => "a multicast group",
            Self::Documentation => "a range for examples and tests",
            Self::Reserved => "a reserved range",
        })
    }
}

/// First address, bits that count, what it is. The first that fits decides.
const RANGES: &[([u8; 4], u32, Place)] = &[
    // Of Amazon, Google, Azure and others; of Alibaba; of Oracle; of Azure's host.
    ([169, 254, 169, 254], 32, Place::Metadata),
    ([169, 254, 170, 2], 32, Place::Metadata),
    ([100, 100, 100, 200], 32, Place::Metadata),
    ([192, 0, 0, 192], 32, Place::Metadata),
    ([168, 63, 129, 16], 32, Place::Metadata),
    ([0, 0, 0, 0], 8, Place::ThisMachine),
    ([127, 0, 0, 0], 8, Place::ThisMachine),
    ([10, 0, 0, 0], 8, Place::Private),
    ([172, 16, 0, 0], 12, Place::Private),
    ([192, 168, 0, 0], 16, Place::Private),
    ([169, 254, 0, 0], 16, Place::Link),
    ([100, 64, 0, 0], 10, Place::Carrier),
    ([192, 0, 2, 0], 24, Place::Documentation),
    ([198, 51, 100, 0], 24, Place::Documentation),
    ([203, 0, 113, 0], 24, Place::Documentation),
    ([198, 18, 0, 0], 15, Place::Documentation),
    ([192, 0, 0, 0], 24, Place::Reserved),
    ([192, 88, 99, 0], 24, Place::Reserved),
    ([224, 0, 0, 0], 4, Place::Multicast),
    ([240, 0, 0, 0], 4, Place::Reserved),
];

/// The same of version 6, as the upper 64 bits.
const RANGES_6: &[(u64, u32, Place)] = &[
    (0xfc00 << 48, 7, Place::Private),
    // Translators of a site, which lead to its own network of version 4.
    (0x0064_ff9b_0001_0000, 48, Place::Private),
    (0xfec0 << 48, 10, Place::Private),
    (0xfe80 << 48, 10, Place::Link),
    (0xff00 << 48, 8, Place::Multicast),
    (0x2001_0db8 << 32, 32, Place::Documentation),
    (0x3fff << 48, 20, Place::Documentation),
    (0x2001_0002 << 32, 48, Place::Documentation),
    // Teredo, ORCHID and other assignments of the protocol.
    (0x2001 << 48, 23, Place::Reserved),
];
/// What is given out to the public.
const PUBLIC_6: (u64, u32) = (0x2000 << 48, 3);

/// What an address leads to, unless it is public.
pub fn place(address: IpAddr) -> Option<Place> {
    match address {
        IpAddr::V4(address) => place_4(address),
        IpAddr::V6(address) => place_6(address),
    }
}

fn place_4(address: Ipv4Addr) -> Option<Place> {
    let bits = address.to_bits();
    RANGES
        .iter()
        .find(|(first, length, _)| {
            (bits ^ Ipv4Addr::from(*first).to_bits()) >> (u32::BITS - length) == 0
        })
        .map(|(_, _, place)| *place)
}

fn place_6(address: Ipv6Addr) -> Option<Place> {
    if address == Ipv6Addr::LOCALHOST || address.is_unspecified() {
        return Some(Place::ThisMachine);
    }
    let upper = (address.to_bits() >> 64) as u64;
    let fits = |first: u64, length: u32| (upper ^ first) >> (u64::BITS - length) == 0;
    if let Some((_, _, place)) = RANGES_6
        .iter()
        .find(|(first, length, _)| fits(*first, *length))
    {
        return Some(*place);
    }
    if let Some(place) = carried(address).and_then(place_4) {
        return Some(place);
    }
    let is_wrapped = carried(address).is_some();
    (!is_wrapped && !fits(PUBLIC_6.0, PUBLIC_6.1)).then_some(Place::Reserved)
}

/// The address of version 4 in one of version 6.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let joined = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        // Compatible, mapped, translated, by the translators that everybody may use.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        // In the interface's part (ISATAP), whatever the network.
        | [_, _, _, _, 0 | 0x200, 0x5efe, high, low]
        // 6to4.
        | [0x2002, high, low, ..] => Some(joined(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Option<Place> {
        place(text.parse().unwrap())
    }

    #[test]
    fn ranges_end_where_they_end() {
        use Place::{
            Carrier, Documentation, Link, Metadata, Multicast, Private, Reserved, ThisMachine,
        };

        let table = [
            ("0.0.0.0", Some(ThisMachine)),
            ("0.255.255.255", Some(ThisMachine)),
            ("1.0.0.0", None),
            ("9.255.255.255", None),
            ("10.0.0.0", Some(Private)),
            ("10.255.255.255", Some(Private)),
            ("11.0.0.0", None),
            ("100.63.255.255", None),
            ("100.64.0.0", Some(Carrier)),
            ("100.100.100.200", Some(Metadata)),
            ("100.127.255.255", Some(Carrier)),
            ("100.128.0.0", None),
            ("126.255.255.255", None),
            ("127.0.0.1", Some(ThisMachine)),
            ("127.255.255.254", Some(ThisMachine)),
            ("128.0.0.0", None),
            ("168.63.129.15", None),
            ("168.63.129.16", Some(Metadata)),
            ("169.253.255.255", None),
            ("169.254.0.1", Some(Link)),
            ("169.254.169.254", Some(Metadata)),
            ("169.255.0.0", None),
            ("172.15.255.255", None),
            ("172.16.0.0", Some(Private)),
            ("172.31.255.255", Some(Private)),
            ("172.32.0.0", None),
            ("192.0.0.1", Some(Reserved)),
            ("192.0.2.1", Some(Documentation)),
            ("192.88.99.1", Some(Reserved)),
            ("192.167.255.255", None),
            ("192.168.0.1", Some(Private)),
            ("192.169.0.0", None),
            ("198.17.255.255", None),
            ("198.18.0.0", Some(Documentation)),
            ("198.19.255.255", Some(Documentation)),
            ("198.51.100.1", Some(Documentation)),
            ("203.0.113.1", Some(Documentation)),
            ("223.255.255.255", None),
            ("224.0.0.1", Some(Multicast)),
            ("240.0.0.1", Some(Reserved)),
            ("255.255.255.255", Some(Reserved)),
            ("::", Some(ThisMachine)),
            ("::1", Some(ThisMachine)),
            ("::2", Some(ThisMachine)),
            ("1::", Some(Reserved)),
            ("64:ff9b::7f00:1", Some(ThisMachine)),
            ("64:ff9b::808:808", None),
            ("64:ff9b:1::1", Some(Private)),
            ("100::1", Some(Reserved)),
            ("2001::1", Some(Reserved)),
            ("2001:2::1", Some(Documentation)),
            ("2001:db8::1", Some(Documentation)),
            ("2001:db9::1", None),
            ("2001:4860:4860::8888", None),
            ("2001:4860::5efe:7f00:1", Some(ThisMachine)),
            ("2001:4860::200:5efe:a00:1", Some(Private)),
            ("2002:7f00:1::", Some(ThisMachine)),
            ("2002:a9fe:a9fe::1", Some(Metadata)),
            ("2606:4700:4700::1111", None),
            ("3fff::1", Some(Documentation)),
            ("3fff:1000::1", None),
            ("4000::1", Some(Reserved)),
            ("5f00::1", Some(Reserved)),
            ("fc00::1", Some(Private)),
            ("fd00:ec2::254", Some(Private)),
            ("fe80::1", Some(Link)),
            ("fec0::1", Some(Private)),
            ("ff02::1", Some(Multicast)),
            ("::ffff:127.0.0.1", Some(ThisMachine)),
            ("::ffff:8.8.8.8", None),
            ("::ffff:0:10.0.0.1", Some(Private)),
        ];

        for (text, expected) in table {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_the_standard_library_calls_special_is_not_public(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let is_special = address.is_loopback() || address.is_private() || address.is_link_local()
                || address.is_multicast() || address.is_broadcast() || address.is_unspecified()
                || address.is_documentation();

            prop_assert!(!is_special || place_4(address).is_some(), "{}", address);
        }

        #[test]
        fn wrapping_an_address_changes_nothing(bits in special_or_any()) {
            let [high, low] = [(bits >> 16) as u16, bits as u16];
            let plain = place_4(Ipv4Addr::from_bits(bits));
            let wrapped = [
                [0, 0, 0, 0, 0, 0xffff, high, low],
                [0, 0, 0, 0, 0xffff, 0, high, low],
                [0x64, 0xff9b, 0, 0, 0, 0, high, low],
                [0x2002, high, low, 0, 0, 0, 0, 1],
                [0x2a00, 1, 2, 3, 0, 0x5efe, high, low],
            ];

            for segments in wrapped {
                prop_assert_eq!(place(IpAddr::from(segments)), plain);
            }
        }

        #[test]
        fn what_is_public_in_version_6_is_in_the_public_part(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);

            if place_6(address).is_none() && carried(address).is_none() {
                prop_assert_eq!(bits >> 125, 1);
            }
        }
    }

    /// Addresses of the tables more often than chance would have them.
    fn special_or_any() -> impl Strategy<Value = u32> {
        let special = (0..RANGES.len(), any::<u32>()).prop_map(|(index, noise)| {
            let (first, length, _) = RANGES[index];
            let mask = u32::MAX.checked_shr(length).unwrap_or(0);
            Ipv4Addr::from(first).to_bits() | noise & mask
        });
        prop_oneof![special, any::<u32>()]
    }
}
