package stats

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/stats/tally"
)

var (
	voteFigures     = []string{"votes", "satisfaction", "avg_feedback", "rating", tally.Positive, tally.Negative, tally.Neutral}
	decisionFigures = []string{"decisions", tally.Waited, tally.SLA, tally.OnCase, tally.Edit, tally.Rewrote}
)

// voteColumns are what scanVote reads. Whether the subject is a case of the desk is asked of the index.
const voteColumns = `at, id, subject_id, agent_type, topic, kind, value, norm, text, channel, EXISTS (SELECT 1 FROM review WHERE review.id = subject_id)`

func scanVote(rows db.Row) (r Row, err error) {
	var kind string
	var value, norm float64
	err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &kind, &value, &norm, &r.Text, &r.Channel, &r.Desk)
	r.Kind, r.What = "vote", "neutral"
	switch {
	case norm > 0.5:
		r.What = "positive"
	case norm < 0.5:
		r.What = "negative"
	}
	if kind == "rating" {
		r.Value = measured("rating", Score10, value, 1)
	}
	return r, err
}

func voteWalk(f Filter, of, search string) walk {
	search = strings.ToLower(strings.TrimSpace(search))
	return walk{query: `SELECT ` + voteColumns + ` FROM vote WHERE 1 = 1`, at: "at", id: "id", scan: func(rows db.Row) (Row, bool, error) {
		r, err := scanVote(rows)
		keep := f.fits(r.Agent, r.Topic) && (search == "" || strings.Contains(strings.ToLower(r.Text), search))
		switch of {
		case "satisfaction":
			keep = keep && r.What != "neutral"
		case "rating":
			keep = keep && r.Value.Known
		case tally.Positive, tally.Negative, tally.Neutral:
			keep = keep && "vote."+r.What == of
		}
		return r, keep, err
	}}
}

func decisionWalk(f Filter, of, person string, team []string) walk {
	w := walk{query: `SELECT d.decided_at, d.id, d.review_id, r.agent_name, r.task, d.by_id, d.by_name, d.kind, d.state, d.seconds, d.decided_at - r.created_at, coalesce(e.changed, 0), coalesce(e.words, 0)
		FROM decision d JOIN review r ON r.id = d.review_id LEFT JOIN stat_edit e ON e.decision_id = d.id WHERE r.planted = 0`, at: "d.decided_at", id: "d.id"}
	if person != "" {
		w.query, w.args = w.query+` AND d.by_id = $1`, []any{person}
	}
	w.scan = func(rows db.Row) (r Row, keep bool, err error) {
		var by, kind, state string
		var seconds, waited, changed, words int64
		err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &by, &r.Person, &kind, &state, &seconds, &waited, &changed, &words)
		r.Kind, r.Desk, r.What = "decision", true, kind
		keep = f.fits(r.Agent, r.Topic) && (team == nil || slices.Contains(team, by)) && tally.Stands(state) && kind != "sampled"
		switch of {
		case tally.Sampled:
			keep = f.fits(r.Agent, r.Topic) && kind == "sampled" && state != "undone" && state != "recalled"
		case tally.Waited, tally.SLA:
			r.Value = measured(of, Seconds, float64(waited/1000), 1)
		case tally.OnCase:
			r.Value = measured(of, Seconds, float64(seconds), 1)
		case tally.Edit, tally.Rewrote:
			if keep = keep && kind == "revise" && words > 0; keep {
				r.Value = measured(of, Ratio, float64(changed)/float64(words), 1)
			}
		}
		return r, keep, err
	}
	return w
}

