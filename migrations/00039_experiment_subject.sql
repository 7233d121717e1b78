-- Owner: internal/feedback/experiment.
-- A subject of an experiment belongs to the agent that named it.

-- +goose Up

-- Two agents may call different things by one name, so the agent is part of the key. Rows from before have the agent of their
-- interaction or their experiment; where neither says whose they are, they count as they stand and nobody can add to them.
CREATE TABLE experiment_subject_new (
    experiment_id TEXT NOT NULL REFERENCES experiment (id),
    agent_id      TEXT NOT NULL,                -- who named the subject
    subject_id    TEXT NOT NULL,                -- an interaction, or what that agent calls it
    unit          TEXT NOT NULL,
    arm           TEXT NOT NULL CHECK (arm IN ('treatment', 'control')),
    at            INTEGER NOT NULL,
    outcome       INTEGER NOT NULL DEFAULT -1,  -- 1 good, 0 not, -1 not known
    outcome_at    INTEGER NOT NULL DEFAULT 0,
    counted       INTEGER NOT NULL DEFAULT 0,   -- 1: in the figures; the first outcome of each unit
    PRIMARY KEY (experiment_id, agent_id, subject_id)
) STRICT, WITHOUT ROWID;
INSERT INTO experiment_subject_new (experiment_id, agent_id, subject_id, unit, arm, at, outcome, outcome_at, counted)
    SELECT x.experiment_id, coalesce((SELECT i.agent_id FROM interaction i WHERE i.id = x.subject_id), (SELECT o.agent_id FROM observed o WHERE o.id = x.subject_id), e.agent_id),
        x.subject_id, x.unit, x.arm, x.at, x.outcome, x.outcome_at, x.counted
    FROM experiment_subject x JOIN experiment e ON e.id = x.experiment_id;
DROP TABLE experiment_subject;
ALTER TABLE experiment_subject_new RENAME TO experiment_subject;
CREATE UNIQUE INDEX experiment_subject_unit ON experiment_subject (experiment_id, unit) WHERE counted = 1;
CREATE INDEX experiment_subject_subject ON experiment_subject (subject_id);
