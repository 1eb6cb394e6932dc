CREATE TRIGGER local_issues_leave_search AFTER DELETE ON local_issues BEGIN
  DELETE FROM local_issue_search WHERE rowid = old.id;
END;

CREATE TRIGGER run_events_leave_search AFTER DELETE ON run_events BEGIN
  DELETE FROM transcript_search WHERE rowid = old.id;
  UPDATE transcript_index SET last_event_id = coalesce((SELECT max(id) FROM run_events), 0)
    WHERE last_event_id > coalesce((SELECT max(id) FROM run_events), 0);
END;

CREATE TABLE agent_installations (
  id INTEGER PRIMARY KEY,
  adapter TEXT NOT NULL,
  runner TEXT NOT NULL CHECK (runner IN ('container', 'host')),
  image_digest TEXT NOT NULL DEFAULT '',
  version TEXT,
  resumable INTEGER NOT NULL CHECK (resumable IN (0, 1)),
  reason TEXT,
  login_state TEXT NOT NULL DEFAULT 'not_needed' CHECK (login_state IN ('not_needed', 'found', 'expired', 'missing', 'unknown')),
  detected_at INTEGER NOT NULL,
  UNIQUE (adapter, runner, image_digest)
) STRICT;

CREATE TABLE approvals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  plan_sha256 TEXT NOT NULL,
  title_sha256 TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  person_id TEXT NOT NULL,
  label_event TEXT NOT NULL,
  approved_at INTEGER NOT NULL
) STRICT;

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

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  mailbox_id INTEGER,
  run_id INTEGER,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;

CREATE TABLE chat_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id INTEGER NOT NULL REFERENCES chat_threads (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('person', 'agent')),
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  -- draft: it came back, since nothing of it reached an agent.
  state TEXT NOT NULL CHECK (state IN ('draft', 'queued', 'sent')),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL, notes TEXT NOT NULL DEFAULT '[]',
  UNIQUE (run_id, role)
) STRICT;

CREATE TABLE chat_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The session with which it began.
  anchor_session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
, draft TEXT NOT NULL DEFAULT '', is_fresh INTEGER NOT NULL DEFAULT 0 CHECK (is_fresh IN (0, 1))) STRICT;

