package signal

import (
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

const (
	idleEvery     = time.Minute
	mostLooked    = 10_000 // observations and turns of a session
	mostReturning = 3      // notes that keep coming, of one session
	neverProposed = 180 * 24 * time.Hour
	refinedByNone = "the session's own words"
	byFile        = "the file"
)

// heard is what a session's summary is made of.
type heard struct {
	talk         Session
	observations []observe.Observation
	turns        []turn.Turn
	base         []observe.Codebase
	objected     int                // corrections for that time only that were no reactions to an action
	wishes       []string           // of this user: they are proposed or kept as they were said
	results      []evaluator.Result // of this session
	earlier      []evaluator.Result // of the agent, this session's too
	set          Settings
}

// summarise looks through a session that is over, and writes what is proposed in one transaction. It may run twice.
func (s *Store) summarise(ctx context.Context, of summariseArgs) error {
	late, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]turn.Turn, error) {
		return turnsTx(tx, `WHERE talk_id = $1 AND pending = 1 ORDER BY created_at, id LIMIT $2`, of.TalkID, mostLooked)
	})
	for _, t := range late { // what they say is counted with this session
		if err == nil {
			err = s.catchUp(ctx, t)
		}
	}
	if err != nil {
		return err
	}
	h, err := db.Read(ctx, s.d, func(tx *db.Tx) (heard, error) { return hearTx(tx, of) })
	if err != nil || h.talk.State != TalkEnded {
		return err
	}
	proposals, told, err := s.propose(ctx, h)
	if err != nil {
		return err
	}
	run := evaluator.Run{Log: s.log}
	run.Trajectory(ctx, h.set.atOnce(), h.turns, h.results)
	own := evaluator.Run{Log: s.log}
	if asked := s.asked(h.set); len(asked) > 0 && !h.set.Silent {
		own.Trajectory(ctx, asked, lists.Map(h.turns, s.hidden), h.results)
	}
	unfit, err := s.unfit(ctx, h.talk.AgentID, own.Results)
	if err != nil {
		return err
	}
	if err := s.d.Write(ctx, func(tx *db.Tx) error {
		n, err := db.Change(tx, "signal: tell a session", `UPDATE talk SET state = 'told'
			WHERE id = $1 AND state = 'ended'`, of.TalkID)
		if err != nil || n == 0 {
			return err
		}
		last := turn.Turn{AgentID: h.talk.AgentID, Agent: h.talk.AgentName, User: h.talk.User, Session: of.TalkID}
		if n := len(h.turns); n > 0 {
			last.Model, last.Task, last.Noted = h.turns[n-1].Model, h.turns[n-1].Task, h.turns[n-1].Noted
		}
		if err := s.addFoundTx(tx, last, own, unfit); err != nil {
			return err
		}
		for _, g := range append(proposals, s.found(last, run)...) {
			before, err := addOnceTx(tx, g)
			if err != nil {
				return err
			}
			if before != "" {
				told.Before = append(told.Before, before)
			}
		}
		if err := db.Exec(tx, "signal: sum up", `UPDATE talk SET told = $1 WHERE id = $2`, jsonOf(told),
			of.TalkID); err != nil {
			return err
		}
		tx.Touch(Topic)
		return s.countShownTx(tx, h.talk, proposals)
	}); err != nil {
		return err
	}
	return s.sumUp(ctx, h.talk)
}

