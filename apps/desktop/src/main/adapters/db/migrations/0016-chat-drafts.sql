-- What a person has written in a chat and not sent yet.
ALTER TABLE chat_threads ADD COLUMN draft TEXT NOT NULL DEFAULT '';

-- 1: it begins without the memory of its anchor, which only says agent and model.
ALTER TABLE chat_threads ADD COLUMN is_fresh INTEGER NOT NULL DEFAULT 0 CHECK (is_fresh IN (0, 1));
