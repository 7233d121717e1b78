-- Owner: internal/feedback.
-- One person has one outcome of an interaction; another one replaces it.

-- +goose Up

-- Every version of an outcome, the present one too. Outcomes from before are each one of their own, as they were counted.
ALTER TABLE outcome ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE TABLE outcome_history (
    outcome_id            TEXT NOT NULL REFERENCES outcome (id),
    version               INTEGER NOT NULL,
    satisfaction          REAL NOT NULL,
    comprehension         REAL NOT NULL,
    goal_alignment        REAL NOT NULL,
    issues                TEXT NOT NULL,
    goals_met             INTEGER,
    understanding_checked INTEGER,
    signposted            INTEGER,
    db_warning_given      INTEGER,
    at                    INTEGER NOT NULL,
    PRIMARY KEY (outcome_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO outcome_history (outcome_id, version, satisfaction, comprehension, goal_alignment, issues, goals_met, understanding_checked, signposted, db_warning_given, at)
    SELECT id, version, satisfaction, comprehension, goal_alignment, issues, goals_met, understanding_checked, signposted, db_warning_given, at FROM outcome;
