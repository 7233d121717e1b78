package compliance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	meaning "preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

// RuledSentence is a sentence in which experts called a finding right or wrong when they ruled on a case.
type RuledSentence struct {
	ID, CaseID string
	Code       string // of the finding
	Severity   string
	Sentence   string
	Right      bool     // the finding; otherwise the sentence is fine
	People     []string // who said so
	At         time.Time
	Pack       string
	Kind       func() string // of the question that was answered (tuned.Question)

	words map[string]bool
}

// enough is how many experts must say the same for later texts to follow it.
const enough = 2

// paraphrase is how far the cosine of two sentences may be from 1, times their words, for one to be a near paraphrase
// of the other, if compare.Near has nothing against it. On sentences of testdata/texts with one word in place of
// another it finds 63% of 300 that say the same, and takes 2% of 408 that say the opposite for it; of
// testdata/paraphrases.tsv 18 of 40, and none of 50.
const paraphrase = 0.15

// sharedWords is the share of words below which two sentences are no paraphrases, whatever the encoder says: it need
// not read them.
const sharedWords = 0.4

// ruledSentences are those that count, newest first.
type ruledSentences struct {
	name string // the same for the same
	list []RuledSentence
}

// AdoptRuled puts what experts ruled on sentences in force, in place of what was. Where two of them say the same of a
// finding in a sentence, and nobody the opposite since, a text of the same pack that answers the same kind of question
// follows: the finding isn't told of that sentence or a near paraphrase, or it is. What stops a text still does.
func (v *Validator) AdoptRuled(list []RuledSentence) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b RuledSentence) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	hash := sha256.New()
	for i := range list {
		r := &list[i]
		r.Pack, r.words = pack.Of(r.Pack).Name, text.Set(text.Words(r.Sentence))
		fmt.Fprintf(hash, "%s %s %q %v %q\n", r.ID, r.Code, r.Sentence, r.Right, r.People)
	}
	v.ruled.Store(&ruledSentences{fmt.Sprintf("%x", hash.Sum(nil)[:12]), list})
}

// Agreed is how many experts now say what a ruled sentence says, counted up to what is enough; 0 where others have said
// the opposite since. ok: it counts at all.
func (v *Validator) Agreed(ctx context.Context, sentenceID string) (experts int, ok bool) {
	v.checks.inForce() // looks
	rs := v.ruled.Load()
	if rs == nil {
		return 0, false
	}
	at := slices.IndexFunc(rs.list, func(r RuledSentence) bool { return r.ID == sentenceID })
	if at < 0 {
		return 0, false
	}
	r := rs.list[at]
	if now := rs.on(ctx, r.Pack, r.Kind, r.Code, r.Sentence); now.Right == r.Right {
		experts = len(now.People)
	}
	return experts, true
}

// InForce reports whether so many experts are enough.
func InForce(experts int) bool { return experts >= enough }

// on is what the newest rulings that agree say of a finding in a sentence, of as many as it takes; one without people
// where there is none.
func (rs *ruledSentences) on(ctx context.Context, packName string, kind func() string,
	code, sentence string) (out RuledSentence) {
	words := text.Set(text.Words(sentence))
	for _, r := range rs.list {
		if r.Pack != packName || r.Code != code || text.Jaccard(words, r.words) < sharedWords ||
			!paraphrases(ctx, r.Sentence, sentence) || r.Kind() != kind() {
			continue
		}
		if out.ID == "" {
			out = r
			out.People = nil
		} else if r.Right != out.Right {
			break
		}
		people := append(slices.Clone(out.People), r.People...)
		slices.Sort(people)
		if out.People = slices.Compact(people); InForce(len(out.People)) {
			break
		}
	}
	return out
}

