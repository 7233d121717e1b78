package signal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/turn"
)

const (
	notedFrom   = 500    // the newest results that notes are made of
	mostResults = 10_000 // that are read at once
	mostSent    = 1_000  // entries of one call: while they are stored nobody else can write
	mostKept    = 20     // preferences that one user is given
)

// Ask is whom notes are for.
type Ask struct {
	AgentID string
	User    string   // "" for nobody in particular
	Task    string   // "" for any
	Model   string   // "" for any
	Scopes  []string // what holds, as turn.Scopes says: what a user asked for in one project is for that project
}

// resultsTx are an agent's newest results at a task and with a model, oldest first; all of them, or those that notes
// may be made of.
func resultsTx(tx *db.Tx, a Ask, most int, all bool) ([]evaluator.Result, error) {
	task := a.Task
	if task != "" {
		task = "task:" + task
	}
	list, err := signalsTx(tx, "read results", `
		WHERE agent_id = $1 AND kind IN ('issue', 'right') AND ($2 = '' OR scope = $2) AND ($3 = '' OR action = $3)
		AND (state = 'noted' OR $4 = 1)
		ORDER BY id DESC LIMIT $5`, a.AgentID, task, a.Model, all, most)
	slices.Reverse(list)
	out := make([]evaluator.Result, len(list))
	for i, g := range list {
		out[i] = g.resultOf()
	}
	return out, err
}

// Notes are what evaluators found in an agent's turns, as it is told of it; none where its settings say so.
func (s *Store) Notes(ctx context.Context, a Ask) (sections []evaluator.Section, text string, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		set, err := settingsTx(tx, a.AgentID)
		if err != nil || set.NoNotes || set.Silent {
			return err
		}
		list, err := resultsTx(tx, a, notedFrom, false)
		list = slices.DeleteFunc(list, func(r evaluator.Result) bool { return slices.Contains(set.Off, r.Evaluator) })
		o := evaluator.Options{MaxItems: set.MaxItems, Now: tx.Now}
		sections = evaluator.Sections(list, o)
		text = evaluator.Text(sections)
		return err
	})
	return sections, text, err
}

// Given is what an agent gets beside what it recalls: notes, and what this user alone asked for.
func (s *Store) Given(ctx context.Context, a Ask) (string, error) {
	_, text, err := s.Notes(ctx, a)
	if err != nil || a.User == "" {
		return text, err
	}
	kept, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) { return keptTx(tx, a) })
	if err != nil || len(kept) == 0 {
		return text, err
	}
	asked, err := learned.Asked(lists.Map(kept, Signal.wish),
		func(a, b string) (bool, error) { return s.rivals(ctx, a, b) })
	return strings.TrimLeft(text+"\n\n"+asked, "\n"), err
}

// keptTx are the preferences of a user that an agent is given, the weightiest first.
func keptTx(tx *db.Tx, a Ask) (list []Signal, err error) {
	set, err := settingsTx(tx, a.AgentID)
	if err != nil || a.User == "" || set.Learn != LearnKeep || set.Silent {
		return nil, err
	}
	list, err = signalsTx(tx, "read what a user asked for", `
		WHERE user_id = $1 AND user_id <> '' AND agent_id = $2 AND state = 'kept'
		ORDER BY updated_at DESC, id DESC LIMIT $3`, a.User, a.AgentID, knownMost)
	list = slices.DeleteFunc(decayed(list, tx.Now), func(g Signal) bool {
		return g.Scope != "universal" && !slices.Contains(a.Scopes, g.Scope)
	})
	return list[:min(len(list), mostKept)], err
}

// Gave keeps whether recall gave notes to an agent for a user, until they are given anew or the session is over, and
// which learnings it gave: what the user asked for, with the notes, and the rules of these lessons.
func (s *Store) Gave(ctx context.Context, a Ask, given bool, lessons []string) error {
	return s.d.Write(ctx, func(tx *db.Tx) error {
		var kept []Signal
		if given {
			var err error
			if kept, err = keptTx(tx, a); err != nil {
				return err
			}
		}
		if err := gaveTx(tx, a, kept, lessons); err != nil {
			return err
		}
		return db.Exec(tx, "signal: keep whether notes were given", `INSERT INTO noted (unit, given, at)
			VALUES ($1, $2, $3) ON CONFLICT (unit) DO UPDATE SET given = excluded.given, at = excluded.at`,
			notedUnit(a.AgentID, a.User), given, tx.NowMs())
	})
}

func notedUnit(agentID, user string) string {
	sum := sha256.Sum256([]byte(agentID + "\x00" + user))
	return hex.EncodeToString(sum[:16])
}

