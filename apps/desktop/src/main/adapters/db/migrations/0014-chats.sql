-- What a person says to a memory, and what it answers. A turn is a run: its message and its answer name it.
CREATE TABLE chat_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The session with which it began.
  anchor_session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE chat_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id INTEGER NOT NULL REFERENCES chat_threads (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('person', 'agent')),
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  -- draft: it came back, since nothing of it reached an agent.
  state TEXT NOT NULL CHECK (state IN ('draft', 'queued', 'sent')),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, role)
) STRICT;

CREATE INDEX chat_threads_by_mailbox ON chat_threads (mailbox_id, id);

CREATE INDEX chat_threads_by_anchor ON chat_threads (anchor_session_id, id);

CREATE INDEX chat_messages_by_thread ON chat_messages (thread_id, id);

CREATE INDEX runs_by_chat_thread ON runs (chat_thread, id) WHERE chat_thread IS NOT NULL;
