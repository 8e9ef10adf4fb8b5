//! Programs that are judged by their words alone.

use super::Finding;

/// When a program does what a row says.
enum When {
    Always,
    /// A word is one of these.
    Has(&'static [&'static str]),
    /// The first word that is no option is one of these.
    First(&'static [&'static str]),
    /// The same, and a word is one of those.
    FirstAndHas(&'static [&'static str], &'static [&'static str]),
    /// The words begin like this.
    Begins(&'static [&'static str]),
    /// These words follow each other.
    Pair(&'static [&'static str], &'static str),
    /// Some word starts like this.
    Starts(&'static str),
    /// There are no words.
    Bare,
}

/// Programs, when, the category, and what would happen.
type Row = (&'static [&'static str], When, &'static str, &'static str);

const STOPPED: &str = "the machine would be stopped";
const PACKAGES: &str = "packages of the system would be removed";
const SHOWN: &str = "every variable would be shown";

const ROWS: &[Row] = &[
    (
        &["pkill", "killall"],
        When::Has(&["-u", "-U", "--user", "--euid"]),
        "fork-bomb-or-killall",
        "every process of an account would be ended",
    ),
    (
        &[
            "wipefs",
            "blkdiscard",
            "fdisk",
            "sfdisk",
            "sgdisk",
            "cfdisk",
            "parted",
            "mkswap",
        ],
        When::Always,
        "disk-destructive",
        "a disk would be changed",
    ),
    (
        &["diskutil"],
        When::Starts("erase"),
        "disk-destructive",
        "a disk would be erased",
    ),
    (
        &["docker", "podman"],
        When::Pair(&["system", "volume"], "prune"),
        "disk-destructive",
        "containers' data would be removed",
    ),
    (
        &["shutdown", "reboot", "halt", "poweroff"],
        When::Always,
        "self-termination",
        STOPPED,
    ),
    (
        &["systemctl"],
        When::Has(&["poweroff", "reboot", "halt", "kexec", "emergency", "rescue"]),
        "self-termination",
        STOPPED,
    ),
    (
        &["init", "telinit"],
        When::Has(&["0", "6"]),
        "self-termination",
        STOPPED,
    ),
    (
        &["iptables", "ip6tables"],
        When::Has(&["-F", "--flush"]),
        "firewall-flush",
        "the firewall would be emptied",
    ),
    (
        &["nft"],
        When::Begins(&["flush"]),
        "firewall-flush",
        "the firewall would be emptied",
    ),
    (
        &["ufw"],
        When::First(&["disable", "reset"]),
        "firewall-flush",
        "the firewall would be turned off",
    ),
    (
        &[
            "passwd", "usermod", "useradd", "userdel", "chpasswd", "visudo",
        ],
        When::Always,
        "privilege-escalation",
        "an account of this machine would be changed",
    ),
    (
        &[
            "apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "apk", "pkg",
        ],
        When::First(&["remove", "purge", "autoremove", "erase", "del", "delete"]),
        "package-removal-system",
        PACKAGES,
    ),
    (
        &["pacman"],
        When::Starts("-R"),
        "package-removal-system",
        PACKAGES,
    ),
    (
        &["pip", "pip3"],
        When::FirstAndHas(&["uninstall"], &["--break-system-packages"]),
        "package-removal-system",
        PACKAGES,
    ),
    (
        &["npm"],
        When::FirstAndHas(&["uninstall", "rm", "remove"], &["-g", "--global"]),
        "package-removal-system",
        PACKAGES,
    ),
    (
        &["terraform", "tofu", "pulumi"],
        When::First(&["destroy"]),
        "terraform-destruction",
        "infrastructure would be destroyed",
    ),
    (
        &["terraform", "tofu"],
        When::FirstAndHas(&["apply"], &["-destroy"]),
        "terraform-destruction",
        "infrastructure would be destroyed",
    ),
    (
        &["kubectl"],
        When::First(&["delete"]),
        "destructive-delete-root-or-broad-path",
        "resources of a cluster would be deleted",
    ),
    (
        &["env", "printenv", "set"],
        When::Bare,
        "secret-read",
        SHOWN,
    ),
    (
        &["export", "declare", "typeset"],
        When::Begins(&["-p"]),
        "secret-read",
        SHOWN,
    ),
    (
        &["security"],
        When::Starts("find-"),
        "secret-read",
        "a stored password would be shown",
    ),
    (
        &["op"],
        When::First(&["read"]),
        "secret-read",
        "a stored secret would be shown",
    ),
    (
        &["gh"],
        When::Begins(&["auth", "token"]),
        "secret-read",
        "a token would be shown",
    ),
    (
        &[
            "xmrig", "minerd", "cpuminer", "ethminer", "cgminer", "nbminer",
        ],
        When::Always,
        "crypto-mining",
        "it mines a currency",
    ),
];

impl When {
    fn is_so(&self, words: &[&str]) -> bool {
        let first = operands(words).next().unwrap_or_default();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        match self {
            Self::Always => true,
            Self::Has(wanted) => has(wanted),
            Self::First(wanted) => wanted.contains(&first),
            Self::FirstAndHas(firsts, wanted) => firsts.contains(&first) && has(wanted),
            Self::Begins(wanted) => words.starts_with(wanted),
            Self::Pair(firsts, second) => words.windows(2).any(|two| {
                two.first().is_some_and(|one| firsts.contains(one)) && two.last() == Some(second)
            }),
            Self::Starts(start) => words.iter().any(|word| word.starts_with(start)),
            Self::Bare => words.is_empty(),
        }
    }
}

/// What is wrong with a program and its words.
pub(super) fn find(program: &str, words: &[&str]) -> Option<Finding> {
    ROWS.iter()
        .find(|(programs, when, ..)| programs.contains(&program) && when.is_so(words))
        .map(|(_, _, code, says)| Finding::new(code, *says))
}

/// The words that are no options.
pub(super) fn operands<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    words.iter().copied().filter(|word| !word.starts_with('-'))
}