// notedTx reports whether an agent was given notes for a user, or for nobody in particular, before a turn.
func notedTx(tx *db.Tx, t turn.Turn) (given bool, err error) {
	return db.Maybe[bool](tx, "signal: look whether notes were given", `SELECT given FROM noted
		WHERE unit IN ($1, $2) AND at > $3 ORDER BY at DESC, unit DESC LIMIT 1`,
		notedUnit(t.AgentID, t.User), notedUnit(t.AgentID, ""), db.Ms(tx.Now.Add(-idle)))
}

// Now is the store's clock.
func (s *Store) Now() time.Time { return s.d.Now() }

// Report stores results that an agent, or an evaluator of its makers, sends: of a turn of the agent's, or of none. They
// are checked as the lines of a file are. old of them have issues and are too old to become notes: they are history.
func (s *Store) Report(ctx context.Context, t turn.Turn, list []evaluator.Result) (old int, err error) {
	if len(list) == 0 || len(list) > mostSent {
		return 0, fault.Wrong("These results can't be stored.", "/results", "Send 1 to 1,000 results.")
	}
	issues := 0
	for i, r := range list {
		if issues += len(r.Issues); issues > 2*mostSent {
			return 0, fault.Wrong("These results can't be stored.", "/results", "Send at most 2,000 issues.")
		}
		if len(r.Issues) > 0 && r.At().Before(s.d.Now().Add(-evaluator.MaxAge)) {
			old++
		}
		if r.At().After(s.d.Now().Add(24 * time.Hour)) {
			return 0, fault.Wrong("These results can't be stored.", fmt.Sprintf("/results/%d/timestamp", i),
				"Send a time of the past.")
		}
	}
	unfit, err := s.unfit(ctx, t.AgentID, list)
	if err != nil {
		return 0, err
	}
	return old, s.d.Write(ctx, func(tx *db.Tx) error {
		if t.ID != "" {
			_, err := db.One(tx, "signal: find the turn of a result", `SELECT talk_id, user_id, noted FROM turn
				WHERE id = $1 AND agent_id = $2`, t.ID, t.AgentID).Find(&t.Session, &t.User, &t.Noted)
			if err != nil {
				return err
			}
			if t.Session == "" {
				return fault.Wrong("These results can't be stored.", "/turn_id",
					"There is no such turn of your agent's.")
			}
		}
		tx.Touch(Topic)
		return s.addFoundTx(tx, t, evaluator.Run{Results: list}, unfit)
	})
}

// addFoundTx stores what evaluators of an agent's makers said.
func (s *Store) addFoundTx(tx *db.Tx, t turn.Turn, run evaluator.Run, unfit refused) error {
	for _, g := range s.found(t, run) {
		g.State = unfit.state(g)
		if err := addTx(tx, g); err != nil {
			return err
		}
	}
	return nil
}

// refused are issues that the base's gate refuses: pages show them, and nobody is told of them in a note.
type refused map[string]bool

// unfit are those among the issues of results that are somebody's own words. The evaluators that ship write theirs
// themselves.
func (s *Store) unfit(ctx context.Context, agentID string, list []evaluator.Result) (refused, error) {
	domain, err := db.Read(ctx, s.d, func(tx *db.Tx) (string, error) { return s.hooks.PackOf(tx, agentID) })
	out := refused{}
	for _, r := range list {
		for _, issue := range r.Issues {
			text := s.hide(issue)
			if _, known := out[text]; known || err != nil {
				continue
			}
			_, wrong := s.kb.Vet(ctx,
				knowledge.Vetting{AgentID: agentID, Pack: domain,
					Statement: Signal{Scope: "universal", Content: text}.Statement()})
			if wrong != nil && !fault.Is(wrong, fault.Invalid) {
				err = wrong
			}
			out[text] = wrong != nil
		}
	}
	return out, err
}

// state is Noted, or Rejected for a result with an issue that was refused.
func (r refused) state(g Signal) string {
	if g.Kind == Issue && slices.ContainsFunc(g.Evidence, func(issue string) bool { return r[issue] }) {
		return Rejected
	}
	return Noted
}

// WriteResults writes an agent's results at a task and with a model as the seed's JSON Lines, in the order in which
// they came.
func (s *Store) WriteResults(ctx context.Context, a Ask, w io.Writer) error {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]evaluator.Result, error) {
		return resultsTx(tx, a, mostResults, true)
	})
	if err != nil {
		return err
	}
	return evaluator.Write(w, list)
}
