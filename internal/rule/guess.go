package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/text/compare"
)

// GuessInput is a decision of which nobody stated what it teaches.
type GuessInput struct {
	Before, After string // the draft, and what was sent instead
	Reason, Next  string // what was wrong, and what should change next time, in the person's words
	Say           string // a sentence typed with a rejection
	Rejected      bool
	Pack          *pack.Pack
	Situation     pack.Situation
	Wants         Wants                     // what the remarks ask for
	Particulars   func(text string) bool    // whether a text has words that belong to this customer; nil finds none
	Hide          func(text string) string  // a text with marks for what is this customer's; nil leaves it
	Compare       compare.Func              // what a sentence is to what became of it
	Near          func(a, b string) float64 // how near two texts are in meaning, -1 to 1; nil where nobody can tell
}

// Wants is what remarks ask for, as far as an encoder can tell.
type Wants struct {
	Nothing, Private bool // wording and taste; this customer's own matter
	Avoid, Point     bool // not to be said; to point to who helps
}

// Why a guess is nothing.
const (
	NothingSmall   = "Only small changes of wording"
	NothingLent    = "All that changed came from a saved reply"
	NothingTaste   = "The remark speaks of wording or taste"
	NothingPrivate = "About this customer only"
	NothingMuch    = "Too much changed to tell what it teaches"
	NothingSaid    = "No words that could be carried out"
	NothingSure    = "What changed may turn the meaning, and nobody has said what it teaches"
	NothingGone    = "Words were taken out, and nobody has said that they must not be said"
)

// mostActs is how many acts a guess chooses from at most; beyond, the text was written anew.
const mostActs = 6

// Guess states the one thing that a decision teaches: of the whole sentences that came, terms that were replaced and
// words that remarks forbid, what is nearest in meaning to the remarks. It is for those whom the remarks name and
// questions like this one. Nothing is better than a bad guess: the reason is given then, and a person states it.
func Guess(in GuessInput) (st Statement, nothing string) {
	if in.Pack == nil {
		in.Pack = pack.Of(in.Situation.Pack)
	}
	if in.hasAny(in.Pack.Frames.Just, in.remark()) {
		return st, NothingPrivate
	}
	read := in.revision
	if in.Rejected {
		read = in.rejection
	}
	acts, nothing := read()
	switch {
	case nothing == NothingSure, in.Say != "":
	case in.Wants.Private:
		nothing = NothingPrivate
	case in.Wants.Nothing:
		nothing = NothingTaste
	}
	if nothing != "" {
		return st, nothing
	}
	var general []Act
	for _, a := range acts {
		if a, ok := in.generalAct(a); ok {
			general = append(general, a)
		}
	}
	if len(general) == 0 {
		return st, NothingPrivate
	}
	act := slices.MaxFunc(general, func(a, b Act) int { return cmp.Compare(in.near(a), in.near(b)) })
	if act.Kind == Include && act.Place != AtStart && in.Wants.Point {
		act = Act{Kind: Point, Text: act.Text}
	}
	return Statement{When: in.whom(act), Do: act, Because: in.general(in.Reason)}.Tidy(), ""
}

// near is how near an act is to the remarks.
func (in GuessInput) near(a Act) float64 {
	about := a.Texts()
	for _, w := range a.Swaps {
		about = append(about, w.Avoid)
	}
	if remark := in.remark(); in.Near != nil && remark != "" {
		return in.Near(remark, strings.Join(append(about, a.Phrases...), " "))
	}
	return 0
}

func (in GuessInput) remark() string { return oneLine(in.Reason + " " + in.Next) }

// fewest is how many words have to be new in a sentence that was reworded for it to teach anything.
const fewest = 5

func (in GuessInput) revision() (out []Act, nothing string) {
	d := differ(in.Before, in.After)
	last, removed, whole := -1, []string(nil), false
	for _, s := range d.suggest() {
		switch at := slices.IndexFunc(d.after, func(u unit) bool { return u.Start == s.Start }); {
		case s.Kind == Replace:
			if in.meant(s, &d) {
				out = append(out, s.Act)
			}
		case s.Removed:
			if !d.says(s.Phrases[0], in.Near) {
				removed = append(removed, s.Phrases[0])
				reworded := func(p pair) bool { return d.before[p.before].Start == s.Start }
				whole = !slices.ContainsFunc(d.changed, reworded)
			}
		case d.newWords(at) < fewest:
		case leansRE.MatchString(s.Text):
			if last >= 0 && last+1 == at && !in.particular(s.Text) { // it belongs to the sentence before it
				out[len(out)-1].Text += " " + s.Text
				last = at
			}
		default:
			out, last = append(out, s.Act), at
		}
	}
	if phrases := in.forbidden(removed); len(phrases) > 0 {
		out = append(out, Act{Kind: Never, Phrases: phrases})
	} else if len(out) == 0 && len(removed) == 1 && whole && in.Wants.Avoid {
		out = append(out, Act{Kind: Never, Phrases: removed})
	}
	switch {
	case len(out) == 0 && in.turned(&d, in.Wants.Nothing):
		return nil, NothingSure
	case len(out) == 0 && whole:
		return nil, NothingGone
	case len(out) == 0:
		return nil, NothingSmall
	case len(out) > mostActs, len(out) > 1 && (in.remark() == "" || len(d.kept)+len(d.changed) == 0):
		return nil, NothingMuch
	}
	return out, ""
}

