//! Language models by name: an account, the provider's name for the model, and what is known of it.

use super::{
    accounts::{Account, CUSTOMARY_VARIABLES},
    error::{ConfigError, Origin},
    layers::Loaded,
    nearest::nearest,
};
use crate::domain::{
    media::{MediaKind, MediaSupport},
    model_info::{ModelInfo, Price, Thinking},
};

/// The built-in script: always there, offline, no language model.
pub const PRACTICE: &str = "practice";

/// A profile as configured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Name of the account.
    pub account: String,
    /// The provider's name for the model.
    pub model: String,
    /// Context window in tokens, when known.
    pub context_window: Option<u64>,
    /// Most output tokens per step, when known.
    pub max_output_tokens: Option<u64>,
    /// Whether it sees images; what is known of the model when left out.
    pub vision: Option<bool>,
    /// Whether it reads PDF documents; what is known of the model when left out.
    pub pdf: Option<bool>,
    /// Whether it sees video.
    pub video: Option<bool>,
    /// How hard it is asked to think, in the provider's word.
    pub effort: Option<String>,
    /// Whether it is asked to think before it answers; the provider's choice when left out.
    pub thinking: Option<bool>,
    /// Price, as far as it is given.
    pub price: PriceParts,
}

/// A price as far as it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriceParts {
    /// US dollars per million fresh input tokens.
    pub input: Option<f64>,
    /// US dollars per million cached input tokens.
    pub cached: Option<f64>,
    /// US dollars per million output tokens.
    pub output: Option<f64>,
}

impl PriceParts {
    /// The price, when enough of it is known.
    pub fn price(self) -> Option<Price> {
        Some(Price {
            input: self.input?,
            cached: self.cached,
            output: self.output?,
        })
    }
}

/// A profile with its account: everything that is needed to talk to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The language model.
    pub model: ModelInfo,
    /// Name of the account.
    pub account_name: String,
    /// The account.
    pub account: Account,
    /// The profile as configured.
    pub profile: Profile,
}

impl Profile {
    /// What the model takes beside text, as far as the profile says so.
    fn media(&self) -> MediaSupport {
        let said = [
            (MediaKind::Image, self.vision),
            (MediaKind::Pdf, self.pdf),
            (MediaKind::Video, self.video),
        ];
        let said = said.into_iter();
        MediaSupport {
            takes: said
                .filter_map(|(kind, flag)| Some((kind, flag?)))
                .collect(),
            ..MediaSupport::default()
        }
    }

    /// The profile of the built-in script.
    pub fn practice() -> Self {
        Self {
            account: PRACTICE.to_owned(),
            model: PRACTICE.to_owned(),
            context_window: Some(32_000),
            ..Self::default()
        }
    }
}

impl Loaded {
    /// Names of the person's own profiles; empty on a first start.
    pub fn own_profiles(&self) -> Vec<&str> {
        self.settings
            .profiles
            .keys()
            .map(String::as_str)
            .filter(|name| *name != PRACTICE)
            .collect()
    }

    /// The profile that a new session uses: the default one, else the only one of the person's own, else `practice`.
    pub fn first_profile(&self) -> &str {
        if !self.settings.default_profile.is_empty() {
            return &self.settings.default_profile;
        }
        match self.own_profiles().as_slice() {
            [only] => only,
            _ => PRACTICE,
        }
    }

    /// A profile with its account.
    pub fn profile(&self, name: &str) -> Result<Chosen, ConfigError> {
        let unknown = || self.unknown_profile(name);
        let profile = self.settings.profiles.get(name).ok_or_else(unknown)?;
        // That the account is there was checked when the settings were loaded.
        let account = self
            .settings
            .accounts
            .get(&profile.account)
            .ok_or_else(unknown)?;
        Ok(Chosen {
            model: ModelInfo {
                profile: name.to_owned(),
                backend: account.backend.clone(),
                model_id: profile.model.clone(),
                context_window: profile.context_window,
                max_output_tokens: profile.max_output_tokens,
                price: profile.price.price(),
                is_script: account.backend == PRACTICE,
                thinking: Thinking {
                    effort: profile
                        .effort
                        .clone()
                        .filter(|effort| !effort.trim().is_empty()),
                    enabled: profile.thinking,
                },
                media: profile.media(),
            },
            account_name: profile.account.clone(),
            account: account.clone(),
            profile: profile.clone(),
        })
    }

    /// Environment variables that hold keys: no child of ours may see them.
    pub fn secret_variables(&self) -> Vec<String> {
        let configured = self.settings.accounts.values();
        let configured = configured.filter_map(|account| account.api_key_env.clone());
        let customary = CUSTOMARY_VARIABLES.iter().map(|name| (*name).to_owned());
        let mut names: Vec<String> = configured.chain(customary).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Accounts whose key is in an environment variable that is not set: account and variable.
    pub fn unset_variables(&self, is_set: impl Fn(&str) -> bool) -> Vec<(&str, &str)> {
        let named = self.settings.accounts.iter().filter_map(|(name, account)| {
            let variable = account.api_key_env.as_deref()?;
            (!is_set(variable)).then_some((name.as_str(), variable))
        });
        named.collect()
    }

    /// Profiles that can be chosen: name and model.
    pub fn profile_choices(&self) -> Vec<(String, String)> {
        self.settings
            .profiles
            .iter()
            .map(|(name, profile)| (name.clone(), profile.model.clone()))
            .collect()
    }

    /// There is no such profile: where the name came from, and what there is.
    pub(super) fn unknown_profile(&self, name: &str) -> ConfigError {
        let origin = if name == self.settings.default_profile {
            self.origin("default_profile").clone()
        } else {
            Origin::BuiltIn
        };
        let known = || self.settings.profiles.keys().map(String::as_str);
        let hint = match nearest(name, known()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!(
                "the profiles are {}",
                known().collect::<Vec<_>>().join(", ")
            ),
        };
        ConfigError::new(
            origin,
            "default_profile",
            format!("there is no profile `{name}`"),
        )
        .with_hint(hint)
    }
}
