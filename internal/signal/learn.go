package signal

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// knownMost is with how many of a user's learnings a new one is compared, the newest.
const knownMost = 300

// repeated is a learning that was known, or a new one.
type repeated struct {
	id      string   // of the one that it repeats; "" for none
	instead []string // of the user's own that it contradicts, which it takes the place of
	seen    []string // those that it was compared with
	new     Signal
}

// replacedBy says who rejected a wish that its user took back.
const replacedBy = "a newer wish of the same user"

// learn finds what a turn's messages teach, and what of that is known of this user; again are the ids of what recall
// gave and they ask for once more, which teaches nothing new. It writes nothing.
func (s *Store) learn(ctx context.Context, t turn.Turn, set Settings) (out []repeated, again []string, err error) {
	if set.Learn == LearnOff {
		return nil, nil, nil
	}
	var known, shown []Signal
	var before turn.Turn
	if err := s.d.Read(ctx, func(tx *db.Tx) error {
		if known, err = knownTx(tx, t.AgentID, t.User); err != nil {
			return err
		}
		if shown, err = shownTx(tx, t.AgentID, t.User); err != nil {
			return err
		}
		shown = slices.DeleteFunc(shown, func(g Signal) bool { return g.State != Kept && g.State != Approved })
		list, err := turnsTx(tx, `WHERE talk_id = $1 AND id < $2 ORDER BY id DESC LIMIT 1`, t.Session, t.ID)
		if len(list) > 0 && list[0].Did() != "" {
			before = list[0]
		}
		return err
	}); err != nil {
		return nil, nil, err
	}
	given := lists.Map(shown, func(g Signal) string { return g.Content })
	limits := learned.Limits{LeastMessage: set.LeastMessage, MostLearnings: set.MostLearnings}
	for _, message := range slices.Compact([]string{t.Query, t.Reaction}) {
		list, err := s.extract.Extract(ctx, message, limits)
		if err != nil {
			return nil, nil, err
		}
		repeats, err := learned.NewEmbedded().Repeats(ctx, s.embedder, s.kb.Compare, message, list, given)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range repeats {
			again = append(again, shown[a.Given].ID)
			list = slices.DeleteFunc(list, a.Has)
		}
		for _, l := range list[:min(len(list), cmp.Or(set.MostLearnings, learned.MostLearnings)-len(out))] {
			if l.Category == learned.Pattern {
				of := t
				if before.ID != "" && message == t.Query {
					of = before // what opens a turn is said of the one before
				}
				did := observe.InWords(of.Did())
				atEnd := of.ID == t.ID && t.User+t.Session != ""
				if did == "" || of.Query == "" || atEnd && observe.Praises(t) {
					continue // praise of nothing that has a name, or of what is proposed at the session's end
				}
				l.Content = learned.Success(did, text.Opening(of.Query, 75)).Content
			}
			r := repeated{new: s.learning(t, l, message)}
			if o, ok := observe.Observe(t, ""); ok && l.Category == learned.Pattern {
				r.new.Confidence = max(r.new.Confidence, o.Confidence)
			}
			r.among(known, s.kb.Compare)
			if r.id == "" && r.new.State == Open && set.Learn == LearnKeep && t.User != "" {
				if r.new.State, err = s.mayKeep(ctx, r.new); err != nil {
					return nil, nil, err
				}
			}
			out = append(out, r)
		}
	}
	return out, again, nil
}

// knownTx are a user's learnings that a new one is compared with, the newest first. What was meant for one time only
// repeats nothing.
func knownTx(tx *db.Tx, agentID, user string) ([]Signal, error) {
	return signalsTx(tx, "read learnings", `
		WHERE agent_id = $1 AND user_id = $2 AND kind = 'learning' AND state <> 'noted'
		ORDER BY updated_at DESC, id DESC LIMIT $3`, agentID, user, knownMost)
}