// signedWalk lists signatures: approvals and second ones, by who gave them, and first ones that a second supervisor looked at.
func signedWalk(f Filter, of, person string, team []string) walk {
	join := `d.by_id = s.who AND d.needs_second = 1 AND (d.second_by <> '' AND d.second_at = s.at OR d.state = 'overruled' AND d.settled_at = s.at)`
	by := `d.by_id, d.by_name`
	if of == tally.Hasty {
		join = tally.StandsSQL(`d.state`) + ` AND (d.by_id = s.who AND d.kind = 'approve' AND d.decided_at = s.at OR d.second_by = s.who AND d.second_at = s.at)`
		by = `s.who, CASE s.who WHEN d.by_id THEN d.by_name ELSE d.second_name END`
	}
	return walk{query: `SELECT s.at, s.case_id, r.agent_name, r.task, ` + by + `, CASE d.state WHEN 'overruled' THEN 'overruled' ELSE d.kind END, d.seconds, d.second_seconds, d.hasty, d.second_hasty, d.by_id = s.who
		FROM stat_found s JOIN review r ON r.id = s.case_id JOIN decision d ON d.review_id = s.case_id AND ` + join + ` WHERE s.kind = $1`, args: []any{of}, at: "s.at", id: "s.case_id",
		scan: func(rows db.Row) (r Row, keep bool, err error) {
			var who string
			var seconds, second float64
			var hasty, secondHasty, first bool
			err = rows.Scan(db.At(&r.At), &r.CaseID, &r.Agent, &r.Topic, &who, &r.Person, &r.What, &seconds, &second, &hasty, &secondHasty, &first)
			r.Kind, r.ID, r.Desk, r.Value = "decision", r.CaseID, true, measured(tally.OnCase, Seconds, second, 1)
			if first {
				r.Value, secondHasty = measured(tally.OnCase, Seconds, seconds, 1), hasty
			}
			if of == tally.Hasty && secondHasty {
				r.What = "hasty"
			}
			if of == tally.Agreed && r.What != "overruled" {
				r.What = "agreed"
			}
			keep = f.fits(r.Agent, r.Topic) && (team == nil || slices.Contains(team, who)) && (person == "" || person == who)
			return r, keep, err
		}}
}

func secondWalk(f Filter, person string, team []string) walk {
	w := walk{query: `SELECT d.second_at, d.id, d.review_id, r.agent_name, r.task, d.second_by, d.second_name, d.kind, d.state, d.second_seconds
		FROM decision d JOIN review r ON r.id = d.review_id WHERE r.planted = 0 AND d.second_by <> ''`, at: "d.second_at", id: "d.id"}
	if person != "" {
		w.query, w.args = w.query+` AND d.second_by = $1`, []any{person}
	}
	w.scan = func(rows db.Row) (r Row, keep bool, err error) {
		var by, state string
		var seconds int64
		err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &by, &r.Person, &r.What, &state, &seconds)
		r.Kind, r.Desk, r.Value = "second", true, measured(tally.OnCase, Seconds, float64(seconds), 1)
		keep = f.fits(r.Agent, r.Topic) && (team == nil || slices.Contains(team, by)) && tally.Stands(state)
		return r, keep, err
	}
	return w
}

// outcomeColumns is what is said of each figure of outcomes: a score that everybody gave, or yes and no where somebody said.
var outcomeColumns = map[string]string{tally.Satisfaction: "satisfaction", tally.Comprehension: "comprehension", tally.GoalAlignment: "goal_alignment", tally.GoalsMet: "goals_met",
	tally.Understanding: "understanding_checked", tally.Signposted: "signposted", tally.DBWarning: "db_warning_given"}

func outcomeWalk(f Filter, of string) walk {
	column := outcomeColumns[of]
	score := slices.Contains(outcomes[:3], of)
	if of == "outcomes" {
		column, score = "satisfaction", true
	}
	return walk{query: `SELECT at, id, subject_id, agent_type, topic, ` + column + `, channel, EXISTS (SELECT 1 FROM review WHERE review.id = subject_id) FROM outcome WHERE ` + column + ` IS NOT NULL`,
		at: "at", id: "id", scan: func(rows db.Row) (r Row, keep bool, err error) {
			var value float64
			err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &value, &r.Channel, &r.Desk)
			r.Kind = "outcome"
			switch {
			case score:
				r.What, r.Value = column, measured(of, Score10, value, 1)
			case value > 0:
				r.What = "yes"
			default:
				r.What = "no"
			}
			return r, f.fits(r.Agent, r.Topic), err
		}}
}

