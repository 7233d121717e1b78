package signal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
	"preceptor/internal/signal/learned"
)

var errNoProposal = fault.New(fault.NotFound, "There is no such proposal.")

// Get gives a proposal or a learning.
func (s *Store) Get(ctx context.Context, signalID string) (Signal, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (Signal, error) { return signalTx(tx, signalID) })
}

func signalTx(tx *db.Tx, signalID string) (Signal, error) {
	return scanSignal(db.One(tx, "signal: read a proposal", `SELECT `+columns+` FROM signal
		WHERE id = $1 AND kind IN ('proposal', 'learning')`, signalID).Or(errNoProposal))
}

// Statement is what a proposal becomes: an instruction, for its scope, in its user's words.
func (g Signal) Statement() rule.Statement {
	when := []rule.Condition{{Kind: rule.Scope, Values: []string{g.Scope}}}
	if g.Producer == reminders {
		when = append(when, rule.Condition{Kind: rule.Like, Values: learned.OfReminders})
	}
	return rule.Statement{When: when, Do: rule.Act{Kind: rule.Other, Text: g.Content}}
}

// Edit is what a person made of a proposal: each, where it is not "", stands in place of what was proposed.
type Edit struct {
	Content string   `form:"content"`
	Scope   string   `form:"scope"`  // or EveryAgent
	With    []string `form:"with"`   // others that Content sums up: they are settled with it
	Retire  string   `form:"retire"` // a rule that says the opposite, in whose place it comes
}

// EveryAgent is the scope of what a person shares with all agents of the pack.
const EveryAgent = "pack"

// Approve lets a proposal go down the learning path as a rule with its scope. What the base's gate refuses is Invalid,
// with fields. Only experts and administrators may.
func (s *Store) Approve(ctx context.Context, signalID string, e Edit,
	by knowledge.Person) (lessonID string, err error) {
	if err := by.May("approve what an agent proposes"); err != nil {
		return "", err
	}
	g, err := s.Get(ctx, signalID)
	if err != nil {
		return "", err
	}
	g.Content, g.Scope = cmp.Or(strings.TrimSpace(e.Content), g.Content), cmp.Or(strings.TrimSpace(e.Scope), g.Scope)
	domain, err := s.packOf(ctx, g.AgentID)
	if err != nil {
		return "", err
	}
	agentID, agent := g.AgentID, g.AgentName
	if g.Scope == EveryAgent {
		agentID, agent, g.Scope = "", "", "pack:"+domain
	}
	all := []Signal{g}
	with := append(g.Sums(), strings.Fields(strings.Join(e.With, " "))...)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(with))) {
		o, err := s.Get(ctx, id)
		if slices.Contains(g.Sums(), id) && (fault.Is(err, fault.NotFound) || err == nil && !o.Waits()) {
			continue // it was settled alone
		}
		if err == nil && (o.AgentID != g.AgentID || o.ID == g.ID) {
			err = errNoProposal
		}
		if err != nil {
			return "", err
		}
		g.Evidence = append(g.Evidence, o.Evidence...)
		o.Scope = g.Scope // its words stay its user's own
		all = append(all, o)
	}
	v := knowledge.Vetting{AgentID: agentID, Pack: domain, Statement: g.Statement()}
	var in knowledge.Instead
	if e.Retire != "" {
		in.Retire = []string{e.Retire}
	}
	vetted, err := s.kb.VetInstead(ctx, v, in)
	if wrong := fault.Fields(err); len(wrong) > 0 { // of a form with one text
		msgs := lists.Map(wrong, func(f fault.Field) string { return f.Msg })
		return "", fault.Wrong(fault.Message(err), "content", strings.Join(msgs, " "))
	}
	if err != nil {
		return "", err
	}
	if same := vetted.Same; same != nil && same.Status == knowledge.Active {
		return "", fault.Wrong("This rule adds nothing.", "content", "Rule "+same.Label()+" says the same.")
	}
	src := learning.Source{Kind: learning.Proposed, CauseID: g.ID, AgentID: agentID, AgentName: agent, By: by.Name,
		Approver: by.ID, At: s.d.Now(),
		Situation: pack.Situation{Pack: domain, Scopes: []string{g.Scope}}, Reason: strings.Join(g.Evidence, "; "),
		Statements: []rule.Statement{vetted.Statement}}
	return lessonID, s.d.Write(ctx, func(tx *db.Tx) error {
		if err := s.refuseOppositeTx(tx, g); err != nil {
			return err
		}
		if err := s.kb.RetireForTx(tx, in, g.Content, by); err != nil {
			return err
		}
		if lessonID, err = s.lessons.FromProposalTx(tx, src); err != nil {
			return err
		}
		for _, g := range all {
			if _, err := openTx(tx, g.ID); err != nil {
				return err
			}
			if err := settleTx(tx, g, Approved, lessonID, by); err != nil {
				return err
			}
		}
		return nil
	})
}

