package teach

import (
	"context"
	"strings"

	"preceptor/internal/advisor"
	"preceptor/internal/knowledge"
	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// mostPreviewed is how many of the rules that are stated at once are tried.
const mostPreviewed = 3

// Effects is what the rules that a form states would change, each by itself. in says beside whom.
func (t *Teacher) Effects(ctx context.Context, f statement.Form, in advisor.PreviewFor, s domain.Situation,
	known []string) (*statement.Preview, error) {
	out := &statement.Preview{}
	list := f.Statements()
	if len(list) == 0 {
		out.None = "Nothing is stated yet."
		return out, nil
	}
	for i, st := range list {
		if i == mostPreviewed {
			out.More = len(list) - mostPreviewed
			break
		}
		e, err := t.effectOf(ctx, st, in, s, known)
		if err != nil {
			return nil, err
		}
		out.Rules = append(out.Rules, e)
	}
	return out, nil
}

func (t *Teacher) effectOf(ctx context.Context, st rule.Statement, in advisor.PreviewFor, s domain.Situation,
	known []string) (e statement.Effect, err error) {
	e.Sentence = rule.Sentence(st, domain.Of(s.Pack))
	if st.Check() != nil {
		e.Why = "The preview appears once this is complete."
		return e, nil
	}
	vetting := knowledge.Vetting{RuleID: in.RuleID, AgentID: in.AgentID, Pack: s.Pack, Statement: st, Known: known}
	if in.InteractionID != "" || s.Question != "" {
		vetting.Situation = &s
	}
	vetted, err := t.d.Knowledge.Vet(ctx, vetting)
	switch {
	case fault.Is(err, fault.Invalid):
		for _, w := range fault.Fields(err) {
			e.Refused = append(e.Refused, w.Msg)
		}
	case err != nil:
		return e, err
	}
	e.Notes = append(e.Notes, vetted.Notes...)
	if vetted.Same != nil {
		n := nearOf(*vetted.Same)
		e.Known = &n
	}
	for _, r := range vetted.Clashes {
		e.Clashes = append(e.Clashes, nearOf(r))
	}
	return t.tried(ctx, e, st, in, domain.Of(s.Pack))
}

func nearOf(r knowledge.Rule) statement.Near {
	return statement.Near{Label: r.Label(), Href: "/knowledge/rules/" + r.ID, Sentence: r.Principle}
}

// tried adds what the advisor writes with the rule and without it.
func (t *Teacher) tried(ctx context.Context, e statement.Effect, st rule.Statement,
	in advisor.PreviewFor, of *domain.Pack) (statement.Effect, error) {
	if st.Do.Kind == rule.Other {
		e.Why = "The advisor can't carry this out without a model. Supervisors see it beside the drafts that it " +
			"applies to."
	}
	if t.d.Advisor == nil {
		return e, nil
	}
	in.Statement = st
	got, err := t.d.Advisor.Preview(ctx, in)
	if err != nil {
		return e, err
	}
	e.Same = got.With == got.Without
	if len(got.Instead) > 0 {
		e.Notes = append(e.Notes, "It says the opposite of what the advisor says now by "+
			strings.Join(got.Instead, " and ")+". The preview is without that.")
	}
	if len(got.Yields) > 0 {
		e.Notes = append(e.Notes, strings.Join(got.Yields, " and ")+" says the opposite for fewer customers. "+
			"The preview leaves drafts as they are where that applies.")
	}
	switch {
	case !got.Met:
		e.Silent = "Stays as it is: the conditions don't hold for this customer."
	case e.Same && got.Undone != "":
		e.Silent = "Stays as it is. " + got.Undone
	case e.Same:
		e.Silent = "Stays as it is: the advisor does this already in a draft that it writes now."
	default:
		e.Draft = around(ui.WordDiff(got.Without, got.With))
	}
	for _, x := range got.Changes {
		e.Changes = append(e.Changes,
			statement.Example{ID: x.InteractionID, Question: x.Question, Href: "/reviews/" + x.InteractionID,
				Change: around(ui.WordDiff(x.Without, x.With))})
	}
	for _, x := range got.Stays {
		out := statement.Example{ID: x.InteractionID, Question: x.Question, Href: "/reviews/" + x.InteractionID}
		if x.Met {
			out.ID = "" // nothing to pick: it is for this question already
		}
		for _, c := range x.Bars {
			out.Barred = append(out.Barred, c.Words(of))
		}
		e.Stays = append(e.Stays, out)
	}
	return e, nil
}

// beside is how many characters of what stays are shown beside a change.
const beside = 80

// around leaves out what is far from any change.
func around(changes []ui.Change) []ui.Change {
	out := make([]ui.Change, len(changes))
	for i, c := range changes {
		if text := []rune(c.Text); c.Op == "same" && len(text) > 2*beside {
			head, tail := string(text[:beside])+" … ", " … "+string(text[len(text)-beside:])
			switch {
			case i == 0:
				head = ""
			case i == len(changes)-1:
				tail = ""
			default:
				tail = strings.TrimPrefix(tail, " … ")
			}
			c.Text = strings.TrimPrefix(head+tail, " ")
		}
		out[i] = c
	}
	return out
}
