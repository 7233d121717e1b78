-- Owner: internal/compliance/borderline (clicks) and internal/compliance/ruled. When experts have seen the panel they can call each quoted
-- finding right or wrong. What they say of a finding in a sentence holds for later texts once two of them agree; it ends with the ruling, by a
-- person, or with the text's erasure.
--
-- Owner: internal/review. Findings on a draft that were left out because experts had ruled on such a sentence, as JSON.

-- +goose Up
ALTER TABLE borderline_answer ADD COLUMN clicks TEXT NOT NULL DEFAULT '[]'; -- JSON: code, severity, start, end, quote, right
ALTER TABLE borderline_ruling ADD COLUMN clicks TEXT NOT NULL DEFAULT '[]'; -- of an adjudicator

CREATE TABLE ruled_sentence (
    id             TEXT PRIMARY KEY,
    ruling_id      TEXT NOT NULL REFERENCES borderline_ruling (id),
    case_id        TEXT NOT NULL REFERENCES borderline_case (id),
    interaction_id TEXT NOT NULL,
    code           TEXT NOT NULL,                         -- of the finding
    severity       TEXT NOT NULL,
    sentence       TEXT NOT NULL,                         -- empty once erased
    is_right       INTEGER NOT NULL,                      -- 1: the finding is right; 0: the sentence is fine
    by_ids         TEXT NOT NULL,                         -- JSON: accounts that said so
    by_names       TEXT NOT NULL,
    at             INTEGER NOT NULL,
    ended_at       INTEGER NOT NULL DEFAULT 0,            -- by a person, with its ruling, or by an erasure
    ended_name     TEXT NOT NULL DEFAULT '',
    ended_why      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX ruled_sentence_at ON ruled_sentence (at, id) WHERE ended_at = 0;
CREATE INDEX ruled_sentence_ruling ON ruled_sentence (ruling_id);
CREATE INDEX ruled_sentence_interaction ON ruled_sentence (interaction_id);

ALTER TABLE review ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]';
