//! What was used: tokens and money. Unknown stays unknown.

use serde::{Deserialize, Serialize};

use crate::domain::model_info::Price;

/// Tokens of one or more requests, as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, cached ones included.
    pub input: u64,
    /// Input tokens that came from the provider's cache.
    pub cached: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Money in US dollars; `None` when no price is known.
    #[serde(default)]
    pub cost: Option<f64>,
}

impl Usage {
    /// Adds another step. The cost is known only when it is known for both, or one side is empty.
    pub fn add(&mut self, other: &Usage) {
        let self_empty = self.input == 0 && self.output == 0;
        let other_empty = other.input == 0 && other.output == 0;
        self.cost = match (self.cost, other.cost) {
            (Some(a), Some(b)) => Some(a + b),
            (None, Some(b)) if self_empty => Some(b),
            (Some(a), None) if other_empty => Some(a),
            _ => None,
        };
        self.input = self.input.saturating_add(other.input);
        self.cached = self.cached.saturating_add(other.cached);
        self.output = self.output.saturating_add(other.output);
    }

    /// Sets the cost from a price when it is not known already: what was billed is not computed again.
    pub fn priced(mut self, price: Option<&Price>) -> Self {
        self.cost = self.cost.or_else(|| {
            let price = price?;
            let fresh = self.input.saturating_sub(self.cached) as f64;
            let money = fresh * price.input
                + self.cached as f64 * price.cached.unwrap_or(price.input)
                + self.output as f64 * price.output;
            Some(money / 1_000_000.0)
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_tells_the_cost_unless_it_was_billed() {
        let price = Price {
            input: 2.0,
            cached: Some(1.0),
            output: 10.0,
        };
        let used = |cost| Usage {
            input: 3_000_000,
            cached: 1_000_000,
            output: 100_000,
            cost,
        };

        assert_eq!(used(None).priced(Some(&price)).cost, Some(6.0));
        assert_eq!(used(Some(4.5)).priced(Some(&price)).cost, Some(4.5));
        assert_eq!(used(Some(4.5)).priced(None).cost, Some(4.5));
        assert_eq!(used(None).priced(None).cost, None);
    }
}
