-- When a mailbox was closed or merged last, so that its cleanup counts from there; null while it is open.
ALTER TABLE mailboxes ADD COLUMN closed_at INTEGER;
-- Since when its cleanup waits for a person, because work lies nowhere else; null when it does not.
ALTER TABLE mailboxes ADD COLUMN cleanup_held_at INTEGER;

UPDATE mailboxes SET closed_at = updated_at WHERE is_open = 0 OR status = 'done';

-- Few at any time: what was cleaned since it was closed is not in it.
CREATE INDEX mailboxes_to_clean ON mailboxes (project_id, closed_at, id)
  WHERE closed_at IS NOT NULL AND (memory_removed_at IS NULL OR memory_removed_at < closed_at);
