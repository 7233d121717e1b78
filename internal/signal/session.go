package signal

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/lists"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/observe"
)

// Topic is what Follow tells of.
const Topic = "signals"

const (
	idle         = 30 * time.Minute // after how long without a turn a session is over
	longest      = 24 * time.Hour   // and after how long in any case
	mostTurnsOf  = 1000             // and after how many turns
	notedForSure = 24 * time.Hour   // how long it is kept whether notes were given
)

// States of a session.
const (
	TalkOpen  = "open"
	TalkEnded = "ended" // its turns are to be looked through
	TalkTold  = "told"  // they were: the summary stands
)

// Session is a talk of one user with one agent.
type Session struct {
	ID        string
	AgentID   string
	AgentName string
	User      string
	Name      string // as the agent names it; "" where it does not
	State     string
	Turns     int
	StartedAt time.Time
	LastAt    time.Time
	Told      Told
}

// Told is what a session's summary counts.
type Told struct {
	Observations int    `json:"observations"`
	Corrected    int    `json:"corrected" doc:"Behaviours that the user corrected."`
	Noticed      int    `json:"noticed" doc:"Patterns that the agent noticed."`
	Wishes       int    `json:"wishes" doc:"What the user asked for, for the next time too."`
	Tokens       int    `json:"tokens" doc:"The length of the proposals, of a budget of 1,000."`
	By           string `json:"by" doc:"Who worded them."`
	// ids of what an earlier session proposed already
	Before []string `json:"before,omitempty" doc:"Ids of earlier proposals that this session gave evidence for."`
}

const talkColumns = `id, agent_id, agent_name, user_id, name, state, turns, started_at, last_at, told`

func scanTalk(row db.Row) (t Session, err error) {
	var told string
	err = row.Scan(&t.ID, &t.AgentID, &t.AgentName, &t.User, &t.Name, &t.State, &t.Turns, db.At(&t.StartedAt),
		db.At(&t.LastAt), &told)
	if err == nil && told != "" {
		err = json.Unmarshal([]byte(told), &t.Told)
	}
	return t, err
}

var errNoSession = fault.New(fault.NotFound, "There is no such session.")

func sessionTx(tx *db.Tx, talkID string) (Session, error) {
	return scanTalk(db.One(tx, "signal: read a session", `SELECT `+talkColumns+` FROM talk WHERE id = $1`,
		talkID).Or(errNoSession))
}

// summariseArgs is the job that looks through a session that is over.
type summariseArgs struct {
	TalkID  string `json:"talk_id"`
	Project string `json:"project,omitempty"` // of turns that name none
}

func (summariseArgs) Kind() string { return "signal.summarise" }

// End ends a user's session with an agent, by the name that the agent gave it, and gives its id. What was noticed in it
// follows. One that is over already, or of which only the newest of that name can be meant, is given as it is; NotFound
// without one. codebase, if any, is what preceptor scan wrote about the project that it was about.
func (s *Store) End(ctx context.Context, agentID, user, name string, codebase []byte) (talkID string, err error) {
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		var project string
		if len(codebase) > 0 {
			if project, err = observe.ScannedTx(tx, agentID, codebase); err != nil {
				return err
			}
		}
		t, err := scanTalk(db.One(tx, "signal: find a session", `SELECT `+talkColumns+` FROM talk
			WHERE agent_id = $1 AND user_id = $2 AND name = $3
			ORDER BY started_at DESC, id DESC LIMIT 1`,
			agentID, user, name).Or(errNoSession))
		if user == "" && fault.Is(err, fault.NotFound) {
			t, err = namedTx(tx, name, agentID)
		}
		talkID = t.ID
		if err != nil || t.State != TalkOpen {
			return err
		}
		return s.endTx(tx, talkID, project)
	})
	return talkID, err
}

func (s *Store) endTx(tx *db.Tx, talkID, project string) error {
	if err := db.Exec(tx, "signal: end a session", `UPDATE talk SET state = 'ended'
		WHERE id = $1 AND state = 'open'`, talkID); err != nil {
		return err
	}
	tx.Touch(Topic)
	return s.jobs.InsertTx(tx, summariseArgs{talkID, project}, job.Unique())
}

// EndIdle ends the sessions in which nothing has happened for half an hour, and those that have gone on for a day or a
// thousand turns: under steady load nothing else ends them. A periodic task.
func (s *Store) EndIdle(ctx context.Context) error {
	return s.d.Write(ctx, func(tx *db.Tx) error {
		list, err := db.Column[string](tx, "signal: list idle sessions", `SELECT id FROM talk
			WHERE state = 'open' AND (last_at < $1 OR started_at < $2 OR turns >= $3)
			ORDER BY last_at, id LIMIT 500`,
			db.Ms(tx.Now.Add(-idle)), db.Ms(tx.Now.Add(-longest)), mostTurnsOf)
		for _, talkID := range list {
			err = errors.Join(err, s.endTx(tx, talkID, ""))
		}
		for _, table := range []string{"noted", "signal_shown"} {
			err = errors.Join(err, db.Exec(tx, "signal: forget what was given", `DELETE FROM `+table+` WHERE at < $1`,
				db.Ms(tx.Now.Add(-notedForSure))))
		}
		return err
	})
}

