package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	ids "preceptor/internal/platform/id"
)

// Ask is about to be answered: which arm is it in?
type Ask struct {
	AgentID string
	User    string // whoever is helped, as the caller names them; never stored. "" counts as a person of its own
	// Subject is the interaction; "" for a recall, of which nobody knows yet what becomes: then the user is the subject
	// (Recalled).
	Subject string
	Known   string // how an erasure knows the user, where that is not User
	// Earlier is the interaction that this one answers anew; it goes the same way and does not count again.
	Earlier string
}

// Assignment is the arm of one subject. The zero value: no experiment runs that concerns it.
type Assignment struct {
	ExperimentID string
	Purpose      string
	RuleID       string
	Arm          string
}

// Withholds reports whether the arm goes without something.
func (a Assignment) Withholds() bool { return a.Arm == Control }

// ArmOf is the arm of a person in an experiment: the same for ever, and nearly independent between experiments. split
// is the share in the treatment.
func ArmOf(experimentID, user string, split float64) string {
	sum := unitHash(experimentID, user)
	if float64(binary.BigEndian.Uint64(sum[:8])>>11)/(1<<53) < split {
		return Treatment
	}
	return Control
}

func unitHash(experimentID, user string) [sha256.Size]byte {
	return sha256.Sum256([]byte("preceptor experiment\x00" + experimentID + "\x00" + user))
}

func unitOf(experimentID, user string) string {
	sum := unitHash(experimentID, user)
	return hex.EncodeToString(sum[8:24]) // not the bytes that the arm is made of
}

// recalledBy is the subject of all that an agent recalls for one user.
func recalledBy(experimentID, user string) string { return "recall:" + unitOf(experimentID, user) }

const runningFor = ` WHERE state = 'running' AND purpose IN ('memory', 'rule') AND agent_id IN ('', $1)
	ORDER BY started_at, id LIMIT 1`

// Arm assigns what our own advisor is about to draft to the experiment on memory or on a rule that runs for its agent,
// and keeps the assignment. It writes nothing while none runs, and the same for the same subject.
func (s *Store) Arm(ctx context.Context, q Ask) (a Assignment, err error) {
	runs := false
	if err := s.db.Read(ctx, func(tx *db.Tx) error {
		_, runs, err = maybeTx(tx, runningFor, q.AgentID)
		return err
	}); err != nil || !runs {
		return a, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (Assignment, error) { return s.ArmTx(tx, q) })
}

// ArmTx is Arm in the caller's transaction.
func (s *Store) ArmTx(tx *db.Tx, q Ask) (Assignment, error) {
	e, runs, err := maybeTx(tx, runningFor, q.AgentID)
	if err != nil || !runs {
		return Assignment{}, err
	}
	return s.assignTx(tx, &e, q)
}

// Assign is Arm for an experiment that an agent carries out by itself (purposes Prompt and Model), by its id; the user
// is the subject where none is named. NotFound when there is none of this agent's; Conflict when it does not run, and
// when the subject was another user's.
func (s *Store) Assign(ctx context.Context, experimentID string, q Ask) (a Assignment, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		e, err := ofAgentTx(tx, experimentID, q.AgentID)
		if err != nil {
			return err
		}
		if e.State != Running {
			return fault.New(fault.Conflict, "This experiment is not running.")
		}
		if len(q.Subject) > 200 || q.User == "" || len(q.User) > 200 {
			return fault.Wrong("Say which user is helped and in which interaction.", "user_id",
				"Give a user, and a subject if any, of 1 to 200 characters each.")
		}
		if err := sameUserTx(tx, e.ID, q); err != nil {
			return err
		}
		a, err = s.assignTx(tx, &e, q)
		return err
	})
	return a, err
}

// sameUserTx refuses a subject that the agent named before, for somebody else: a subject is one answer to one person,
// and the arm follows from the person. Whose it was is not known any more once that was erased.
func sameUserTx(tx *db.Tx, experimentID string, q Ask) error {
	var unit string
	found, err := db.One(tx, "experiment: look whose a subject is", `SELECT unit FROM experiment_subject
		WHERE experiment_id = $1 AND agent_id = $2 AND subject_id = $3`, experimentID, q.AgentID, q.Subject).Find(&unit)
	if found && unit != unitOf(experimentID, q.User) && !strings.HasPrefix(unit, erasedUnit) {
		return fault.New(fault.Conflict,
			"This subject was assigned to another user. Give each answer to each user its own subject_id.")
	}
	return err
}

