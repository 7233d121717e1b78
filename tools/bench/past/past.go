// Package past fills a file with a made-up past, fast, so that the statistics can be measured on much of it
// (tools/bench stats).
//
// It owns no table and writes those of others, which nothing else may: a million votes through their doors would take
// an hour, and what is measured is what reads them. So what it writes is good for reading alone: rows that follow from
// others (jobs, audit rows, words to search, groups of queries) are left out. It refuses a file with votes or cases in
// it.
//
// Days are even; ratings, topics, agents and people are spread by the remainders of a running number, with primes, so
// that each goes with each. Times lie in the year before now.
package past

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Size is how much there is to be.
type Size struct {
	Interactions int // observed
	Votes        int // at most as many: one for each interaction at most
	Decisions    int // with their cases, verdicts, and one in ten a borderline case, ruled
}

// Agent is who reports the interactions.
type Agent struct{ ID, Name string }

// People is how many supervisors there are, who all are in the team of Team.
const (
	People = 10
	Team   = "past-team"
)

// chunk is how many rows a transaction writes.
const chunk = 4_000

// Progress is told how many of all rows are written.
type Progress func(done, of int)

// numbers is a table of the numbers from $1 to $6, each with its time, and the agent: $2 is the time of number 0, $3
// the milliseconds from one to the next.
const numbers = `WITH RECURSIVE n (i, at, agent, name) AS (SELECT $1, $2 + $1 * $3, $4, $5
		UNION ALL SELECT i + 1, at + $3, agent, name FROM n WHERE i < $6) `

// Subject is the id of the i-th observed interaction, from 1 on.
func Subject(i int) string { return fmt.Sprintf("past-%031d", i) }

// Fill writes.
func Fill(ctx context.Context, d *db.DB, agent Agent, size Size, progress Progress) error {
	if err := empty(ctx, d); err != nil {
		return err
	}
	if err := d.Write(ctx, people); err != nil {
		return err
	}
	span := int64(364 * 24 * time.Hour / time.Millisecond)
	begin := db.Ms(d.Now()) - span
	done, of := 0, size.Interactions+min(size.Votes, size.Interactions)+size.Decisions
	for _, part := range []struct {
		n       int
		queries []string
	}{{size.Interactions, observed}, {min(size.Votes, size.Interactions), votes}, {size.Decisions, cases}} {
		for from := 1; from <= part.n; from += chunk {
			to := min(from+chunk-1, part.n)
			if err := ctx.Err(); err != nil {
				return err
			}
			err := d.Write(ctx, func(tx *db.Tx) error {
				for _, q := range part.queries {
					if err := db.Exec(tx, "past", q, from, begin, span/int64(max(part.n, 1)), agent.ID, agent.Name,
						to); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			done += to - from + 1
			progress(done, of)
		}
	}
	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE review_count SET n = n + $1 WHERE state = 'decided'`, size.Decisions)
		return err
	})
}

func empty(ctx context.Context, d *db.DB) error {
	has, err := db.Read(ctx, d, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "past: look for work", `SELECT EXISTS (SELECT 1 FROM vote)
			OR EXISTS (SELECT 1 FROM observed) OR EXISTS (SELECT 1 FROM review)`)
	})
	if err == nil && has {
		err = fault.New(fault.Conflict, "This file already has work in it; a made-up past needs an empty file.")
	}
	return err
}

// people makes the supervisors and their team.
func people(tx *db.Tx) error {
	now := tx.NowMs()
	if err := db.Exec(tx, "past", `INSERT INTO team (id, name, name_key, created_at)
		VALUES ($1, 'Past', 'past', $2)`, Team, now); err != nil {
		return err
	}
	for i := range People {
		id := fmt.Sprintf("past-person-%d", i)
		for _, q := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
				VALUES ($1, $2, $2, $3, '', $4)`, []any{id, id + "@past.example", fmt.Sprintf("Person %d", i), now}},
			{`INSERT INTO team_member (team_id, account_id) VALUES ($1, $2)`, []any{Team, id}},
		} {
			if err := db.Exec(tx, "past", q.query, q.args...); err != nil {
				return err
			}
		}
	}
	return nil
}

