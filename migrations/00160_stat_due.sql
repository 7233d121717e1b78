-- Owner: internal/stats/counter. Cases that have to be counted anew, noted in the transaction of what changed about them.

-- +goose Up
CREATE TABLE stat_due (
    case_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE stat_due;
