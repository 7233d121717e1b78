-- Owner: internal/compliance/borderline. When experts have seen the panel they can call each quoted finding right or wrong. What they say of a
-- finding in a sentence holds for later texts once two of them agree; it ends with the ruling, by a person, or with the text's erasure.
--
-- Owner: internal/review. Findings on a draft that were left out because experts had ruled on such a sentence, as JSON.

-- +goose Up
ALTER TABLE borderline_answer ADD COLUMN clicks TEXT NOT NULL DEFAULT '[]'; -- JSON: code, severity, start, end, quote, right
ALTER TABLE borderline_ruling ADD COLUMN clicks TEXT NOT NULL DEFAULT '[]'; -- of an adjudicator

CREATE TABLE borderline_sentence (
    id         TEXT PRIMARY KEY,
    ruling_id  TEXT NOT NULL REFERENCES borderline_ruling (id),
    case_id    TEXT NOT NULL REFERENCES borderline_case (id),
    code       TEXT NOT NULL,              -- of the finding
    severity   TEXT NOT NULL,
    sentence   TEXT NOT NULL,              -- empty once erased
    is_right   INTEGER NOT NULL,           -- 1: the finding is right; 0: the sentence is fine
    by_ids     TEXT NOT NULL,              -- JSON: accounts that said so
    by_names   TEXT NOT NULL,
    at         INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL DEFAULT 0, -- by a person, or an erasure; a ruling that was undone ends it, too
    ended_name TEXT NOT NULL DEFAULT '',
    ended_why  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX borderline_sentence_at ON borderline_sentence (at, id) WHERE ended_at = 0;
CREATE INDEX borderline_sentence_case ON borderline_sentence (case_id);

ALTER TABLE review ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]';