// refuseOppositeTx refuses what says the opposite, for the same work, of a proposal whose lesson is on its way: only
// once that is a rule is there something to decide between.
func (s *Store) refuseOppositeTx(tx *db.Tx, g Signal) error {
	list, err := signalsTx(tx, "list what was approved", `WHERE state = 'approved' AND lesson_id <> '' AND scope = $1
		AND (agent_id = $2 OR scope LIKE 'pack:%') ORDER BY updated_at DESC, id DESC LIMIT $3`, g.Scope, g.AgentID,
		besideMost)
	for _, o := range list {
		if err != nil || rule.Clash(g.Statement().Do, o.Statement().Do, s.kb.Compare) == "" {
			continue
		}
		under := false
		if under, err = s.lessons.UnderWayTx(tx, o.LessonID); under {
			return fault.Wrong("This rule can't be saved yet.", "content", "“"+o.Content+"” says the opposite, and is "+
				"being accepted. Reload the page in a few seconds: then you can retire that rule for this one.")
		}
	}
	return err
}

// Beside is what a person should see beside a proposal: what says nearly the same and waits too, what waits and may not
// hold with it, and what says the opposite.
type Beside struct {
	Near, Rivals, Against []Signal
	Opposite              *knowledge.Rule // in use for the same work
	Sum                   *Signal         // that stands for this one and others, and waits
}

func (s *Store) packOf(ctx context.Context, agentID string) (string, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (string, error) { return s.hooks.PackOf(tx, agentID) })
}

// besideMost is how many of an agent's learnings and proposals are compared, the newest.
const besideMost = 100

// Beside compares those that wait of a list with each other and with what the agent's users asked for elsewhere, by id.
func (s *Store) Beside(ctx context.Context, agentID string, list []Signal) (map[string]Beside, error) {
	others, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		return signalsTx(tx, "read what stands beside a proposal", `
			WHERE agent_id = $1 AND kind IN ('proposal', 'learning') AND state <> 'rejected' AND content <> ''
			ORDER BY created_at DESC, id DESC LIMIT $2`, agentID, besideMost)
	})
	if err != nil {
		return nil, err
	}
	domain, err := s.packOf(ctx, agentID)
	if err != nil {
		return nil, err
	}
	out, sums := map[string]Beside{}, map[string]*Signal{}
	for i, o := range others {
		for _, id := range o.Sums() {
			if o.State == Open {
				sums[id] = &others[i]
			}
		}
	}
	for _, g := range list {
		if !g.Waits() {
			continue
		}
		if sum := sums[g.ID]; sum != nil {
			out[g.ID] = Beside{Sum: sum}
			continue
		}
		v, err := s.kb.Vet(ctx, knowledge.Vetting{AgentID: agentID, Pack: domain, Statement: g.Statement()})
		if err != nil && !fault.Is(err, fault.Invalid) {
			return nil, err
		}
		b, said := Beside{Opposite: v.Opposite}, []Signal{g}
		for _, o := range others {
			if o.ID == g.ID || sums[o.ID] != nil {
				continue
			}
			if s.kb.Compare.Of(o.Content, g.Content) >= compare.Contradicts {
				b.Against = append(b.Against, o)
				continue
			}
			near := o.Waits() && learned.Same(s.kb.Compare, o.Content, g.Content)
			if o.Waits() && !near {
				if near, err = learned.Near(ctx, s.embedder, s.kb.Compare, o.Content, g.Content); err != nil {
					return nil, err
				}
			}
			rival := false
			if o.Waits() && (near || o.User == g.User) && o.Scope == g.Scope {
				if rival, err = s.rivals(ctx, g.Content, o.Content); err != nil {
					return nil, err
				}
			}
			switch {
			case rival:
				b.Rivals = besides(b.Rivals, o)
			case near:
				b.Near, said = besides(b.Near, o), append(said, o)
			}
		}
		known := slices.Concat(said, b.Rivals, b.Against)
		left := slices.DeleteFunc(slices.Clone(others), func(o Signal) bool {
			return !o.Waits() || o.Category != g.Category || o.Scope != g.Scope || sums[o.ID] != nil ||
				slices.ContainsFunc(known, func(k Signal) bool { return k.ID == o.ID })
		})
		words := func(of []Signal) []string { return lists.Map(of, func(k Signal) string { return k.Content }) }
		more, err := learned.Chained(ctx, s.embedder, s.kb.Compare, words(said[1:]), words(left))
		if err != nil {
			return nil, err
		}
		for _, i := range more {
			b.Near = besides(b.Near, left[i])
		}
		out[g.ID] = b
	}
	return out, nil
}

