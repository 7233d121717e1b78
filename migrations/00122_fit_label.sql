-- Owner: internal/knowledge. In the preview of a rule people say of a question that the rule is for ones like it, or isn't. Each
-- is an example in the rule's conditions, and a label here for those who train encoders.

-- +goose Up
CREATE TABLE fit_label (
    about          TEXT NOT NULL,              -- where it was picked: reviews/ID, learning/ID, knowledge/rules/ID
    interaction_id TEXT NOT NULL,
    rule           TEXT NOT NULL,              -- in words, as it stood
    question       TEXT NOT NULL,              -- without what belongs to its customer; goes when that one is erased
    applies        INTEGER NOT NULL CHECK (applies IN (0, 1)),
    by_id          TEXT NOT NULL,
    at             INTEGER NOT NULL,
    PRIMARY KEY (about, interaction_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fit_label_interaction ON fit_label (interaction_id);
