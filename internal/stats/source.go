package stats

import (
	"strings"

	"preceptor/internal/stats/counter"
)

// source is the list of raw rows behind a figure, along an index of two columns, a time and an id.
type source struct {
	kind   string // Row.Kind
	at, id string // the two columns
	// of the case, the agent, the topic, who did it by name, what, the text, the channel, and whether the case is of
	// the desk
	columns string
	from    string // FROM ... WHERE ..., without the range
	args    []any  // of from
	who     string // the account whose row it is; "" where a person and a team narrow nothing
	value   string // that a row shows; "" for none
	unit    Unit   // of it
	keep    string // tells which of these rows are the figure's; "" for all
}

// only is the source with those rows alone for which a condition holds.
func (s source) only(keep string) source {
	s.keep = keep
	return s
}

// showing is the source with a value beside each row.
func (s source) showing(value string, unit Unit) source {
	s.value, s.unit = value, unit
	return s
}

// ofDesk are the columns of a row about a case of the desk, whose agent and task have a table's alias.
func ofDesk(caseID, alias, name, what string) string {
	return caseID + `, ` + alias + `.agent_name, ` + alias + `.task, ` + name + `, ` + what + `, '', '', 1`
}

// ofSubject are the columns of a row about what users judge.
func ofSubject(what, text string) string {
	return `subject_id, agent_type, topic, '', ` + what + `, ` + text +
		`, channel, EXISTS (SELECT 1 FROM review WHERE review.id = subject_id)`
}

// withPerson and personWait are the figures of customers whom a person answered.
const (
	withPerson = "escalations_closed"
	personWait = "escalation_wait"
)

var voteSource = source{kind: "vote", at: "at", id: "id", from: `FROM vote WHERE ` + counter.CastSQL,
	value: `CASE kind WHEN 'rating' THEN value END`, unit: Score10,
	columns: ofSubject(`CASE WHEN norm > 0.5 THEN 'positive'
		WHEN norm < 0.5 THEN 'negative' ELSE 'neutral' END`, `text`)}

