package embedded

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// Acts of a sentence, in the order of the model's rows: what it does for its reader, beside steering.
var Acts = []string{"none", "risk", "warning", "signpost", "understanding", "scam warning"}

// Classes of a sentence, in the order of the model's rows. None is what most sentences are.
var Classes = []string{"none", compliance.PersonalRecommendation, compliance.DisguisedRecommendation, compliance.ProductNamed,
	compliance.GuaranteeOrPromise, compliance.Pressure, compliance.InaccurateFact}

// The space of a sentence's features: classes of the lexicon, pairs of those that steer, a few facts, hashed words, and hashed runs of
// word families.
const (
	modelClasses = 84 // those of the pack's classes.rules, the first of its lexicon
	hashBits     = 15
	hashRoom     = 1 << hashBits
	firstPair    = modelClasses
	pairRoom     = 1024
	firstFact    = firstPair + pairRoom
	factRoom     = 64
	firstHash    = firstFact + factRoom
	firstFamily  = firstHash + hashRoom
	Dimensions   = firstFamily + hashRoom

	// What a feature weighs beside a class of the lexicon, so that classes are believed first.
	pairWeight   = 0.6
	wordWeight   = 0.5
	familyWeight = 0.5
	skipWeight   = 0.4
)

// Feature is one number of a sparse vector.
type Feature struct {
	At    int32
	Value float32
}

// coreNames are the classes whose pairs count: who, how hard, towards what, on what grounds, how sure.
var coreNames = [...]string{"you", "author", "like_you", "circ", "modal_hard", "modal_soft", "eval_pos", "eval_neg", "lean", "social", "conclude", "option", "optverb",
	"certain_tone", "compare", "decline", "your_choice", "refer", "check_with", "quote_mark", "legal", "hedge", "condition", "promise", "figure_future", "pressure",
	"exempt_claim", "fact_words", "provider", "product_pick", "tax", "contrast"}

// person is what of a customer a sentence may echo.
type person struct {
	words   map[string]bool // telling words of question and profile
	figures map[string]bool // amounts and ages as they were written
	asks    bool
}

// common are words of pensions and of every letter: repeating them is no echo.
var common = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`pension pensions pot pots money the and for with from that this what when how can could would should will have has had does did your you my me our their them they i'm i've
		into out take taking taken get getting year years tax free scheme provider about some any all just like want wants know understand income retire retirement retiring age time work
		working now still more much than then there here been being were was are not but which who why where while before after over under each every other others one two three also only need needs
		help plan plans value letter transfer cash lump sum drawdown annuity state medium high low false true male female yes no features feature goal kind dc db value_gbp is it in on of to a an as at by or if
		so do be we he she him his her its up off put paid pay pays paying job says said tell told asked ask really very well back new old options option best move moving leave keep should worth thing things`) {
		common[w] = true
	}
}

func personOf(s compliance.Subject) person {
	p := person{words: map[string]bool{}, figures: map[string]bool{}, asks: s.Situation.AsksForChoice()}
	text := s.Situation.Question + "\n" + s.Situation.Goal + "\n" + s.Situation.Text + "\n" + strings.Join(s.Situation.Features, "\n")
	text = strings.ToLower(text)
	for _, t := range phrase.Tokens(text, 0) {
		if t.Text[0] == '#' || strings.HasPrefix(t.Text, "£") {
			p.figures[plainFigure(text[t.Start:t.End])] = true
			continue
		}
		if w := stem(t.Text); len(w) > 2 && !common[t.Text] && !common[w] {
			p.words[w] = true
		}
	}
	for _, v := range []float64{s.Situation.DBValue, s.Situation.DCValue, float64(s.Situation.Age)} {
		if v > 0 {
			p.figures[strconv.FormatFloat(v, 'f', -1, 64)] = true
		}
	}
	for _, one := range s.Customer.Pensions {
		if one.ValueGBP != nil && *one.ValueGBP > 0 {
			p.figures[strconv.FormatFloat(*one.ValueGBP, 'f', -1, 64)] = true
		}
	}
	return p
}

// plainFigure is a figure without signs, with thousands written out: "£310k" and "310,000" are the same.
func plainFigure(t string) string {
	var b []byte
	for i := 0; i < len(t); i++ {
		if c := t[i]; c >= '0' && c <= '9' || c == '.' && i+1 < len(t) {
			b = append(b, c)
		}
	}
	if strings.HasSuffix(t, "k") || strings.HasSuffix(t, "K") {
		b = append(b, "000"...)
	}
	return string(b)
}

