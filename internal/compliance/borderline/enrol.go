package borderline

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// preceptor is who enrols what the panel could not settle.
var preceptor = audit.System("panel")

// EnrolTx counts a draft and, where its verdict is unsettled, makes a case of it, in the transaction that records the
// verdict (seed 000, case 2: store_borderline_case). It returns the case if experts are asked about it now: nil when
// the verdict needs none, the text has a case already, or more uncertain ones fill the budget.
func (s *Store) EnrolTx(tx *db.Tx, sub Subject) (*Case, error) {
	cause := causeOf(sub.Verdict)
	if cause != "" {
		if there, err := hasCase(tx, sub.Interaction.ID, interaction.TextHash(sub.Text)); err != nil || there {
			return nil, err
		}
	}
	no, err := countDraft(tx, sub.Interaction.AgentID)
	if err != nil {
		return nil, err
	}
	if cause != "" {
		if err := s.insertTx(tx, &Case{cause: cause, held: true, draftNo: no}, sub, preceptor); err != nil {
			return nil, err
		}
	}
	if err := s.balanceOf(tx, sub.Interaction.AgentID, no); err != nil || cause == "" {
		return nil, err
	}
	return openCaseTx(tx, sub.Interaction.ID)
}

// hasCase reports whether a text of an interaction has one, open, ruled or held back.
func hasCase(tx *db.Tx, interactionID, textHash string) (there bool, err error) {
	return db.Value[bool](tx, "borderline: look for a case", `SELECT
		EXISTS (SELECT 1 FROM borderline_case WHERE interaction_id = $1 AND text_hash = $2
		AND (state <> 'overtaken' OR held = 1))`,
		interactionID, textHash)
}

// SendInput is a text that a supervisor wants an expert to look at.
type SendInput struct {
	Subject
	By   Person
	Note string // what they are in doubt about
}

// Send makes a case of what is under review. Invalid without a note; Denied to who may not; Conflict when experts have
// it or ruled it already, or the case is decided or shows another text by now.
func (s *Store) Send(ctx context.Context, in SendInput) (c *Case, err error) {
	in.Note = text.Typed(in.Note)
	long := text.TooLong(in.Note, maxNote)
	switch {
	case in.Note == "":
		return nil, fault.Wrong("Say what you are unsure about. The expert reads it after answering.", "note",
			"Say what you are unsure about.")
	case long != "":
		return nil, fault.Wrong("The note is too long.", "note", long)
	}
	hash := interaction.TextHash(in.Text)
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.hooks.MaySend.May(tx, in.By.ID); err != nil {
			return err
		}
		if err := s.hooks.Undecided(tx, in.Interaction.ID, hash); err != nil {
			return err
		}
		st, err := s.StandingTx(tx, in.Interaction.ID, hash)
		if err != nil {
			return err
		}
		switch {
		case st.Open:
			return fault.New(fault.Conflict, "The experts have this text already.")
		case st.Ruled != "":
			return fault.New(fault.Conflict, "%s has ruled on this text already. Open the ruling to read why.", st.By)
		}
		c = &Case{cause: Sent, sentBy: in.By, note: in.Note}
		if c.draftNo, err = drafts(tx, in.Interaction.AgentID); err != nil {
			return err
		}
		if _, err := settleHeld(tx, in.Interaction.ID, 1, 2); err != nil {
			return err
		}
		if err := s.insertTx(tx, c, in.Subject, in.By.Actor()); err != nil {
			return err
		}
		return s.balanceTx(tx, c.AgentID)
	})
	return c, err
}

// insertTx completes c, which holds why it is here, from what it is made of, and stores it: waiting for experts, or
// held back.
func (s *Store) insertTx(tx *db.Tx, c *Case, sub Subject, actor audit.Actor) error {
	in := sub.Interaction
	verdict, err := json.Marshal(sub.Verdict)
	if err != nil {
		return fmt.Errorf("borderline: encode a verdict: %w", err)
	}
	c.ID, c.InteractionID, c.AgentID, c.AgentName, c.Pack, c.Task = id.New(), in.ID, in.AgentID, in.AgentName,
		pack.Of(in.Consultation.Pack).Name, in.Consultation.TaskType
	c.Who, c.Opening, c.Text, c.TextHash = in.Consultation.Customer.Who(),
		text.Opening(in.Consultation.Question, longestOpening), sub.Text, interaction.TextHash(sub.Text)
	ask, err := s.hooks.AskFor(tx, in.AgentID)
	if err != nil {
		return err
	}
	c.TargetAt, c.CreatedAt, c.verdict = tx.Now.Add(ask.Target), tx.Now, sub.Verdict
	if c.State = Waiting; c.held {
		c.State = Overtaken
	}
	c.Wanted, c.Most = ask.expertsFor(c.cause, in.Consultation.Situation())
	_, err = tx.Exec(`INSERT INTO borderline_case (id, interaction_id, agent_id, agent_name, task, who, opening, text,
			text_hash, cause, sent_by, sent_name, note,
			verdict, codes, state, wanted, most, target_at, created_at, draft_no, uncertainty, line, held, pack)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25)`,
		c.ID, c.InteractionID, c.AgentID, c.AgentName, c.Task, c.Who, c.Opening, c.Text, c.TextHash, c.cause,
		c.sentBy.ID, c.sentBy.Name, c.note,
		string(verdict), codesOf(sub.Verdict), c.State, c.Wanted, c.Most, db.Ms(c.TargetAt), tx.NowMs(), c.draftNo,
		perMille(sub.Verdict), sub.Verdict.Line(), c.held, c.Pack)
	if db.IsUnique(err) {
		return fault.New(fault.Conflict, "The experts have this case already.")
	}
	if err != nil {
		return fmt.Errorf("borderline: enrol %s: %w", in.ID, err)
	}
	touch(tx)
	action := "borderline.enrolled"
	if c.held {
		action = "borderline.unsettled_draft"
	}
	if err := audit.Note(tx, actor, action, "interaction", in.ID,
		map[string]any{"case": c.ID, "cause": c.cause, "text_hash": c.TextHash, "experts": c.Wanted,
			"uncertainty": perMille(sub.Verdict)}); err != nil || c.held {
		return err
	}
	return s.hooks.OnOpened(tx, c)
}