// propose is what the session's observations and the notes that keep coming propose, and what the summary counts.
func (s *Store) propose(ctx context.Context, h heard) (out []Signal, told Told, err error) {
	told = Told{Observations: len(h.observations), By: "the session's own words"}
	if h.talk.Told.By == byFile { // what the file proposed stands, and what is noticed in it comes to that
		told.Corrected, told.Noticed = h.talk.Told.Corrected, h.talk.Told.Noticed
	}
	if h.set.Silent || h.talk.User+h.talk.Name == "" { // turns of nobody in particular are nobody's habits
		return nil, told, nil
	}
	told.Corrected += h.objected
	var found []observe.Proposal
	base := observe.Codebase{}
	if len(h.base) > 0 {
		base = h.base[0]
	}
	if err = s.hearing.All(ctx, h.observations); err != nil {
		return nil, told, err
	}
	for _, o := range h.observations {
		if h.set.Learn != LearnOff { // it may still be read
			h.wishes = append(h.wishes, o.Wish)
		}
	}
	if found, err = observe.Detect(ctx, s.embedder, h.observations, base); err != nil {
		return nil, told, err
	}
	count := func(category string) {
		if category == observe.Correction {
			told.Corrected++
		} else {
			told.Noticed++
		}
	}
	found = slices.DeleteFunc(found, func(p observe.Proposal) bool {
		gone := p.Content == "" || p.Wished(s.kb.Compare, h.wishes)
		if gone { // it is noticed, and nothing is to be decided
			count(p.Category)
		}
		return gone
	})
	found, told.Tokens = observe.Rank(found, observe.Most, observe.Budget-h.talk.Told.Tokens)
	told.Tokens += h.talk.Told.Tokens
	for _, p := range found {
		p, by := observe.Refine(ctx, s.generator, p)
		if by != observe.Unrefined {
			told.By = by
		}
		g := proposed(h.talk, p)
		if !slices.ContainsFunc(out, func(o Signal) bool {
			return o.Scope == g.Scope && strings.EqualFold(o.Content, g.Content)
		}) {
			// a model may word two alike
			out = append(out, g)
			count(g.Category)
		}
	}
	for i, n := range evaluator.Returning(h.earlier, evaluator.Options{}) {
		if i < mostReturning && !n.Last.Before(h.talk.StartedAt) {
			out = append(out, returned(h.talk, n))
			told.Noticed++
		}
	}
	return out, told, nil
}

func hearTx(tx *db.Tx, of summariseArgs) (h heard, err error) {
	if h.talk, err = sessionTx(tx, of.TalkID); err != nil {
		return h, err
	}
	list, err := signalsTx(tx, "read a session's signals", `
		WHERE talk_id = $1 AND (kind IN ('observation', 'issue', 'right')
			OR kind = 'learning' AND category = 'correction' AND state = 'noted')
		ORDER BY created_at, id LIMIT $2`, of.TalkID, mostLooked)
	var objected []string
	reacted := map[string]bool{}
	for _, g := range list {
		switch g.Kind {
		case Observation:
			h.observations, reacted[g.TurnID] = append(h.observations, g.observationOf()), true
		case Learning:
			objected = append(objected, g.TurnID)
		default:
			h.results = append(h.results, g.resultOf())
		}
	}
	h.objected = len(slices.DeleteFunc(objected, func(turnID string) bool { return reacted[turnID] }))
	more := func(doing func() error) {
		if err == nil {
			err = doing()
		}
	}
	more(func() (err error) {
		h.turns, err = turnsTx(tx, `WHERE talk_id = $1 ORDER BY created_at, id LIMIT $2`, of.TalkID, mostLooked)
		return err
	})
	more(func() (err error) {
		h.earlier, err = resultsTx(tx, Ask{AgentID: h.talk.AgentID}, notedFrom, false)
		return err
	})
	more(func() (err error) {
		known, err := knownTx(tx, h.talk.AgentID, h.talk.User)
		h.wishes = lists.Map(known, func(g Signal) string { return g.Content })
		return err
	})
	more(func() (err error) { h.set, err = settingsTx(tx, h.talk.AgentID); return err })
	more(func() (err error) {
		h.base, err = observe.CodebasesTx(tx, h.talk.AgentID, of.Project, h.observations)
		return err
	})
	return h, err
}

// addOnceTx stores a proposal. Where it waits already, in another session too, that gains its evidence, and where a
// person decided on it lately, that stands: before is then its id.
func addOnceTx(tx *db.Tx, g Signal) (before string, err error) {
	if g.Kind != Proposal {
		return "", addTx(tx, g)
	}
	had, err := signalsTx(tx, "look for a proposal", `
		WHERE agent_id = $1 AND kind = 'proposal' AND user_id = $2 AND scope = $3 AND lower(content) = $4
		AND updated_at > $5
		ORDER BY updated_at DESC, id DESC LIMIT 1`, g.AgentID, g.User, g.Scope, strings.ToLower(g.Content),
		db.Ms(tx.Now.Add(-neverProposed)))
	if err != nil {
		return "", err
	}
	if len(had) == 0 {
		return "", addTx(tx, g)
	}
	if before = had[0].ID; had[0].State != Open {
		return before, nil
	}
	return before, db.Exec(tx, "signal: count a proposal", `UPDATE signal SET count = count + $1, updated_at = $2,
		evidence = $3, confidence = $4 WHERE id = $5`, max(g.Count, 1), tx.NowMs(), jsonOf(observe.Evidence(had[0].Evidence, g.Evidence)),
		max(g.Confidence, had[0].Confidence), before)
}

