-- Ids that a person dropped: no run goes on with them by itself, until one that was told to proves them again.
CREATE TABLE dropped_ids (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  native_session_id TEXT NOT NULL,
  dropped_at INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, adapter, native_session_id)
) STRICT, WITHOUT ROWID;
