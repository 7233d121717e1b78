package learning

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
)

// Embedded is the reasoner that needs no model. It reads no English: it takes what people stated, or the one act that
// the difference of two texts comes down to, or says that a person has to put it into a sentence. Cases are held
// against the words of the act.
type Embedded struct {
	compare compare.Func // rules with cases, corrections with drafts
}

// NewEmbedded makes the reasoner.
func NewEmbedded(c compare.Func) *Embedded { return &Embedded{c} }

// Name is "embedded reasoner".
func (*Embedded) Name() string { return embeddedName }

const embeddedName = "embedded reasoner"

// Reflect takes what was stated; of a revision without a statement, what the two texts show.
func (e *Embedded) Reflect(_ context.Context, s Source) (Reflection, error) {
	if s.Kind == Approve || s.Kind == "" {
		return Reflection{}, fault.New(fault.Invalid, "There is nothing to reflect on in a decision of kind %q.",
			s.Kind)
	}
	r := Reflection{Problem: s.problem(), Domain: s.domain()}
	switch {
	case len(s.Statements) > 0:
		r.Statements, r.Why = s.Statements, "Stated by "+firstText(s.StatedBy, s.By, "a person")+"."
	case s.Label == compliant:
		return Reflection{Nothing: true,
			Why: "The experts found that the text may be sent as it is, so there is nothing to change."}, nil
	case s.Kind == Revise:
		return s.guess(r, e.compare), nil
	default:
		r.Unstated, r.Why = true, "Nobody has stated what should change next time."
	}
	return r, nil
}

// compliant is the label of a ruling that lets a text go.
const compliant = "COMPLIANT_GUIDANCE"

// guess reads a revision whose author stated nothing: nothing where only wording or this customer's own matters
// changed, the one act that the remark speaks of, and else that it needs a sentence.
func (s Source) guess(r Reflection, c compare.Func) Reflection {
	st, nothing := Guess(s, "", c)
	switch nothing {
	case rule.NothingSmall, rule.NothingLent, rule.NothingTaste, rule.NothingPrivate:
		return Reflection{Nothing: true, Why: nothing + ", so there is nothing to learn for others."}
	case "":
		if st.Check() == nil && !particular(st, s.Situation) {
			r.Guessed, r.Statements = true, []rule.Statement{st}
			r.Why = "A guess: of what changed it is nearest to the remark."
			return r
		}
		nothing = rule.NothingMuch
	}
	r.Unstated, r.Why = true, nothing+". A person has to say what should change next time."
	return r
}

// problem is what people and checks said was wrong, in their words.
func (s Source) problem() string {
	var parts []string
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && len(parts) < 8 && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if s.Reason != "" {
		add(inQuotes(s.Reason))
	}
	if s.Feedback != "" {
		add(inQuotes(s.Feedback))
	}
	for _, f := range s.Flags {
		why := firstText(f.Why, codeWords(f.Code))
		if f.Quote != "" {
			why = strings.TrimRight(why, ".") + ": " + inQuotes(f.Quote)
		}
		add(why)
	}
	if s.Scores != nil {
		add("The outcome: " + s.Scores.Words() + ".")
	}
	return strings.Join(parts, " ")
}

// inQuotes is a sentence as it is quoted; what it quotes itself gets the marks of a quotation within one.
func inQuotes(s string) string {
	s = strings.NewReplacer("“", "‘", "”", "’").Replace(strings.TrimSpace(s))
	return "“" + strings.TrimRight(s, ".") + "”."
}

// codeWords is a code as one says it: "Missing db warning".
func codeWords(code string) string {
	return pack.Upper(strings.ToLower(strings.ReplaceAll(code, "_", " ")))
}

// domain is what a lesson of s is filed under: where the line runs is what experts and judges speak of; the rest is the
// pack's lightest domain, and a person may choose another.
func (s Source) domain() string {
	if c := causeOf(s.Kind); c == CauseRuling || c == CauseVerdict {
		return RegulatoryCompliance
	}
	return lightest(s.Situation.Pack)
}

// Validate holds the act's own words against what a person released and what the advisor had written.
func (e *Embedded) Validate(_ context.Context, t Trial) (Finding, error) {
	f := Finding{Verdict: Silent, Fired: true}
	if t.Approved == "" {
		f.Why = "Nothing was released for this customer."
		return f, nil
	}
	f.Verdict, f.Why = spoken(e.compare, t.Statement.Do, t.draft(), t.Approved)
	return f, nil
}