// stem cuts the common endings, which is enough for hashing.
func stem(w string) string {
	for _, end := range []string{"ing", "ies", "ed", "es", "s", "ly"} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

// reader turns sentences into vectors.
type reader struct {
	lex   *phrase.Lexicon
	core  []phrase.Class
	circ  phrase.Class
	hedge phrase.Class
	weigh []phrase.Class // classes that evaluate
	verb  phrase.Class
	told  []phrase.Class // classes that a reasoning quotes
	out   []phrase.Class // classes that excuse
}

// pensions are the phrases with which the judges read.
func pensions() *phrase.Lexicon { return pack.Of(pack.Pension).Phrases() }

var sentenceReader = sync.OnceValue(newReader)

func newReader() *reader {
	r := &reader{lex: pensions()}
	for _, n := range coreNames {
		r.core = append(r.core, r.lex.Find(n))
	}
	find := r.lex.Find
	r.circ, r.verb, r.hedge = find("circ"), find("optverb"), find("hedge")
	r.weigh = []phrase.Class{find("eval_pos"), find("eval_neg"), find("lean"), find("modal_hard"), find("modal_soft")}
	r.told = []phrase.Class{find("lean"), find("circ"), find("modal_hard"), find("author"), find("social"), find("eval_neg"), find("modal_soft"), find("promise"), find("pressure"), find("like_you")}
	r.out = []phrase.Class{find("decline"), find("your_choice"), find("quote_mark"), find("refer"), find("check_with"), find("protect"), find("legal")}
	return r
}

// Numbers of the facts.
const (
	factEchoWords = iota
	factEchoFigure
	factEchoWeighed
	factFigureWeighed
	factAsks
	factShort
	factLong
	factImperative
	factImperativeLater
	factQuoted
	factExcused
	factNoHedge
	factCircWeighed
	factCircVerb
	factWeighCount
	factExcusedWeighed
	factQuestionChoice
	factTwoOptions
	factSubjectI
	factListItem
	factMoney
	factPercent
	factNot
	factNotWeighed
	factAfterColon
	factSemicolon
	factBecause
)

// vector is the features of sentence i of a reading, for a person; they stand in out where there is room.
func (r *reader) vector(read *phrase.Reading, i int, who person, quotes []phrase.Span, out []Feature) []Feature {
	s := &read.Sentences[i]
	add := func(at int, v float32) { out = append(out, Feature{int32(at), v}) }
	for c := range s.Set.Below(modelClasses) {
		add(int(c), 1)
	}
	var core [len(coreNames)]int // those that it has, by their place in r.core
	has := core[:0]
	for a, ca := range r.core {
		if s.Set.Has(ca) {
			has = append(has, a)
		}
	}
	for k, a := range has {
		for _, b := range has[k+1:] {
			add(firstPair+(a*len(r.core)+b)%pairRoom, pairWeight)
		}
	}
	r.facts(read, i, who, quotes, func(fact int, v float32) { add(firstFact+fact, v) })
	out = words(s.Tokens, out)
	// A long sentence has more of everything; this keeps its sum in bounds.
	norm := float32(1 / math.Sqrt(1+float64(len(out))/60))
	for k := range out {
		out[k].Value *= norm
	}
	return out
}

// factAlone marks a sentence that stands by itself: such are written because they steer, so that their share says nothing of letters.
const factAlone = factRoom - 1

// WithoutPlace is the vector of a sentence that was written by itself: what it shows of its list and its reader is left out.
func WithoutPlace(x []Feature) []Feature {
	out := []Feature{{firstFact + factAlone, 1}}
	for _, f := range x {
		switch f.At - firstFact {
		case factQuestionChoice, factListItem, factAsks:
			continue
		}
		out = append(out, f)
	}
	return out
}

// words adds the hashed words of a sentence, alone and in runs of two and three, and the runs of their families. What is hashed is
// "word", "before word", "two before word", "two _ word", and for families "%f", "%l%f", "%k%l%f" and "%k_%f".
func words(tokens []phrase.Token, out []Feature) []Feature {
	var last, second []family
	afterPrev := hashFrom(hashSeed, "^ ") // a hash goes on where that of its beginning ended
	var afterTwo, afterBefore uint32      // of "two before ", and of "two "
	for i := range tokens {
		known := noteOf(&tokens[i])
		w, alone := known.stem, known.hash
		if !known.common {
			out = append(out, Feature{firstHash + hashed(alone), wordWeight})
		}
		pair := hashFrom(afterPrev, w)
		out = append(out, Feature{firstHash + hashed(pair), wordWeight})
		if i > 0 {
			out = append(out, Feature{firstHash + hashed(hashFrom(afterTwo, w)), wordWeight},
				Feature{firstHash + hashed(hashFrom(hashFrom(afterBefore, "_ "), w)), skipWeight})
		}
		afterBefore, afterPrev, afterTwo = afterPrev, hashFrom(alone, " "), hashFrom(pair, " ")
		if len(known.families) > 0 {
			out = familyRuns(known.families, last, second, out)
			second, last = last, known.families
		}
	}
	return out
}

func familyRuns(of, last, second []family, out []Feature) []Feature {
	for _, f := range of {
		out = append(out, Feature{firstFamily + hashed(f.hash), familyWeight})
		for _, l := range last {
			out = append(out, Feature{firstFamily + hashed(hashFrom(l.hash, f.name)), familyWeight})
			for _, k := range second {
				out = append(out, Feature{firstFamily + hashed(hashFrom(hashFrom(k.hash, l.name), f.name)), familyWeight})
			}
		}
		for _, k := range second {
			out = append(out, Feature{firstFamily + hashed(hashFrom(hashFrom(k.hash, "_"), f.name)), skipWeight})
		}
	}
	return out
}

const hashSeed = 2166136261

// hashFrom goes on with a hash, FNV-1a of 32 bits.
func hashFrom(h uint32, s string) uint32 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// hashed is the place of a finished hash.
func hashed(h uint32) int32 {
	h ^= h >> 15
	return int32(h & (hashRoom - 1))
}

func (r *reader) facts(read *phrase.Reading, i int, who person, quotes []phrase.Span, add func(int, float32)) {
	s := &read.Sentences[i]
	flag := func(fact int, yes bool) {
		if yes {
			add(fact, 1)
		}
	}
	weighs := 0
	for _, c := range r.weigh {
		if s.Set.Has(c) {
			weighs++
		}
	}
	excused := s.Set.Any(r.out...)
	words, figure, not, money, percent := 0, false, false, false, false
	for k := range s.Tokens {
		t := &s.Tokens[k]
		switch t.Text {
		case "not", "no", "never", "nobody", "none":
			not = true
		case "£#":
			money = true
			figure = figure || r.echoes(read.Text[t.Start:t.End], who)
		case "#%":
			percent = true
		case "#":
			figure = figure || r.echoes(read.Text[t.Start:t.End], who)
		default:
			if n := noteOf(t); who.words[n.stem] && !n.common {
				words++
			}
		}
	}
	add(factEchoWords, float32(min(words, 4))/4)
	flag(factEchoFigure, figure)
	flag(factEchoWeighed, words > 0 && weighs > 0 && !excused)
	flag(factFigureWeighed, figure && weighs > 0 && !excused)
	flag(factAsks, s.Asks)
	flag(factShort, len(s.Tokens) < 9)
	flag(factLong, len(s.Tokens) > 26)
	if len(s.Tokens) > 1 {
		flag(factImperative, noteOf(&s.Tokens[0]).imperative)
		flag(factSubjectI, s.Tokens[0].Text == "i" || s.Tokens[0].Text == "we")
	}
	text := strings.ToLower(s.In(read.Text))
	for k := 1; k+1 < len(s.Tokens); k++ {
		if gap := read.Text[s.Tokens[k-1].End:max(s.Tokens[k].Start, s.Tokens[k-1].End)]; noteOf(&s.Tokens[k]).imperative && breaks(gap) ||
			(s.Tokens[k-1].Text == "so" || s.Tokens[k-1].Text == "and" || s.Tokens[k-1].Text == "just") && noteOf(&s.Tokens[k]).imperative {
			add(factImperativeLater, 1)
			break
		}
	}
	for _, q := range quotes {
		if q.Start >= s.Start && q.End <= s.End {
			add(factQuoted, 1)
			break
		}
	}
	flag(factExcused, excused)
	flag(factNoHedge, !s.Set.Has(r.hedge) && !strings.Contains(text, "if "))
	flag(factCircWeighed, s.Set.Has(r.circ) && weighs > 0 && !excused)
	flag(factCircVerb, s.Set.Has(r.circ) && s.Set.Has(r.verb) && !excused)
	add(factWeighCount, float32(weighs)/4)
	flag(factExcusedWeighed, excused && weighs > 0)
	flag(factQuestionChoice, who.asks)
	flag(factListItem, strings.HasPrefix(text, "-") || strings.HasPrefix(text, "•"))
	flag(factMoney, money)
	flag(factPercent, percent)
	flag(factNot, not)
	flag(factNotWeighed, not && weighs > 0)
	flag(factAfterColon, strings.Contains(text, ": "))
	flag(factSemicolon, strings.Contains(text, "; "))
	flag(factBecause, strings.Contains(text, "because") || strings.Contains(text, "since ") || strings.HasPrefix(text, "as ") || strings.HasPrefix(text, "with "))
}

// breaks tells whether a mark between two words parts clauses.
func breaks(gap string) bool {
	for i := range len(gap) {
		if c := gap[i]; c == ',' || c == ':' || c == ';' {
			return true
		}
	}
	return false
}

func (r *reader) echoes(figure string, who person) bool {
	return who.figures[plainFigure(figure)]
}

var imperatives = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`take leave keep stay hold stick move transfer put use draw buy sell switch combine consolidate merge wait defer delay claim pay fill top start stop go get let make
		secure accept decline reject opt spend invest choose pick cash turn convert sign name set have bring build clear give act ring don't`) {
		imperatives[w] = true
	}
}