// paraphrases reports whether one sentence says what the other says in nearly its words.
func paraphrases(ctx context.Context, a, b string) bool {
	if a = strings.Join(strings.Fields(a), " "); a == strings.Join(strings.Fields(b), " ") {
		return true
	}
	if !compare.Near(a, b) {
		return false
	}
	v, err := meaning.New().Embed(ctx, []string{a, b})
	if err != nil { // the context ended
		return false
	}
	far := 1.0
	for i, x := range v[0] {
		far -= float64(x) * float64(v[1][i])
	}
	return far*float64(max(len(text.Words(a)), len(text.Words(b)))) <= paraphrase
}

// Ruleable reports whether experts can rule on a finding for later texts: it has words of the text, is about them and
// not about what the text leaves out, isn't a dated fact, and doesn't stop the text.
func Ruleable(i Issue) bool { return i.Quote != "" && !i.Stops() && ofWords(i.Code) }

// ofWords reports whether an issue is about a sentence whatever else a text says.
func ofWords(code string) bool {
	return !slices.Contains(lawful, code) && !slices.Contains(ofWhole, code)
}

// ofWhole are codes of what the whole text leaves out: the sentence that they quote only calls for it.
var ofWhole = []string{MissingRiskDisclosure, MissingSignpost, ScamRiskUnflagged, UnderstandingNotChecked,
	JargonForLiteracy, OffTopic, "NOT_ANSWERED"}

// SentenceAt is the sentence that holds a span of a text (several, if the span does), and its own span in code points.
func SentenceAt(s string, span [2]int) (string, [2]int) {
	runes := []rune(s)
	start, end := len(string(runes[:min(span[0], len(runes))])), len(string(runes[:min(span[1], len(runes))]))
	for _, p := range phrase.Sentences(s) {
		if p.Start < end && start < p.End {
			start, end = min(start, p.Start), max(end, p.End)
		}
	}
	from := utf8.RuneCountInString(s[:start])
	return strings.TrimSpace(s[start:end]), [2]int{from, from + utf8.RuneCountInString(s[start:end])}
}

// heed is what experts ruled, for one text.
type heed struct {
	ctx  context.Context
	rs   *ruledSentences
	s    Subject
	book *Book // what experts switched off stays off
	pack string
	kind func() string
}

func (v *Validator) heed(ctx context.Context, s Subject) heed {
	h := heed{ctx: ctx, s: s, book: v.checks.inForce(), pack: pack.Of(s.Situation.Pack).Name,
		kind: func() string { return s.Situation.Asked().Kind }}
	if h.rs = v.ruled.Load(); h.rs == nil {
		h.rs = &ruledSentences{}
	}
	return h
}

// checks is a verdict of the checks without the findings that experts called wrong, and with those that they called
// right.
func (h heed) checks(v Verdict) Verdict {
	kept, left := h.without(v.Issues, true)
	told := h.told(kept)
	told = append(told, h.restated(append(slices.Clone(kept), told...))...)
	if len(left)+len(told) == 0 {
		return v
	}
	kept = append(kept, told...)
	slices.SortStableFunc(kept, func(a, b Issue) int { return a.Span[0] - b.Span[0] })
	out := v.with(kept)
	out.LeftOut = left
	return out
}

// mostAgain is how often one judge reads one text at most.
const mostAgain = 4

// votes leaves out of votes what experts called wrong. A judge that flags the text or isn't sure of it, and names
// nothing else, is asked again about the rest of it, without the sentences that are fine; what stops the text then is
// added to what the checks say.
func (h heed) votes(p Panel, checked Verdict, votes []Vote) (Verdict, []Vote) {
	fine := checked.LeftOut
	for n, v := range votes {
		rest, again, out := h.s, false, fine
		for round := 0; round < mostAgain && !v.Abstained; round++ {
			kept, left := h.without(v.Issues, v.Reads != nil)
			if i, ok := v.Suspect(); ok {
				_, left = h.without([]Issue{i}, false)
			}
			for _, i := range kept {
				if again && i.Severity == Critical && v.Reads != nil {
					checked = checked.with(append(slices.Clone(checked.Issues), i))
				}
			}
			v.Issues = kept
			for _, i := range left {
				if !slices.ContainsFunc(checked.LeftOut, func(o Issue) bool { return same(o, i) }) {
					checked.LeftOut = append(slices.Clone(checked.LeftOut), i)
				}
			}
			if out = append(slices.Clip(out), left...); len(out) == 0 || again && len(left) == 0 || v.content() ||
				len(kept) > 0 {
				break
			}
			rest, again = rest.blank(out), true
			v = p.again(h.ctx, v, rest)
			v.Issues = slices.DeleteFunc(v.Issues, func(i Issue) bool { return slices.Contains(h.book.Off, i.Code) })
		}
		votes[n] = v
	}
	return checked, votes
}

