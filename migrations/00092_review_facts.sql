-- Owner: internal/review. What is known of a case's customer and subject, from the question, the profile, what was said before and
-- the text: conditions of the review policy, as JSON. It is kept because reading all of that again takes a while.

-- +goose Up
ALTER TABLE review ADD COLUMN facts TEXT NOT NULL DEFAULT '[]';

UPDATE review SET facts = '["db_transfer","db_pension"]' WHERE two_eyes_why LIKE '%db_transfer%';
UPDATE review SET facts = '["db_pension"]' WHERE facts = '[]' AND why LIKE '%DB pension%';
UPDATE review SET facts = '["vulnerable",' || substr(facts, 2) WHERE facts <> '[]' AND why LIKE '%vulnerable customer%';
UPDATE review SET facts = '["vulnerable"]' WHERE facts = '[]' AND why LIKE '%vulnerable customer%';
