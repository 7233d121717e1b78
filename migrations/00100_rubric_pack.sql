-- Owner: internal/compliance/rubric (rubric) and internal/compliance/borderline (borderline_case). Each pack has a rubric and a list
-- of issues of its own. What there was is of pensions: pages and judges of no other pack went by it. Versions stay numbered over a
-- kind, so that the number in an answer names one text.

-- +goose Up
ALTER TABLE rubric ADD COLUMN pack TEXT NOT NULL DEFAULT 'pension';
CREATE INDEX rubric_pack ON rubric (kind, pack, version);

-- Of the interaction, as its task is.
ALTER TABLE borderline_case ADD COLUMN pack TEXT NOT NULL DEFAULT 'pension';
UPDATE borderline_case SET pack = (SELECT i.pack FROM interaction i WHERE i.id = borderline_case.interaction_id)
    WHERE interaction_id IN (SELECT id FROM interaction WHERE pack <> 'pension');
