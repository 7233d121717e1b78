package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/text/compare"
)

// GuessInput is a decision of which nobody stated what it teaches.
type GuessInput struct {
	Before, After string // the draft, and what was sent instead
	Reason, Next  string // what was wrong, and what should change next time, in the person's words
	Say           string // a sentence typed with a rejection
	Rejected      bool
	Pack          *pack.Pack
	Situation     pack.Situation
	Particulars   func(text string) bool       // whether a text has words that belong to this customer; nil finds none
	Compare       compare.Func                 // what a sentence is to what became of it
	SourceOf      func(sentence string) string // the title of the source that a sentence of the draft is from, "" for none; nil reads the draft's marks
}

// Why a guess is nothing.
const (
	NothingSmall   = "Only small changes of wording"
	NothingPrivate = "About this customer only"
	NothingMuch    = "Too much changed to tell what it teaches"
	NothingSaid    = "No words that could be carried out"
	NothingSure    = "What changed may turn the meaning, and nobody has said what it teaches"
)

// mostActs is how many acts a guess has at most; beyond, the text was written anew.
const mostActs = 6

// Guess states what a decision teaches, from the difference of its texts and words in its remarks that the pack knows. Nothing is
// better than a bad guess: the reason is given then, and a person states it.
func Guess(in GuessInput) (list []Statement, nothing string) {
	if in.Pack == nil {
		in.Pack = pack.Of(in.Situation.Pack)
	}
	if in.SourceOf == nil {
		in.SourceOf = sourcesOf(in.Before)
	}
	if in.hasAny(in.Pack.Frames.Just, in.Reason+"\n"+in.Next) {
		return nil, NothingPrivate
	}
	var acts []guessed
	if in.Rejected {
		acts, nothing = in.rejection()
	} else {
		acts, nothing = in.revision()
	}
	for _, g := range acts {
		if act, ok := in.general(g.Act); ok {
			list = append(list, Statement{When: in.whom(g), Do: act, Because: in.because()}.Tidy())
		}
	}
	if len(list) == 0 && nothing == "" {
		nothing = NothingPrivate
	}
	return list, nothing
}

// guessed is an act with the sentences of the draft that it belongs to.
type guessed struct {
	Act
	beside []string
}

func (in GuessInput) revision() (out []guessed, nothing string) {
	d := differ(in.Before, in.After)
	list := d.suggest()
	changed := map[int]bool{}
	for _, p := range d.changed {
		changed[d.before[p.before].Start] = in.small(&d, p)
	}
	small := func(s Suggestion) bool {
		switch {
		case s.Kind == Replace:
			return !in.meant(s, &d)
		case s.Removed:
			return changed[s.Start]
		}
		i := slices.IndexFunc(d.changed, func(p pair) bool { return d.after[p.after].Start == s.Start })
		return i >= 0 && in.small(&d, d.changed[i])
	}
	list = slices.DeleteFunc(list, small)
	switch {
	case len(list) == 0 && in.turned(&d):
		return nil, NothingSure
	case len(list) == 0:
		return nil, NothingSmall
	case len(list) > mostActs:
		return nil, NothingMuch
	}
	for _, s := range list {
		out = append(out, guessed{s.Act, d.beside(s)})
	}
	return out, ""
}

// turned reports whether a sentence may mean something else now: it contradicts what it was, or has other figures or
// other words that hold it together. The customer's own words are left out.
func (in GuessInput) turned(d *difference) bool {
	sentence := func(a, b int) bool {
		was, is := d.before[b].text, d.after[a].text
		return !slices.Equal(d.before[b].words, d.after[a].words) && !in.particular(was) && !in.particular(is) &&
			(in.Compare.Of(was, is) == compare.Contradicts || !compare.Alike(was, is))
	}
	for a, b := range d.kept {
		if a >= 0 && sentence(a, b) {
			return true
		}
	}
	return slices.ContainsFunc(d.changed, func(p pair) bool { return sentence(p.after, p.before) })
}

// small tells whether a sentence was only polished: it does not contradict what it was, and no three words in a row
// came or went of which two say something.
func (in GuessInput) small(d *difference, p pair) bool {
	if in.Compare.Of(d.before[p.before].text, d.after[p.after].text) == compare.Contradicts {
		return false
	}
	large := func(ws []string) bool {
		n := 0
		for _, w := range ws {
			if !pack.IsStop(w) {
				n++
			}
		}
		return len(ws) >= 3 && n >= 2
	}
	return !slices.ContainsFunc(p.runs, func(r run) bool {
		return large(d.before[p.before].words[r.was.Start:r.was.End]) != large(d.after[p.after].words[r.is.Start:r.is.End])
	})
}

