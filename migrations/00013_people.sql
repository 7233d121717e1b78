-- Owners: internal/account (team, team_member), internal/comment (the rest). People among themselves: teams, what they say
-- about a case, and what each should know.

-- +goose Up
CREATE TABLE team (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,                -- in lower case
    created_at INTEGER NOT NULL,
    closed_at  INTEGER NOT NULL DEFAULT 0,   -- a team that cases were given to keeps its row
    version    INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX team_name ON team (name_key) WHERE closed_at = 0;

CREATE TABLE team_member (
    team_id    TEXT NOT NULL REFERENCES team (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    PRIMARY KEY (team_id, account_id)
) STRICT;
CREATE INDEX team_member_account ON team_member (account_id);

CREATE TABLE comment (
    id           TEXT PRIMARY KEY,
    review_id    TEXT NOT NULL REFERENCES review (id),
    agent_id     TEXT NOT NULL,              -- of the case, with its name and task, so that a list needs nothing else
    agent_name   TEXT NOT NULL,
    task         TEXT NOT NULL,
    by_id        TEXT NOT NULL,
    by_name      TEXT NOT NULL,
    form_key     TEXT NOT NULL,              -- of the form it was sent with, which counts once
    at           INTEGER NOT NULL,
    edited_at    INTEGER NOT NULL DEFAULT 0,
    withdrawn_at INTEGER NOT NULL DEFAULT 0, -- kept, and shown as withdrawn
    erased_at    INTEGER NOT NULL DEFAULT 0, -- its texts were emptied
    version      INTEGER NOT NULL DEFAULT 1  -- of its text
) STRICT;
CREATE INDEX comment_review ON comment (review_id, at, id);
CREATE INDEX comment_newest ON comment (at, id);
CREATE INDEX comment_by ON comment (by_id, at, id);
CREATE INDEX comment_agent ON comment (agent_id, at, id);
CREATE UNIQUE INDEX comment_form ON comment (by_id, form_key) WHERE form_key <> '';

-- The texts, every version, alone in their table so that an erasure reaches them in one place.
CREATE TABLE comment_text (
    comment_id TEXT NOT NULL REFERENCES comment (id),
    version    INTEGER NOT NULL,
    text       TEXT NOT NULL,                -- empty once erased
    at         INTEGER NOT NULL,
    PRIMARY KEY (comment_id, version)
) STRICT;

-- Who is meant in the present version.
CREATE TABLE comment_mention (
    comment_id TEXT NOT NULL REFERENCES comment (id),
    account_id TEXT NOT NULL,
    at         INTEGER NOT NULL,             -- of the comment
    spans      TEXT NOT NULL,                -- JSON: where in the text, in bytes; empty once erased
    PRIMARY KEY (comment_id, account_id)
) STRICT;
CREATE INDEX comment_mention_account ON comment_mention (account_id, at, comment_id);

CREATE TABLE notice (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,                -- whose it is
    kind       TEXT NOT NULL,
    roll       TEXT NOT NULL,                -- unread notices of one roll are one row; '' stands alone
    n          INTEGER NOT NULL DEFAULT 1,   -- how many it stands for
    case_id    TEXT NOT NULL,                -- '' when it is about none
    object_id  TEXT NOT NULL,                -- a comment, a decision, a proposal
    task       TEXT NOT NULL,
    by_id      TEXT NOT NULL,                -- who caused it; '' for the program
    by_name    TEXT NOT NULL,
    at         INTEGER NOT NULL,             -- of the last of the n
    read_at    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX notice_roll ON notice (account_id, roll) WHERE read_at = 0 AND roll <> '';
CREATE INDEX notice_inbox ON notice (account_id, at, id);
CREATE INDEX notice_unread ON notice (account_id, at, id) WHERE read_at = 0;
CREATE INDEX notice_read ON notice (read_at) WHERE read_at > 0;
