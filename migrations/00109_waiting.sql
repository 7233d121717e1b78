-- Owner: internal/interaction and internal/review. What an agent says of how soon an answer is wanted and where; and how guidance ends that
-- nobody decides: its agent took it back, or its deadline passed. The status stays 'closed', and ended says which.

-- +goose Up
ALTER TABLE interaction ADD COLUMN urgency TEXT NOT NULL DEFAULT '';        -- '', normal or high
ALTER TABLE interaction ADD COLUMN channel TEXT NOT NULL DEFAULT '';        -- '', chat, phone, email, ...
ALTER TABLE interaction ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;   -- until when an answer is of use; 0: for good
ALTER TABLE interaction ADD COLUMN ended TEXT NOT NULL DEFAULT '' CHECK (ended IN ('', 'withdrawn', 'expired'));

ALTER TABLE review ADD COLUMN urgency TEXT NOT NULL DEFAULT '';
ALTER TABLE review ADD COLUMN channel TEXT NOT NULL DEFAULT '';
ALTER TABLE review ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review ADD COLUMN ended TEXT NOT NULL DEFAULT '';               -- as the interaction's
ALTER TABLE review ADD COLUMN ended_why TEXT NOT NULL DEFAULT '';           -- what the agent said; empty once erased
CREATE INDEX review_expires ON review (expires_at, id) WHERE state = 'waiting' AND expires_at > 0;
CREATE INDEX review_ended ON review (decided_at, id) WHERE ended <> '';

-- +goose StatementBegin
CREATE TRIGGER interaction_ended BEFORE UPDATE ON interaction WHEN OLD.ended <> '' AND (NEW.ended <> OLD.ended OR NEW.status <> OLD.status)
    OR OLD.ended = '' AND NEW.ended <> '' AND (OLD.status NOT IN ('drafting', 'waiting') OR NEW.status <> 'closed')
BEGIN
    SELECT RAISE(ABORT, 'only what waits is withdrawn or expires, and it stays so');
END;
-- +goose StatementEnd