CREATE TABLE cursors (
  forge_id INTEGER NOT NULL REFERENCES forges (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  position TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (forge_id, project_id, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE dropped_ids (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  native_session_id TEXT NOT NULL,
  dropped_at INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, adapter, native_session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE forge_projects (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  remote_id TEXT NOT NULL
) STRICT;

CREATE TABLE forges (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('local', 'gitlab', 'forgejo', 'gitea', 'github')),
  name TEXT NOT NULL UNIQUE,
  base_url TEXT NOT NULL,
  ca_file TEXT,
  account_id TEXT NOT NULL,
  account_login TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE images (
  digest TEXT PRIMARY KEY,
  tag TEXT NOT NULL,
  base TEXT NOT NULL,
  agents TEXT NOT NULL CHECK (json_valid(agents)),
  size_bytes INTEGER,
  recipe_sha256 TEXT NOT NULL,
  built_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE llm_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt_id INTEGER NOT NULL UNIQUE REFERENCES run_attempts (id) ON DELETE CASCADE,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  session_name TEXT,
  native_session_id TEXT,
  resumed INTEGER NOT NULL DEFAULT 0 CHECK (resumed IN (0, 1)),
  resume_fallback TEXT CHECK (
    resume_fallback IS NULL
    OR resume_fallback IN ('no_prior_session', 'adapter_changed', 'state_missing', 'unsupported_version', 'refused')
  ),
  mode TEXT NOT NULL CHECK (mode IN ('none', 'fresh', 'resume', 'chosen_fresh')),
  requested_session_id TEXT,
  chosen_session_id TEXT,
  state_bytes_before INTEGER,
  state_bytes_after INTEGER,
  state_saved_at INTEGER,
  id_set_aside INTEGER NOT NULL DEFAULT 0 CHECK (id_set_aside IN (0, 1)),
  first_event_at INTEGER,
  input_tokens INTEGER,
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_usd REAL,
  context_used INTEGER,
  context_max INTEGER,
  turns INTEGER,
  tool_calls INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK (
    mode <> 'none'
    OR (session_name IS NULL AND native_session_id IS NULL AND resume_fallback IS NULL AND resumed = 0)
  ),
  CHECK (resumed = 0 OR resume_fallback IS NULL)
) STRICT;

CREATE TABLE local_assignees (
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  person_id INTEGER NOT NULL REFERENCES local_people (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, person_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE local_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES local_people (id),
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE local_issue_labels (
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES local_labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE local_issue_search USING fts5 (
  title,
  body,
  comments,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

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

CREATE TABLE local_label_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES local_issues (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('added', 'removed')),
  person_id INTEGER NOT NULL REFERENCES local_people (id),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE local_labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- `#rrggbb`
  color TEXT NOT NULL,
  UNIQUE (project_id, name)
) STRICT;

CREATE TABLE local_people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  -- For the author of merge commits; null: made from the login.
  email TEXT,
  is_alfred INTEGER NOT NULL DEFAULT 0 CHECK (is_alfred IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE login_proofs (
  adapter TEXT NOT NULL,
  image_digest TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'refused', 'failed')),
  message TEXT,
  took_ms INTEGER NOT NULL,
  cost_usd REAL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (adapter, image_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE mailboxes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('issue', 'merge_request')),
  iid INTEGER NOT NULL,
  title TEXT NOT NULL,
  status TEXT,
  branch_name TEXT,
  base_branch TEXT,
  change_iid INTEGER,
  is_open INTEGER NOT NULL DEFAULT 1 CHECK (is_open IN (0, 1)),
  needs_you TEXT,
  ci_fix_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  seen_at INTEGER,
  memory_removed_at INTEGER,
  -- Where the mailbox list shows it; "all open" is every row that is open, whatever its group.
  list_group TEXT GENERATED ALWAYS AS (
    CASE
      WHEN is_open = 0 OR status = 'done' THEN 'done'
      WHEN status IN ('in_ci', 'in_review', 'blocked') THEN status
      ELSE 'other'
    END
  ) VIRTUAL, closed_at INTEGER, cleanup_held_at INTEGER, needs_you_told TEXT,
  UNIQUE (project_id, kind, iid)
) STRICT;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  mailbox_id INTEGER REFERENCES mailboxes (id) ON DELETE CASCADE,
  run_id INTEGER REFERENCES runs (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  clicked_at INTEGER,
  read_at INTEGER
, setting TEXT CHECK (setting IS NULL OR json_valid(setting))) STRICT;

CREATE TABLE organizations (
  id INTEGER PRIMARY KEY,
  forge_id INTEGER NOT NULL REFERENCES forges (id) ON DELETE CASCADE,
  -- Part of folder names, so nothing else may get in.
  slug TEXT NOT NULL CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
  created_at INTEGER NOT NULL,
  UNIQUE (forge_id, slug)
) STRICT;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The marker's key: first 12 hex of sha256(install, mailbox, kind, cause).
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  run_id INTEGER REFERENCES runs (id) ON DELETE SET NULL,
  seq INTEGER NOT NULL,
  target TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'dropped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  last_error TEXT,
  remote_id TEXT,
  posted_sha256 TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER
) STRICT;

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

CREATE TABLE plans (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  functional_analysis TEXT,
  plan TEXT NOT NULL,
  -- Of the title and body that the plan was made from.
  issue_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  default_branch TEXT NOT NULL,
  is_demo INTEGER NOT NULL DEFAULT 0 CHECK (is_demo IN (0, 1)),
  is_watched INTEGER NOT NULL DEFAULT 1 CHECK (is_watched IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (organization_id, slug)
) STRICT;

CREATE TABLE run_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  image_digest TEXT,
  -- The sandbox contract of this attempt as it was asked for, without secrets.
  sandbox TEXT CHECK (sandbox IS NULL OR json_valid(sandbox)),
  outcome TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (run_id, number)
) STRICT;

CREATE TABLE run_events (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)), text TEXT,
  UNIQUE (run_id, seq)
) STRICT;

CREATE TABLE run_starts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  attempt_id INTEGER NOT NULL REFERENCES run_attempts (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('first', 'fallback', 'collect')),
  container_id TEXT,
  stdout_device TEXT,
  stdout_inode TEXT,
  stdout_offset INTEGER,
  stderr_device TEXT,
  stderr_inode TEXT,
  stderr_offset INTEGER,
  exit_code INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER, asked_session_id TEXT,
  UNIQUE (attempt_id, number)
) STRICT;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  phase TEXT NOT NULL,
  trigger TEXT NOT NULL,
  requested_by TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'preparing', 'running', 'stopping', 'ended')),
  outcome TEXT,
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  llm_retries INTEGER NOT NULL DEFAULT 0,
  runner TEXT NOT NULL CHECK (runner IN ('container', 'host')),
  adapter TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  resume_choice TEXT NOT NULL DEFAULT 'auto',
  chat_thread INTEGER,
  session_off_reason TEXT,
  base_sha TEXT,
  head_sha TEXT,
  -- Commits that were accepted; null until the run has ended or when there was no result.
  commits INTEGER,
  -- What the agent's result said.
  result TEXT CHECK (result IS NULL OR result IN ('done', 'questions', 'nothing')),
  deadline INTEGER,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER, remaining_ms INTEGER, successor TEXT CHECK (successor IS NULL OR json_valid(successor)), is_unsettled INTEGER NOT NULL DEFAULT 0 CHECK (is_unsettled IN (0, 1)), cut_offs INTEGER NOT NULL DEFAULT 0,
  -- A run has an outcome exactly when it has ended.
  CHECK ((state = 'ended') = (outcome IS NOT NULL))
) STRICT;