var observed = []string{
	numbers + `INSERT INTO observed (id, agent_id, agent_name, agent_type, session_id, user_id, query, response,
			metadata, topic, response_ms, variant, created_at)
		SELECT printf('past-%031d', i), agent, name, CASE i % 4 WHEN 0 THEN 'tutor' WHEN 1 THEN 'helper'
			WHEN 2 THEN 'writer' ELSE 'guide' END,
			printf('session-%d', i / 7), printf('user-%d', i % 50021),
				'How does this work, and what should I look at first? (' || i || ')',
			'It works in three steps. First comes the light, then the water, and at last the air; each of them is needed, and none is enough by itself. (' || i || ')',
			'', printf('topic %02d', i % 41), 300 + i % 900, '', at FROM n`,
}

// votes: four in five are positive; on topic 07 every second. One in three is a rating, one in five has words.
var votes = []string{
	numbers + `INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm, text, channel,
			version, first_at, at)
		SELECT printf('pastvote-%027d', i), printf('past-%031d', i), printf('user-%d', i % 50021), agent,
			CASE i % 4 WHEN 0 THEN 'tutor' WHEN 1 THEN 'helper'
				WHEN 2 THEN 'writer' ELSE 'guide' END, printf('topic %02d', i % 41), iif(i % 3 = 0, 'rating', 'thumbs'),
			CASE WHEN i % 3 = 0 THEN iif(i % 5 = 0 OR i % 41 = 7 AND i % 2 = 0, i % 5, 6 + i % 5) ELSE iif(i % 5 = 0
				OR i % 41 = 7 AND i % 2 = 0, -1, 1) END,
			CASE WHEN i % 3 = 0 THEN iif(i % 5 = 0 OR i % 41 = 7
				AND i % 2 = 0, i % 5, 6 + i % 5) / 10.0 ELSE iif(i % 5 = 0 OR i % 41 = 7 AND i % 2 = 0, 0, 1) END,
			iif(i % 5 = 0, 'It left out what I had asked about. (' || i || ')', ''), iif(i % 2 = 0, 'api', 'widget'), 1,
				at + 60000, at + 60000 FROM n`,
	numbers + `INSERT INTO outcome (id, subject_id, agent_id, agent_type, topic, satisfaction, comprehension,
			goal_alignment, issues, goals_met, understanding_checked, signposted, db_warning_given, by_id, channel, at)
		SELECT printf('pastoutcome-%024d', i), printf('past-%031d', i), agent, CASE i % 4 WHEN 0 THEN 'tutor'
			WHEN 1 THEN 'helper' WHEN 2 THEN 'writer' ELSE 'guide' END, printf('topic %02d', i % 41),
			5 + i % 6, 4 + i % 7, 6 + i % 5, '[]', i % 2, i % 3 > 0, i % 5 > 0, iif(i % 2 = 0, i % 7 > 0, NULL), 'u',
				'api', at + 90000 FROM n
		WHERE i % 20 = 0`,
}

