-- Words of transcripts. Row id = event id; the text itself stays where it is, in run_events.
CREATE VIRTUAL TABLE transcript_search USING fts5 (
  text,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
-- Up to where run_events were taken into it. That happens beside the runs, so no stream waits for it.
CREATE TABLE transcript_index (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_event_id INTEGER NOT NULL
) STRICT;
INSERT INTO transcript_index VALUES (1, 0);
-- Events go with their run by foreign key. SQLite gives the highest ids again, so the place goes back with them.
CREATE TRIGGER run_events_leave_search AFTER DELETE ON run_events BEGIN
  DELETE FROM transcript_search WHERE rowid = old.id;
  UPDATE transcript_index SET last_event_id = coalesce((SELECT max(id) FROM run_events), 0)
    WHERE last_event_id > coalesce((SELECT max(id) FROM run_events), 0);
END;