// sources are the lists behind the figures, by Figure.Key.
var sources = func() map[string]source {
	all := map[string]source{}
	add := func(s source, keys ...string) {
		for _, key := range keys {
			all[key] = s
		}
	}
	add(voteSource, "votes", "avg_feedback")
	add(voteSource.only(`norm <> 0.5`), "satisfaction")
	add(voteSource.only(`kind = 'rating'`), counter.Rating)
	add(voteSource.only(`norm > 0.5`), counter.Positive)
	add(voteSource.only(`norm < 0.5`), counter.Negative)
	add(voteSource.only(`norm = 0.5`), counter.Neutral)

	stands := `d.kind <> 'sampled' AND ` + counter.StandsSQL(`d.state`)
	decided := source{kind: "decision", at: "d.decided_at", id: "d.id", who: "d.by_id", keep: stands,
		columns: ofDesk(`d.review_id`, `r`, `d.by_name`, `d.kind`),
		from: `FROM decision d JOIN review r ON r.id = d.review_id LEFT JOIN stat_edit e ON e.decision_id = d.id
			WHERE r.planted = 0`}
	wrote := decided // counts for whoever wrote what was sent
	wrote.who = counter.AuthorSQL
	wrote.columns = ofDesk(`d.review_id`, `r`, `CASE d.words_by WHEN '' THEN d.by_name ELSE d.words_name END`,
		`d.kind`)
	add(wrote, "decisions")
	for _, kind := range standing {
		add(wrote.only(stands+` AND d.kind = '`+strings.TrimPrefix(kind, "decision.")+`'`), kind)
	}
	sampled := decided.only(`d.kind = 'sampled' AND d.state NOT IN ('undone', 'recalled')`)
	sampled.who = "" // a policy let it go, and nobody's team
	add(sampled, counter.Sampled)
	for _, ended := range []string{counter.Expired, counter.Withdrawn} {
		add(source{kind: "guidance", at: "r.decided_at", id: "r.id", columns: ofDesk(`r.id`, `r`, `''`, `r.ended`),
			from: `FROM review r WHERE r.planted = 0 AND r.ended <> '' AND r.ended = '` + ended + `'`}, ended)
	}
	add(decided.showing(counter.WaitedSQL, Seconds), counter.Waited, "waited_p90")
	target := decided.showing(counter.WaitedSQL+`.0`, Seconds) // to the millisecond, beside the policy; inTime says what it means
	target.columns = ofDesk(`d.review_id`, `r`, `d.by_name`, `d.policy_version || ''`)
	add(target, counter.SLA)
	cared := decided.only(`d.kind <> 'sampled' AND ` + counter.CaredSQL(`d.state`))
	add(cared.showing(`d.seconds`, Seconds), counter.OnCase, "on_case_p90")
	recalled := cared.only(`d.kind IN ('approve', 'revise') AND ` + counter.CaredSQL(`d.state`))
	recalled.columns = ofDesk(`d.review_id`, `r`, `d.by_name`,
		either(`d.state = 'recalled'`, `d.state`, `d.kind`))
	add(recalled, counter.Recalled)
	add(wrote.showing(`1.0 * e.changed / e.words`, Ratio).only(stands+` AND d.kind = 'revise' AND e.words > 0`),
		counter.Edit, counter.Rewrote)
	// Customers of rejected drafts whom a person was done with, and how long each had waited since the question.
	add(source{kind: "escalation", at: "e.closed_at", id: "e.interaction_id", who: "e.taken_by",
		value: `(e.closed_at - e.asked_at) / 1000`, unit: Seconds, keep: `r.planted = 0`,
		columns: ofDesk(`e.interaction_id`, `r`, `e.taken_name`, `e.outcome`),
		from: `FROM escalation e JOIN review r ON r.id = e.interaction_id
			WHERE e.closed_at > 0`}, withPerson, personWait)
	add(source{kind: "second", at: "d.second_at", id: "d.id", who: "d.second_by", keep: stands,
		value: "d.second_seconds", unit: Seconds,
		columns: ofDesk(`d.review_id`, `r`, `d.second_name`, `d.kind`), from: `FROM decision d
			JOIN review r ON r.id = d.review_id
			WHERE r.planted = 0 AND d.second_by <> ''`}, counter.Second)

	// What counter found about cases: approvals and second signatures by who gave them, first signatures that a second
	// supervisor looked at, drafts by their first verdict, and those that a verdict was wrong about, or could have
	// been.
	found := func(kind, join, name, what string) source {
		return source{at: "s.at", id: "s.case_id", args: []any{kind}, columns: ofDesk(`s.case_id`, `r`, name, what),
			from: `FROM stat_found s JOIN review r ON r.id = s.case_id` + join + ` WHERE s.kind = $1`}
	}
	signed := func(kind, on, by, name, seconds, what string) source {
		s := found(kind, ` JOIN decision d ON d.review_id = s.case_id AND `+on, name, what).showing(seconds, Seconds)
		s.kind, s.who = "decision", by
		return s
	}
	first := `CASE s.who WHEN d.by_id THEN `
	add(signed(counter.Hasty, counter.CaredSQL(`d.state`)+
		` AND (d.by_id = s.who AND d.kind = 'approve' AND d.decided_at = s.at OR d.second_by = s.who AND d.second_at = s.at)`, `s.who`,
		first+`d.by_name ELSE d.second_name END`, first+`d.seconds ELSE d.second_seconds END`,
		either(first+`d.hasty ELSE d.second_hasty END = 1`, `'hasty'`, `d.kind`)), counter.Hasty)
	add(signed(counter.Agreed,
		`d.by_id = s.who AND d.needs_second = 1 AND (d.second_by <> '' AND d.second_at = s.at OR d.state = 'overruled' AND d.settled_at = s.at)`, `d.by_id`,
		`d.by_name`, `d.seconds`, either(`d.state = 'overruled'`, `'overruled'`, `'agreed'`)), counter.Agreed)
	draft := func(kind, what string) source {
		s := found(kind, ``, `''`, what)
		s.kind = "guidance"
		return s
	}
	add(draft(counter.Draft,
		`coalesce((SELECT v.label FROM verdict v WHERE v.interaction_id = s.case_id ORDER BY v.at DESC, v.id DESC LIMIT 1), '')`), "drafts", "compliance")
	for _, kind := range []string{counter.Missed, counter.Otherwise, counter.FalseAlarm} {
		add(draft(kind, `s.who`), kind)
	}

	real := func(caseID string) string {
		return `NOT EXISTS (SELECT 1 FROM review r WHERE r.id = ` + caseID + ` AND r.planted = 1)`
	}
	asked := source{kind: "borderline", at: "c.created_at", id: "c.id", keep: real(`c.interaction_id`),
		columns: ofDesk(`c.interaction_id`, `c`, `''`, `c.cause`),
		from:    `FROM borderline_case c WHERE ` + counter.AskedSQL}
	add(asked, "borderline")
	for _, cause := range counter.Causes {
		add(asked.only(asked.keep+` AND c.cause = '`+cause+`'`), counter.Borderline+cause)
	}
	ruled := source{kind: "ruling", at: "g.at", id: "g.id", keep: real(`g.interaction_id`),
		columns: ofDesk(`g.interaction_id`, `b`, `g.by_name`, `g.label`),
		from:    `FROM borderline_ruling g JOIN borderline_case b ON b.id = g.case_id WHERE g.undone_at = 0`}
	add(ruled, "rulings", counter.Panel)
	for _, label := range counter.Labels {
		add(ruled.only(ruled.keep+` AND g.label = '`+label+`'`), counter.Ruling+label)
	}
	add(source{kind: "rating", at: "b.rated_at", id: "b.id", who: `d.by_id || ''`, value: "b.rating", unit: Score5,
		keep: `r.planted = 0`, columns: ofDesk(`b.interaction_id`, `b`, `''`, `''`),
		from: `FROM borderline_rating b JOIN decision d ON d.id = b.decision_id JOIN review r ON r.id = d.review_id
			WHERE b.state = 'rated'`}, counter.Quality)
	add(source{kind: "planted", at: "c.closed_at", id: "c.id",
		columns: ofDesk(`c.interaction_id`, `r`, `''`, `c.state`),
		from: `FROM planted_check c JOIN review r ON r.id = c.interaction_id
			WHERE c.closed_at > 0`}, counter.Planted)
	// Of a person or a team there is one row for each signature, by when it was given.
	add(source{kind: "planted", at: "p.at", id: "p.check_id || p.person_id", who: "p.person_id",
		columns: ofDesk(`c.interaction_id`, `r`, `''`, `p.outcome`),
		from: `FROM planted_result p JOIN planted_check c ON c.id = p.check_id JOIN review r ON r.id = c.interaction_id
			WHERE c.closed_at > 0`}, counter.MyChecks)

	for i, key := range outcomes { // a score that everybody gave, or yes and no where somebody said
		column := strings.TrimPrefix(key, "outcome.")
		s := source{kind: "outcome", at: "at", id: "id", from: `FROM outcome WHERE ` + column + ` IS NOT NULL`,
			columns: ofSubject(either(column+` > 0`, `'yes'`, `'no'`), `''`)}
		if i < 3 {
			s.columns = ofSubject(`'`+column+`'`, `''`)
			s = s.showing(column, Score10)
		}
		add(s, key)
	}
	add(all[counter.Satisfaction], "outcomes")
	lesson := source{kind: "lesson", at: "created_at", id: "id", columns: `interaction_id, agent_name, task, '', origin,
		title, '', interaction_id <> ''`, from: `FROM lesson WHERE 1 = 1`}
	add(lesson, "lessons")
	add(lesson.only(`case_state = 'kept'`), "lessons_kept")
	add(lesson.only(`stage = 'accept' AND state = 'accepted'`), "lessons_accepted")
	return all
}()
