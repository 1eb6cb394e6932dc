-- The built-in local forge: a real tracker whose git remote is a bare repository in the data folder.

CREATE TABLE local_people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  -- For the author of merge commits; null: made from the login.
  email TEXT,
  is_alfred INTEGER NOT NULL DEFAULT 0 CHECK (is_alfred IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX local_people_one_alfred ON local_people (is_alfred) WHERE is_alfred = 1;

CREATE TABLE local_issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES local_people (id),
  is_open INTEGER NOT NULL DEFAULT 1 CHECK (is_open IN (0, 1)),
  branch_reference TEXT,
  created_at INTEGER NOT NULL,
  -- Grows by at least 1 with every change of the issue, so that it can be compared and set.
  updated_at INTEGER NOT NULL,
  -- `updated_at` of the last change of title or body: a comment meanwhile does not spoil somebody's edit.
  text_updated_at INTEGER NOT NULL,
  -- Grows with every change anywhere in the project: the poll cursor, which no clock can confuse.
  change_seq INTEGER NOT NULL,
  UNIQUE (project_id, iid)
) STRICT;
CREATE UNIQUE INDEX local_issues_by_change ON local_issues (project_id, change_seq);
CREATE INDEX local_issues_by_update ON local_issues (project_id, updated_at DESC, id DESC);

CREATE TABLE local_labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- `#rrggbb`
  color TEXT NOT NULL,
  UNIQUE (project_id, name)
) STRICT;

CREATE TABLE local_issue_labels (
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES local_labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX local_issue_labels_by_label ON local_issue_labels (label_id, issue_id);

CREATE TABLE local_label_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('added', 'removed')),
  person_id INTEGER NOT NULL REFERENCES local_people (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX local_label_events_by_issue ON local_label_events (issue_id, id);

CREATE TABLE local_assignees (
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  person_id INTEGER NOT NULL REFERENCES local_people (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX local_assignees_by_person ON local_assignees (person_id, issue_id);

CREATE TABLE local_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES local_people (id),
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX local_comments_by_issue ON local_comments (issue_id, id);

CREATE TABLE local_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES local_people (id),
  source_branch TEXT NOT NULL,
  target_branch TEXT NOT NULL,
  closes_iid INTEGER,
  state TEXT NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  -- The two branches as they were last looked at while the change was open, where they parted, and whether
  -- they conflict. A pushed branch shows by differing from these.
  head_sha TEXT,
  target_sha TEXT,
  base_sha TEXT,
  has_conflicts INTEGER NOT NULL DEFAULT 0 CHECK (has_conflicts IN (0, 1)),
  merged_sha TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, iid)
) STRICT;
-- One open change for a branch, as the big forges have it.
CREATE UNIQUE INDEX local_changes_one_open ON local_changes (project_id, source_branch) WHERE state = 'open';
CREATE INDEX local_changes_by_branch ON local_changes (project_id, source_branch, id);

-- Row id = issue id. `comments` is the text of all comments of the issue.
CREATE VIRTUAL TABLE local_issue_search USING fts5 (
  title,
  body,
  comments,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
-- A project that is removed takes its issues with it by foreign key; this takes them out of the search too.
CREATE TRIGGER local_issues_leave_search AFTER DELETE ON local_issues BEGIN
  DELETE FROM local_issue_search WHERE rowid = old.id;
END;
