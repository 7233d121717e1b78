-- Owner: internal/knowledge, internal/review. Labels are read from the examples of rules: a form that was left leaves none.

-- +goose Up
DROP TABLE fit_label;

-- An erasure looks for the customer's question in what decisions state.
CREATE INDEX decision_taught ON decision (id) WHERE taught <> '';
