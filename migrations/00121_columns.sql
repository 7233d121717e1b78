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

-- +goose Down
ALTER TABLE dataset_item DROP COLUMN messages;
ALTER TABLE review DROP COLUMN refers;
ALTER TABLE review_draft DROP COLUMN arguments;
UPDATE agent_signal SET settings = replace(settings, ',"tool_rule":"pass"', '');
