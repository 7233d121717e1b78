-- Owner: internal/review. The statistics of conversations read what was decided in a period, and not the desk's whole history.

-- +goose Up
CREATE INDEX review_conversation ON review (decided_at, id) WHERE thread <> '' AND state = 'decided';
