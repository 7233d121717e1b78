-- Owner: internal/knowledge/unanswered. Questions for which the embedded advisor found no reviewed guidance, in groups by meaning. What was
-- asked stands in interaction alone: an erasure takes the row, and with it the vector.

-- +goose Up
CREATE TABLE unanswered_group (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    pack       TEXT NOT NULL,
    central_id TEXT NOT NULL,             -- the interaction whose question is nearest to all of the group
    model      TEXT NOT NULL,             -- whose vectors its questions have
    middle     BLOB NOT NULL,             -- the sum of the latest of them, of any length
    asked_at   INTEGER NOT NULL,          -- when the latest was asked
    aside_at   INTEGER NOT NULL DEFAULT 0, -- 0: open; else a person said that it is not ours to answer
    aside_by   TEXT NOT NULL DEFAULT '',
    aside_why  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX unanswered_group_agent ON unanswered_group (agent_id, pack);

CREATE TABLE unanswered (
    interaction_id TEXT PRIMARY KEY REFERENCES interaction (id),
    group_id       TEXT NOT NULL REFERENCES unanswered_group (id),
    vector         BLOB NOT NULL,         -- the group's model's, of length 1, little-endian float32
    asked_at       INTEGER NOT NULL,
    seq            INTEGER NOT NULL       -- the base's newest version when it was last asked
) STRICT;
CREATE INDEX unanswered_group_asked ON unanswered (group_id, asked_at);
CREATE INDEX unanswered_seq ON unanswered (seq);
