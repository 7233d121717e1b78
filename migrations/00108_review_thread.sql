-- Owner: internal/review. Drafts of one conversation go under one claim, so that two people don't answer one customer.

-- +goose Up
ALTER TABLE review ADD COLUMN thread TEXT NOT NULL DEFAULT '';  -- the agent's id of the conversation, from interaction; empty for most
ALTER TABLE review ADD COLUMN turn INTEGER NOT NULL DEFAULT 1;  -- which of the customer's messages it answers
CREATE INDEX review_thread ON review (agent_id, thread, turn) WHERE thread <> '';
