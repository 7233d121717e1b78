-- Owner: internal/knowledge. A rollback is the automatic state from just before it, which undoes it, with where it went back to and
-- why. What it did to each item is in the versions that it wrote, which share a seq.

-- +goose Up
ALTER TABLE knowledge_state ADD COLUMN back_to  TEXT    NOT NULL DEFAULT ''; -- the state that was gone back to from here; '' for none
ALTER TABLE knowledge_state ADD COLUMN reason   TEXT    NOT NULL DEFAULT '';
ALTER TABLE knowledge_state ADD COLUMN changed  INTEGER NOT NULL DEFAULT 0;  -- items that got a version
ALTER TABLE knowledge_state ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;  -- items that stayed as they were: erased or quarantined
UPDATE knowledge_state SET (back_to, reason, changed, left_out) = (SELECT r.state_id, r.reason, r.changed, r.left_out
    FROM knowledge_rollback r WHERE r.before_id = knowledge_state.id) WHERE id IN (SELECT before_id FROM knowledge_rollback);
CREATE INDEX knowledge_state_back ON knowledge_state (id) WHERE back_to <> '';
DROP TABLE knowledge_rollback_item;
DROP TABLE knowledge_rollback;