// cases: of twenty decisions fourteen approve, three revise, two reject and one sends back; about one in fifty was
// undone.
var cases = []string{
	numbers + `INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer,
			guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
		SELECT printf('pastcase-%027d', i), agent, name, 'api', 'escalated', printf('task_%d', i % 7), 'agent',
			'How much can I take free of tax?', '{}',
			'Usually a quarter of a pension pot can be taken free of tax and the rest is taxed as income when it is paid. (' || i || ')', 'h', '', '', '', '[]', '', '', at FROM n`,
	numbers + `INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed,
			blocked, borderline, confidence, flags, source, text_hash, decision_id, decided_at, created_at, decided_by)
		SELECT printf('pastcase-%027d', i), agent, name, printf('task_%d', i % 7), 'decided', 4, '', '58',
			'How much can I take free of tax?', 'COMPLIANT_GUIDANCE', 1, 0, 0, 0.9, '[]', 'RULE_BASED', 'h',
			printf('pastdecision-%023d', i), at + (i % 977) * 60000, at, printf('past-person-%d', i % 10) FROM n`,
	numbers + `INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason,
			reason_code, feedback, confirmation, flags, seconds, characters, hasty, decided_at, held_until, settled_at)
		SELECT printf('pastdecision-%023d', i), printf('pastcase-%027d', i), CASE WHEN i % 20 < 14 THEN 'approve'
			WHEN i % 20 < 17 THEN 'revise' WHEN i % 20 < 19 THEN 'reject' ELSE 'return' END,
			iif(i % 53 = 0, 'undone', CASE WHEN i % 20 < 17 THEN 'released'
				WHEN i % 20 < 19 THEN 'escalated' ELSE 'returned' END),
			printf('past-person-%d', i % 10), printf('Person %d', i % 10),
				iif(i % 20 >= 14 AND i % 20 < 17,
				'Usually a quarter of a pension pot can be taken without tax, once. (' || i || ')', ''), 'h', 1, '',
			iif(i % 20 IN (17, 18), iif(i % 3 = 0, 'personal_recommendation', 'does_not_answer'), ''), '', '', '[]',
				20 + (i * 37) % 601, 400, i % 31 = 0, at + (i % 977) * 60000, 0, at + (i % 977) * 60000 FROM n`,
	numbers + `INSERT INTO verdict (id, interaction_id, text_hash, label, passed, confidence, verdict, at)
		SELECT printf('pastverdict-%024d', i), printf('pastcase-%027d', i), 'h', CASE
			WHEN i % 23 = 0 THEN 'NON_COMPLIANT' WHEN i % 10 = 3 THEN 'BORDERLINE' ELSE 'COMPLIANT_GUIDANCE' END,
			i % 23 > 0, 0.9, '{}', at FROM n`,
	numbers + `INSERT INTO borderline_case (id, interaction_id, agent_id, agent_name, task, who, opening, text,
			text_hash, cause, verdict, state, wanted, most, target_at, created_at, closed_at)
		SELECT printf('pastborder-%025d', i), printf('pastcase-%027d', i), agent, name, printf('task_%d', i % 7), '',
			'', '', 'h', iif(i % 20 = 3, 'dissent', 'unsure'),
			'{"label":"BORDERLINE","judges":[{"judge":"pattern","passed":true},{"judge":"tone","passed":false},{"judge":"facts","passed":true}]}',
			'ruled', 1, 1, at, at, at + 3600000
		FROM n WHERE i % 10 = 3`,
	numbers + `INSERT INTO borderline_ruling (id, case_id, interaction_id, text_hash, label, rationale, how, by_id,
			by_name, pattern, rubric_version, taxonomy_version, at)
		SELECT printf('pastruling-%025d', i), printf('pastborder-%025d', i), printf('pastcase-%027d', i), 'h',
			iif(i % 30 = 3, 'NON_COMPLIANT', 'COMPLIANT_GUIDANCE'), 'r', 'agreed', 'x', 'X', '{}', 1, 1, at + 3600000
		FROM n WHERE i % 10 = 3`,
	numbers + `INSERT INTO lesson (id, origin, cause_kind, cause_id, interaction_id, agent_id, agent_name, decided_by,
			task, stage, state, created_at, updated_at, version)
		SELECT printf('pastlesson-%025d', i), iif(i % 20 < 17, 'revise', 'reject'), 'decision',
			printf('pastdecision-%023d', i), printf('pastcase-%027d', i), agent, name, 'Person',
			printf('task_%d', i % 7),
			CASE i % 4 WHEN 0 THEN 'accept' WHEN 1 THEN 'validate' WHEN 2 THEN 'judge' ELSE 'reflect' END, CASE i % 4
				WHEN 0 THEN 'accepted' WHEN 3 THEN 'nothing' ELSE 'rejected' END, at, at, 1
		FROM n WHERE i % 20 >= 14`,
}
