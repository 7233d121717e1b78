package comment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
)

// The kinds of notices.
const (
	Mentioned     = "mention"        // somebody meant me in a comment
	Assigned      = "assigned"       // a case was given to me
	TeamAssigned  = "team_assigned"  // a case was given to a team of mine
	Overruled     = "overruled"      // a second supervisor decided otherwise
	Stopped       = "stopped"        // somebody took my decision back during its hold
	Lapsed        = "lapsed"         // a decision ended that nobody took back: its author can no longer decide
	Voided        = "voided"         // my decision wasn't sent, because of what happened to somebody who signed it
	Recalled      = "recalled"       // somebody took back what I had let go
	Overdue       = "overdue"        // a case passed its target
	Second        = "second"         // a case waits for a second signature
	Planted       = "planted"        // a case that I decided was a planted check
	Proposal      = "proposal"       // a change waits for a second person
	Agreed        = "policy_agreed"  // another person agreed to my change
	Refused       = "policy_refused" // another person refused it
	SwitchedOff   = "switched_off"   // what I had proposed or agreed to holds no more
	Borderline    = "borderline"     // a borderline case passed its target
	Quarantined   = "quarantined"    // a rule was put in quarantine
	Contradiction = "contradiction"  // two rules contradict each other
	CaseMention   = "case_mention"   // somebody meant me in a comment on a borderline case
	CaseComment   = "case_comment"   // somebody commented on a borderline case that I answered or commented on
	CaseRuled     = "case_ruled"     // somebody adjudicated a borderline case that I answered
	CaseBack      = "case_back"      // experts ruled on what I had sent them, or ended without a ruling
	NoExpert      = "no_expert"      // borderline cases that no expert can bring further
	Fell          = "fell"           // satisfaction fell by more than chance
	Practised     = "practised"      // nightly practice met fewer needs than the night before
	Asked         = "asked"          // a manager asks experts to review a rule
	Answered      = "answered"       // that rule was decided since
	Granted       = "granted"        // a person was given a role, which counts a day later
	LinkMade      = "link_made"      // a person was given a link to choose a new password
	Readdressed   = "readdressed"    // a person signs in with another e-mail address
	NoBackup      = "no_backup"      // a scheduled copy of the database failed or is late
	TrialEnded    = "trial_ended"    // an experiment that I planned ended by its rules
	NoRuler       = "no_ruler"       // items of a gold set wait for a ruling, and every expert has labelled them
)

// rolls are the kinds of which unread notices are one row with a number.
var rolls = []string{Assigned, TeamAssigned, Overdue, Second, Lapsed, Planted, Borderline, CaseComment, Quarantined,
	Contradiction}

// Notice is something one person should know.
type Notice struct {
	ID       string
	Kind     string
	N        int    // how many it stands for; 0 is 1
	CaseID   string // of the last; "" when it is about none
	ObjectID string // a comment, a decision, a proposal
	Task     string
	By       Person // who caused it; no ID for the program
	At       time.Time
	Read     bool
	Over     bool   // what it asked for needs nobody any more
	Excerpt  string // first words of the comment, when that stands
}

// NoticeTx tells people, by their accounts; who caused it is not told. Unread notices of one kind about cases become
// one.
func (s *Store) NoticeTx(tx *db.Tx, to []string, n Notice) error {
	roll := ""
	if slices.Contains(rolls, n.Kind) {
		roll = n.Kind
	}
	to = without(to, []string{n.By.ID, ""})
	if len(to) > 0 && n.CaseID != "" && n.Task == "" {
		about, err := s.hooks.Case(tx, n.CaseID)
		if err != nil {
			return err
		}
		n.Task = about.Task
	}
	told := false
	for _, account := range to {
		err := db.Exec(tx, "comment: notice of "+n.Kind, `INSERT INTO notice (id, account_id, kind, roll, n, case_id,
				object_id, task, by_id, by_name, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
			ON CONFLICT (account_id, roll) WHERE read_at = 0 AND roll <> '' DO UPDATE SET n = notice.n + excluded.n,
				case_id = excluded.case_id, object_id = excluded.object_id, task = excluded.task,
					by_id = excluded.by_id, by_name = excluded.by_name, at = excluded.at`,
			id.New(), account, n.Kind, roll, max(n.N, 1), n.CaseID, n.ObjectID, n.Task, n.By.ID, n.By.Name, tx.NowMs())
		if err != nil {
			return err
		}
		told = true
	}
	if told {
		tx.Touch("notices")
	}
	return nil
}

// RemindTx is NoticeTx for those who had no notice of this kind about this object within a while, but one that is over:
// what lasts is told once, and told again when it came back.
func (s *Store) RemindTx(tx *db.Tx, to []string, n Notice, again time.Duration) error {
	var fresh []string
	for _, account := range to {
		told, err := db.Value[bool](tx, fmt.Sprintf("comment: was %s told of %s", account, n.Kind),
			`SELECT EXISTS (SELECT 1 FROM notice
					WHERE account_id = $1 AND at > $2 AND kind = $3 AND object_id = $4 AND done = 0)`,
			account, db.Ms(tx.Now.Add(-again)), n.Kind, n.ObjectID)
		if err != nil {
			return err
		}
		if !told {
			fresh = append(fresh, account)
		}
	}
	return s.NoticeTx(tx, fresh, n)
}

// AnsweredTx tells those who asked experts about an object what became of it, the same once; again is for what is told
// only to those who had heard something else since they asked.
func (s *Store) AnsweredTx(tx *db.Tx, n Notice, again bool) error {
	told := `EXISTS (SELECT 1 FROM notice t
		WHERE t.account_id = a.by_id AND t.kind = 'answered' AND t.object_id = a.object_id AND t.at >= a.at`
	query := `SELECT DISTINCT by_id FROM notice a WHERE kind = 'asked' AND object_id = $1
		AND NOT ` + told + ` AND t.task = $2)`
	if again {
		query += ` AND ` + told + `)`
	}
	to, err := db.Column[string](tx, "comment: who asked", query, n.ObjectID, n.Task)
	if err != nil {
		return err
	}
	return s.NoticeTx(tx, to, n)
}