// meant tells whether a term was replaced on purpose: more than once, or a remark has one of the two.
func (in GuessInput) meant(s Suggestion, d *difference) bool {
	n := 0
	for _, w := range s.Swaps {
		for _, u := range d.before {
			n += len(exact(u.words, pack.Words(w.Avoid)))
		}
		for _, word := range append(pack.Words(w.Avoid), pack.Words(w.Say)...) {
			if !pack.IsStop(word) && pack.HasPhrase(in.Reason+"\n"+in.Next, word) {
				return true
			}
		}
	}
	return n > 1
}

// nearest is how many sentences a guess names as those that an act belongs to.
const nearest = 6

// beside are the draft's sentences that a suggestion belongs to: those that it removes or changes, else those kept, the nearest first.
func (d *difference) beside(s Suggestion) (out []string) {
	switch {
	case s.Kind == Never:
		return s.Phrases
	case s.Kind == Replace:
		for _, w := range s.Swaps {
			out = append(out, w.Avoid)
		}
		return out
	}
	at := slices.IndexFunc(d.after, func(u unit) bool { return u.Start == s.Start })
	var kept []int
	for a := range d.kept {
		if a >= 0 {
			kept = append(kept, a)
		}
	}
	far := func(x int) int { // in sentences, those of the same paragraph first
		first, last := min(x, at), max(x, at)
		return last - first + len(d.after)*strings.Count(d.text[d.after[first].End:d.after[last].Start], "\n\n")
	}
	slices.SortFunc(kept, func(x, y int) int { return cmp.Or(far(x)-far(y), x-y) })
	for _, p := range d.changed {
		if p.after == at {
			out = append(out, d.before[p.before].text)
		}
	}
	for _, a := range kept {
		out = append(out, d.before[d.kept[a]].text)
	}
	return out
}

// whom are a guess's conditions: what the remarks name, and else the drafts that have one of the sentences it belongs to.
func (in GuessInput) whom(g guessed) (out []Condition) {
	for _, c := range GuessWhen(in.Next, in.Pack, in.Situation) {
		if c.Kind != Topic || len(g.beside) == 0 {
			out = append(out, c)
		}
	}
	var beside []string
	for _, s := range g.beside {
		if !in.frame(s) && !in.particular(s) && len(beside) < nearest {
			beside = append(beside, s)
		}
	}
	if source := in.source(g); source != "" {
		beside = []string{sourceMark + source}
	}
	if len(beside) > 0 {
		return append(out, Condition{Kind: Mentions, Values: beside, Draft: true})
	}
	if slices.ContainsFunc(out, func(c Condition) bool { return c.Kind == Topic }) {
		return out
	}
	return append(Whom(in.Pack, pack.Situation{Question: in.Situation.Question, Task: in.Situation.Task}), out...)
}

// source is where the sentences come from that a text belongs to: the nearest one's source where the text stands among them, and else
// that of most.
func (in GuessInput) source(g guessed) (best string) {
	if g.Kind == Never || g.Kind == Replace {
		return ""
	}
	count := map[string]int{}
	for _, s := range g.beside {
		source := in.SourceOf(s)
		if source == "" {
			continue
		}
		if count[source]++; best == "" || g.Place != AtTopic && count[source] > count[best] {
			best = source
		}
	}
	return best
}

// frame tells whether a sentence is one of the pack's own.
func (in GuessInput) frame(sentence string) bool {
	f := in.Pack.Frames
	for _, own := range []string{f.Hello, f.HelloAny, f.Open, f.OpenAny, f.Unknown, f.Sources, f.Signpost} {
		lead, _, _ := strings.Cut(own, "TOPIC")
		if lead != "" && (strings.HasPrefix(sentence, lead) || strings.Contains(own, sentence)) {
			return true
		}
	}
	return false
}

func (in GuessInput) because() string {
	if r := oneLine(in.Reason); !in.particular(r) {
		return r
	}
	return ""
}

func (in GuessInput) particular(text string) bool {
	return in.Particulars != nil && in.Particulars(text)
}

// general is an act without words that belong to this customer; false when it can't be had without them.
func (in GuessInput) general(a Act) (Act, bool) {
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
