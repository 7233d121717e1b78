-- Owner: internal/compliance/borderline. What waits is counted on its index, which the experts' budget keeps short.

-- +goose Up
DROP TABLE borderline_count;
