package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/internal/review/export"
	"preceptor/internal/rule"
)

// view shapes what was read.
func (s *told) view() *view {
	in := s.in
	v := &view{
		Basics: basics{ID: in.ID, Agent: in.AgentName, Task: in.Consultation.TaskType, TaskBy: in.TaskTypeBy,
			Origin: in.Origin, Status: in.Status,
			ReceivedAt: in.CreatedAt, ReleasedAt: in.ReleasedAt, ErasedAt: in.ErasedAt, Revises: in.Revises,
			RevisedBy: s.newer, Planted: in.Planted,
			TaskLabel: pack.Label(in.Consultation.TaskType), Signed: s.signed()},
		Customer: customerFacts(in.Consultation.Customer), Question: in.Consultation.Question,
		Said: lists.Map(in.Consultation.Messages, func(m interaction.Message) said { return said{m} }),
		Draft: draft{Text: in.Guidance, SHA256: in.GuidanceHash, Model: in.Model, Drafter: in.Drafter,
			Reasoning: in.Reasoning,
			Steps:     sound(in.Steps), Metadata: sound(in.Metadata), Failure: in.Failure},
		Lines: []line{}, Verdicts: []verdict{}, Experts: []expert{}, Decisions: []decision{}, Skips: []remark{},
		Comments: []remark{},
	}
	v.Lead = lead(v.Basics)
	for _, u := range in.KnowledgeUsed {
		v.Draft.Claimed = append(v.Draft.Claimed, named(u))
	}
	for _, e := range s.history {
		v.Lines = append(v.Lines, line{e.At, e.Kind, who(e.Actor), e.Note})
	}
	if s.given != nil {
		v.Knowledge, v.Prompt = knownOf(s.given), promptOf(s.given)
	}
	for _, r := range s.verdicts {
		v.Verdicts = append(v.Verdicts, s.verdict(r))
	}
	s.experts(v)
	for i := range s.decisions {
		v.Decisions = append(v.Decisions, s.decision(i))
	}
	if s.item != nil {
		for _, k := range s.item.Skips {
			v.Skips = append(v.Skips, remark{k.At, k.By.Name, k.Reason})
		}
	}
	for _, c := range s.comments {
		text := c.Text
		switch {
		case c.Erased:
			text = "Erased."
		case !c.WithdrawnAt.IsZero():
			text = "Deleted by its author."
		}
		v.Comments = append(v.Comments, remark{c.At, c.By.Name, text})
	}
	v.Delivery = s.sent()
	v.After = s.after()
	for _, r := range s.rows {
		v.Rows = append(v.Rows,
			row{r.Seq, db.Time(r.At), who(r.Actor()), r.Action,
				r.Hash, db.Time(r.ErasedAt)})
	}
	return v
}

// who is an actor as a pack names them: with the account's id, since names are no proof.
func who(a audit.Actor) string {
	switch {
	case a.Name == "" && a.Kind == audit.Person:
		return "a person (" + a.ID + ")"
	case a.Kind == audit.SystemActor:
		return cmp.Or(a.Name, a.ID)
	case a.Name == "" || a.Name == a.ID:
		return a.ID
	}
	return a.Name + " (" + a.ID + ")"
}

func named(u interaction.Used) string {
	if u.Version == 0 {
		return u.ID
	}
	return fmt.Sprintf("%s version %d", u.ID, u.Version)
}

// customerFacts are what was known of the customer, in the order of the names.
func customerFacts(c interaction.Customer) (list []fact) {
	list = []fact{}
	b, err := json.Marshal(c)
	if err != nil {
		return list
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return list
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return list
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return list
		}
		list = append(list, fact{fmt.Sprint(name), plain(value)})
	}
	return list
}

// sound is JSON that can be written again; nil for what is none.
func sound(b json.RawMessage) json.RawMessage {
	if !json.Valid(b) {
		return nil
	}
	return b
}

// plain is a JSON value as people read it: a text without its quotation marks, anything else as it stands.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func knownOf(r *knowledge.Prompt) *known {
	k := &known{At: r.At, Mode: r.Mode, Finder: r.Embedder, Tokens: r.Tokens, Hash: r.BlockHash, Match: r.BlockMatch,
		Items: []item{}}
	for _, it := range r.Items {
		k.Items = append(k.Items, item{it.Kind, it.ID, it.Label, it.Version, it.Current, it.Status, it.Source, it.Score,
			it.Cited, it.Changed, it.ErasedAt, it.Why, it.Block})
	}
	return k
}

func promptOf(r *knowledge.Prompt) *prompt {
	if len(r.Messages) == 0 {
		return nil
	}
	p := &prompt{Hash: r.PromptHash, Match: r.PromptMatch}
	for _, m := range r.Messages {
		p.Messages = append(p.Messages, message{m.Name, m.Hash, m.Text()})
	}
	return p
}

func (s *told) verdict(r compliance.Recorded) verdict {
	v := verdict{At: r.At, Of: s.textName(r.TextHash), TextHash: r.TextHash, Label: string(r.Label), Passed: r.Passed,
		Source: r.Source, Confidence: r.Confidence,
		Checklist: r.Checklist, Routing: r.Routing, Split: r.Split, Because: r.Because, Issues: []issue{},
		Votes: []vote{}}
	for _, i := range r.Issues {
		v.Issues = append(v.Issues, issue{i.Code, i.Severity, i.Why, i.Quote, i.Reference, i.By})
	}
	for _, j := range r.Judges {
		said := "failed"
		switch {
		case j.Abstained:
			said = "abstained"
		case j.Passed:
			said = "passed"
		}
		v.Votes = append(v.Votes, vote{j.Judge, j.AnsweredBy, said, j.Boundary, j.Confidence,
			cmp.Or(j.Reasoning, j.Why)})
	}
	return v
}

