-- Owner: internal/comment. When experts were last asked to review a rule, which the overview shows beside it.

-- +goose Up
CREATE INDEX notice_asked ON notice (object_id, at) WHERE kind = 'asked';