// Filter picks sessions; the zero value is the newest of all.
type Filter struct {
	AgentID string `form:"agent"`
	Cursor  string `form:"cursor"`
}

const pageOf = 30

// Sessions lists sessions, newest first, and where the next page begins, with how many proposals of each wait for a
// person.
func (s *Store) Sessions(ctx context.Context, f Filter) (list []Session, open map[string]int, next string, err error) {
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return nil, nil, "", err
	}
	query, args := keyset.Order{At: `started_at`, ID: `id`}.Page(`SELECT `+talkColumns+` FROM talk
		WHERE ($1 = '' OR agent_id = $1)`, []any{f.AgentID}, from, pageOf+1)
	open = map[string]int{}
	err = s.d.Read(ctx, func(tx *db.Tx) (err error) {
		if list, err = db.List(tx, "signal: list sessions", scanTalk, query, args...); err != nil {
			return err
		}
		list, next = keyset.Cut(list, pageOf, func(t *Session) string { return keyset.At(t.StartedAt, t.ID).Cursor() })
		ids := lists.Map(list, func(t Session) string { return t.ID })
		for _, batch := range db.Batches(ids) {
			if err := db.Each(tx, "signal: count proposals", db.Pairs(open), `SELECT talk_id, COUNT(*)
				FROM signal WHERE state = 'open' AND talk_id IN (`+db.In(1, len(batch))+`)`+notSummed+` GROUP BY talk_id`,
				db.Anys(batch)...); err != nil {
				return err
			}
		}
		return nil
	})
	return list, open, next, err
}

// Waiting counts what waits for a person.
func (s *Store) Waiting(ctx context.Context) (int, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "signal: count what waits", `SELECT COUNT(*) FROM signal
			WHERE state = 'open'`+notSummed)
	})
}

// Summary is a session with what was noticed in it.
type Summary struct {
	Session
	Before  []Signal        // what was noticed again, and is proposed in an earlier session
	Unused  map[string]bool // ids of those that were approved whose rule is not, or no longer, in use
	Signals []Signal        // proposals and learnings, as they were ranked; then observations and issues, in order
}

// Proposals are those of its signals that a person decides on.
func (s Summary) Proposals() []Signal {
	return slices.DeleteFunc(slices.Clone(s.Signals), func(g Signal) bool {
		return g.Kind != Proposal && g.Kind != Learning
	})
}

// mostSignals of a session are shown.
const mostSignals = 500

// namedTx is a session by its id, or the newest of an agent's by the name that the agent gave it: Conflict where more
// than one user has such a session.
func namedTx(tx *db.Tx, talkID, agentID string) (Session, error) {
	list, err := db.List(tx, "signal: find a session", scanTalk, `SELECT `+talkColumns+` FROM talk
		WHERE agent_id = $1 AND (id = $2 OR name = $2)
		ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, started_at DESC, id DESC LIMIT 100`, agentID, talkID)
	switch {
	case err != nil:
		return Session{}, err
	case len(list) == 0:
		return Session{}, errNoSession
	case list[0].ID != talkID && slices.ContainsFunc(list, func(t Session) bool { return t.User != list[0].User }):
		return Session{}, fault.New(fault.Conflict,
			"Sessions of more than one user have this name. Send user_id, or use the id that "+
				"POST /api/sessions/end answers with.")
	}
	return list[0], nil
}

// Summary gives a session and what was noticed in it. agentID, unless it is "", is whose it has to be, by id or name.
func (s *Store) Summary(ctx context.Context, talkID, agentID string) (out Summary, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) (err error) {
		out.Session, err = sessionTx(tx, talkID)
		if agentID != "" {
			out.Session, err = namedTx(tx, talkID, agentID)
		}
		if err != nil {
			return err
		}
		out.Signals, err = signalsTx(tx, "list signals", `WHERE talk_id = $1
			ORDER BY CASE WHEN kind = 'proposal' THEN 0 WHEN kind = 'learning' THEN 1 ELSE 2 END, CASE
				WHEN priority > 0 THEN confidence / priority ELSE 0 END DESC, created_at, id LIMIT $2`, out.ID,
			mostSignals)
		if n := len(out.Told.Before); err == nil && n > 0 {
			out.Before, err = signalsTx(tx, "read what was known", `WHERE id IN (`+db.In(1, n)+`) ORDER BY id`,
				db.Anys(out.Told.Before)...)
		}
		rules, err2 := s.rulesTx(tx)
		err, out.Unused = errors.Join(err, err2), map[string]bool{}
		for _, g := range out.Signals {
			if err == nil && g.State == Approved && rules[g.LessonID].ID == "" {
				var under bool
				under, err = s.lessons.UnderWayTx(tx, g.LessonID)
				out.Unused[g.ID] = !under
			}
			if g.Kind == Learning && g.Category != learned.Pattern && g.State != Noted {
				out.Told.Wishes++
			}
		}
		return err
	})
	return out, err
}
