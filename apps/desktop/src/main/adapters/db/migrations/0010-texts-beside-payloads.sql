-- The one part of a payload that may be long stands here as it is, without the escapes of JSON that would have to be
-- written, checked and read again for every byte. NULL: the payload is whole, as those are that were stored before.
ALTER TABLE run_events ADD COLUMN text TEXT;
