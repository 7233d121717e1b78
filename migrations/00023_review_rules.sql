-- Owner: internal/review. What the assessment of a draft went by, so that a decision need not assess it again under the same;
-- and the lists' indexes, each over the rows that its list has.

-- +goose Up
ALTER TABLE review ADD COLUMN rules TEXT NOT NULL DEFAULT '';

-- A case waits or is decided: with both in every index, a decision moved its entry within eight of them, and each move
-- writes two pages. Now it leaves four and enters four. Queries spell the state out, or SQLite can't tell that these serve.
DROP INDEX review_queue;
DROP INDEX review_queue_agent;
DROP INDEX review_queue_task;
DROP INDEX review_queue_both;
CREATE INDEX review_queue ON review (state, priority, created_at, id) WHERE state = 'waiting';
CREATE INDEX review_queue_agent ON review (state, agent_id, priority, created_at, id) WHERE state = 'waiting';
CREATE INDEX review_queue_task ON review (state, task, priority, created_at, id) WHERE state = 'waiting';
CREATE INDEX review_queue_both ON review (state, agent_id, task, priority, created_at, id) WHERE state = 'waiting';
DROP INDEX review_decided;
DROP INDEX review_decided_agent;
DROP INDEX review_decided_task;
DROP INDEX review_decided_both;
CREATE INDEX review_decided ON review (state, decided_at, id) WHERE state = 'decided';
CREATE INDEX review_decided_agent ON review (state, agent_id, decided_at, id) WHERE state = 'decided';
CREATE INDEX review_decided_task ON review (state, task, decided_at, id) WHERE state = 'decided';
CREATE INDEX review_decided_both ON review (state, agent_id, task, decided_at, id) WHERE state = 'decided';
