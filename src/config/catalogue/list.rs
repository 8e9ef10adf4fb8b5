//! The one list of settings: key, type, default, who may set it, what it means.
//!
//! Reading, errors, hints and the manual's table all come from this list. A `*` in a key stands for a name that
//! the person chooses.

use super::{
    super::{
        accounts::{Account, BACKENDS},
        lists,
        profiles::Profile,
        settings::Settings,
        spec::{Field, Reach, SettingSpec, level, mode, network},
    },
    context,
};

const LEVELS: &[&str] = &["none", "read", "workspace", "unrestricted"];
const MODES: &[&str] = &["strict", "adaptive", "open"];
const SANDBOXES: &[&str] = &[
    "auto",
    "namespaces",
    "bubblewrap",
    "landlock",
    "seatbelt",
    "none",
];
const NETWORKS: &[&str] = &["all", "remote", "none"];

/// The longest time that a command may be given: a day.
const DAY_MS: u64 = 86_400_000;

/// Every setting, in the order of the manual.
pub const SETTINGS: &[SettingSpec] = &[
    SettingSpec {
        key: "default_profile",
        field: Field::Text(|settings, _, text| settings.default_profile = text),
        default: "",
        reach: Reach::Project,
        doc: "The profile of a new session; without it the only profile there is, else `practice`.",
    },
    SettingSpec {
        key: "accounts.*.backend",
        field: Field::Choice {
            words: BACKENDS,
            set: |settings, name, word| account(settings, name).backend = word.to_owned(),
        },
        default: "",
        reach: Reach::Person,
        doc: "The wire that the endpoint speaks.",
    },
    SettingSpec {
        key: "accounts.*.base_url",
        field: Field::Text(|settings, name, text| account(settings, name).base_url = text),
        default: "",
        reach: Reach::Person,
        doc: "The endpoint's address as its provider gives it; the wire's path is appended.",
    },
    SettingSpec {
        key: "accounts.*.api_key_env",
        field: Field::Text(|settings, name, text| account(settings, name).api_key_env = Some(text)),
        default: "",
        reach: Reach::Person,
        doc: "The environment variable that holds the key.",
    },
    SettingSpec {
        key: "accounts.*.api_key_command",
        field: Field::Texts(|settings, name, list| {
            account(settings, name).api_key_command = Some(list);
        }),
        default: "",
        reach: Reach::Person,
        doc: "A program with its arguments that prints the key.",
    },
    SettingSpec::of_person(
        "profiles.*.account",
        Field::Text(|settings, name, text| profile(settings, name).account = text),
        "The account that the profile uses.",
    ),
    SettingSpec::of_person(
        "profiles.*.model",
        Field::Text(|settings, name, text| profile(settings, name).model = text),
        "The provider's name for the model.",
    ),
    SettingSpec {
        key: "profiles.*.context_window",
        field: Field::Whole {
            least: 1024,
            most: 100_000_000,
            set: |settings, name, number| profile(settings, name).context_window = Some(number),
        },
        default: "",
        reach: Reach::Person,
        doc: "The size of the context window in tokens; unknown when left out.",
    },
    SettingSpec {
        key: "profiles.*.max_output_tokens",
        field: Field::Whole {
            least: 1,
            most: 100_000_000,
            set: |settings, name, number| profile(settings, name).max_output_tokens = Some(number),
        },
        default: "",
        reach: Reach::Person,
        doc: "The most tokens that one reply may have; the provider's own limit when left out.",
    },
    SettingSpec::of_person(
        "profiles.*.vision",
        Field::Flag(|settings, name, flag| profile(settings, name).vision = Some(flag)),
        "Whether the model is sent the images that it reads or fetches. Known of some models; no when left out for others.",
    ),
    SettingSpec::of_person(
        "profiles.*.pdf",
        Field::Flag(|settings, name, flag| profile(settings, name).pdf = Some(flag)),
        "The same for PDF documents.",
    ),
    SettingSpec::of_person(
        "profiles.*.video",
        Field::Flag(|settings, name, flag| profile(settings, name).video = Some(flag)),
        "The same for video; only Kimi and Qwen models can be sent any.",
    ),
    SettingSpec::of_person(
        "profiles.*.effort",
        Field::Text(|settings, name, text| profile(settings, name).effort = Some(text)),
        "How hard the model is asked to think, in the provider's word (`low`, `high`). Sent as `reasoning_effort`, to \
              openrouter.ai as `reasoning.effort`.",
    ),
    SettingSpec::of_person(
        "profiles.*.thinking",
        Field::Flag(|settings, name, flag| profile(settings, name).thinking = Some(flag)),
        "Whether the model is asked to think before it answers; its own habit when left out. Sent as `reasoning.enabled` to \
              openrouter.ai, not to openai.com, azure.com and mistral.ai, which have no field for it, and elsewhere as \
              `enable_thinking` and `thinking` in `chat_template_kwargs`.",
    ),
    SettingSpec {
        key: "profiles.*.price.input",
        field: Field::Decimal(|settings, name, number| {
            profile(settings, name).price.input = Some(number);
        }),
        default: "",
        reach: Reach::Person,
        doc: "US dollars per million input tokens; without a price the cost is shown as unknown.",
    },
    SettingSpec {
        key: "profiles.*.price.cached",
        field: Field::Decimal(|settings, name, number| {
            profile(settings, name).price.cached = Some(number);
        }),
        default: "",
        reach: Reach::Person,
        doc: "US dollars per million input tokens from the provider's cache; `price.input` when left out.",
    },
    SettingSpec {
        key: "profiles.*.price.output",
        field: Field::Decimal(|settings, name, number| {
            profile(settings, name).price.output = Some(number);
        }),
        default: "",
        reach: Reach::Person,
        doc: "US dollars per million output tokens.",
    },
    SettingSpec {
        key: "permissions.level",
        field: Field::Choice {
            words: LEVELS,
            set: |settings, _, word| {
                settings.permissions.level = level(word).unwrap_or_default();
            },
        },
        default: "\"workspace\"",
        reach: Reach::Narrowing(|before, after| {
            after.permissions.level <= before.permissions.level
        }),
        doc: "The most that may happen without a person widening it.",
    },
    SettingSpec {
        key: "permissions.mode",
        field: Field::Choice {
            words: MODES,
            set: |settings, _, word| settings.permissions.mode = mode(word).unwrap_or_default(),
        },
        default: "\"adaptive\"",
        reach: Reach::Narrowing(|before, after| after.permissions.mode <= before.permissions.mode),
        doc: "When to ask about what no rule decides.",
    },
    SettingSpec {
        key: "permissions.approvals",
        field: Field::Flag(|settings, _, flag| settings.permissions.approvals = flag),
        default: "true",
        reach: Reach::Narrowing(|before, after| {
            after.permissions.approvals <= before.permissions.approvals
        }),
        doc: "Whether anything is asked; if not, what would be is refused.",
    },
    SettingSpec {
        key: "permissions.network",
        field: Field::Choice {
            words: NETWORKS,
            set: |settings, _, word| {
                settings.permissions.network = network(word).unwrap_or_default();
            },
        },
        default: "\"all\"",
        reach: Reach::Narrowing(|before, after| {
            after.permissions.network <= before.permissions.network
        }),
        doc: "Where connections may go: anywhere, not to this machine and its private networks, nowhere.",
    },
    SettingSpec {
        key: "permissions.confine_reads",
        field: Field::Flag(|settings, _, flag| settings.permissions.confine_reads = flag),
        default: "false",
        reach: Reach::Narrowing(|before, after| {
            after.permissions.confine_reads >= before.permissions.confine_reads
        }),
        doc: "Whether only the workspace and the system's directories can be read.",
    },
    SettingSpec {
        key: "permissions.rules",
        field: Field::Rules(|settings, rule| settings.permissions.rules.push(rule)),
        default: "[]",
        reach: Reach::Narrowing(lists::narrows),
        doc: "Rules of `action` (a tool), `resource` (a pattern, `*` when left out) and `verdict` (allow, ask, deny).",
    },
    SettingSpec {
        key: "sandbox.backend",
        field: Field::Choice {
            words: SANDBOXES,
            set: |settings, _, word| settings.sandbox.backend = word.to_owned(),
        },
        default: "\"auto\"",
        reach: Reach::Person,
        doc: "What holds commands below level `unrestricted`: the best that works here, this one or nothing, or none.",
    },
    SettingSpec {
        key: "sandbox.writable",
        field: Field::Texts(|settings, _, list| settings.sandbox.writable.extend(list)),
        default: "[]",
        reach: Reach::Person,
        doc: "Directories outside the workspace that commands may write at level `workspace` as well, such as `~/.cargo`.",
    },
    SettingSpec {
        key: "ui.theme",
        field: Field::Text(|settings, _, text| settings.ui.theme = text),
        default: "\"auto\"",
        reach: Reach::Person,
        doc: "The theme; `auto` asks the terminal whether it is light or dark.",
    },
    SettingSpec {
        key: "ui.keymap",
        field: Field::Text(|settings, _, text| settings.ui.keymap = text),
        default: "\"default\"",
        reach: Reach::Person,
        doc: "The keymap.",
    },
    SettingSpec {
        key: "ui.mouse",
        field: Field::Flag(|settings, _, flag| settings.ui.mouse = flag),
        default: "true",
        reach: Reach::Person,
        doc: "Whether the mouse is used.",
    },
    SettingSpec {
        key: "ui.links",
        field: Field::Flag(|settings, _, flag| settings.ui.links = flag),
        default: "true",
        reach: Reach::Person,
        doc: "Whether addresses in replies are links that the terminal opens.",
    },
    SettingSpec {
        key: "tools.shell_timeout_ms",
        field: Field::Whole {
            least: 1000,
            most: DAY_MS,
            set: |settings, _, number| settings.tools.shell_timeout_ms = number,
        },
        default: "120000",
        reach: Reach::Project,
        doc: "The time limit of a shell command that names none, in milliseconds.",
    },
    SettingSpec {
        key: "tools.shell_timeout_max_ms",
        field: Field::Whole {
            least: 1000,
            most: DAY_MS,
            set: |settings, _, number| settings.tools.shell_timeout_max_ms = number,
        },
        default: "600000",
        reach: Reach::Narrowing(|before, after| {
            after.tools.shell_timeout_max_ms <= before.tools.shell_timeout_max_ms
        }),
        doc: "The longest time limit that a call may name, in milliseconds.",
    },
    SettingSpec {
        key: "tools.allowed",
        field: Field::Texts(|settings, _, list| settings.tools.allowed.push(list)),
        default: "",
        reach: Reach::Project,
        doc: "The only tools that are offered to the model; of several lists, each must name a tool.",
    },
    SettingSpec {
        key: "tools.disabled",
        field: Field::Texts(|settings, _, list| settings.tools.disabled.extend(list)),
        default: "[]",
        reach: Reach::Project,
        doc: "Tools that are not offered to the model, whatever else names them.",
    },
    SettingSpec {
        key: "tools.levels.*",
        field: Field::Choice {
            words: LEVELS,
            set: |settings, name, word| {
                let level = level(word).unwrap_or_default();
                settings.tools.levels.insert(name.to_owned(), level);
            },
        },
        default: "",
        reach: Reach::Narrowing(|before, after| {
            let had = &before.tools.levels;
            after
                .tools
                .levels
                .iter()
                .all(|(tool, level)| had.get(tool).is_none_or(|had| level >= had))
        }),
        doc: "The level that a tool needs at least; never less than its own.",
    },
    SettingSpec {
        key: "tools.declared",
        field: Field::Tools(|settings, tool| settings.tools.declared.push(tool)),
        default: "",
        reach: Reach::Project,
        doc: "Tools that run a command of yours; see [Declared tools](tools.md#declared-tools).",
    },
    SettingSpec {
        key: "hooks",
        field: Field::Hooks(|settings, hook| settings.hooks.push(hook)),
        default: "",
        // What a project brings runs in the sandbox.
        reach: Reach::Narrowing(|_, after| after.hooks.last().is_none_or(|hook| hook.sandbox)),
        doc: "Programs that are told of what agents do and may answer; see [Hooks](guide.md#hooks).",
    },
    SettingSpec {
        key: "agents.max_depth",
        field: Field::Whole {
            least: 0,
            most: 16,
            set: |settings, _, number| settings.agents.max_depth = number,
        },
        default: "3",
        reach: Reach::Narrowing(|before, after| after.agents.max_depth <= before.agents.max_depth),
        doc: "How deep agents may start agents; 0 allows none.",
    },
    SettingSpec {
        key: "agents.max_running",
        field: Field::Whole {
            least: 1,
            most: 64,
            set: |settings, _, number| settings.agents.max_running = number,
        },
        default: "4",
        reach: Reach::Narrowing(|before, after| {
            after.agents.max_running <= before.agents.max_running
        }),
        doc: "How many sub-agents of a session run at once; the rest wait.",
    },
    context::CEILING,
    context::COMPACTION,
    context::CHECKPOINT,
];

/// Makes the account or profile that a table names, so that an empty table is noticed too.
pub(in crate::config) fn open_named(settings: &mut Settings, path: &[&str]) {
    match path {
        ["accounts", name] => {
            account(settings, name);
        }
        ["profiles", name] => {
            profile(settings, name);
        }
        _ => {}
    }
}

fn account<'a>(settings: &'a mut Settings, name: &str) -> &'a mut Account {
    settings.accounts.entry(name.to_owned()).or_default()
}

fn profile<'a>(settings: &'a mut Settings, name: &str) -> &'a mut Profile {
    settings.profiles.entry(name.to_owned()).or_default()
}
