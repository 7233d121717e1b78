-- Owner: internal/interaction and internal/review. A draft may be what an agent wants to do, beside a text or without one; a decision that lets
-- it go says with which arguments.

-- +goose Up
ALTER TABLE interaction ADD COLUMN actions TEXT NOT NULL DEFAULT '';     -- JSON: name, arguments, schema, description; '' for none and once erased
ALTER TABLE interaction ADD COLUMN no_text INTEGER NOT NULL DEFAULT 0;   -- 1: guidance only says what the actions do, and no text goes to anybody
ALTER TABLE decision ADD COLUMN actions TEXT NOT NULL DEFAULT '';        -- as they were approved; '' for none and once erased

-- +goose StatementBegin
CREATE TRIGGER decision_actions BEFORE UPDATE ON decision WHEN NEW.actions <> OLD.actions AND (NEW.actions <> '' OR NEW.erased_at = 0)
BEGIN
    SELECT RAISE(ABORT, 'what was signed is never changed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER interaction_actions BEFORE UPDATE ON interaction WHEN NEW.no_text <> OLD.no_text
    OR NEW.actions <> OLD.actions AND (NEW.actions <> '' OR NEW.erased_at = 0)
BEGIN
    SELECT RAISE(ABORT, 'what an agent asked for is never changed');
END;
-- +goose StatementEnd
