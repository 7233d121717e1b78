-- Owner: internal/signal. What is older than an agent's settings keep is found by its agent and time.

-- +goose Up
CREATE INDEX turn_agent ON turn (agent_id, created_at);
