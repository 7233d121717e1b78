package compliance

import (
	"slices"
	"strconv"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/ruled"
	"preceptor/views/ui"
)

// RuledSentence is one with how many experts agree on it now; 0 where others have said the opposite since.
type RuledSentence struct {
	ruled.Sentence
	Experts int
}

// SentenceForm is the form that ends a ruled sentence, as it was typed.
type SentenceForm struct {
	ID, Reason, Message string
	Errors              map[string]string
}

// of is what was typed, and errorOf what was wrong with it, if it was about this sentence.
func (f SentenceForm) of(id string) string {
	if f.ID != id {
		return ""
	}
	return f.Reason
}

func (f SentenceForm) errorOf(id string) string {
	if f.ID != id {
		return ""
	}
	return f.Errors["reason"]
}

func (r RuledSentence) status() (tone ui.Tone, icon, words string) {
	switch {
	case r.Experts == 0:
		return ui.Neutral, "undo", "replaced by a later ruling"
	case !compliance.InForce(r.Experts):
		return ui.Neutral, "person", "needs a second expert"
	case r.Right:
		return ui.Amber, "flag", "always flagged"
	}
	return ui.Green, "check", "no longer flagged"
}

// clickForm is the form that clicks on findings are sent with; "" where the viewer gives none.
func (v Case) clickForm() string {
	switch {
	case !v.Viewer.Expert:
	case v.rules():
		return "rule"
	case v.settles() && v.Mode == ModeChange:
		return "answer"
	case v.settles():
		return "keep"
	}
	return ""
}

// clickOptions are what can be said of a finding; a value says of which.
func clickOptions(f compliance.Issue) []ui.Option {
	of := ":" + f.Code + ":" + strconv.Itoa(f.Span[0]) + ":" + strconv.Itoa(f.Span[1])
	return []ui.Option{{Value: "right" + of, Label: saidOf(f.Code, true)},
		{Value: "wrong" + of, Label: saidOf(f.Code, false)}, {Value: "", Label: "No answer"}}
}

// saidOf is what an expert can say of a finding, or of words that a judge weighs and doesn't flag.
func saidOf(code string, right bool) string {
	words := [2]string{"Wrong", "Right"}
	if code == compliance.Other {
		words = [2]string{"Fine", "A problem"}
	}
	if right {
		return words[1]
	}
	return words[0]
}

// asksOf is what is asked of findings, and what there is to know about an answer.
func asksOf(list []compliance.Issue) (title, hint string) {
	for _, f := range list {
		if f.Code != compliance.Other {
			return "Is each finding right?", "“Wrong” means that the words are fine."
		}
	}
	return "Are these words fine?", ""
}

// clicked reports whether an option was chosen.
func (v Case) clicked(f compliance.Issue, value string) bool {
	if value != "" {
		return slices.Contains(v.Form.Clicks, value)
	}
	return !slices.ContainsFunc(clickOptions(f)[:2], func(o ui.Option) bool {
		return slices.Contains(v.Form.Clicks, o.Value)
	})
}

// clicksOf are the clicks of an answer; one that was kept shows those with which it was.
func (v Case) clicksOf(a borderline.Answer) []ruled.Click {
	last := v.View.Others
	if v.View.Last != nil {
		last = append(slices.Clone(last), *v.View.Last)
	}
	if at := slices.IndexFunc(last, func(o borderline.Answer) bool { return o.Kept && o.By.ID == a.By.ID }); at >= 0 {
		return last[at].Clicks
	}
	return a.Clicks
}