const turnColumns = `id, talk_id, agent_id, user_id, query, response, model, task, action, reaction, steps, context,
	source, created_at, noted`

func turnsTx(tx *db.Tx, where string, args ...any) ([]turn.Turn, error) {
	return db.Rows(tx, "signal: read turns", func(t *turn.Turn) []any {
		return []any{&t.ID, &t.Session, &t.AgentID, &t.User, &t.Query, &t.Response, &t.Model, &t.Task, &t.Action,
			&t.Reaction, db.JSON(&t.Steps), db.JSON(&t.Context), &t.Source, db.At(&t.At), &t.Noted}
	}, `SELECT `+turnColumns+` FROM turn `+where, args...)
}

// behindArgs is the job that does what takes a while about a turn.
type behindArgs struct {
	TurnID string `json:"turn_id"`
}

func (behindArgs) Kind() string { return "signal.behind" }

func (s *Store) behind(ctx context.Context, turnID string) error {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]turn.Turn, error) {
		return turnsTx(tx, `WHERE id = $1 AND pending = 1`, turnID)
	})
	if err != nil || len(list) == 0 {
		return err
	}
	return s.catchUp(ctx, list[0])
}

// catchUp asks the evaluators of the agent's makers about a turn, and looks for learnings in it.
func (s *Store) catchUp(ctx context.Context, t turn.Turn) error {
	set, err := s.SettingsOf(ctx, t.AgentID)
	if err != nil {
		return err
	}
	run := evaluator.Run{Log: s.log}
	run.Steps(ctx, s.asked(set), s.hidden(t))
	unfit, err := s.unfit(ctx, t.AgentID, run.Results)
	if err != nil {
		return err
	}
	found, again, err := s.learn(ctx, t, set)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		talk, err := sessionTx(tx, t.Session)
		if err != nil {
			return err
		}
		n, err := db.Change(tx, "signal: be done with a turn", `UPDATE turn SET pending = 0
			WHERE id = $1 AND pending = 1`, t.ID)
		if err != nil || n == 0 {
			return err
		}
		t.Agent = talk.AgentName
		if err := s.addFoundTx(tx, t, run, unfit); err != nil {
			return err
		}
		return s.keepTx(tx, t, found, again)
	})
}

// asked are the evaluators of an agent's makers: instructions to the model, where there is one, and addresses.
func (s *Store) asked(set Settings) (out []evaluator.Evaluator) {
	prompts := map[string]string{evaluator.SQLValidator: evaluator.SQLValidatorPrompt,
		evaluator.SQLErrorProfiler: evaluator.SQLErrorProfilerPrompt}
	for _, name := range set.Asked {
		if s.generator != nil && prompts[name] != "" {
			out = append(out, evaluator.Asked{Name: name, Trajectory: name == evaluator.SQLErrorProfiler,
				SQLTools: set.sqlTools(), Ask: evaluator.Model(s.generator, prompts[name])}.Evaluator())
		}
	}
	for _, p := range set.Prompts {
		if s.generator != nil {
			out = append(out, evaluator.Asked{Name: p.Name, Trajectory: p.Trajectory,
				Ask: evaluator.Model(s.generator, p.Prompt)}.Evaluator())
		}
	}
	return append(out, lists.Map(set.Servers, func(v Server) evaluator.Evaluator {
		return evaluator.Asked{Name: v.Name, Trajectory: v.Trajectory,
			Ask: func(ctx context.Context, body []byte) ([]byte, error) {
				return s.hooks.Post(ctx, v.URL, v.Secret, body)
			}}.Evaluator()
	})...)
}

// Sentence is a summary in words.
func (s Session) Sentence() string {
	switch t := s.Told; s.State {
	case TalkOpen:
		return "The session is still open. Its summary appears when it ends, or after 30 minutes without a turn."
	case TalkEnded:
		return "Analysing the turns."
	default:
		return "The user corrected " + text.Count(t.Corrected, "behaviour") + " and stated " +
			text.Count(t.Wishes, "wish", "wishes") + ", and the agent noticed " +
			text.Count(t.Noticed, "pattern") + "."
	}
}
