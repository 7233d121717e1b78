-- Owner: internal/compliance/borderline; the last column: internal/learning. Guidance that the panel could not settle, what experts
-- answered, what they ruled, their ratings of what went out, and the line they rule by.

-- +goose Up
CREATE TABLE borderline_case (
    id             TEXT PRIMARY KEY,
    interaction_id TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    agent_name     TEXT NOT NULL,
    task           TEXT NOT NULL,
    who            TEXT NOT NULL,              -- who is asking, in a few words
    opening        TEXT NOT NULL,              -- the first words of the question
    text           TEXT NOT NULL,              -- the guidance that is judged; empty once erased
    text_hash      TEXT NOT NULL,              -- as interaction.TextHash
    cause          TEXT NOT NULL CHECK (cause IN ('dissent', 'unsure', 'sent')),
    sent_by        TEXT NOT NULL DEFAULT '',   -- account of the supervisor, where one sent it
    sent_name      TEXT NOT NULL DEFAULT '',
    note           TEXT NOT NULL DEFAULT '',   -- theirs; nobody sees it before their own answer
    verdict        TEXT NOT NULL,              -- JSON, as it stood when the case was made
    codes          TEXT NOT NULL DEFAULT '',   -- issue codes of verdict and votes, each between commas; for similar rulings
    state          TEXT NOT NULL CHECK (state IN ('waiting', 'adjudication', 'ruled', 'overtaken')),
    stood          TEXT NOT NULL DEFAULT '',   -- the state that was overtaken
    wanted         INTEGER NOT NULL,           -- how many experts are asked
    most           INTEGER NOT NULL,           -- how many may be asked at most
    settled        INTEGER NOT NULL DEFAULT 0, -- how many of them gave their last answer
    asked_more_at  INTEGER NOT NULL DEFAULT 0, -- when another expert was asked because the first did not agree
    target_at      INTEGER NOT NULL,
    reminded_at    INTEGER NOT NULL DEFAULT 0,
    created_at     INTEGER NOT NULL,
    closed_at      INTEGER NOT NULL DEFAULT 0  -- ruled or overtaken
) STRICT;
CREATE INDEX borderline_case_open ON borderline_case (state, created_at, id);
CREATE INDEX borderline_case_closed ON borderline_case (state, closed_at, id);
CREATE INDEX borderline_case_interaction ON borderline_case (interaction_id, created_at, id);
CREATE UNIQUE INDEX borderline_case_one_open ON borderline_case (interaction_id) WHERE state IN ('waiting', 'adjudication');

-- Who works on a case now. Several may, each for one of the answers that are wanted.
CREATE TABLE borderline_claim (
    case_id TEXT NOT NULL REFERENCES borderline_case (id),
    by_id   TEXT NOT NULL,
    by_name TEXT NOT NULL,
    at      INTEGER NOT NULL,
    until   INTEGER NOT NULL,
    draft   TEXT NOT NULL DEFAULT '',          -- what they typed and have not sent; seen by nobody else
    PRIMARY KEY (case_id, by_id)
) STRICT;

-- What an expert answered: blind first, then, having seen the panel, the same again or something else. Nothing is overwritten.
CREATE TABLE borderline_answer (
    id               TEXT PRIMARY KEY,
    case_id          TEXT NOT NULL REFERENCES borderline_case (id),
    by_id            TEXT NOT NULL,
    by_name          TEXT NOT NULL,
    step             TEXT NOT NULL CHECK (step IN ('blind', 'final')),
    kept             INTEGER NOT NULL,         -- 1: a final answer that is the blind one
    label            TEXT NOT NULL,
    boundary         TEXT NOT NULL,
    marks            TEXT NOT NULL,            -- JSON: code, start, end, quote
    confidence       REAL NOT NULL,
    rationale        TEXT NOT NULL,
    rubric_version   INTEGER NOT NULL,
    taxonomy_version INTEGER NOT NULL,
    seconds          INTEGER NOT NULL,
    at               INTEGER NOT NULL,
    undone_at        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX borderline_answer_one ON borderline_answer (case_id, by_id, step) WHERE undone_at = 0;
CREATE INDEX borderline_answer_mine ON borderline_answer (by_id, at, id);

CREATE TABLE borderline_ruling (
    id               TEXT PRIMARY KEY,
    case_id          TEXT NOT NULL REFERENCES borderline_case (id),
    interaction_id   TEXT NOT NULL,
    text_hash        TEXT NOT NULL,
    label            TEXT NOT NULL,
    rationale        TEXT NOT NULL,
    how              TEXT NOT NULL CHECK (how IN ('agreed', 'adjudicated')),
    by_id            TEXT NOT NULL,            -- whose act made it
    by_name          TEXT NOT NULL,            -- all who stand behind it
    pattern          TEXT NOT NULL,            -- JSON: which phrases divided the judges
    rubric_version   INTEGER NOT NULL,
    taxonomy_version INTEGER NOT NULL,
    at               INTEGER NOT NULL,
    undone_at        INTEGER NOT NULL DEFAULT 0,
    undone_by        TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX borderline_ruling_one ON borderline_ruling (case_id) WHERE undone_at = 0;
CREATE INDEX borderline_ruling_text ON borderline_ruling (interaction_id, text_hash, at);
CREATE INDEX borderline_ruling_at ON borderline_ruling (at, id);

-- Decisions of supervisors of which an expert rates what went out (seed 000: expert_quality_rating).
CREATE TABLE borderline_rating (
    id             TEXT PRIMARY KEY,
    decision_id    TEXT NOT NULL UNIQUE,
    decided_by     TEXT NOT NULL,              -- accounts that signed; never shown, and they may not rate it
    second_by      TEXT NOT NULL,
    interaction_id TEXT NOT NULL,
    agent_name     TEXT NOT NULL,
    task           TEXT NOT NULL,
    who            TEXT NOT NULL,
    opening        TEXT NOT NULL,
    text           TEXT NOT NULL,              -- as the customer got it; empty once erased
    state          TEXT NOT NULL CHECK (state IN ('waiting', 'rated', 'dropped')),
    rating         INTEGER NOT NULL DEFAULT 0 CHECK (rating BETWEEN 0 AND 5),
    note           TEXT NOT NULL DEFAULT '',
    by_id          TEXT NOT NULL DEFAULT '',
    by_name        TEXT NOT NULL DEFAULT '',
    created_at     INTEGER NOT NULL,
    rated_at       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX borderline_rating_state ON borderline_rating (state, created_at, id);
CREATE INDEX borderline_rating_rated ON borderline_rating (rated_at, id) WHERE state = 'rated';

-- The line that experts rule by, and the issues that they name. A version is proposed by one and comes into force when another agrees.
CREATE TABLE rubric (
    kind        TEXT NOT NULL CHECK (kind IN ('rubric', 'taxonomy')),
    version     INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('proposed', 'in_force', 'refused')),
    text        TEXT NOT NULL,                 -- Markdown; of a taxonomy JSON
    reason      TEXT NOT NULL,
    by_id       TEXT NOT NULL,                 -- '' for what came with the program
    by_name     TEXT NOT NULL,
    at          INTEGER NOT NULL,
    agreed_by   TEXT NOT NULL DEFAULT '',
    agreed_name TEXT NOT NULL DEFAULT '',
    agreed_at   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, version)
) STRICT;

-- What a lesson is about, where its cause says it: the code of a check. One lesson of each is on its way for an agent.
ALTER TABLE lesson ADD COLUMN code TEXT NOT NULL DEFAULT '';
