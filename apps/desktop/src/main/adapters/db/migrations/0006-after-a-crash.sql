-- What an engine that died was about to do. None of it is part of a run's record: it is done, or not done yet.
-- A run that was to begin once this one has ended: a JSON object.
ALTER TABLE runs ADD COLUMN successor TEXT CHECK (successor IS NULL OR json_valid(successor));
-- The run has ended, and what follows is still to be done: redacted logs, no container, its record, the message.
ALTER TABLE runs ADD COLUMN is_unsettled INTEGER NOT NULL DEFAULT 0 CHECK (is_unsettled IN (0, 1));
-- How often something outside cut the run off while Alfred and the engine of containers were there.
ALTER TABLE runs ADD COLUMN cut_offs INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_unsettled ON runs (id) WHERE is_unsettled = 1;

-- What a person was last told that the mailbox waits for.
ALTER TABLE mailboxes ADD COLUMN needs_you_told TEXT;
UPDATE mailboxes SET needs_you_told = needs_you;
CREATE INDEX mailboxes_untold ON mailboxes (id) WHERE needs_you IS NOT NULL AND needs_you IS NOT needs_you_told;
