-- Owner: internal/review. The statistics of conversations read what was decided in a period, and not the desk's whole history.

-- +goose Up
CREATE INDEX review_conversation ON review (state, decided_at, id, agent_id, thread, ended, planted, task)
    WHERE thread <> '' AND state = 'decided';