// spoken is what a released text says about an act, beside the draft that was written without the rule.
func spoken(c compare.Func, a rule.Act, draft, released string) (verdict, why string) {
	switch a.Kind {
	case rule.Include, rule.Ask, rule.Point:
		if y, _, against := c.Against(released, a.Text); against {
			return Hurt, "A person released the opposite: “" + y + "”."
		}
		switch before, after := says(c, draft, a.Text), says(c, released, a.Text); {
		case after && !before:
			return Helped, "The released text says it, and the draft did not."
		case before && !after:
			return Hurt, "The draft said it, and a person took it out."
		case after:
			return Silent, "The advisor said it without the rule."
		}
		return Silent, "The released text does not say it; that counts neither for nor against."
	case rule.Never:
		switch before, after := anyPhrase(draft, a.Phrases), anyPhrase(released, a.Phrases); {
		case after != "":
			return Hurt, "A person released “" + after + "”."
		case before != "":
			return Helped, "The draft said “" + before + "”, and a person took it out."
		}
		return Silent, "Neither text says it."
	case rule.Replace:
		switch before, after := avoided(draft, a.Swaps), avoided(released, a.Swaps); {
		case after != nil:
			return Hurt, "A person released “" + after.Avoid + "”."
		case before != nil && pack.HasPhrase(released, before.Say):
			return Helped, "The draft said “" + before.Avoid + "”, and the released text “" + before.Say + "”."
		}
		return Silent, "The draft did not use the term."
	}
	return Silent, "Only a person or a model can say whether a text follows an instruction in words."
}

func anyPhrase(text string, phrases []string) string {
	for _, p := range phrases {
		if pack.HasPhrase(text, p) {
			return p
		}
	}
	return ""
}

// avoided is the first term to avoid that a text has, other than within the term to say; nil when it has none.
func avoided(text string, swaps []rule.Swap) *rule.Swap {
	for i, w := range swaps {
		good := pack.PhraseSpans(text, w.Say)
		for _, bad := range pack.PhraseSpans(text, w.Avoid) {
			within := false
			for _, g := range good {
				within = within || g.Start <= bad.Start && bad.End <= g.End
			}
			if !within {
				return &swaps[i]
			}
		}
	}
	return nil
}

// Judge answers the four questions from data: what the base's gate says, whether the act can be carried out, whose
// words it holds, and whether a rule says it already.
func (*Embedded) Judge(_ context.Context, c Candidate) (Judgement, error) {
	j := Judgement{Accept: true, Notes: c.Notes}
	head := func(name string, pass bool, good, bad string) {
		h := Head{Name: name, Pass: pass, Why: good}
		if !pass {
			h.Why, j.Accept = bad, false
			j.Why = strings.TrimSpace(j.Why + " " + bad)
		}
		j.Heads = append(j.Heads, h)
	}
	lacks := fieldWords(fault.Fields(c.Statement.Check()))
	own := particular(c.Statement, c.Situation)
	head(HeadActionable, lacks == "", "It says for whom, and what to do.", lacks)
	head(HeadGeneral, !own, "We found no customer's details in it.",
		"It has words from one customer. Make them general or remove them.")
	refused := fieldWords(c.Refused)
	if past := ended(c.Regulation); past != nil && refused == "" && len(c.Statement.Do.Texts()) > 0 {
		refused = "It is about something that ended on " + past.To + ": " + past.Title + " (" + past.Reference + ")."
	}
	head(HeadBoundary, refused == "" || lacks != "" || own, "The checks found no fault in the wording.", refused)
	if c.Same != nil {
		j.SameAs = c.Same.ID
		head(HeadValue, true, "Rule R-"+strconv.Itoa(c.Same.Number)+" says it already.", "")
	} else {
		head(HeadValue, true, "No rule in use says it.", "")
	}
	if j.Accept {
		j.Why = "It can be carried out. We found no customer's details in it, and the checks no fault in its wording."
	}
	return j, nil
}

// ended is the first entry of the library that a rule names although it has ended; nil when there is none.
func ended(list []Regulation) *Regulation {
	for i := range list {
		if list[i].Ended {
			return &list[i]
		}
	}
	return nil
}

func fieldWords(list []fault.Field) string {
	var out []string
	for _, f := range list {
		out = append(out, f.Msg)
	}
	return strings.Join(out, " ")
}
