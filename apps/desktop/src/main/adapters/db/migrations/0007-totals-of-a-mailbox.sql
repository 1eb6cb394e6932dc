-- The figures of every row of the list, read from the index alone.
CREATE INDEX llm_sessions_totals ON llm_sessions (mailbox_id, cost_usd, input_tokens, output_tokens);
