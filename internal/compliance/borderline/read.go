package borderline

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const caseColumns = `id, interaction_id, agent_id, agent_name, pack, task, who, opening, text, text_hash, cause,
	sent_by, sent_name, note, coalesce(nullif(verdict, ''), '{}'),
	state, stood, wanted, most, settled, asked_more_at, target_at, created_at, closed_at, held > 0, draft_no`

func scanCase(row db.Row) (c Case, err error) {
	err = row.Scan(&c.ID, &c.InteractionID, &c.AgentID, &c.AgentName, &c.Pack, &c.Task, &c.Who, &c.Opening, &c.Text,
		&c.TextHash, &c.cause, &c.sentBy.ID, &c.sentBy.Name, &c.note,
		db.JSON(&c.verdict), &c.State, &c.Stood, &c.Wanted, &c.Most, &c.Settled, db.At(&c.askedMoreAt),
		db.At(&c.TargetAt), db.At(&c.CreatedAt), db.At(&c.ClosedAt), &c.held, &c.draftNo)
	return c, err
}

// one is the case that a condition finds; NotFound when there is none.
func one(tx *db.Tx, where string, args ...any) (*Case, error) {
	c, err := scanCase(db.One(tx, "borderline: read a case", `SELECT `+caseColumns+` FROM borderline_case`+where,
		args...).
		Or(fault.New(fault.NotFound, "There is no such borderline case. Go back to the list and pick one.")))
	return &c, err
}

// notHeld is a case that experts have or had; what is held back is none for anybody.
func notHeld(tx *db.Tx, caseID string) (*Case, error) {
	c, err := one(tx, ` WHERE id = $1`, caseID)
	if err == nil && c.held {
		err = fault.New(fault.NotFound, "%s", heldBack)
	}
	return c, err
}

// openCaseTx is the case of an interaction that experts have now; nil when they have none.
func openCaseTx(tx *db.Tx, interactionID string) (*Case, error) {
	c, err := one(tx, ` WHERE interaction_id = $1 AND state IN ('waiting', 'adjudication')`, interactionID)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return c, err
}

// answersTx are the answers to a case that count, in the order in which they were given.
func answersTx(tx *db.Tx, caseID string) (out []Answer, err error) {
	all, err := labelling.OfItem(tx, set, caseID)
	for _, l := range all {
		if !l.UndoneAt.IsZero() {
			continue
		}
		a := Answer{ID: l.ID, CaseID: caseID, By: l.By, Step: Final, Label: compliance.Label(l.Label),
			Seconds: int(l.SpentMs / 1000), At: l.At}
		if l.First {
			a.Step = Blind
		}
		err = errors.Join(err, json.Unmarshal([]byte(l.Body), &a))
		out = append(out, a)
	}
	return out, err
}

const rulingColumns = `id, case_id, interaction_id, text_hash, label, rationale, how, by_id, by_name, pattern,
	rubric_version, taxonomy_version, at, undone_at, clicks`

// rulingTx is the ruling that stands on a case; nil when there is none.
func rulingTx(tx *db.Tx, caseID string) (*Ruling, error) {
	r, _, err := db.First(tx, "borderline: read a ruling", scanRuling, `SELECT `+rulingColumns+`
		FROM borderline_ruling WHERE case_id = $1 AND undone_at = 0`, caseID)
	return r, err
}

func scanRuling(row db.Row) (*Ruling, error) {
	r := new(Ruling)
	err := row.Scan(&r.ID, &r.CaseID, &r.InteractionID, &r.TextHash, &r.Label, &r.Rationale, &r.How, &r.By.ID,
		&r.By.Name, db.JSON(&r.Pattern),
		&r.RubricVersion, &r.TaxonomyVersion, db.At(&r.At), db.At(&r.UndoneAt), db.JSON(&r.Clicks))
	return r, err
}

// Viewer is who looks at a case.
type Viewer struct {
	Person
	Expert  bool // may answer and rule; others read what is ruled
	Decides bool // rules or closes where no expert is left
}

// View is a case as one person may see it.
type View struct {
	Case
	Blind, Last *Answer // the viewer's own; nil until they gave it
	Panel       *Panel  // nil before their own answer
	Others      []Answer
	Remarks     []Remark // one's own once the panel is open; those of others with their answers
	Ruling      *Ruling  // that stands; nil before
	Holders     []Person // others who work on it now
	WhyNot      string   // why they can't answer or adjudicate; "" when they can
	Stuck       bool     // no expert can: a manager or an administrator decides it or closes it
	Decide      bool     // the viewer does
	Draft       string   // what they typed and have not sent
	Skipped     bool     // by the viewer
	Place, Of   int      // among the cases that wait for the viewer's answer, oldest first; 0 when it is none of them
	WhyNoUndo   string   // of the ruling
	Blinded     int      // how many experts gave their first answer
	// a closed case that might be opened again is shut for experts who did not answer it; zero: it is not
	SealedUntil time.Time
}

// Panel is what stays hidden before one's own answer.
type Panel struct {
	Verdict compliance.Verdict
	Pattern Pattern
	Cause   string
	SentBy  string // the supervisor's name
	Note    string
}

