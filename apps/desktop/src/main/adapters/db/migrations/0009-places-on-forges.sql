-- What a project of another forge is called there (owner/name, as the forge spells it), and its id there, which stays
-- when it is renamed or moved.
CREATE TABLE forge_projects (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  remote_id TEXT NOT NULL
) STRICT;
