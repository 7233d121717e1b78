-- Owner: internal/review. What a waiting case needs since 00008, and the guards of the second pair of eyes.

-- +goose Up
ALTER TABLE review ADD COLUMN two_eyes INTEGER NOT NULL DEFAULT 0;      -- 1: its text leaves only with two supervisors' signatures; never lowered
ALTER TABLE review ADD COLUMN two_eyes_why TEXT NOT NULL DEFAULT '';    -- the conditions of the policy that ask for it, separated by commas
ALTER TABLE review ADD COLUMN base_id TEXT NOT NULL DEFAULT '';         -- the decision whose text is under review: a first signature, or what was recalled; empty: the draft
ALTER TABLE review ADD COLUMN first_by TEXT NOT NULL DEFAULT '';        -- who signed first, while a second is awaited
ALTER TABLE review ADD COLUMN first_name TEXT NOT NULL DEFAULT '';
ALTER TABLE review ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';        -- the person who asked our own advisor, who can't be the only one to approve
ALTER TABLE review ADD COLUMN correcting INTEGER NOT NULL DEFAULT 0;    -- 1: it was delivered and recalled
ALTER TABLE review ADD COLUMN planted INTEGER NOT NULL DEFAULT 0;       -- 1: a known-bad draft that tests the desk; no page shows it before the decision
ALTER TABLE review ADD COLUMN assigned_to TEXT NOT NULL DEFAULT '';     -- account
ALTER TABLE review ADD COLUMN assigned_name TEXT NOT NULL DEFAULT '';
ALTER TABLE review ADD COLUMN assigned_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review ADD COLUMN reminded_at INTEGER NOT NULL DEFAULT 0;   -- when people were told that it passed its target
ALTER TABLE review ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';      -- of the standing decision
CREATE INDEX review_first ON review (first_by, priority, created_at, id) WHERE first_by <> '';
CREATE INDEX review_assigned ON review (assigned_to, state, priority, created_at, id) WHERE assigned_to <> '';
CREATE INDEX review_decided_by ON review (decided_by, decided_at, id) WHERE decided_by <> '';
CREATE INDEX review_overdue ON review (created_at, id) WHERE state = 'waiting' AND reminded_at = 0;
UPDATE review SET decided_by = coalesce((SELECT by_id FROM decision d WHERE d.id = review.decision_id), '') WHERE state = 'decided';