CREATE TABLE session_figures (
  session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  start INTEGER NOT NULL CHECK (start >= 0),
  -- The session that the start worked in, which need not be the one that the row ends with.
  native_session_id TEXT,
  input_tokens INTEGER,
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_usd REAL,
  turns INTEGER,
  tool_calls INTEGER,
  PRIMARY KEY (session_id, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_locks (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  container_name TEXT,
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE set_aside_ids (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  native_session_id TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('state_missing', 'unsupported_version', 'refused')),
  set_aside_at INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, adapter, native_session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  scope TEXT NOT NULL CHECK (scope IN ('app', 'organization', 'project')),
  scope_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  updated_at INTEGER NOT NULL, agreed_at INTEGER,
  PRIMARY KEY (scope, scope_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE spendings (
  session_id INTEGER NOT NULL REFERENCES llm_sessions (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  cost_usd REAL NOT NULL,
  PRIMARY KEY (session_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE transcript_index (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_event_id INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE transcript_search USING fts5 (
  text,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

CREATE INDEX approvals_by_mailbox ON approvals (mailbox_id, id);

CREATE INDEX attachments_by_run ON attachments (run_id, id) WHERE run_id IS NOT NULL;

CREATE INDEX attachments_by_thread ON attachments (thread_id, id);

CREATE INDEX chat_messages_by_thread ON chat_messages (thread_id, id);

CREATE INDEX chat_threads_by_anchor ON chat_threads (anchor_session_id, id);

CREATE INDEX chat_threads_by_mailbox ON chat_threads (mailbox_id, id);

CREATE INDEX llm_sessions_by_mailbox ON llm_sessions (mailbox_id, id);

CREATE INDEX llm_sessions_by_memory ON llm_sessions (mailbox_id, adapter, native_session_id, id)
  WHERE native_session_id IS NOT NULL;

CREATE INDEX llm_sessions_by_native_id ON llm_sessions (mailbox_id, native_session_id, id)
  WHERE native_session_id IS NOT NULL;

CREATE INDEX llm_sessions_by_requested_id ON llm_sessions (mailbox_id, requested_session_id, id)
  WHERE requested_session_id IS NOT NULL;

CREATE INDEX llm_sessions_by_run ON llm_sessions (run_id, id);

CREATE INDEX llm_sessions_by_time ON llm_sessions (created_at, cost_usd);

CREATE INDEX llm_sessions_prior ON llm_sessions (mailbox_id, adapter, id) WHERE native_session_id IS NOT NULL;

CREATE INDEX llm_sessions_prior_of_any_adapter ON llm_sessions (mailbox_id, id) WHERE native_session_id IS NOT NULL;

CREATE INDEX llm_sessions_totals ON llm_sessions (mailbox_id, cost_usd, input_tokens, output_tokens);

CREATE INDEX llm_sessions_without_cost ON llm_sessions (ended_at) WHERE cost_usd IS NULL;

CREATE INDEX local_assignees_by_person ON local_assignees (person_id, issue_id);

CREATE INDEX local_changes_by_branch ON local_changes (project_id, source_branch, id);

CREATE UNIQUE INDEX local_changes_one_open ON local_changes (project_id, source_branch) WHERE state = 'open';

CREATE INDEX local_comments_by_issue ON local_comments (issue_id, id);

CREATE INDEX local_issue_labels_by_label ON local_issue_labels (label_id, issue_id);

CREATE UNIQUE INDEX local_issues_by_change ON local_issues (project_id, change_seq);

CREATE INDEX local_issues_by_update ON local_issues (project_id, updated_at DESC, id DESC);

CREATE INDEX local_label_events_by_issue ON local_label_events (issue_id, id);

CREATE UNIQUE INDEX local_people_one_alfred ON local_people (is_alfred) WHERE is_alfred = 1;

CREATE INDEX mailboxes_by_group ON mailboxes (list_group, updated_at DESC, id DESC);

CREATE INDEX mailboxes_by_group_of_project ON mailboxes (project_id, list_group, updated_at DESC, id DESC);

CREATE INDEX mailboxes_needing_person ON mailboxes (updated_at DESC, id DESC) WHERE needs_you IS NOT NULL AND is_open = 1;

CREATE INDEX mailboxes_open ON mailboxes (updated_at DESC, id DESC) WHERE is_open = 1;

CREATE INDEX mailboxes_open_of_project ON mailboxes (project_id, updated_at DESC, id DESC) WHERE is_open = 1;

CREATE INDEX mailboxes_to_clean ON mailboxes (project_id, closed_at, id)
  WHERE closed_at IS NOT NULL AND (memory_removed_at IS NULL OR memory_removed_at < closed_at);

CREATE INDEX mailboxes_untold ON mailboxes (id) WHERE needs_you IS NOT NULL AND needs_you IS NOT needs_you_told;

CREATE INDEX notifications_by_mailbox ON notifications (mailbox_id) WHERE mailbox_id IS NOT NULL;

CREATE INDEX notifications_by_run ON notifications (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX notifications_unread ON notifications (id) WHERE read_at IS NULL;

CREATE INDEX outbox_by_mailbox ON outbox (mailbox_id, seq);

CREATE INDEX outbox_by_run ON outbox (run_id, seq) WHERE run_id IS NOT NULL;

CREATE INDEX outbox_due ON outbox (next_attempt_at, mailbox_id, seq) WHERE state IN ('waiting', 'sending');

CREATE INDEX outbox_unfinished ON outbox (mailbox_id, seq) WHERE state IN ('waiting', 'sending');

CREATE INDEX plans_by_run ON plans (run_id);

CREATE INDEX runs_by_chat_thread ON runs (chat_thread, id) WHERE chat_thread IS NOT NULL;

CREATE INDEX runs_by_mailbox ON runs (mailbox_id, id);

CREATE INDEX runs_live ON runs (state, next_attempt_at, id) WHERE state <> 'ended';

CREATE UNIQUE INDEX runs_one_live_per_mailbox ON runs (mailbox_id) WHERE state <> 'ended';

CREATE INDEX runs_unsettled ON runs (id) WHERE is_unsettled = 1;

CREATE INDEX session_figures_by_native_id ON session_figures (native_session_id) WHERE native_session_id IS NOT NULL;

CREATE INDEX session_locks_by_run ON session_locks (run_id);

CREATE INDEX spendings_by_time ON spendings (at, cost_usd);
