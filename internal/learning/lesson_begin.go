package learning

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/rule"
)

// FromDecisionTx stores what a decision may teach, in the decision's own transaction, and queues its first jobs there.
// A second call changes nothing. The first statement and the case are one lesson; each further statement is a lesson of
// its own. An approval, and a change for one customer alone, leave a case once they are released and nothing else.
func (p *Pipeline) FromDecisionTx(tx *db.Tx, s Source) error {
	if s.DecisionID == "" {
		return fault.New(fault.Invalid, "A lesson needs the decision it comes from.")
	}
	l := begun(s, CauseDecision, s.DecisionID)
	l.DecisionID, l.CaseState = s.DecisionID, CaseWaiting
	switch s.Kind {
	case Approve:
		l.Title = pack.Label(s.Task) + " approved"
	case Revise:
		l.Title = pack.Label(s.Task) + " revised"
	case Reject:
		l.Title = pack.Label(s.Task) + " rejected"
	default:
		return fault.New(fault.Invalid, "Nothing is learned from a decision of kind %q.", s.Kind)
	}
	if s.Kind == Approve || s.Private {
		l.Stage, l.State, s.Statements = StageCase, Waiting, nil
	}
	if s.Private {
		l.Outcome = onlyCustomer(s.By)
	}
	_, err := p.beginTx(tx, l, s)
	return err
}

// beginTx stores a lesson with what it is learned from, and queues its first job; false when its cause has one already.
// Each statement beside the first begins a lesson of its own.
func (p *Pipeline) beginTx(tx *db.Tx, l Lesson, s Source) (bool, error) {
	s = p.safe(s)
	stated := distinct(s.Statements)
	s.Statements = stated[:min(1, len(stated))]
	ok, err := insertTx(tx, l, s)
	if err != nil || !ok {
		return false, err
	}
	tx.Touch("learning")
	if l.Stage == StageCase {
		return true, nil
	}
	if err := p.enqueueTx(tx, l.ID, StageReflect); err != nil {
		return true, err
	}
	return true, p.furtherTx(tx, l, s, stated[len(s.Statements):])
}

func onlyCustomer(by string) string {
	return firstText(by, "A supervisor") + " changed this for one customer only, so it creates no rule."
}

// begun is a lesson at its beginning.
func begun(s Source, cause, causeID string) Lesson {
	return Lesson{ID: id.New(), Origin: s.origin(), Cause: cause, CauseID: causeID, InteractionID: s.InteractionID,
		AgentID: s.AgentID, AgentName: s.AgentName,
		Pack: s.Situation.Pack, By: s.By, Task: s.Task, Stage: StageReflect, State: Running,
		Title: begunTitle[s.origin()]}
}

// numbered is the cause of a cause's n-th lesson. The first has the cause's own id; ids hold no "#".
func numbered(causeID string, n int) string { return causeID + "#" + strconv.Itoa(n) }

// furtherTx begins a lesson for each statement beside the first, on the same cause.
func (p *Pipeline) furtherTx(tx *db.Tx, first Lesson, src Source, list []rule.Statement) error {
	if len(list) == 0 {
		return nil
	}
	cause, _, _ := strings.Cut(first.CauseID, "#")
	had, err := ofCauseTx(tx, first.Cause, cause)
	if err != nil {
		return err
	}
	for i, st := range list {
		src.Statements = []rule.Statement{st}
		l := begun(src, first.Cause, numbered(cause, len(had)+1+i))
		l.Title = first.Title
		if _, err := insertTx(tx, l, src); err != nil {
			return err
		}
		if err := db.Exec(tx, "learning: begin a further lesson",
			`UPDATE lesson SET settled = (SELECT settled FROM lesson WHERE id = $1) WHERE id = $2`, first.ID,
			l.ID); err != nil {
			return err
		}
		if err := p.enqueueTx(tx, l.ID, StageReflect); err != nil {
			return err
		}
	}
	return nil
}

// ReleasedTx says that a decision's hold has passed: its text was released, or its rejection escalated. Now the case is
// made. A second call changes nothing.
func (p *Pipeline) ReleasedTx(tx *db.Tx, decisionID string) error {
	list, err := ofCauseTx(tx, CauseDecision, decisionID)
	if err != nil {
		return err
	}
	for _, l := range list {
		if err := db.Exec(tx, "learning: settle a lesson", `UPDATE lesson SET settled = 1 WHERE id = $1`,
			l.ID); err != nil {
			return err
		}
		tx.Touch("learning")
		if l.CaseState != CaseWaiting {
			continue
		}
		l.CaseState = CaseRunning
		if err := saveCaseTx(tx, &l, CaseWaiting); err != nil {
			return err
		}
		if err := p.enqueueTx(tx, l.ID, StageCase); err != nil {
			return err
		}
	}
	return nil
}

// separator stands between the fields while they are pseudonymised together; no text may carry it.
const separator = "\n\x1e\n"