// draftWalk goes by the first verdict of each draft, as the figure does.
func draftWalk(f Filter) walk {
	return walk{query: `SELECT s.at, s.case_id, r.agent_name, r.task, coalesce((SELECT v.label FROM verdict v WHERE v.interaction_id = s.case_id ORDER BY v.at DESC, v.id DESC LIMIT 1), '')
		FROM stat_found s JOIN review r ON r.id = s.case_id WHERE s.kind = $1`, args: []any{tally.Draft}, at: "s.at", id: "s.case_id", scan: func(rows db.Row) (r Row, keep bool, err error) {
		err = rows.Scan(db.At(&r.At), &r.ID, &r.Agent, &r.Topic, &r.What)
		r.Kind, r.CaseID, r.Desk = "guidance", r.ID, true
		return r, f.fits(r.Agent, r.Topic), err
	}}
}

// broke asks whether a person found that the draft of a case breaks the line, as tally does.
var broke = `EXISTS (SELECT 1 FROM borderline_ruling g WHERE g.interaction_id = s.case_id AND g.undone_at = 0 AND g.label = 'NON_COMPLIANT')
	OR EXISTS (SELECT 1 FROM decision d WHERE d.review_id = s.case_id AND (d.state = 'recalled' OR d.kind = 'reject' AND ` + tally.StandsSQL(`d.state`) + `
		AND d.reason_code IN ('` + strings.Join(tally.Violations, `', '`) + `')))`

// waved asks whether the draft of a case went out as it came.
var waved = `EXISTS (SELECT 1 FROM decision d WHERE d.review_id = s.case_id AND d.kind = 'approve' AND ` + tally.StandsSQL(`d.state`) + `)`

// foundWalk lists the drafts that a verdict was wrong about, or could have been; What tells them apart.
func foundWalk(f Filter, of string) walk {
	wrong, right := broke, "correctly passed"
	if of == tally.FalseAlarm {
		wrong, right = waved, "correctly flagged"
	}
	return walk{query: `SELECT s.at, s.case_id, r.agent_name, r.task, ` + wrong + ` FROM stat_found s JOIN review r ON r.id = s.case_id WHERE s.kind = $1`, args: []any{of}, at: "s.at", id: "s.case_id",
		scan: func(rows db.Row) (r Row, keep bool, err error) {
			var is bool
			err = rows.Scan(db.At(&r.At), &r.ID, &r.Agent, &r.Topic, &is)
			if r.What = right; is {
				r.What = of
			}
			r.Kind, r.CaseID, r.Desk = "guidance", r.ID, true
			return r, f.fits(r.Agent, r.Topic), err
		}}
}

func borderlineWalk(f Filter, of string) walk {
	return walk{query: `SELECT c.created_at, c.id, c.interaction_id, c.agent_name, c.task, c.cause, EXISTS (SELECT 1 FROM review r WHERE r.id = c.interaction_id AND r.planted = 1)
		FROM borderline_case c WHERE ` + tally.AskedSQL, at: "c.created_at", id: "c.id", scan: func(rows db.Row) (r Row, keep bool, err error) {
		var planted bool
		err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &r.What, &planted)
		r.Kind, r.Desk = "borderline", true
		return r, !planted && f.fits(r.Agent, r.Topic) && (of == "borderline" || of == tally.Borderline+r.What), err
	}}
}

func rulingWalk(f Filter, of string) walk {
	return walk{query: `SELECT g.at, g.id, g.interaction_id, b.agent_name, b.task, g.label, g.by_name, EXISTS (SELECT 1 FROM review r WHERE r.id = g.interaction_id AND r.planted = 1)
		FROM borderline_ruling g JOIN borderline_case b ON b.id = g.case_id WHERE g.undone_at = 0`, at: "g.at", id: "g.id", scan: func(rows db.Row) (r Row, keep bool, err error) {
		var planted bool
		err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &r.What, &r.Person, &planted)
		r.Kind, r.Desk = "ruling", true
		return r, !planted && f.fits(r.Agent, r.Topic) && (!strings.HasPrefix(of, tally.Ruling) || of == tally.Ruling+r.What), err
	}}
}

