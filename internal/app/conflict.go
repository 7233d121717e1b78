package app

import (
	"errors"
	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// conflicts makes the store of conflicts; a model compares where there is one.
func (a *App) conflicts(g llm.Generator) *conflict.Store {
	var model conflict.Detector
	if g != nil {
		model = conflict.NewPrompted(g, a.Privacy)
	}
	return conflict.New(a.DB, a.Jobs, a.Knowledge, local(), model,
		conflict.Hooks{OnFound: a.noticeConflict, OnClosed: a.conflictClosed, OnEnded: a.ruleEnded,
			OnReworded: a.ruleReworded}, a.Log)
}

// noticeConflict tells experts of rules that surely contradict each other; the other conflicts wait on the list.
func (a *App) noticeConflict(tx *db.Tx, c conflict.Conflict) error {
	if c.Kind != conflict.Contradiction || !c.Sure() {
		return nil
	}
	return a.tellExperts(tx, comment.Notice{Kind: comment.Contradiction, ObjectID: c.ID})
}

// conflictClosed ends the notice of a contradiction.
func (a *App) conflictClosed(tx *db.Tx, c conflict.Conflict, others bool) error {
	if c.Kind != conflict.Contradiction {
		return nil
	}
	return a.Comments.OverTx(tx, c.ID, others, comment.Contradiction)
}

// noticeQuarantined tells them of a rule that is in quarantine, and ends the notices of one that somebody looked at.
// Who had asked for that hears what became of it; what the program adds to a rule in use is no answer.
func (a *App) noticeQuarantined(tx *db.Tx, r knowledge.Rule) error {
	n := comment.Notice{Kind: comment.Answered, ObjectID: r.ID,
		Task: r.Label() + " is " + knowledge.StatusWords(r.Status)}
	person := r.By.Kind == audit.Person
	if person {
		n.By = comment.Person{ID: r.By.ID, Name: r.By.Name}
	}
	added := r.Status == knowledge.Active && !person
	if err := a.Comments.AnsweredTx(tx, n, added); err != nil {
		return err
	}
	if !added {
		if err := a.Comments.OverTx(tx, r.ID, true, comment.Asked); err != nil {
			return err
		}
	}
	if r.Status != knowledge.Quarantined {
		others, err := a.Knowledge.QuarantineTx(tx, r.ID)
		return errors.Join(err, a.Comments.OverTx(tx, r.ID, others, comment.Quarantined))
	}
	n.Kind, n.Task = comment.Quarantined, ""
	return a.tellExperts(tx, n)
}

// tellExperts gives a notice to everybody who may settle it.
func (a *App) tellExperts(tx *db.Tx, n comment.Notice) error {
	ids, err := a.everybody(tx, account.Expert)
	if err != nil {
		return err
	}
	return a.Comments.NoticeTx(tx, ids, n)
}

// everybody are the accounts with a role now.
func (a *App) everybody(tx *db.Tx, role account.Role) ([]string, error) {
	list, err := a.Accounts.ListTx(tx, role)
	if err != nil {
		return nil, err
	}
	ids := lists.Map(list, func(p account.Account) string { return p.ID })
	return ids, nil
}
