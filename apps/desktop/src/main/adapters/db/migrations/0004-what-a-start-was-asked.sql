-- What is left of a run's time limit while it waits for its next start, in ms; null: all of it.
ALTER TABLE runs ADD COLUMN remaining_ms INTEGER;
-- The native id that a start was asked to resume; null: a fresh session, or none.
ALTER TABLE run_starts ADD COLUMN asked_session_id TEXT;

UPDATE run_starts SET asked_session_id = (
  SELECT requested_session_id FROM llm_sessions
  WHERE llm_sessions.attempt_id = run_starts.attempt_id AND mode = 'resume'
)
WHERE kind = 'first';

-- From here on a start without an end is one that goes on.
UPDATE run_starts SET ended_at = started_at
WHERE ended_at IS NULL AND attempt_id IN (
  SELECT run_attempts.id FROM run_attempts JOIN runs ON runs.id = run_attempts.run_id
  WHERE runs.state NOT IN ('running', 'stopping')
);
