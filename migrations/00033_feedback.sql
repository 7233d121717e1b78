-- Owners: internal/feedback (all but the last two), internal/feedback/nightly (night, prompt_proposal).
-- What people say about answers: votes and outcomes, the exemplars that votes make, and what a night's batch made of a day.

-- +goose Up

-- An interaction that an agent reported and that nobody reviewed: seed 001's AgentInteraction.
CREATE TABLE observed (
    id          TEXT PRIMARY KEY,
    agent_id    TEXT NOT NULL,                 -- whose token reported it
    agent_name  TEXT NOT NULL,
    agent_type  TEXT NOT NULL,                 -- as the agent calls it, tutor for one
    session_id  TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    query       TEXT NOT NULL,
    response    TEXT NOT NULL,
    metadata    TEXT NOT NULL,                 -- JSON object, or empty
    topic       TEXT NOT NULL,
    response_ms INTEGER NOT NULL,              -- how long the agent took; 0 when it did not say
    variant     TEXT NOT NULL,                 -- arm of an experiment, or empty
    created_at  INTEGER NOT NULL,
    erased_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
-- The period's count by topic is read from the index alone.
CREATE INDEX observed_period ON observed (agent_type, agent_id, created_at, topic);
CREATE INDEX observed_agent ON observed (agent_id, created_at, id);
CREATE INDEX observed_user ON observed (user_id, id);
CREATE INDEX observed_session ON observed (session_id, id) WHERE session_id <> '';

-- A report that came with an Idempotency-Key counts once.
CREATE TABLE observed_key (
    owner      TEXT NOT NULL,                  -- the token
    key        TEXT NOT NULL,
    body_hash  TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT;
CREATE INDEX observed_key_created ON observed_key (created_at);

-- The present vote of one user on one subject: an observed interaction, or a guidance that was released.
CREATE TABLE vote (
    id         TEXT PRIMARY KEY,
    subject_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    agent_id   TEXT NOT NULL,                  -- of the subject, as are the next two
    agent_type TEXT NOT NULL,
    topic      TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('thumbs', 'rating')),
    value      REAL NOT NULL,                  -- thumbs: -1, 0 or 1; rating: 0 to 10
    norm       REAL NOT NULL CHECK (norm BETWEEN 0 AND 1), -- above 0.5 is positive, below is negative
    text       TEXT NOT NULL,
    channel    TEXT NOT NULL,                  -- api, widget, link, chat, desk
    version    INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,
    at         INTEGER NOT NULL,               -- of this version
    erased_at  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (subject_id, user_id)
) STRICT;
CREATE INDEX vote_period ON vote (agent_type, agent_id, at, topic, norm);
CREATE INDEX vote_comment ON vote (at, id) WHERE text <> '';
CREATE INDEX vote_comment_type ON vote (agent_type, at, id) WHERE text <> '';
CREATE INDEX vote_user ON vote (user_id, id);

-- Every version of a vote, the present one too.
CREATE TABLE vote_history (
    vote_id TEXT NOT NULL REFERENCES vote (id),
    version INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    value   REAL NOT NULL,
    norm    REAL NOT NULL,
    text    TEXT NOT NULL,
    channel TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (vote_id, version)
) STRICT;

-- How it went for the customer: seed 000's OutcomeResult. One subject may have several, from different people and times.
CREATE TABLE outcome (
    id                    TEXT PRIMARY KEY,
    subject_id            TEXT NOT NULL,
    agent_id              TEXT NOT NULL,
    agent_type            TEXT NOT NULL,
    topic                 TEXT NOT NULL,
    satisfaction          REAL NOT NULL CHECK (satisfaction BETWEEN 0 AND 10),
    comprehension         REAL NOT NULL CHECK (comprehension BETWEEN 0 AND 10),
    goal_alignment        REAL NOT NULL CHECK (goal_alignment BETWEEN 0 AND 10),
    issues                TEXT NOT NULL,       -- JSON list
    goals_met             INTEGER,             -- 1 yes, 0 no, NULL nobody said; so the next three
    understanding_checked INTEGER,
    signposted            INTEGER,
    db_warning_given      INTEGER,
    by_id                 TEXT NOT NULL,       -- the user, or the account of a supervisor who followed up
    channel               TEXT NOT NULL,
    at                    INTEGER NOT NULL,
    erased_at             INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX outcome_subject ON outcome (subject_id, at, id);
CREATE INDEX outcome_period ON outcome (agent_type, agent_id, at);

-- Queries that ask the same of one agent about one topic. Its vector is that of the first.
CREATE TABLE query_group (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    agent_type TEXT NOT NULL,
    topic      TEXT NOT NULL,
    model      TEXT NOT NULL,                  -- embedder of the vector; empty while there is none
    vector     BLOB NOT NULL,                  -- float32, little-endian, length 1
    votes      INTEGER NOT NULL DEFAULT 0,     -- votes and changes of votes so far
    voted_at   INTEGER NOT NULL,
    counted_at INTEGER NOT NULL DEFAULT 0      -- when its exemplar was last weighed
) STRICT;
CREATE INDEX query_group_recent ON query_group (agent_id, agent_type, topic, voted_at DESC, id);
CREATE INDEX query_group_due ON query_group (voted_at, id);

CREATE TABLE query_member (
    subject_id TEXT PRIMARY KEY,
    group_id   TEXT NOT NULL REFERENCES query_group (id),
    query_hash TEXT NOT NULL,                  -- of agent, topic and the query in its plain form
    answer     TEXT NOT NULL,                  -- hash of the response, so that the same answer is weighed once
    eligible   INTEGER NOT NULL,               -- 0: its text was recalled, corrected or erased, and carries no exemplar
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX query_member_group ON query_member (group_id, answer, subject_id);
CREATE INDEX query_member_hash ON query_member (query_hash);

-- seed 001's LearningExample. Its texts never change: another answer makes another exemplar.
CREATE TABLE exemplar (
    id           TEXT PRIMARY KEY,
    group_id     TEXT NOT NULL REFERENCES query_group (id),
    agent_id     TEXT NOT NULL,
    agent_name   TEXT NOT NULL,
    agent_type   TEXT NOT NULL,
    topic        TEXT NOT NULL,
    query        TEXT NOT NULL,                -- personal data taken out, as in the next two
    good         TEXT NOT NULL,
    bad          TEXT NOT NULL,                -- a disliked answer to a similar query; may be empty
    good_subject TEXT NOT NULL,
    bad_subject  TEXT NOT NULL,
    answer       TEXT NOT NULL,                -- hash of good as it was given
    source       TEXT NOT NULL,                -- user_feedback
    weight       REAL NOT NULL,
    score        REAL NOT NULL,                -- distinct users for it less those against it
    use_count    INTEGER NOT NULL DEFAULT 0,
    state        TEXT NOT NULL CHECK (state IN ('active', 'demoted', 'replaced', 'retired', 'erased')),
    why          TEXT NOT NULL DEFAULT '',     -- of a state other than active
    created_at   INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX exemplar_one ON exemplar (group_id) WHERE state = 'active';
CREATE INDEX exemplar_group ON exemplar (group_id, answer);
CREATE INDEX exemplar_active ON exemplar (agent_type, agent_id, topic, weight DESC, id) WHERE state = 'active';
CREATE INDEX exemplar_list ON exemplar (changed_at, id);
CREATE INDEX exemplar_good ON exemplar (good_subject);
CREATE INDEX exemplar_bad ON exemplar (bad_subject) WHERE bad_subject <> '';

-- The subjects whose votes carry it.
CREATE TABLE exemplar_source (
    exemplar_id TEXT NOT NULL REFERENCES exemplar (id),
    subject_id  TEXT NOT NULL,
    PRIMARY KEY (exemplar_id, subject_id)
) STRICT;
CREATE INDEX exemplar_source_subject ON exemplar_source (subject_id);

-- The answers that were written with it in sight.
CREATE TABLE exemplar_use (
    exemplar_id TEXT NOT NULL REFERENCES exemplar (id),
    subject_id  TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (exemplar_id, subject_id)
) STRICT;
CREATE INDEX exemplar_use_subject ON exemplar_use (subject_id);

-- seed 001's ExperienceReplay.
CREATE TABLE experience (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    agent_type TEXT NOT NULL,
    topic      TEXT NOT NULL,
    subject_id TEXT NOT NULL,                  -- whose texts it has; empty when it brought its own
    query      TEXT NOT NULL,                  -- empty with a subject
    response   TEXT NOT NULL,
    metadata   TEXT NOT NULL,                  -- JSON object, or empty
    reward     REAL NOT NULL CHECK (reward BETWEEN -1 AND 1),
    source     TEXT NOT NULL CHECK (source IN ('api', 'vote')),
    at         INTEGER NOT NULL,
    erased_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX experience_agent ON experience (agent_id, agent_type, at, id);
CREATE UNIQUE INDEX experience_vote ON experience (subject_id) WHERE source = 'vote';
CREATE INDEX experience_subject ON experience (subject_id) WHERE subject_id <> '';

-- What a night's batch found of one day and agent.
CREATE TABLE night (
    id           TEXT PRIMARY KEY,
    day          TEXT NOT NULL,                -- 2026-11-22, in the desk's zone
    agent_id     TEXT NOT NULL,
    agent_name   TEXT NOT NULL,
    agent_type   TEXT NOT NULL,
    interactions INTEGER NOT NULL,
    positive     INTEGER NOT NULL,
    negative     INTEGER NOT NULL,
    neutral      INTEGER NOT NULL,
    promoted     INTEGER NOT NULL,
    demoted      INTEGER NOT NULL,
    retired      INTEGER NOT NULL,
    patterns     TEXT NOT NULL,                -- JSON list
    proposal_id  TEXT NOT NULL DEFAULT '',
    at           INTEGER NOT NULL,
    UNIQUE (agent_id, agent_type, day)
) STRICT;
CREATE INDEX night_day ON night (day DESC, id);

-- A change of an agent's prompt template that a person may accept.
CREATE TABLE prompt_proposal (
    id          TEXT PRIMARY KEY,
    agent_id    TEXT NOT NULL,
    agent_name  TEXT NOT NULL,
    agent_type  TEXT NOT NULL,
    night_id    TEXT NOT NULL REFERENCES night (id),
    section     TEXT NOT NULL,                 -- the lines to add under Instructions
    patterns    TEXT NOT NULL,                 -- JSON list: the evidence
    state       TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'superseded')),
    settled_by  TEXT NOT NULL DEFAULT '',
    settled_name TEXT NOT NULL DEFAULT '',
    settled_at  INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX prompt_proposal_open ON prompt_proposal (agent_id, agent_type) WHERE state = 'open';
CREATE UNIQUE INDEX prompt_proposal_accepted ON prompt_proposal (agent_id, agent_type) WHERE state = 'accepted';
CREATE INDEX prompt_proposal_list ON prompt_proposal (created_at, id);