// besides adds a signal to a list, or to the one in it that has the same words, which sums it up then.
func besides(list []Signal, o Signal) []Signal {
	for i, known := range list {
		if strings.EqualFold(strings.Trim(known.Content, " .!"), strings.Trim(o.Content, " .!")) {
			ids := []any{o.ID}
			for _, id := range append(known.Sums(), o.Sums()...) {
				ids = append(ids, id)
			}
			list[i].Context = map[string]any{sumsKey: ids}
			return list
		}
	}
	return append(list, o)
}

// rivals reports whether two wishes are the same but for a value that can't be both.
func (s *Store) rivals(ctx context.Context, a, b string) (bool, error) {
	why, err := (&conflict.Embedded{Meanings: s.embedder}).Valued(ctx, a, b)
	return why != "", err
}

func (g Signal) wish() learned.Wish {
	return learned.Wish{Scope: g.Scope, Content: g.Content, At: g.UpdatedAt}
}

// Waits reports whether a person is to decide on it.
func (g Signal) Waits() bool { return g.State == Open || g.State == Kept }

// Reject turns a proposal down. Only experts and administrators may.
func (s *Store) Reject(ctx context.Context, signalID string, by knowledge.Person) error {
	if err := by.May("reject what an agent proposes"); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		g, err := openTx(tx, signalID)
		if err != nil {
			return err
		}
		for _, id := range g.Sums() { // nobody is asked for each of them
			o, err := signalTx(tx, id)
			if err == nil && o.State == Open {
				err = settleTx(tx, o, Rejected, "", by)
			}
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		}
		return settleTx(tx, g, Rejected, "", by)
	})
}

// openTx is a proposal that nobody decided on yet; Conflict else.
func openTx(tx *db.Tx, signalID string) (Signal, error) {
	g, err := signalTx(tx, signalID)
	if err == nil && !g.Waits() {
		err = fault.New(fault.Conflict, "%s %s this already.", g.DecidedBy, g.State)
	}
	return g, err
}

func settleTx(tx *db.Tx, g Signal, state, lessonID string, by knowledge.Person) error {
	if err := db.Exec(tx, "signal: settle a proposal", `UPDATE signal SET state = $1, lesson_id = $2, content = $3,
		scope = $4, decided_by = $5, updated_at = $6
		WHERE id = $7`,
		state, lessonID, g.Content, g.Scope, by.Name, tx.NowMs(), g.ID); err != nil {
		return err
	}
	tx.Touch(Topic)
	return audit.Note(tx, by.Actor(), "signal."+state, "signal", g.ID,
		map[string]any{"lesson": lessonID, "scope": g.Scope, "text": g.Content})
}