// among finds which of known it repeats, and which it takes the place of.
func (r *repeated) among(known []Signal, c compare.Func) {
	reports := learned.Reports(r.new.Category, r.new.Content)
	for _, k := range known {
		switch {
		case slices.Contains(r.seen, k.ID):
			continue
		case k.DecidedBy == replacedBy || r.new.State == Noted && !reports ||
			r.new.Category == learned.Pattern && k.Category != learned.Pattern:
		case r.id == "" && learned.Again(c, k.Content, r.new.Content, k.Category == r.new.Category, reports):
			r.id = k.ID
		case reports: // it asks for nothing that could replace a wish
		case r.new.User != "" && k.Waits() && k.Scope == r.new.Scope &&
			c.Of(k.Content, r.new.Content) == compare.Contradicts:
			r.instead = append(r.instead, k.ID)
		}
		r.seen = append(r.seen, k.ID)
	}
}

// learning is what a message teaches as a signal, for the project or the language that the turn names.
func (s *Store) learning(t turn.Turn, l learned.Learning, message string) Signal {
	scope := "universal"
	if work := turn.Scopes("", "", t.Context); len(work) > 0 {
		scope = work[len(work)-1] // the narrowest
	}
	state := Noted
	if l.Lasting() {
		state = Open
	}
	return Signal{AgentID: t.AgentID, User: t.User, TalkID: t.Session, TurnID: t.ID, Producer: Learner, Kind: Learning,
		Category: l.Category, Scope: scope, Said: s.hide(text.Opening(message, 300)),
		Content: s.hide(l.Content), Confidence: l.Sureness(), Priority: 2,
		Evidence: []string{"“" + s.hide(text.Opening(message, 160)) + "”"}, State: state}
}

// mayKeep is Kept for what the base's gate lets in, and Open for what only a person may.
func (s *Store) mayKeep(ctx context.Context, g Signal) (string, error) {
	domain, err := s.packOf(ctx, g.AgentID)
	if err != nil {
		return Open, err
	}
	if _, err := s.kb.Vet(ctx, knowledge.Vetting{AgentID: g.AgentID, Pack: domain,
		Statement: g.Statement()}); err != nil {
		return Open, nil
	}
	return Kept, nil
}

// keepTx stores what is new, and counts what is not: a repeat of what waits moves its time. What was learned since a
// message was read, of this user's other turns or of this one, is compared here.
func (s *Store) keepTx(tx *db.Tx, t turn.Turn, list []repeated, again []string) error {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(again))) {
		if err := errors.Join(shownAgainTx(tx, t.AgentID, t.User, id), countTx(tx, id)); err != nil {
			return err
		}
	}
	said := lists.Map(list, func(r repeated) Signal { return r.new })
	if err := s.askedAgainTx(tx, t.AgentID, t.User, said); err != nil {
		return err
	}
	for _, r := range list {
		r.new.AgentName = t.Agent
		known, err := knownTx(tx, r.new.AgentID, r.new.User)
		if err != nil {
			return err
		}
		r.among(known, s.kb.Compare)
		for _, id := range r.instead {
			if err := db.Exec(tx, "signal: replace a wish",
				`UPDATE signal SET state = 'rejected', decided_by = $1, updated_at = $2 WHERE id = $3`, replacedBy,
				tx.NowMs(), id); err != nil {
				return err
			}
		}
		if r.id == "" {
			if err := addTx(tx, r.new); err != nil {
				return err
			}
			continue
		}
		if err := countTx(tx, r.id); err != nil {
			return err
		}
	}
	tx.Touch(Topic)
	return nil
}

// countTx counts a learning once more.
func countTx(tx *db.Tx, id string) error {
	return db.Exec(tx, "signal: count a learning", `UPDATE signal SET count = count + 1, updated_at = $1
		WHERE id = $2`, tx.NowMs(), id)
}

// decayed leaves out what this user asked for so long ago, and so seldom since, that it counts for little, and puts
// what counts most first.
func decayed(list []Signal, now time.Time) []Signal {
	weight := func(g Signal) float64 { return learned.Weight(now, g.UpdatedAt, g.Count) }
	list = slices.DeleteFunc(list, func(g Signal) bool { return weight(g) < leastWeight })
	slices.SortStableFunc(list, func(a, b Signal) int { return cmp.Compare(weight(b), weight(a)) })
	return list
}

// leastWeight is what a preference of a user's has to count to be given: what was said once is forgotten after a year.
const leastWeight = 1.0 / 16
