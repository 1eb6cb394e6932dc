-- When a person agreed to what a value means; NULL where nobody was asked: a value that needs it does not count then.
ALTER TABLE settings ADD COLUMN agreed_at INTEGER;
-- Since format 15 nothing stored the host runner of a project before its person had agreed.
UPDATE settings SET agreed_at = updated_at WHERE scope = 'project' AND key = 'AGENT_RUNNER' AND value = '"host"';
