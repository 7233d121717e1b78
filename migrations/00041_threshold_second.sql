-- Owner: internal/compliance/evaluate.
-- A threshold takes people off what the panel clears, so one person asks for it and another agrees.

-- +goose Up
CREATE TABLE judge_threshold_ask (
    id            TEXT PRIMARY KEY,
    threshold_id  TEXT NOT NULL REFERENCES judge_threshold (id),
    state         TEXT NOT NULL CHECK (state IN ('asked', 'agreed', 'refused', 'withdrawn')),
    why           TEXT NOT NULL,                 -- of who asked
    by_id         TEXT NOT NULL,
    by_name       TEXT NOT NULL,
    at            INTEGER NOT NULL,
    answered_by   TEXT NOT NULL DEFAULT '',
    answered_name TEXT NOT NULL DEFAULT '',
    answered_at   INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'asked') = (answered_at = 0)),
    CHECK (state <> 'agreed' OR answered_by <> by_id)
) STRICT;
CREATE UNIQUE INDEX judge_threshold_ask_open ON judge_threshold_ask (threshold_id) WHERE state IN ('asked', 'agreed');

-- +goose StatementBegin
CREATE TRIGGER judge_threshold_second AFTER UPDATE ON judge_threshold WHEN NEW.state = 'active' BEGIN
    SELECT RAISE(ABORT, 'a threshold is switched on by two people') WHERE NOT EXISTS (
        SELECT 1 FROM judge_threshold_ask q JOIN account a ON a.id = q.answered_by JOIN account_role r ON r.account_id = a.id
        WHERE q.threshold_id = NEW.id AND q.state = 'agreed' AND q.by_id = NEW.switched_by AND r.role IN ('expert', 'admin') AND a.disabled_at = 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_ask_update BEFORE UPDATE ON judge_threshold_ask
WHEN OLD.state <> 'asked' OR NEW.id <> OLD.id OR NEW.threshold_id <> OLD.threshold_id OR NEW.why <> OLD.why OR NEW.by_id <> OLD.by_id OR NEW.by_name <> OLD.by_name OR NEW.at <> OLD.at BEGIN
    SELECT RAISE(ABORT, 'who asked for a threshold, and who answered, is kept');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_ask_delete BEFORE DELETE ON judge_threshold_ask BEGIN SELECT RAISE(ABORT, 'who asked for a threshold is kept'); END;
-- +goose StatementEnd