// ActedTx marks as read what asked people to act on a case, once that is done, and all that who did it was told of the
// case. Of several in one row, that is one fewer.
func (s *Store) ActedTx(tx *db.Tx, caseID string, by ...string) error {
	args := append([]any{tx.NowMs(), caseID, Assigned, TeamAssigned, Overdue, Second, Lapsed}, db.Anys(by)...)
	n, err := db.Change(tx, "comment: what was acted on", `UPDATE notice SET read_at = CASE
		WHEN n > 1 THEN 0 ELSE $1 END, n = CASE WHEN n > 1 THEN n - 1 ELSE 1 END,
			done = CASE WHEN n > 1 THEN 0 ELSE 1 END
		WHERE read_at = 0 AND case_id = $2 AND (kind IN ($3, $4, $5, $6, $7) OR account_id IN (`+db.In(8, len(by))+`))`,
		args...)
	if n > 0 {
		tx.Touch("notices")
	}
	return err
}

// OverTx marks as read what asked people to act on an object that needs it no more. A row of several stays while others
// of its kinds are left.
func (s *Store) OverTx(tx *db.Tx, objectID string, others bool, kinds ...string) error {
	sql := `UPDATE notice SET read_at = $1, done = 1 WHERE read_at = 0`
	args := []any{tx.NowMs()}
	if others {
		sql, args = sql+` AND object_id = $2 AND n = 1`, append(args, objectID)
	}
	n, err := db.Change(tx, "comment: what is over", sql+` AND kind IN (`+db.In(len(args)+1, len(kinds))+`)`,
		append(args, db.Anys(kinds)...)...)
	if n > 0 {
		tx.Touch("notices")
	}
	return err
}

// Account has an unread notice of a kind.
type Account struct{ ID, Kind string }

// UnreadTx are those with an unread notice about a review, of a kind that is one row for several.
func (s *Store) UnreadTx(tx *db.Tx) ([]Account, error) {
	return db.Rows(tx, "comment: who has unread notices", func(a *Account) []any { return []any{&a.ID, &a.Kind} },
		`SELECT account_id, kind FROM notice WHERE read_at = 0 AND roll <> '' AND kind IN ($1, $2, $3, $4)`, Assigned,
		TeamAssigned, Overdue, Second)
}

// DoneTx marks as read what people were told of a kind, because nothing of it is left to them.
func (s *Store) DoneTx(tx *db.Tx, done []Account) error {
	if len(done) == 0 {
		return nil
	}
	tx.Touch("notices")
	which, args := make([]string, len(done)), []any{tx.NowMs()}
	for i, a := range done {
		which[i] = fmt.Sprintf(`account_id = $%d AND kind = $%d`, len(args)+1, len(args)+2)
		args = append(args, a.ID, a.Kind)
	}
	return db.Exec(tx, "comment: nothing is left", `UPDATE notice SET read_at = $1, done = 1
		WHERE read_at = 0 AND (`+strings.Join(which, ` OR `)+`)`, args...)
}

// NoticeTeamTx tells the members of a team.
func (s *Store) NoticeTeamTx(tx *db.Tx, teamID string, n Notice) error {
	members, err := s.hooks.Team(tx, teamID)
	if err != nil {
		return err
	}
	return s.NoticeTx(tx, members, n)
}

// Late is a case that passed its target.
type Late struct {
	CaseID, Task string
	To           string // account it is assigned to; "" when it is to nobody
	Team         string // team it is assigned to; "" when it is to none
	Holder       string // account that works on it now
}

// LateTx tells who should act on late cases: the person each is assigned to, or the team, or who works on it, or, when
// it is free, everybody who may see cases. Each hears of all theirs in one notice. Somebody who may no longer see cases
// is passed over.
func (s *Store) LateTx(tx *db.Tx, late []Late) error {
	people, err := s.hooks.People(tx)
	if err != nil {
		return err
	}
	everybody := lists.Map(people, func(p Person) string { return p.ID })
	teams := map[string][]string{}
	of := func(l Late) ([]string, error) {
		if slices.Contains(everybody, l.To) {
			return []string{l.To}, nil
		}
		if l.Team != "" {
			if _, ok := teams[l.Team]; !ok {
				members, err := s.hooks.Team(tx, l.Team)
				if err != nil {
					return nil, err
				}
				teams[l.Team] = slices.DeleteFunc(members, func(m string) bool {
					return !slices.Contains(everybody, m)
				})
			}
			if len(teams[l.Team]) > 0 {
				return teams[l.Team], nil
			}
		}
		if slices.Contains(everybody, l.Holder) {
			return []string{l.Holder}, nil
		}
		return everybody, nil
	}
	told, last := map[string]int{}, map[string]Late{}
	for _, l := range late {
		to, err := of(l)
		if err != nil {
			return err
		}
		for _, account := range to {
			told[account]++
			last[account] = l
		}
	}
	for _, account := range everybody {
		if n := told[account]; n > 0 {
			l := last[account]
			if err := s.NoticeTx(tx, []string{account},
				Notice{Kind: Overdue, N: n, CaseID: l.CaseID, Task: l.Task}); err != nil {
				return err
			}
		}
	}
	return nil
}

// without is list once each, less what stands in drop.
func without(list, drop []string) []string {
	var out []string
	for _, e := range list {
		if !slices.Contains(drop, e) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