// Get is a case as the viewer may see it. Before their own answer that is the text alone; the panel follows it; other
// experts' answers follow when everybody has settled. Who is no expert sees a case once it is closed, and is Denied
// before.
func (s *Store) Get(ctx context.Context, caseID string, v Viewer) (out *View, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		c, err := notHeld(tx, caseID)
		if err != nil {
			return err
		}
		_, no := s.decidable(tx, caseID, v.Person)
		decide := v.Decides && no == nil
		if !v.Expert && c.Open() && !decide {
			return fault.New(fault.Denied,
				"The experts have not ruled on this case yet. What they answer can be read once they have.")
		}
		if out, err = viewTx(tx, c, v, decide); err != nil || !c.Open() {
			return err
		}
		if out.Decide = decide; decide {
			out.WhyNot = ""
		}
		experts, err := s.hooks.Experts(tx)
		if err != nil {
			return err
		}
		left, err := leftTx(tx, c, experts)
		if out.Stuck = !left; err != nil || !v.Expert || c.State != Waiting || out.Last != nil {
			return err
		}
		return out.placeTx(tx, v)
	})
	return out, err
}

// placeTx finds the place of a case among those that wait for the viewer.
func (out *View) placeTx(tx *db.Tx, v Viewer) error {
	where, args, _, err := Filter{List: ListWaiting, Viewer: v}.where(tx.NowMs())
	if err != nil {
		return err
	}
	if out.Of, err = db.Value[int](tx, "borderline: count what waits", `SELECT count(*) FROM borderline_case`+where,
		args...); err != nil {
		return err
	}
	out.Place, err = db.Value[int](tx, "borderline: place a case",
		`SELECT count(*) FROM borderline_case`+where+` AND (created_at < $2 OR created_at = $2 AND id <= $3)`,
		append(args, db.Ms(out.CreatedAt), out.ID)...)
	return err
}

// viewTx is a case as the viewer may see it; open opens all of it, to who decides it.
func viewTx(tx *db.Tx, c *Case, v Viewer, open bool) (*View, error) {
	answers, err := answersTx(tx, c.ID)
	if err != nil {
		return nil, err
	}
	out := &View{Case: *c}
	for i := range answers {
		a := &answers[i]
		switch {
		case a.Step == Blind:
			out.Blinded++
			if a.By.ID == v.ID {
				out.Blind = a
			}
		case a.By.ID == v.ID:
			out.Last = a
		}
	}
	if c.Open() && v.Expert {
		if err := whyNot(tx, c, v.Person); err != nil {
			out.WhyNot = fault.Message(err)
		}
		t, err := at(c.ID, v.Person).Turn(tx)
		if err != nil {
			return nil, err
		}
		out.Draft, out.Skipped = t.Draft, t.State == labelling.Skipped
		if out.Holders, err = labelling.Holders(tx, set, c.ID, lapsed(tx)); err != nil {
			return nil, err
		}
		out.Holders = slices.DeleteFunc(out.Holders, func(p Person) bool { return p.ID == v.ID })
	}
	ruling, err := rulingTx(tx, c.ID)
	if err != nil {
		return nil, err
	}
	if v.Expert && out.Blind == nil {
		out.SealedUntil = c.sealedUntil(ruling, tx.Now)
	}
	sealed := !out.SealedUntil.IsZero()
	open = open || c.State != Waiting && !sealed
	if out.Blind != nil || open {
		out.Panel = &Panel{Verdict: c.verdict, Pattern: ExtractPattern(c.Text, c.verdict), Cause: c.cause,
			SentBy: c.sentBy.Name, Note: c.note}
	}
	if open {
		out.Others = answers
	}
	if out.Panel != nil {
		mine := v.ID
		if open {
			mine = "" // all
		}
		if out.Remarks, err = remarksTx(tx, c.ID, mine); err != nil {
			return nil, err
		}
	}
	if out.Ruling = ruling; ruling == nil || sealed {
		out.Ruling = nil
		return out, nil
	}
	out.WhyNoUndo = ruling.WhyNoUndo(out.Last != nil, v.Person, tx.Now)
	return out, nil
}

// sealedUntil is how long a closed case stays shut for experts who have not answered it, because it could still be
// opened again and need their answer; zero when it is not shut.
func (c *Case) sealedUntil(r *Ruling, now time.Time) time.Time {
	mayOpen := c.State == Ruled && r != nil && r.How == Agreed || c.State == Overtaken && c.Stood == Waiting
	if until := c.ClosedAt.Add(UndoFor); mayOpen && now.Before(until) {
		return until
	}
	return time.Time{}
}

// ForInteraction are the cases of an interaction with the rulings that stand on them, oldest first: what the desk
// shows.
func (s *Store) ForInteraction(ctx context.Context, interactionID string) (
	cases []Case, rulings map[string]*Ruling, err error) {
	rulings = map[string]*Ruling{}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if cases, err = casesTx(tx, ` WHERE interaction_id = $1 AND held = 0
			ORDER BY created_at, id`, interactionID); err != nil {
			return err
		}
		for _, c := range cases {
			r, err := rulingTx(tx, c.ID)
			if err != nil {
				return err
			}
			if r != nil {
				rulings[c.ID] = r
			}
		}
		return nil
	})
	return cases, rulings, err
}

func casesTx(tx *db.Tx, where string, args ...any) ([]Case, error) {
	return db.List(tx, "borderline: read cases", scanCase, `SELECT `+caseColumns+` FROM borderline_case`+where, args...)
}
