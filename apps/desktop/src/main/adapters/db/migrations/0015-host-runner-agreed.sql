-- The host runner was a plain setting once, so no row tells whether a person agreed to it. Each project asks again.
DELETE FROM settings WHERE scope = 'project' AND key = 'AGENT_RUNNER' AND value = '"host"';
