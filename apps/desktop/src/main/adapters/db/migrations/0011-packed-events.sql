-- A burst of output as few rows: a row for each of its events costs more than all else that is done with it. They are
-- laid out in run_events once the burst is over; until then readers find them here.
CREATE TABLE packed_events (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  -- Brotli of a line of JSON, [[at, kind, payload, length of its text in UTF-16 units or -1 for none], ...], and of all
  -- texts behind it.
  body BLOB NOT NULL,
  UNIQUE (run_id, first_seq),
  UNIQUE (run_id, last_seq)
) STRICT;