// leansRE finds a sentence that says nothing without the one before it.
var leansRE = regexp.MustCompile(`(?i)^(?:(?:this|that|these|it|they|he|she|yes|so|then|but|and|or|also|such|` +
	`otherwise|instead)\b|no,)`)

// newWords is how many words of a sentence came; all of one that wasn't there.
func (d *difference) newWords(a int) (n int) {
	for _, p := range d.changed {
		if p.after == a {
			for _, r := range p.runs {
				n += r.is.End - r.is.Start
			}
			return n
		}
	}
	return max(fewest, len(d.after[a].words))
}

// again is the likeness from which on a sentence says what another says.
const again = 0.85

// says reports whether the text after still says a sentence that was taken out.
func (d *difference) says(sentence string, near func(a, b string) float64) bool {
	return slices.ContainsFunc(d.after, func(u unit) bool {
		return compare.Plain(u.text, sentence) == compare.Same ||
			near != nil && compare.Alike(u.text, sentence) && near(u.text, sentence) >= again
	})
}

// turned reports whether a sentence may mean something else now: it contradicts what it was, or has other figures or
// other words that hold it together. The customer's own words are left out. Plainly is a contradiction alone.
func (in GuessInput) turned(d *difference, plainly bool) bool {
	sentence := func(a, b int) bool {
		was, is := d.before[b].text, d.after[a].text
		return !slices.Equal(d.before[b].words, d.after[a].words) && !in.particular(was) && !in.particular(is) &&
			(in.Compare.Of(was, is) == compare.Contradicts || !plainly && !compare.Alike(was, is))
	}
	for a, b := range d.kept {
		if a >= 0 && sentence(a, b) {
			return true
		}
	}
	return slices.ContainsFunc(d.changed, func(p pair) bool { return sentence(p.after, p.before) })
}

// meant reports whether a term was replaced on purpose: more than once, or a remark has one of the two.
func (in GuessInput) meant(s Suggestion, d *difference) bool {
	n := 0
	for _, w := range s.Swaps {
		for _, u := range d.before {
			n += len(exact(u.words, pack.Words(w.Avoid)))
		}
		for _, word := range append(pack.Words(w.Avoid), pack.Words(w.Say)...) {
			if !pack.IsStop(word) && pack.HasPhrase(in.remark(), word) {
				return true
			}
		}
	}
	return n > 1
}

// whom are a guess's conditions: what the remarks name of the pack's fields, and a question like this one, read
// together with the remarks. A term or phrase is looked for wherever it may stand. Questions of a pack on one field
// are all rather alike: there it is like, elsewhere broadly like.
func (in GuessInput) whom(a Act) (out []Condition) {
	remark := in.remark()
	for _, c := range GuessWhen(remark, in.Pack, in.Situation) {
		if c.Kind != Topic {
			out = append(out, c)
		}
	}
	if a.Kind == Never || a.Kind == Replace {
		if len(out) == 0 {
			out = append(out, Condition{Kind: Scope, Values: []string{Universal}})
		}
		return out
	}
	asked := in.Situation.Question
	if in.Hide != nil {
		asked = in.Hide(asked)
	}
	values := []string{asked}
	if about := in.general(cmp.Or(in.Next, in.Reason)); len(pack.Words(about)) >= fewest { // two words are like much
		values = append(values, about)
	}
	return append(out, Condition{Kind: Like, Values: values, Wide: len(in.Pack.Topics) == 0})
}

// general is a remark without what belongs to this customer; "" where it can't be had without.
func (in GuessInput) general(remark string) string {
	if remark = oneLine(remark); in.particular(remark) {
		return ""
	}
	if in.Hide != nil {
		return in.Hide(remark)
	}
	return remark
}

func (in GuessInput) particular(text string) bool {
	return in.Particulars != nil && in.Particulars(text)
}

// generalAct is an act without words that belong to this customer; false when it can't be had without them.
func (in GuessInput) generalAct(a Act) (Act, bool) {
	if a.Text != "" && in.particular(a.Text) {
		a.Text = unnamed(a.Text)
	}
	for _, t := range slices.Concat(a.Texts(), a.Phrases) {
		if in.particular(t) {
			return a, false
		}
	}
	return a, true
}

var addressRE = regexp.MustCompile(`,\s+(?:\p{Lu}[\p{L}'’.-]*\s?){1,3}([.!?])$|^(?:\p{Lu}[\p{L}'’.-]*\s?){1,3},\s+`)

// unnamed is a sentence without a name set off by commas at its end or its front: "I am so sorry, Maureen."
func unnamed(s string) string {
	if m := addressRE.FindStringSubmatchIndex(s); m != nil {
		if m[0] == 0 {
			return pack.Upper(s[m[1]:])
		}
		return s[:m[0]] + s[m[2]:]
	}
	return s
}

func (in GuessInput) hasAny(list []string, text string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return pack.HasPhrase(text, w) })
}
