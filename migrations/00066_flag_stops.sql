-- Owner: internal/review. Whether a flag keeps the text from going out: what judges name, and what is only told, does not, and a check's
-- page counts what it stopped.

-- +goose Up
ALTER TABLE review_flag ADD COLUMN stops INTEGER NOT NULL DEFAULT 0;
UPDATE review_flag SET stops = 1 WHERE EXISTS (
    SELECT 1 FROM review r, json_each(r.flags) f WHERE r.id = review_flag.review_id AND f.value ->> 'code' = review_flag.code AND f.value ->> 'stops');