// safe is s without personal data. All fields are done in one go, so that one name has one token in all of them.
func (p *Pipeline) safe(s Source) Source {
	if s.Before == nil {
		s.Before = newest(s.Situation.Before)
	}
	fields := s.texts()
	texts := lists.Map(fields, func(f *string) string { return strings.ReplaceAll(*f, "\x1e", " ") })
	joined, _ := p.priv.Pseudonymise(strings.Join(texts, separator), s.Known...)
	parts := strings.Split(joined, separator)
	for i, f := range fields {
		if len(parts) == len(fields) {
			*f = parts[i]
			continue
		}
		*f = p.priv.Hide(texts[i], s.Known...) // a separator was swallowed: field by field then
	}
	s.Known, s.Situation.Before = nil, s.Before
	return s
}

// mostBefore is how many bytes of what was said before its question a lesson keeps.
const mostBefore = 8_000

// newest is the end of what people said in a conversation: whole messages, or the end of the last.
func newest(list []pack.Message) (out []pack.Message) {
	left := mostBefore
	for _, m := range slices.Backward(list) {
		if m.Role == pack.FromTool || m.Text == "" {
			continue
		}
		if len(m.Text) > left {
			if len(out) > 0 {
				break
			}
			m.Text = strings.ToValidUTF8(m.Text[len(m.Text)-left:], "")
		}
		out, left = append(out, m), left-len(m.Text)
	}
	slices.Reverse(out)
	return out
}

// texts are the places of everything in s that somebody wrote; the lists of s are its own afterwards.
func (s *Source) texts() []*string {
	fields := []*string{&s.Question, &s.AgentText, &s.HumanText, &s.Reason, &s.Feedback, &s.Reasoning,
		&s.Situation.Question, &s.Situation.Goal, &s.Situation.Text}
	all := func(list *[]string) {
		*list = slices.Clone(*list)
		for i := range *list {
			fields = append(fields, &(*list)[i])
		}
	}
	flags := func(list *[]Flag) {
		*list = slices.Clone(*list)
		for i := range *list {
			fields = append(fields, &(*list)[i].Why, &(*list)[i].Quote)
		}
	}
	if s.Own != nil {
		own := *s.Own
		s.Own = &own
		fields = append(fields, s.Own)
	}
	all(&s.Phrases)
	all(&s.Situation.Features)
	flags(&s.Flags)
	s.Situation.Fields = maps.Clone(s.Situation.Fields)
	for _, name := range slices.Sorted(maps.Keys(s.Situation.Fields)) {
		list := s.Situation.Fields[name]
		all(&list)
		s.Situation.Fields[name] = list
	}
	s.Before = slices.Clone(s.Before)
	for i := range s.Before {
		fields = append(fields, &s.Before[i].Text)
	}
	s.Voices = slices.Clone(s.Voices)
	for i := range s.Voices {
		fields = append(fields, &s.Voices[i].Reasoning)
		flags(&s.Voices[i].Issues)
	}
	s.Statements = slices.Clone(s.Statements)
	for i := range s.Statements {
		eachText(&s.Statements[i], func(text *string) { fields = append(fields, text) })
	}
	return fields
}

// eachText calls f with each text of a statement; its lists are its own afterwards.
func eachText(st *rule.Statement, f func(text *string)) {
	f(&st.Do.Text)
	f(&st.Because)
	st.Do.Phrases, st.Do.Swaps, st.When = slices.Clone(st.Do.Phrases), slices.Clone(st.Do.Swaps), slices.Clone(st.When)
	for i := range st.Do.Phrases {
		f(&st.Do.Phrases[i])
	}
	for i := range st.Do.Swaps {
		f(&st.Do.Swaps[i].Say)
		f(&st.Do.Swaps[i].Avoid)
	}
	for i := range st.When {
		st.When[i].Values = slices.Clone(st.When[i].Values)
		for j := range st.When[i].Values {
			f(&st.When[i].Values[j])
		}
	}
}

// distinct are the statements without those that one decision makes twice.
func distinct(list []rule.Statement) (out []rule.Statement) {
	for _, st := range list {
		if !slices.ContainsFunc(out, func(have rule.Statement) bool {
			return sameRule(have, st) && sameRule(st, have)
		}) {
			out = append(out, st)
		}
	}
	return out
}

// insertTx stores a new lesson with its source; false when its cause has one already.
func insertTx(tx *db.Tx, l Lesson, s Source) (bool, error) {
	source, err := json.Marshal(s)
	if err != nil {
		return false, fmt.Errorf("learning: encode a source: %w", err)
	}
	n, err := db.Change(tx, "learning: begin a lesson", `INSERT INTO lesson (id, origin, cause_kind, cause_id,
			interaction_id, agent_id, agent_name, decided_by, task,
			stage, state, title, case_state, code, urgent, created_at, updated_at, version, settled,
			pack, outcome, problem, domain)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, 1, $17, $18, $19, $20, $21)
		ON CONFLICT (cause_kind, cause_id) DO NOTHING`,
		l.ID, l.Origin, l.Cause, l.CauseID, l.InteractionID, l.AgentID, l.AgentName, l.By, l.Task, l.Stage, l.State,
		l.Title, l.CaseState, l.Code,
		l.Urgent, tx.NowMs(), l.Cause != CauseDecision, l.Pack, l.Outcome, l.Problem, l.Domain)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.Exec(`INSERT INTO lesson_source (lesson_id, source) VALUES ($1, $2)`, l.ID, string(source))
	return true, err
}
