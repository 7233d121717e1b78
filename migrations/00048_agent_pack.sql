-- Owners: internal/account (agent), internal/interaction (interaction). Which domain an agent works in.

-- +goose Up
-- The agents that there are were all made for pensions; new rows say their pack.
ALTER TABLE agent ADD COLUMN pack TEXT NOT NULL DEFAULT 'pension';
-- A copy, as agent_name is, so that a question is read without its agent.
ALTER TABLE interaction ADD COLUMN pack TEXT NOT NULL DEFAULT 'pension';
