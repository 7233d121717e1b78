-- Owner: internal/signal. Under a hold, calls of tools wait as answers do unless people say otherwise. Until now they
-- passed, and the page said so: it still does for the agents whose answers wait already.

-- +goose Up
UPDATE agent_signal SET settings = replace(settings, '"hold":true', '"hold":true,"tool_rule":"pass"');

-- What somebody typed into the fields of actions is kept with what else they typed. Owner: internal/review.
ALTER TABLE review_draft ADD COLUMN arguments TEXT NOT NULL DEFAULT '';  -- JSON: by field; '' for none

-- Owner: internal/review. A question of few words is compared with what it refers to.
ALTER TABLE review ADD COLUMN refers TEXT NOT NULL DEFAULT '';  -- the beginning of the customer's message before it

-- Owner: internal/dataset. A text is labelled in its conversation.
ALTER TABLE dataset_item ADD COLUMN messages TEXT NOT NULL DEFAULT '';  -- JSON; '' for none and once erased

-- Owner: internal/review. Short fields of agents' metadata, to be found and shown; and which of them lists show.
CREATE TABLE review_field (
    review_id TEXT NOT NULL REFERENCES review (id),
    name      TEXT NOT NULL,               -- in small letters
    value     TEXT NOT NULL,
    folded    TEXT NOT NULL,               -- value in small letters
    PRIMARY KEY (review_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_field_value ON review_field (name, folded, review_id);
CREATE TABLE review_column (
    name  TEXT NOT NULL PRIMARY KEY,
    place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE review_column;
DROP TABLE review_field;
ALTER TABLE dataset_item DROP COLUMN messages;
ALTER TABLE review DROP COLUMN refers;
ALTER TABLE review_draft DROP COLUMN arguments;
UPDATE agent_signal SET settings = replace(settings, ',"tool_rule":"pass"', '');
