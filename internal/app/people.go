package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/internal/review/reply"
	"preceptor/web/home"
)

// commentedTx is a case as a comment names it.
func (a *App) commentedTx(tx *db.Tx, id string) (comment.Case, error) {
	r, err := a.Reviews.RowTx(tx, id)
	return comment.Case{ID: r.ID, AgentID: r.AgentID, AgentName: r.AgentName, Task: r.Task}, err
}

// teamsOf are the teams of a person, as the desk names them.
func (a *App) teamsOf(tx *db.Tx, personID string) ([]string, error) {
	ids, err := a.Accounts.TeamsOfTx(tx, personID)
	for i := range ids {
		ids[i] = review.TeamKey(ids[i])
	}
	return ids, err
}

// supervisorsTx are those who may see cases.
func (a *App) supervisorsTx(tx *db.Tx) ([]comment.Person, error) {
	list, err := a.Accounts.ListTx(tx, account.Supervisor)
	people := lists.Map(list, func(p account.Account) comment.Person {
		return comment.Person{ID: p.ID, Name: p.Name, Email: p.Email}
	})
	return people, err
}

// assigneeTx is the name of whom a case may be given to: a supervisor who may sign in, or a team with one.
func (a *App) assigneeTx(tx *db.Tx, key string) (string, error) {
	people, err := a.supervisorsTx(tx)
	if err != nil {
		return "", err
	}
	if !review.IsTeam(key) {
		for _, p := range people {
			if p.ID == key {
				return p.Name, nil
			}
		}
		return "", fault.Wrong("This person can't be given cases.", "to", "Choose a supervisor who may sign in.")
	}
	team, err := a.Accounts.TeamTx(tx, teamID(key))
	if err != nil {
		return "", err
	}
	for _, p := range people {
		if team.Has(p.ID) {
			return team.Name, nil
		}
	}
	return "", fault.Wrong("Nobody of this team can decide cases.", "to", "Choose a team with a supervisor in it.")
}

func teamID(key string) string { return strings.TrimPrefix(key, review.TeamKey("")) }

// noticeAssigned posts the note as a comment on each case, and tells whom they went to.
func (a *App) noticeAssigned(tx *db.Tx, as review.Assigned) error {
	by := comment.Person{ID: as.By.ID, Name: as.By.Name}
	for _, id := range as.Cases {
		if as.Note == "" {
			break
		}
		if _, err := a.Comments.AddTx(tx, comment.Input{CaseID: id, By: by, Text: as.Note}); err != nil {
			return err
		}
	}
	if err := a.nothingLeft(tx); err != nil || as.To.ID == "" || len(as.Cases) == 0 { // to those who had them
		return err
	}
	n := comment.Notice{Kind: comment.Assigned, N: len(as.Cases), CaseID: as.Cases[len(as.Cases)-1], By: by}
	if !review.IsTeam(as.To.ID) {
		return a.Comments.NoticeTx(tx, []string{as.To.ID}, n)
	}
	n.Kind = comment.TeamAssigned
	return a.Comments.NoticeTeamTx(tx, teamID(as.To.ID), n)
}

// noticeSigned tells those who may give the second signature: whom the case is assigned to, or everybody.
func (a *App) noticeSigned(tx *db.Tx, d *review.Decision) error {
	return a.noticeSeconds(tx, comment.Notice{Kind: comment.Second, CaseID: d.InteractionID, ObjectID: d.ID,
		By: comment.Person{ID: d.By.ID, Name: d.By.Name}})
}

func (a *App) noticeSeconds(tx *db.Tx, n comment.Notice) error {
	row, err := a.Reviews.RowTx(tx, n.CaseID)
	if err != nil {
		return err
	}
	switch {
	case review.IsTeam(row.AssignedTo.ID):
		return a.Comments.NoticeTeamTx(tx, teamID(row.AssignedTo.ID), n)
	case row.AssignedTo.ID != "":
		return a.Comments.NoticeTx(tx, []string{row.AssignedTo.ID}, n)
	}
	people, err := a.supervisorsTx(tx)
	if err != nil {
		return err
	}
	all := lists.Map(people, func(p comment.Person) string { return p.ID })
	return a.Comments.NoticeTx(tx, all, n)
}