func ratingWalk(f Filter, team []string) walk {
	return walk{query: `SELECT b.rated_at, b.id, b.interaction_id, b.agent_name, b.task, b.rating, d.by_id, r.planted FROM borderline_rating b JOIN decision d ON d.id = b.decision_id
		JOIN review r ON r.id = d.review_id WHERE b.state = 'rated'`, at: "b.rated_at", id: "b.id",
		scan: func(rows db.Row) (r Row, keep bool, err error) {
			var rating float64
			var by string
			var planted bool
			err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &rating, &by, &planted)
			r.Kind, r.Desk, r.Value = "rating", true, measured(tally.Quality, Score5, rating, 1)
			return r, !planted && f.fits(r.Agent, r.Topic) && (team == nil || slices.Contains(team, by)), err
		}}
}

// plantedWalk lists closed checks; of a person or a team one row for each signature, by when it was given.
func plantedWalk(f Filter, person string, team []string) walk {
	w := walk{query: `SELECT c.closed_at, c.id, c.interaction_id, r.agent_name, r.task, c.state, '' FROM planted_check c JOIN review r ON r.id = c.interaction_id WHERE c.closed_at > 0`,
		at: "c.closed_at", id: "c.id"}
	const signed = `SELECT p.at, %s, c.interaction_id, r.agent_name, r.task, p.outcome, p.person_id FROM planted_result p JOIN planted_check c ON c.id = p.check_id
		JOIN review r ON r.id = c.interaction_id WHERE c.closed_at > 0`
	switch {
	case person != "":
		w = walk{query: fmt.Sprintf(signed, "p.check_id") + ` AND p.person_id = $1`, args: []any{person}, at: "p.at", id: "p.check_id"}
	case team != nil:
		w = walk{query: fmt.Sprintf(signed, "p.check_id || p.person_id"), at: "p.at", id: "p.check_id || p.person_id"}
	}
	w.scan = func(rows db.Row) (r Row, keep bool, err error) {
		var by string
		err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &r.What, &by)
		r.Kind, r.Desk = "planted", true
		return r, f.fits(r.Agent, r.Topic) && (team == nil || slices.Contains(team, by)), err
	}
	return w
}

func lessonWalk(f Filter, of string) walk {
	return walk{query: `SELECT created_at, id, interaction_id, agent_name, task, origin, stage, state, case_state, title FROM lesson WHERE 1 = 1`, at: "created_at", id: "id",
		scan: func(rows db.Row) (r Row, keep bool, err error) {
			var c cell
			err = rows.Scan(db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &r.What, &c.stage, &c.state, &c.kept, &r.Text)
			r.Kind, r.Desk = "lesson", r.CaseID != ""
			return r, f.fits(r.Agent, r.Topic) && (of == "lessons" || of == "lessons_kept" && c.kept == "kept" || of == "lessons_accepted" && c.accepted()), err
		}}
}

// Choices reads what the filters offer.
func (r *Reader) Choices(ctx context.Context) (c Choices, err error) {
	s := scope{who: []string{tally.All}, agent: tally.All, topic: tally.All}
	any := []string{tally.Arrived, tally.Logged, tally.Positive, tally.Negative, tally.Neutral}
	err = r.read(ctx, func(tx *db.Tx) error {
		for _, d := range []struct {
			by   dimension
			into *[]Choice
		}{{byAgent, &c.Agents}, {byTopic, &c.Topics}} {
			names, err := s.names(tx, d.by, any...)
			if err != nil {
				return err
			}
			for _, n := range names {
				name := tally.Name(n)
				if d.by == byTopic {
					name = topicKey(name)
				}
				if name != "" {
					*d.into = append(*d.into, Choice{name, name})
				}
			}
		}
		return each(tx, `SELECT id, name FROM team WHERE closed_at = 0 ORDER BY name_key`, nil, func(rows db.Row) error {
			var t Choice
			err := rows.Scan(&t.Value, &t.Label)
			c.Teams = append(c.Teams, t)
			return err
		})
	})
	return c, err
}
