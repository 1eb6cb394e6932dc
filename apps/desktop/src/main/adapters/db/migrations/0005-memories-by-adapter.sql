-- The memories of an issue, one after the other: an id belongs to the adapter that gave it.
CREATE INDEX llm_sessions_by_memory ON llm_sessions (mailbox_id, adapter, native_session_id, id)
  WHERE native_session_id IS NOT NULL;