// acted marks as read what asked for a decision that has now been made for good. It is so at the end of the hold, of
// seeded checks too: their notices must not differ.
func (a *App) acted(tx *db.Tx, d *review.Decision) error {
	if err := a.Comments.ActedTx(tx, d.InteractionID, d.By.ID, d.Second.ID); err != nil {
		return err
	}
	return a.nothingLeft(tx)
}

// nothingLeft marks as read what people were told of several reviews, where their list of these is empty by now.
func (a *App) nothingLeft(tx *db.Tx) error {
	told, err := a.Comments.UnreadTx(tx)
	if err != nil {
		return err
	}
	var done []comment.Account
	for _, who := range told {
		f := home.Noticed[who.Kind]
		f.Viewer = who.ID
		if any, err := a.Reviews.AnyTx(tx, f); err != nil {
			return err
		} else if !any {
			done = append(done, who)
		}
	}
	return a.Comments.DoneTx(tx, done)
}

// noticeSettled tells whoever signed a decision that somebody else ended it.
func (a *App) noticeSettled(tx *db.Tx, d *review.Decision) error {
	kind, ok := map[string]string{review.Undone: comment.Stopped, review.Overruled: comment.Overruled,
		review.Recalled: comment.Recalled}[d.State]
	if !ok {
		return fmt.Errorf("app: decision %s was settled as %s", d.ID, d.State)
	}
	if d.State == review.Undone && d.Second.ID != "" && d.SettledBy.ID == d.Second.ID {
		return nil // the first approval stands, and is told as one that waits for a second
	}
	if err := a.Comments.OverTx(tx, d.ID, true, comment.Second); err != nil {
		return err
	}
	row, err := a.Reviews.RowTx(tx, d.InteractionID)
	if err != nil {
		return err
	}
	if d.State == review.Undone && d.SettledBy.ID == "" && d.NeedsSecond && d.Second.ID == "" &&
		row.State == "waiting" {
		return a.noticeSeconds(tx, comment.Notice{Kind: comment.Lapsed, CaseID: d.InteractionID, ObjectID: d.ID,
			By: comment.Person{Name: d.By.Name}})
	}
	n := comment.Notice{Kind: kind, CaseID: d.InteractionID, ObjectID: d.ID,
		By: comment.Person{ID: d.SettledBy.ID, Name: d.SettledBy.Name}}
	if d.State == review.Undone && d.SettledBy.ID == "" {
		n.Kind, n.Task = comment.Voided, d.SettledWhy
	}
	return a.Comments.NoticeTx(tx, []string{d.By.ID, d.Second.ID}, n)
}

func (a *App) noticeLate(tx *db.Tx, late []review.Overdue) error {
	out := make([]comment.Late, len(late))
	for i, o := range late {
		out[i] = comment.Late{CaseID: o.ID, Task: o.Task, To: o.AssignedTo, Holder: o.Holder}
		if review.IsTeam(o.AssignedTo) {
			out[i].To, out[i].Team = "", teamID(o.AssignedTo)
		}
	}
	return a.Comments.LateTx(tx, out)
}

// duties are the roles of which a person has one for whom a notice of a kind is.
var duties = map[string][]account.Role{
	comment.Assigned: {account.Supervisor}, comment.TeamAssigned: {account.Supervisor},
	comment.Overdue: {account.Supervisor}, comment.Second: {account.Supervisor}, comment.Lapsed: {account.Supervisor},
	comment.Borderline: {account.Expert}, comment.Contradiction: {account.Expert},
	comment.Quarantined: {account.Expert}, comment.Asked: {account.Expert},
	comment.Proposal: {account.Expert, account.Admin}, comment.NoBackup: {account.Admin},
	comment.TrialEnded: {account.Manager},
	comment.NoExpert:   {account.Manager, account.Admin}, comment.NoRuler: {account.Manager, account.Admin},
}

