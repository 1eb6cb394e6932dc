-- What the provider of a CLI said last, when a person had it asked with its login: that costs tokens, so it is kept.
CREATE TABLE login_proofs (
  adapter TEXT NOT NULL,
  image_digest TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'refused', 'failed')),
  message TEXT,
  took_ms INTEGER NOT NULL,
  cost_usd REAL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (adapter, image_digest)
) STRICT, WITHOUT ROWID;
