-- Owner: internal/labelling. Who has which text before them and what they answered, whatever kind of text it is. Pairs of answers
-- (internal/feedback/preference) and practice cases (internal/practice/drill) are kept here from now on.

-- +goose Up
-- One row per item and person who has, had or may not have it.
CREATE TABLE labelling_turn (
    set_id    TEXT NOT NULL,                 -- a gold set, a practice round; the kind's name where all its items are one set
    item_id   TEXT NOT NULL,
    person_id TEXT NOT NULL,
    name      TEXT NOT NULL,
    seq       INTEGER NOT NULL DEFAULT 0,    -- the item's place on the person's list; 0 where the kind has no lists
    state     TEXT NOT NULL CHECK (state IN ('open', 'done', 'skipped', 'dropped', 'seen')), -- seen: read the answers, so never labels it
    origin    TEXT NOT NULL DEFAULT '',      -- how it came there
    flag      TEXT NOT NULL DEFAULT '',      -- why it was flagged; '' when it was not
    draft     TEXT NOT NULL DEFAULT '',      -- what they typed and have not sent; seen by nobody else
    since     INTEGER NOT NULL,              -- when they got it
    at        INTEGER NOT NULL,              -- when it came to this state, or the person last worked on it
    PRIMARY KEY (item_id, person_id, set_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX labelling_turn_list ON labelling_turn (set_id, person_id, state, seq);
CREATE INDEX labelling_turn_open ON labelling_turn (set_id, person_id) WHERE state = 'open';
CREATE INDEX labelling_turn_lease ON labelling_turn (set_id, at) WHERE state = 'open' AND origin <> 'given';
CREATE INDEX labelling_turn_practice ON labelling_turn (person_id, since, set_id, seq) WHERE origin = 'practice';

-- One row per answer and revision. Nothing is overwritten: what was taken back stays with the time when it was.
CREATE TABLE labelling_answer (
    id         TEXT PRIMARY KEY,
    set_id     TEXT NOT NULL,
    item_id    TEXT NOT NULL,
    by_id      TEXT NOT NULL,               -- account, or 'external:' and the name of a rater of an import
    by_name    TEXT NOT NULL,
    revision   INTEGER NOT NULL,            -- 1, 2 ... of this person on this item
    first      INTEGER NOT NULL,            -- 1: the answer that agreement is measured on
    standing   INTEGER NOT NULL,            -- 1: neither revised nor taken back
    late       INTEGER NOT NULL DEFAULT 0,  -- 1: revised after the answers were there to be seen
    label      TEXT NOT NULL,               -- what answers are compared by
    answer     TEXT NOT NULL,               -- the answer, whole, in the kind's own form, mostly JSON
    seq        INTEGER NOT NULL DEFAULT 0,  -- the person's n-th answer in this set
    spent_ms   INTEGER NOT NULL DEFAULT 0,
    outcome    INTEGER NOT NULL DEFAULT 0,  -- on a check item: 1 right, -1 wrong; 0 elsewhere
    rubric     TEXT NOT NULL DEFAULT '',    -- the rubric's version that was shown
    at         INTEGER NOT NULL,
    undone_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX labelling_answer_revision ON labelling_answer (item_id, by_id, set_id, revision);
CREATE UNIQUE INDEX labelling_answer_standing ON labelling_answer (item_id, by_id, set_id) WHERE standing = 1;
CREATE INDEX labelling_answer_person ON labelling_answer (set_id, by_id, at, id);
CREATE INDEX labelling_answer_outcome ON labelling_answer (set_id, by_id, at) WHERE outcome <> 0;

-- Of a pair, answer says which text stood first on the screen.
INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision, first, standing, label, answer, at, undone_at)
    SELECT id, 'preference', pair_id, judge_id, judge_name, row_number() OVER (PARTITION BY pair_id, judge_id ORDER BY at, id), 1,
        undone_at = 0, choice, first, at, undone_at FROM preference_answer;
INSERT INTO labelling_turn (set_id, item_id, person_id, name, state, since, at)
    SELECT 'preference', pair_id, judge_id, judge_name, 'done', at, at FROM preference_answer WHERE undone_at = 0;
INSERT INTO labelling_turn (set_id, item_id, person_id, name, state, since, at)
    SELECT 'preference', k.pair_id, k.judge_id, '', 'skipped', k.at, k.at FROM preference_skip k
    WHERE NOT EXISTS (SELECT 1 FROM labelling_turn t WHERE t.item_id = k.pair_id AND t.person_id = k.judge_id);
DROP TABLE preference_answer;
DROP TABLE preference_skip;
DROP TABLE preference_score; -- nothing has read it since a ranking sums the pairs themselves

-- Of a practice case, answer is JSON. A round is a set; what wasn't answered is open.
INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision, first, standing, label, answer, at)
    SELECT round_id || '-' || n, round_id, pack || '/' || case_id, person_id, '', 1, 1, 1, outcome,
        json_object('kind', kind, 'text', text, 'reason', reason, 'reason_code', reason_code, 'left', json(still)), answered_at
    FROM practice_answer WHERE kind <> '';
INSERT INTO labelling_turn (set_id, item_id, person_id, name, seq, state, origin, since, at)
    SELECT round_id, pack || '/' || case_id, person_id, '', n, CASE kind WHEN '' THEN 'open' ELSE 'done' END, 'practice', begun_at,
        CASE answered_at WHEN 0 THEN begun_at ELSE answered_at END FROM practice_answer;
DROP TABLE practice_answer;