// taken puts back what somebody held who can no longer decide, and ends what a person was told as the holder of a role
// that is no longer theirs, and what people were told of a role to object to, once none is left that doesn't count yet.
func (a *App) taken(tx *db.Tx, before, left account.Account, by audit.Actor) error {
	if left.Disabled || before.Has(account.Supervisor) && !left.Has(account.Supervisor) {
		why := by.Name + " removed " + left.Name + " from the supervisors"
		if left.Disabled {
			why = by.Name + " blocked " + left.Name
		}
		if err := a.Reviews.LeaveTx(tx, review.Person{ID: left.ID, Name: left.Name}, by, why); err != nil {
			return err
		}
	}
	objections := []string{comment.Granted}
	if left.Disabled {
		objections = append(objections, comment.LinkMade)
	}
	if left.Disabled || !left.CountsAt.After(tx.Now) {
		if err := a.Comments.OverTx(tx, left.ID, true, objections...); err != nil {
			return err
		}
	}
	var done []comment.Account
	for kind, roles := range duties {
		if !slices.ContainsFunc(roles, func(r account.Role) bool { return slices.Contains(left.Roles, r) }) {
			done = append(done, comment.Account{ID: left.ID, Kind: kind})
		}
	}
	return a.Comments.DoneTx(tx, done)
}

// renamed puts a new name where it is shown of what goes on; what is on record keeps the old one.
func (a *App) renamed(tx *db.Tx, id, name string) error {
	cases, err := review.RenameTx(tx, id, name)
	for _, one := range cases {
		err = errors.Join(err, a.Counter.CaseTx(tx, one))
	}
	return errors.Join(err, reply.RenameTx(tx, id, name), borderline.RenameTx(tx, id, name))
}

// workOf is what an agent did and has.
func workOf(tx *db.Tx, agentID string) (w account.Work, err error) {
	w.Waiting, err = interaction.HasTx(tx, agentID, interaction.Drafting, interaction.Waiting, interaction.Held)
	if err != nil {
		return w, err
	}
	if w.Released, err = interaction.HasTx(tx, agentID, interaction.Released); err != nil {
		return w, err
	}
	w.Knowledge, err = knowledge.OwnsTx(tx, agentID)
	return w, err
}

// noticeReaddressed tells a person with which address they sign in from now on.
func (a *App) noticeReaddressed(tx *db.Tx, who account.Account, by audit.Actor) error {
	return a.Comments.NoticeTx(tx, []string{who.ID}, comment.Notice{Kind: comment.Readdressed, ObjectID: who.ID,
		Task: who.Email, By: comment.Person{ID: by.ID, Name: by.Name}})
}

// noticeGranted tells the person, administrators and everybody with such a role: until it counts they can object.
func (a *App) noticeGranted(tx *db.Tx, g account.Grant) error {
	n := comment.Notice{Kind: comment.Granted, ObjectID: g.Who.ID, By: comment.Person{ID: g.By.ID, Name: g.By.Name}}
	roles := g.Roles
	if len(roles) == 0 {
		n.Kind, roles = comment.LinkMade, g.Who.Roles
	}
	n.Task = g.Who.Name + " (" + account.Words(roles) + ")"
	to := []string{g.Who.ID}
	for _, r := range append([]account.Role{account.Admin}, roles...) {
		ids, err := a.everybody(tx, r)
		if err != nil {
			return err
		}
		to = append(to, ids...)
	}
	return a.Comments.NoticeTx(tx, to, n)
}

// holds passes an account that holds one of roles; where it holds none, what it takes is the last.
func (a *App) holds(roles ...account.Role) person.Guard {
	return func(tx *db.Tx, personID string) (err error) {
		for _, r := range roles {
			if err = a.Accounts.MustHoldTx(tx, personID, r); !fault.Is(err, fault.Denied) {
				return err
			}
		}
		return err
	}
}
