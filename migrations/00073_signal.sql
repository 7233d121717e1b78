-- Owner: internal/signal. What any agent did and what came back, and what was noticed in it: seeds 002, 003 and 004.

-- +goose Up
CREATE TABLE talk (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    user_id    TEXT NOT NULL,               -- as the agent names them
    name       TEXT NOT NULL,               -- the session, as the agent names it; '' where it does not
    state      TEXT NOT NULL,               -- open, ended (its turns are to be looked through), told (they were)
    turns      INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,            -- of its last turn
    told       TEXT NOT NULL DEFAULT ''     -- JSON: what was looked through
) STRICT;
CREATE UNIQUE INDEX talk_open ON talk (agent_id, user_id, name) WHERE state = 'open';
CREATE INDEX talk_newest ON talk (started_at, id);
CREATE INDEX talk_agent ON talk (agent_id, started_at, id);
CREATE INDEX talk_state ON talk (state, last_at, id) WHERE state <> 'told';

CREATE TABLE turn (
    id         TEXT PRIMARY KEY,
    talk_id    TEXT NOT NULL REFERENCES talk (id),
    agent_id   TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    ref        TEXT NOT NULL,               -- the caller's own id: sent again, it is no other turn; '' for none
    query      TEXT NOT NULL,
    response   TEXT NOT NULL,
    model      TEXT NOT NULL,
    task       TEXT NOT NULL,
    action     TEXT NOT NULL,               -- what the agent did, in its own words
    reaction   TEXT NOT NULL,               -- what the user said to it
    steps      TEXT NOT NULL,               -- JSON: the tools that were used
    context    TEXT NOT NULL,               -- JSON: file, language, project and other keys
    source     TEXT NOT NULL,               -- api, mcp, proxy, file
    pending    INTEGER NOT NULL,            -- 1: evaluators that need a while, or the search for learnings, are to come
    created_at INTEGER NOT NULL,
    erased_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX turn_ref ON turn (ref, agent_id) WHERE ref <> '';
CREATE INDEX turn_talk ON turn (talk_id, created_at, id);
CREATE INDEX turn_user ON turn (user_id, id) WHERE user_id <> '';

CREATE TABLE signal (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    talk_id    TEXT NOT NULL,               -- '' where it came from a file, or from an evaluation without a turn
    turn_id    TEXT NOT NULL,
    producer   TEXT NOT NULL,               -- observer, an evaluator's name, or learner
    kind       TEXT NOT NULL,               -- observation, issue, right, proposal, learning
    category   TEXT NOT NULL,               -- of an observation its class, of a proposal or learning its category, of an issue its error type
    scope      TEXT NOT NULL,               -- universal, language:go, project:hydra; of an issue task:NAME, or ''
    action     TEXT NOT NULL,               -- what the agent did; of an issue, the model that did it
    said       TEXT NOT NULL,               -- the user's words; of an issue the query that it is about
    content    TEXT NOT NULL,               -- what is proposed, what is wrong
    score      REAL NOT NULL,               -- of an issue; lower is worse
    scored     INTEGER NOT NULL,            -- 0: nobody gave a score
    confidence REAL NOT NULL,
    priority   INTEGER NOT NULL,
    count      INTEGER NOT NULL,            -- how often it was seen
    noted      INTEGER NOT NULL,            -- of an issue or none: 1 when the agent was given notes at the time
    evidence   TEXT NOT NULL,               -- JSON list; of an issue, all that the evaluator found in this step
    context    TEXT NOT NULL,               -- JSON
    expires_at INTEGER NOT NULL,            -- 0: not by itself
    state      TEXT NOT NULL,               -- noted; open, approved, rejected; kept: for its user alone
    lesson_id  TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX signal_talk ON signal (talk_id, kind, created_at, id);
CREATE INDEX signal_agent ON signal (agent_id, kind, created_at, id);
CREATE INDEX signal_result ON signal (agent_id, id) WHERE kind IN ('issue', 'right');
CREATE INDEX signal_open ON signal (state, created_at, id) WHERE state = 'open';
CREATE INDEX signal_turn ON signal (turn_id) WHERE turn_id <> '';
CREATE INDEX signal_user ON signal (user_id, id) WHERE user_id <> '';

CREATE TABLE codebase (
    agent_id   TEXT NOT NULL,
    project    TEXT NOT NULL,
    patterns   TEXT NOT NULL,               -- JSON, as preceptor scan writes them
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, project)
) STRICT;

CREATE TABLE agent_signal (
    agent_id   TEXT PRIMARY KEY,
    settings   TEXT NOT NULL,               -- JSON
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE learned_file (
    agent_id   TEXT PRIMARY KEY,
    markdown   TEXT NOT NULL,               -- LEARNINGS.md as it was read last
    updated_at INTEGER NOT NULL
) STRICT;
