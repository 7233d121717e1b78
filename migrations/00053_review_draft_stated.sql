-- Owner: internal/review. What somebody has typed of "What should change next time?" and not sent is kept like the rest of the form.

-- +goose Up
-- JSON of the form, '' for none. The pages write and read it; a decision carries the statements themselves (decision.taught).
ALTER TABLE review_draft ADD COLUMN stated TEXT NOT NULL DEFAULT '';
