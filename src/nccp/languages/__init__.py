"""Everything that depends on a language: tokenisers, sentence ends, spacing, head rules, glosses."""
