package signal

import (
	"context"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

var errNoProposal = fault.New(fault.NotFound, "There is no such proposal.")

// Get gives a proposal or a learning.
func (s *Store) Get(ctx context.Context, signalID string) (Signal, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (Signal, error) { return signalTx(tx, signalID) })
}

func signalTx(tx *db.Tx, signalID string) (Signal, error) {
	return scanSignal(db.One(tx, "signal: read a proposal", `SELECT `+columns+` FROM signal WHERE id = $1 AND kind IN ('proposal', 'learning')`, signalID).Or(errNoProposal))
}

// Statement is what a proposal becomes: an instruction, for its scope.
func (g Signal) Statement() rule.Statement {
	return rule.Statement{When: []rule.Condition{{Kind: rule.Scope, Values: []string{g.Scope}}}, Do: rule.Act{Kind: rule.Other, Text: g.Content}}
}

// Approve lets a proposal go down the learning path as a rule with its scope; content and scope, where they are not "", are what the
// person made of it. What the base's gate refuses is Invalid, with fields. Only experts and administrators may.
func (s *Store) Approve(ctx context.Context, signalID, content, scope string, by knowledge.Person) (lessonID string, err error) {
	if err := by.May("approve what an agent proposes"); err != nil {
		return "", err
	}
	g, err := s.Get(ctx, signalID)
	if err != nil {
		return "", err
	}
	if content = strings.TrimSpace(content); content != "" {
		g.Content = content
	}
	if scope = strings.TrimSpace(scope); scope != "" {
		g.Scope = scope
	}
	domain, err := db.Read(ctx, s.d, func(tx *db.Tx) (string, error) { return s.hooks.PackOf(tx, g.AgentID) })
	if err != nil {
		return "", err
	}
	vetted, err := s.kb.Vet(ctx, knowledge.Vetting{AgentID: g.AgentID, Pack: domain, Statement: g.Statement()})
	if err != nil {
		return "", err
	}
	if same := vetted.Same; same != nil && same.Status == knowledge.Active {
		return "", fault.WithFields("This rule adds nothing.", fault.Field{Name: "content", Msg: "Rule " + same.Label() + " says the same."})
	}
	src := learning.Source{Kind: learning.Proposed, CauseID: g.ID, AgentID: g.AgentID, AgentName: g.AgentName, By: by.Name, Approver: by.ID, At: s.d.Now(),
		Situation: pack.Situation{Pack: domain, Scopes: []string{g.Scope}}, Reason: strings.Join(g.Evidence, "; "), Statements: []rule.Statement{vetted.Statement}}
	return lessonID, s.d.Write(ctx, func(tx *db.Tx) error {
		if err := openTx(tx, g.ID); err != nil {
			return err
		}
		if lessonID, err = s.lessons.FromProposalTx(tx, src); err != nil {
			return err
		}
		return settleTx(tx, g, Approved, lessonID, by)
	})
}

// Reject turns a proposal down. Only experts and administrators may.
func (s *Store) Reject(ctx context.Context, signalID string, by knowledge.Person) error {
	if err := by.May("reject what an agent proposes"); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		g, err := signalTx(tx, signalID)
		if err != nil {
			return err
		}
		if err := openTx(tx, g.ID); err != nil {
			return err
		}
		return settleTx(tx, g, Rejected, "", by)
	})
}

// openTx refuses a proposal that somebody decided on already.
func openTx(tx *db.Tx, signalID string) error {
	g, err := signalTx(tx, signalID)
	if err == nil && g.State != Open && g.State != Kept {
		err = fault.New(fault.Conflict, "%s %s this already.", g.DecidedBy, g.State)
	}
	return err
}

func settleTx(tx *db.Tx, g Signal, state, lessonID string, by knowledge.Person) error {
	if err := db.Exec(tx, "signal: settle a proposal", `UPDATE signal SET state = $1, lesson_id = $2, content = $3, scope = $4, decided_by = $5, updated_at = $6 WHERE id = $7`,
		state, lessonID, g.Content, g.Scope, by.Name, tx.NowMs(), g.ID); err != nil {
		return err
	}
	tx.Touch(Topic)
	return audit.Record(tx, audit.Entry{Actor: by.Actor(), Action: "signal." + state, ObjectKind: "signal", ObjectID: g.ID, Content: map[string]any{"lesson": lessonID, "scope": g.Scope, "text": g.Content}})
}