// touch tells the pages; the desk shows where experts stand.
func touch(tx *db.Tx) {
	tx.Touch("borderline")
	tx.Touch("reviews")
}

// codesOf are the issue codes of a verdict and its votes, each between commas.
func codesOf(v compliance.Verdict) string {
	var codes []string
	for _, i := range v.Issues {
		codes = append(codes, i.Code)
	}
	for _, j := range v.Judges {
		for _, i := range j.Issues {
			codes = append(codes, i.Code)
		}
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); len(codes) == 0 {
		return ""
	}
	return "," + strings.Join(codes, ",") + ","
}

// record appends to the audit log. No text, reason or note is in it.
func record(tx *db.Tx, by audit.Actor, action string, c *Case, more map[string]any) error {
	content := map[string]any{"case": c.ID}
	maps.Copy(content, more)
	return audit.Note(tx, by, action, "interaction", c.InteractionID, content)
}

// Standing is what the desk needs to know of the experts about one text.
type Standing struct {
	CaseID string
	Open   bool             // they have it
	Ruled  compliance.Label // "" until they did
	By     string           // who ruled, or closed it as unresolved
	Why    string           // the ruling's rationale, or the reason for closing it
	Sent   string           // the supervisor who sent it; "" when the panel did
	Note   string           // what they asked
	Line   string           // what kept the panel from settling it; "" where nothing did
	// Unresolved: they ended without a ruling, and a supervisor decides.
	Unresolved bool
}

// Releases reports whether the text may be approved because experts ruled it compliant.
func (st Standing) Releases() bool { return st.Ruled == compliance.Compliant }

// Blocks reports whether the text can't be approved as it stands.
func (st Standing) Blocks() bool { return st.Open || st.Ruled != "" && !st.Releases() }

// StandingTx is where the experts stand on a text of an interaction; the zero value when they have nothing to do with
// it.
func (s *Store) StandingTx(tx *db.Tx, interactionID, textHash string) (Standing, error) {
	st, _, _, err := scanStanding(db.One(tx, "borderline: where experts stand",
		standingSQL+` WHERE c.interaction_id = $1 AND c.text_hash = $2
		ORDER BY `+weight+` DESC, c.created_at DESC, c.id DESC LIMIT 1`, interactionID, textHash))
	if errors.Is(err, sql.ErrNoRows) {
		return Standing{}, nil
	}
	return st, err
}

// weight orders the cases of a text: what experts have or ruled says more than what they gave up, and that more than
// what a supervisor decided first.
const weight = `CASE WHEN c.state <> 'overtaken' THEN 2 WHEN c.stood = 'unresolved' THEN 1 ELSE 0 END`

const standingSQL = `SELECT c.interaction_id, c.text_hash, c.id, c.state, c.stood = 'unresolved', c.sent_name,
	coalesce(r.label, ''), coalesce(r.by_name, m.by_name, ''), coalesce(r.rationale, m.text, ''), c.line, c.note
	FROM borderline_case c LEFT JOIN borderline_ruling r ON r.case_id = c.id AND r.undone_at = 0
	LEFT JOIN borderline_remark m ON m.case_id = c.id AND m.at = c.closed_at AND c.stood = 'unresolved'`

func scanStanding(row db.Row) (st Standing, interactionID, hash string, err error) {
	var state string
	err = row.Scan(&interactionID, &hash, &st.CaseID, &state, &st.Unresolved, &st.Sent, &st.Ruled, &st.By, &st.Why,
		&st.Line, &st.Note)
	if st.Open = state == Waiting || state == Adjudication; state == Overtaken && !st.Unresolved {
		// experts have nothing to do with it: held back, or a supervisor decided first
		st.CaseID, st.Sent, st.Note = "", "", ""
	}
	return st, interactionID, hash, err
}

// Standings are those of many interactions: by interaction, then by the hash of the text.
func (s *Store) Standings(ctx context.Context, interactionIDs []string) (map[string]map[string]Standing, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (map[string]map[string]Standing, error) {
		return standings(tx, interactionIDs)
	})
}

// batch is how many ids one query takes.
const batch = 200

func standings(tx *db.Tx, ids []string) (map[string]map[string]Standing, error) {
	out := map[string]map[string]Standing{}
	for part := range slices.Chunk(ids, batch) {
		args := db.Anys(part)
		err := db.Each(tx, "borderline: read where experts stand", func(row db.Row) error {
			st, interactionID, hash, err := scanStanding(row)
			if err != nil {
				return err
			}
			if out[interactionID] == nil {
				out[interactionID] = map[string]Standing{}
			}
			out[interactionID][hash] = st
			return nil
		}, standingSQL+` WHERE c.interaction_id IN (`+db.In(1, len(part))+
			`) ORDER BY `+weight+`, c.created_at, c.id`, args...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// longestOpening is how many characters of a question lists show.
const longestOpening = 90