func (s *told) experts(v *view) {
	for _, c := range s.cases {
		e := expert{ID: c.ID, OpenedAt: c.CreatedAt, State: c.State, TextHash: c.TextHash, Of: s.textName(c.TextHash)}
		if c.Stood == borderline.Unresolved {
			e.State = c.Stood
		}
		if r := s.rulings[c.ID]; r != nil {
			e.Label, e.By, e.How, e.Rationale, e.Rubric, e.Taxonomy, e.RuledAt, e.UndoneAt = string(r.Label), r.By.Name,
				r.How, r.Rationale, r.RubricVersion, r.TaxonomyVersion, r.At, r.UndoneAt
		}
		v.Experts = append(v.Experts, e)
	}
}

// decision is one of them, with what it changed in the text that was on the screen.
func (s *told) decision(i int) decision {
	d := s.decisions[i]
	v := decision{N: i + 1, ID: d.ID, Verb: cmp.Or(d.Verb(), d.Kind), Kind: d.Kind, State: d.State, By: d.By.Name,
		ByID: d.By.ID, At: d.DecidedAt,
		Seconds: d.SecondsOnCase, Characters: d.Characters, Reason: d.Reason, Words: d.Words.Name,
		ReasonCode: pack.ReasonOf(d.ReasonCode).Label, Feedback: d.Feedback, Confirmation: d.Confirmation,
		Second: d.Second.Name, SecondID: d.Second.ID, SecondAt: d.SecondAt, SecondSecs: d.SecondSeconds,
		SecondWords: d.SecondConfirmation, NeedsSecond: d.NeedsSecond,
		Policy: d.PolicyVersion, HeldUntil: d.HeldUntil, SettledAt: d.SettledAt, SettledBy: d.SettledBy.Name,
		SettledWhy: d.SettledWhy,
		Base:       "the draft", Text: d.Text, Flags: []issue{}, OnlyCustomer: d.OnlyCustomer}
	if len(d.Actions) > 0 {
		v.Actions = d.Actions.Text()
	}
	for _, st := range d.Statements {
		v.Stated = append(v.Stated, rule.Sentence(st, pack.Of(s.in.Consultation.Pack)))
	}
	for _, o := range d.Overrulings {
		v.Overruled = append(v.Overruled, overruled{o.Code, pack.IssueName(o.Code), o.Reason})
	}
	for _, f := range d.Flags {
		v.Flags = append(v.Flags, issue{Code: f.Code, Severity: f.Severity, Why: f.Why, Quote: f.Quote,
			Reference: f.Reference})
	}
	before := s.in.Guidance
	for j, base := range s.decisions {
		if d.BaseID != "" && base.ID == d.BaseID {
			v.Base, before = fmt.Sprintf("the text of decision %d", j+1), base.Text
		}
	}
	if d.Text != "" && s.in.ErasedAt.IsZero() {
		v.SHA256 = interaction.TextHash(d.Text)
		if d.Text != before {
			v.Changes = export.Changes(before, d.Text)
		}
	}
	return v
}

// signed are the people whose decision stands.
func (s *told) signed() string {
	for i := len(s.decisions) - 1; i >= 0; i-- {
		d := s.decisions[i]
		if d.State == review.Undone || d.State == review.Overruled || d.State == review.Recalled {
			continue
		}
		if d.Second.ID != "" {
			return d.By.Name + " and " + d.Second.Name
		}
		return d.By.Name
	}
	return ""
}

func (s *told) sent() sent {
	out := sent{Text: s.in.Delivered(), Recalled: s.in.Recalled(), Endpoint: s.standing.Endpoint, Receipts: []receipt{}}
	if out.Text != "" && s.in.ErasedAt.IsZero() {
		out.SHA256 = interaction.TextHash(out.Text)
	}
	for _, r := range s.receipts {
		v := receipt{ID: r.ID, Type: r.Type, State: r.State, At: r.CreatedAt, Attempts: []attempt{}}
		for _, a := range r.Attempts {
			v.Attempts = append(v.Attempts,
				attempt{a.N, a.At, a.Outcome, a.Status, a.Took.Milliseconds(), a.BodyHash, a.Note})
		}
		out.Receipts = append(out.Receipts, v)
	}
	return out
}

func (s *told) after() after {
	a := after{Lessons: []lesson{}, Votes: []opinion{}, Outcomes: []outcome{}, Erasures: []tombstone{}}
	for _, l := range s.lessons {
		a.Lessons = append(a.Lessons, lesson{l.ID, l.Origin, l.Stage, l.State, l.CreatedAt, l.RuleNumber, l.CaseNumber})
	}
	for _, v := range s.said.Votes {
		a.Votes = append(a.Votes, opinion{v.At, v.Kind, v.Value, v.Channel, v.Version, v.Text})
	}
	for _, o := range s.said.Outcomes {
		a.Outcomes = append(a.Outcomes,
			outcome{o.At, o.Satisfaction, o.Comprehension, o.GoalAlignment, o.GoalsMet, o.UnderstandingChecked,
				o.Signposted, o.DBWarningGiven, o.Issues, o.Channel})
	}
	for _, r := range s.rows {
		if r.Action == audit.ActionErased {
			a.Erasures = append(a.Erasures,
				tombstone{db.Time(r.At), who(r.Actor()), r.Seq})
		}
	}
	return a
}
