package stats

import (
	"pgregory.net/rapid"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
)

func (v *wVote) tallied() feedback.Vote {
	return feedback.Vote{Kind: v.kind, Value: v.value, Norm: v.norm, At: v.at, Version: v.version}
}

// say has a user say something.
func (w *world) say(v *wVote) {
	v.at, v.version = w.now, v.version+1
	if v.kind = w.pick([]string{"thumbs", "rating"}, "vote"); v.kind == "thumbs" {
		v.value = float64(rapid.IntRange(-1, 1).Draw(w.T, "thumb"))
		v.norm = (v.value + 1) / 2
	} else {
		v.value = float64(rapid.IntRange(0, 100).Draw(w.T, "rating")) / 10
		v.norm = v.value / 10
	}
}

func (w *world) vote() bool {
	v := &wVote{id: w.id(), agent: w.pick(wAgents, "agent"), topic: w.pick(wTopics, "topic")}
	w.say(v)
	w.votes = append(w.votes, v)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm, text,
				channel, version, first_at, at)
			VALUES ($1, $1, 'u', 'a', $2, $3, $4, $5, $6, 'Some words.', 'api', 1, $7, $7)`, v.id, v.agent, v.topic,
			v.kind, v.value, v.norm, db.Ms(v.at))
		w.must(w.k.VoteTx(tx, nil, v.tallied(), feedback.Subject{AgentType: v.agent, Topic: v.topic}))
	})
	return true
}

func (w *world) revote() bool {
	if len(w.votes) == 0 {
		return false
	}
	v := rapid.SampledFrom(w.votes).Draw(w.T, "revote")
	old := v.tallied()
	w.say(v)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `UPDATE vote SET kind = $1, value = $2, norm = $3, at = $4, version = version + 1
			WHERE id = $5`, v.kind, v.value, v.norm, db.Ms(v.at), v.id)
		w.must(w.k.VoteTx(tx, &old, v.tallied(), feedback.Subject{AgentType: v.agent, Topic: v.topic}))
	})
	return true
}

func (w *world) outcome() bool {
	o := &wOutcome{id: w.id(), agent: w.pick(wAgents, "agent"), topic: w.pick(wTopics, "topic")}
	w.went(o)
	w.outs = append(w.outs, o)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO outcome (id, subject_id, agent_id, agent_type, topic, satisfaction, comprehension,
				goal_alignment, issues, goals_met, understanding_checked, signposted, db_warning_given, by_id,
				channel, at)
			VALUES ($1, 's', 'a', $2, $3, $4, $5, $6, '[]', $7, $8, $9, $10, 'u', 'api', $11)`, o.id, o.agent, o.topic,
			o.scores[0], o.scores[1], o.scores[2], o.said[0], o.said[1], o.said[2], o.said[3], db.Ms(o.at))
		w.must(w.k.OutcomeTx(tx, nil, o.tallied(), feedback.Subject{AgentType: o.agent, Topic: o.topic}))
	})
	return true
}

func (w *world) reoutcome() bool {
	if len(w.outs) == 0 {
		return false
	}
	o := rapid.SampledFrom(w.outs).Draw(w.T, "reoutcome")
	old := o.tallied()
	w.went(o)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `UPDATE outcome SET satisfaction = $1, comprehension = $2, goal_alignment = $3, goals_met = $4,
			understanding_checked = $5, signposted = $6, db_warning_given = $7, at = $8,
			version = version + 1 WHERE id = $9`, o.scores[0], o.scores[1], o.scores[2], o.said[0], o.said[1],
			o.said[2], o.said[3], db.Ms(o.at), o.id)
		w.must(w.k.OutcomeTx(tx, &old, o.tallied(), feedback.Subject{AgentType: o.agent, Topic: o.topic}))
	})
	return true
}

// went draws how it went.
func (w *world) went(o *wOutcome) {
	o.at, o.said = w.now, [4]*bool{}
	for i := range o.scores {
		o.scores[i] = float64(rapid.IntRange(0, 100).Draw(w.T, "score")) / 10
	}
	for i := range o.said {
		if n := rapid.IntRange(0, 2).Draw(w.T, "said"); n < 2 {
			yes := n == 1
			o.said[i] = &yes
		}
	}
}

func (o *wOutcome) tallied() feedback.Outcome {
	return feedback.Outcome{Satisfaction: o.scores[0], Comprehension: o.scores[1], GoalAlignment: o.scores[2],
		GoalsMet: o.said[0], UnderstandingChecked: o.said[1], Signposted: o.said[2], DBWarningGiven: o.said[3],
		At: o.at}
}

func (w *world) log() bool {
	s := wSeen{w.pick(wAgents, "agent"), w.pick(wTopics, "topic"), w.now}
	w.seen = append(w.seen, s)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO observed (id, agent_id, agent_name, agent_type, session_id, user_id, query, response,
				metadata, topic, response_ms, variant, created_at)
			VALUES ($1, 'a', 'a', $2, '', '', 'q', 'r', '', $3, 0, '', $4)`, w.id(), s.agent, s.topic, db.Ms(s.at))
		w.must(w.k.LoggedTx(tx, feedback.Observation{AgentType: s.agent, Topic: s.topic, At: s.at}))
	})
	return true
}