// again is a judge's vote on the rest of a text.
func (p Panel) again(ctx context.Context, v Vote, rest Subject) Vote {
	at := slices.IndexFunc(p.Judges, func(j Judge) bool { return j.Name() == v.Judge })
	if at < 0 || strings.TrimSpace(rest.Text) == "" {
		return Vote{Judge: v.Judge, Aspect: v.Aspect, Abstained: true, Why: "Experts ruled on all that it says.",
			Issues: []Issue{}}
	}
	return p.one(ctx, p.Judges[at], rest)
}

// blank is a subject without the sentences of some issues; places stay as they are.
func (s Subject) blank(issues []Issue) Subject {
	runes := []rune(s.Text)
	for _, i := range issues {
		_, span := SentenceAt(s.Text, i.Span)
		for at := span[0]; at < span[1]; at++ {
			if runes[at] != '\n' {
				runes[at] = ' '
			}
		}
	}
	s.Text, s.shown = string(runes), shown{}
	return s
}

// without parts issues into those that are told and those that experts called wrong; what stops a text is told. stops
// says whether a critical one does.
func (h heed) without(issues []Issue, stops bool) (kept, left []Issue) {
	kept = []Issue{}
	for _, i := range issues {
		if r, ok := h.ruling(i, stops); ok && !r.Right {
			i.Case, i.Why = r.CaseID, r.says("is fine")
			left = append(left, i)
			continue
		}
		kept = append(kept, i)
	}
	return kept, left
}

func (h heed) ruling(i Issue, stops bool) (RuledSentence, bool) {
	if len(h.rs.list) == 0 || i.Quote == "" || stops && i.Severity == Critical || !ofWords(i.Code) {
		return RuledSentence{}, false
	}
	sentence, _ := SentenceAt(h.s.Text, i.Span)
	r := h.rs.on(h.ctx, h.pack, h.kind, i.Code, sentence)
	return r, InForce(len(r.People))
}

// told are the issues that experts called right, and found doesn't have.
func (h heed) told(found []Issue) (out []Issue) {
	var codes []string
	for _, r := range h.rs.list {
		if r.Right && r.Pack == h.pack && ofWords(r.Code) && !slices.Contains(h.book.Off, r.Code) &&
			!slices.Contains(codes, r.Code) {
			codes = append(codes, r.Code)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	read := h.s.Reading()
	for _, sentence := range read.Sentences {
		for _, code := range codes {
			r := h.rs.on(h.ctx, h.pack, h.kind, code, sentence.In(read.Text))
			if !r.Right || !InForce(len(r.People)) {
				continue
			}
			info, _ := InfoOf(code)
			i := h.s.Issue(code, Major, "", sentence.Start, sentence.End)
			if slices.ContainsFunc(found, func(f Issue) bool { return same(f, i) }) {
				continue
			}
			i.Case, i.Why = r.CaseID, strings.TrimSpace(info.Suspicion+" "+r.says("isn't fine"))
			if r.Severity == Minor {
				i.Severity = Minor
			}
			out = append(out, i)
		}
	}
	return out
}

// says is what the experts ruled, in a sentence.
func (r RuledSentence) says(what string) string {
	n := fmt.Sprint(len(r.People))
	if words := []string{"Two", "Three", "Four", "Five"}; len(r.People)-enough < len(words) {
		n = words[len(r.People)-enough]
	}
	return fmt.Sprintf("%s experts ruled that this sentence %s, last on %s.", n, what,
		r.At.Local().Format("2 Jan 2006"))
}
