-- Owner: internal/interaction. The conversation that a question belongs to: what was said before it and which tools were used, and the
-- agent's own name for it, which ties its drafts together. No query looks into the messages.

-- +goose Up
ALTER TABLE interaction ADD COLUMN thread TEXT NOT NULL DEFAULT '';   -- the agent's id of the conversation; empty for most
ALTER TABLE interaction ADD COLUMN messages TEXT NOT NULL DEFAULT ''; -- JSON, oldest first, the question among them; or empty
CREATE INDEX interaction_thread ON interaction (agent_id, thread, created_at, id) WHERE thread <> '';
