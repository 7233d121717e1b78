package learning

import (
	"context"
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
)

// Guess is what a revision or rejection teaches of which nobody stated it, or why it is nothing; say is a sentence
// typed with a rejection, reviewed are texts with words that belong to nobody. The encoder tells what the remarks ask
// for.
func Guess(s Source, say string, c compare.Func, reviewed ...string) (rule.Statement, string) {
	remarks := s.Reason + "\n" + s.Feedback
	in := rule.GuessInput{Before: s.AgentText, After: s.Written(), Reason: s.Reason, Next: s.Feedback, Say: say,
		Rejected: s.Kind == Reject, Situation: s.Situation, Compare: c, Near: near, Wants: wants(remarks)}
	reviewed = append(reviewed, s.AgentText, remarks)
	in.Hide = func(text string) string { return s.hidden(text, reviewed) }
	in.Particulars = func(text string) bool {
		return hasToken(text) || deedRE.MatchString(text) || datedRE.MatchString(text) ||
			len(Particulars(text, s.Situation, s.Known)) > 0 || Unsourced(text, s.Situation, reviewed...) ||
			s.agedIn(text, reviewed)
	}
	if s.Own != nil && s.HumanText != s.AgentText && compare.Plain(*s.Own, s.AgentText) == compare.Same {
		return rule.Statement{}, rule.NothingLent
	}
	return rule.Guess(in)
}

// Written is the released text without what comes from a saved reply.
func (s Source) Written() string {
	if s.Own != nil {
		return *s.Own
	}
	return s.HumanText
}

// agedIn reports whether a text has the customer's age, and no reviewed text has that number.
func (s Source) agedIn(text string, reviewed []string) bool {
	has := func(t string) bool {
		return slices.Contains(numberRE.FindAllString(t, -1), strconv.Itoa(s.Situation.Age))
	}
	return s.Situation.Age > 0 && has(text) && !slices.ContainsFunc(reviewed, has)
}

// deedRE finds what the writer did for one customer, datedRE days that only one year has and numbers of one customer's
// papers.
var (
	deedRE   = regexp.MustCompile(`\bI(?:['’](?:ve|ll)| have| will| rang| spoke| booked| checked)\b`)
	numberRE = regexp.MustCompile(`\d(?:[\d.,]*\d)?(?:k|st|nd|rd|th)?`)
	datedRE  = regexp.MustCompile(
		`(?i)\b(?:on|by|this|next|until|before) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b` +
			`|\btomorrow\b|\b(?:order|ref|reference|case|policy|account|ext|extension|invoice)\.?:? ` +
			`(?:(?:no\.? |number )?[A-Z]{0,3}[/-]?|(?:number )?is [A-Z]{1,4}[/-]?)\d{2,}`)
)

// hidden is a text with marks for what belongs to the customer: particulars, any number of their question or age, and
// names that none of the reviewed texts has.
func (s Source) hidden(text string, reviewed []string) string {
	spans := Particulars(text, s.Situation, s.Known)
	for _, w := range names(pack.Of(s.Situation.Pack), text) {
		if !slices.ContainsFunc(reviewed, func(r string) bool { return pack.HasPhrase(r, w) }) {
			spans = append(spans, pack.PhraseSpans(text, w)...)
		}
	}
	own := append(numberRE.FindAllString(s.Situation.Said(), -1), strconv.Itoa(s.Situation.Age))
	for _, at := range numberRE.FindAllStringIndex(text, -1) {
		if slices.Contains(own, text[at[0]:at[1]]) {
			spans = append(spans, phrase.Span{Start: at[0], End: at[1]})
		}
	}
	for _, at := range append(tokenRE.FindAllStringIndex(text, -1), datedRE.FindAllStringIndex(text, -1)...) {
		spans = append(spans, phrase.Span{Start: at[0], End: at[1]})
	}
	for _, sp := range slices.Backward(merged(spans)) {
		text = text[:sp.Start] + "…" + text[sp.End:]
	}
	return text
}

//go:embed remarks.txt
var remarkLines string

// remarks are examples of what remarks ask for, by what that is.
var remarks = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(remarkLines) {
		if what, text, ok := strings.Cut(strings.TrimSpace(line), " "); ok && what != "#" {
			out[what] = append(out[what], text)
		}
	}
	return out
})

// How much nearer a remark is to the examples of one kind than to those of the others for it to be one. Of the 97
// remarks of outside authors (cmd/preceptor/testdata/trials and 12 of our own) 17 of 20 that teach nothing are found,
// and none of the others.
const (
	farAhead = 0.06
	slightly = 0.02
)

// wants tells what remarks ask for by the examples nearest to them.
func wants(text string) (out rule.Wants) {
	if strings.TrimSpace(text) == "" {
		return out
	}
	score := map[string]float64{}
	for what, list := range remarks() {
		all := make([]float64, len(list))
		for i, example := range list {
			all[i] = near(text, example)
		}
		slices.Sort(all)
		score[what] = (all[len(all)-1] + all[len(all)-2]) / 2
	}
	ahead := func(what string, of ...string) float64 {
		most := -1.0
		for other, v := range score {
			if other != what && !slices.Contains(of, other) {
				most = max(most, v)
			}
		}
		return score[what] - most
	}
	out.Nothing, out.Private = ahead("nothing", "private") >= farAhead, ahead("private", "nothing") >= farAhead
	out.Avoid, out.Point = ahead("avoid") >= 0, ahead("signpost") >= slightly
	return out
}

// near is how near two texts are to the encoder, -1 to 1.
func near(a, b string) (sum float64) {
	v, err := embedded.New().Embed(context.Background(), []string{a, b})
	if err != nil {
		return 0 // only when the context ends, and this one doesn't
	}
	for i := range v[0] {
		sum += float64(v[0][i]) * float64(v[1][i])
	}
	return sum
}
