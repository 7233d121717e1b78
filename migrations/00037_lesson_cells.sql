-- Owner: internal/learning (the table). The index is for internal/stats: it counts the lessons of a period in each cell of origin, stage
-- and state along the index, where counting them from an index by time sorted a year of them.

-- +goose Up
DROP INDEX lesson_begun;
CREATE INDEX lesson_cell ON lesson (origin, stage, state, case_state, created_at, agent_name, task);