// erasedUnit begins the unit of a subject whose person was erased.
const erasedUnit = "erased:"

// ofAgentTx reads an experiment that concerns the agent, and is for agents to carry out.
func ofAgentTx(tx *db.Tx, experimentID, agentID string) (e Experiment, err error) {
	e, found, err := maybeTx(tx, ` WHERE id = $1 AND purpose IN ('prompt', 'model') AND agent_id IN ('', $2)`,
		experimentID, agentID)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "There is no such experiment, or it is not your agent's.")
	}
	return e, err
}

func (s *Store) assignTx(tx *db.Tx, e *Experiment, q Ask) (Assignment, error) {
	if e.Purpose == Rule {
		if _, msg := s.ruleTx(tx, e.RuleID); msg != "" {
			return Assignment{}, s.stopTx(tx, e, Barred, msg, audit.System("Experiment"))
		}
	}
	a := Assignment{ExperimentID: e.ID, Purpose: e.Purpose, RuleID: e.RuleID}
	if q.Subject == "" {
		q.Subject = recalledBy(e.ID, cmp.Or(q.Known, q.User))
	}
	for _, subject := range []string{q.Subject, q.Earlier} {
		if subject == "" {
			continue
		}
		found, err := db.One(tx, "experiment: read the arm of a subject", `SELECT arm FROM experiment_subject
			WHERE experiment_id = $1 AND agent_id = $2 AND subject_id = $3`, e.ID, q.AgentID, subject).Find(&a.Arm)
		if found || err != nil {
			return a, err
		}
	}
	if q.Earlier != "" { // it began before the experiment did
		return Assignment{}, nil
	}
	user := q.User
	if user == "" {
		user = "\x00" + q.Subject
	}
	a.Arm = ArmOf(e.ID, user, e.Split)
	q.User = user
	return a, subjectTx(tx, e, q, a.Arm)
}

// subjectTx puts a subject into an arm.
func subjectTx(tx *db.Tx, e *Experiment, q Ask, arm string) error {
	if err := db.Exec(tx, "experiment: assign "+q.Subject, `INSERT INTO experiment_subject (experiment_id, agent_id,
			subject_id, unit, arm, at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		e.ID, q.AgentID, q.Subject, unitOf(e.ID, q.User), arm, tx.NowMs()); err != nil {
		return err
	}
	t, c := 1, 0
	if arm == Control {
		t, c = 0, 1
	}
	tx.Touch("experiments")
	return db.Exec(tx, "experiment: count "+q.Subject, `UPDATE experiment SET assigned_t = assigned_t + $1,
		assigned_c = assigned_c + $2
		WHERE id = $3`, t, c, e.ID)
}

// EraseUsersTx cuts the link to people who are known by what they are called: those for whom an agent recalled.
func (s *Store) EraseUsersTx(tx *db.Tx, users []string) (n int, err error) {
	list, err := db.Column[string](tx, "experiment: list those that recalls are part of", `SELECT DISTINCT experiment_id
		FROM experiment_subject WHERE substr(subject_id, 1, 7) = 'recall:'
		ORDER BY experiment_id`)
	for _, id := range list {
		for _, user := range users {
			more, cause := db.Change(tx, "experiment: erase a user", `UPDATE experiment_subject SET unit = $1,
				subject_id = $2
				WHERE experiment_id = $3 AND subject_id = $4`,
				erasedUnit+ids.New(), erasedUnit+ids.New(), id, recalledBy(id, user))
			n, err = n+more, errors.Join(err, cause)
		}
	}
	return n, err
}

// EraseTx cuts the link between what counted and the person: the hash of who was assigned goes, the outcome stays. It
// tells how many rows there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string) (int, error) {
	return db.Change(tx, "experiment: erase "+interactionID, `UPDATE experiment_subject
		SET unit = 'erased:' || agent_id || ':' || subject_id
		WHERE subject_id = $1 AND substr(unit, 1, 7) <> 'erased:'`, interactionID)
}
