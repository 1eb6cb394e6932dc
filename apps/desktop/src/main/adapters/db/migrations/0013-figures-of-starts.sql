-- What each start of an agent used, since several may share the row of one attempt: the figures of llm_sessions are the
-- sums of these. Start 0 is what a session that was copied had used before: no run's own, but counted by CLIs that tell
-- sums over a session.
CREATE TABLE session_figures (
  session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  start INTEGER NOT NULL CHECK (start >= 0),
  -- The session that the start worked in, which need not be the one that the row ends with.
  native_session_id TEXT,
  input_tokens INTEGER,
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_usd REAL,
  turns INTEGER,
  tool_calls INTEGER,
  PRIMARY KEY (session_id, start)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_figures_by_native_id ON session_figures (native_session_id) WHERE native_session_id IS NOT NULL;

INSERT INTO session_figures
SELECT id,
  coalesce((SELECT max(number) FROM run_starts WHERE attempt_id = llm_sessions.attempt_id AND kind <> 'collect'), 1),
  native_session_id, input_tokens, cached_tokens, output_tokens, cost_usd, turns, tool_calls
FROM llm_sessions
WHERE coalesce(input_tokens, cached_tokens, output_tokens, cost_usd, turns, tool_calls) IS NOT NULL;

-- When the cost of a session was told, in steps of a quarter of an hour; a day of any time zone begins with one.
CREATE TABLE spendings (
  session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  cost_usd REAL NOT NULL,
  PRIMARY KEY (session_id, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX spendings_by_time ON spendings (at, cost_usd);

INSERT INTO spendings
SELECT id, coalesce(ended_at, created_at) / 900000 * 900000, cost_usd FROM llm_sessions WHERE cost_usd <> 0;

CREATE INDEX llm_sessions_without_cost ON llm_sessions (ended_at) WHERE cost_usd IS NULL;

-- The setting that a message is about, as {"key", "scope", "scopeId"}.
ALTER TABLE notifications ADD COLUMN setting TEXT CHECK (setting IS NULL OR json_valid(setting));
