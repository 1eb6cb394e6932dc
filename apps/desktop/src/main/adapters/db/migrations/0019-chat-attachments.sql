-- Files and pictures that a person sends along: of a message, or of what is still being written.
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id INTEGER NOT NULL REFERENCES chat_threads (id) ON DELETE CASCADE,
  -- The turn that it went along with; null: its message is not sent yet.
  run_id INTEGER REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  content BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX attachments_by_thread ON attachments (thread_id, id);

CREATE INDEX attachments_by_run ON attachments (run_id, id) WHERE run_id IS NOT NULL;

-- What a person should know of a turn that has ended: JSON, a list of sentences. It stands at their message.
ALTER TABLE chat_messages ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
