package pack

import (
	"strings"
	"unicode"

	"preceptor/internal/phrase"

	"github.com/kljensen/snowball/english"
)

// word is a word of a text with its place.
type word struct {
	text       string // lower case
	start, end int
}

// words lists the words of text: letters and digits, with apostrophes and hyphens inside.
func words(text string) []word {
	var out []word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			w := strings.TrimRight(strings.ToLower(text[start:end]), "'’-.,")
			w = strings.ReplaceAll(w, "’", "'")
			if w != "" {
				out = append(out, word{w, start, end})
			}
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '£' || r == '%':
			if start < 0 {
				start = i
			}
		case start >= 0 && (r == '\'' || r == '’' || r == '-'):
		case start >= 0 && (r == ',' || r == '.') && i > 0 && isDigit(text[i-1]) && i+1 < len(text) &&
			isDigit(text[i+1]):
		default:
			flush(i)
		}
	}
	flush(len(text))
	return out
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// Words lists the words of text in lower case.
func Words(text string) []string {
	ws := words(text)
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// WordSpans are the places of the words of text.
func WordSpans(text string) []phrase.Span {
	ws := words(text)
	out := make([]phrase.Span, len(ws))
	for i, w := range ws {
		out[i] = phrase.Span{Start: w.start, End: w.end}
	}
	return out
}

// IsStop reports whether a word in lower case only holds others together, as "the" and "not".
func IsStop(w string) bool { return stopWords[w] }

// stem is the canonical form under which words are compared: a synonym group's name, or the Porter2 stem.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	if c, ok := canonical[w]; ok {
		return c
	}
	s := english.Stem(w, false)
	if c, ok := canonical[s]; ok {
		return c
	}
	return s
}

// ContentStems is the set of stems of the words in text that carry meaning: neither stop words nor words that every
// text of the domain has, as "pension" and "customer".
func ContentStems(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(text) {
		if !stopWords[w.text] && !genericWords[w.text] {
			out[stem(strings.TrimSuffix(w.text, "%"))] = true
		}
	}
	return out
}

func set(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lists {
		for w := range strings.FieldsSeq(l) {
			m[w] = true
		}
	}
	return m
}

var stopWords = set(
	`a an the and or but nor if then else so as at by for from in into of off on onto out over to up with without about
 is am are was were be been being do does did done doing have has had having can could may might must shall should will would
 i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those there here
 who whom whose which what when where why how not no never n't don't doesn't didn't isn't aren't wasn't won't can't cannot couldn't
 i'm i've i'd i'll you're you've you'd you'll we're we've they're they've it's that's there's let's
 all any both each few more most other some such only own same than too very just also again once still yet ever
 get got getting go going goes gone make makes made take takes taken want wants wanted need needs needed like really
 s t re ve ll d m etc eg ie per via because while before after until during against between through under above below percent cent`)

// genericWords say nothing in this domain, or are how rules speak of anybody.
var genericWords = set(
	`pension pensions customer customers client clients person people someone anyone everyone consumer consumers user
 advisor adviser agent guidance draft answer reply response text consultation question questions asks ask asked asking says say said mentions mention
 mentioned wants want wanting wishes wish thinking think thinks thought considering consider considers wonders wondering discusses discuss discussing discussion
 explaining explain explains presenting present presents describing describe giving give gives providing provide writing write answering
 looking look looks trying try tries plans plan planning talks talk talking raises raise raising brings bring concerning regarding relating
 whether something anything thing things way option options situation circumstances case cases time about help know knows tell tells using use
 uses used shows show showing includes include including involves involve involving already currently possible please`)

// synonyms are groups of words compared as one; the first names the group.
var synonyms = []string{
	"fee fees charge charges cost costs charged",
	"transfer transfers transferring transferred switch switching switched",
	"consolidate consolidating consolidation combine combining combined merge merging merged amalgamate",
	"death die dies died dying dead deceased",
	"bereaved bereavement widow widowed widower grieving grief",
	"ill illness sick sickness unwell disease diagnosis diagnosed",
	"spouse husband wife partner",
	"abroad overseas foreign expat emigrate emigrating emigrated",
	"debt debts owe owes owing arrears loan loans",
	"scam scams scammer scammers fraud fraudster fraudulent",
	"worried worry worries anxious nervous scared frightened concerned afraid stressed",
	"divorce divorced divorcing separation separated separating",
	"job work employment employed working",
	"employer employers company workplace",
	"child children kid kids son sons daughter daughters grandchildren grandchild",
	"home house property flat mortgage",
	"redundancy redundant",
	"retire retirement retires retiring retired",
	"money cash",
	"advice advise advised advises",
	"buy buys buying bought purchase purchasing",
	"inherit inheritance inheriting beneficiary beneficiaries heirs",
	"lose loses losing lost loss forfeit",
	"fall falls falling fell drop drops decline",
	"rise rises rising increase increases grow grows growing growth",
	"old older elderly",
	"deadline closing cut-off cutoff",
	"document documents paperwork letter letters statement statements",
	"urgent urgently hurry rush rushed quickly",
	"carer caring care",
	"business firm",
	"tax taxed taxable taxation",
	"invest invests invested investing investment investments fund funds stocks shares",
	"contribution contributions contribute contributing",
	"share shared sharing split splits splitting",
	"defer defers deferring deferred postpone delay delaying",
	"ethical ethics sustainable green",
}

var canonical = func() map[string]string {
	m := map[string]string{}
	for _, g := range synonyms {
		ws := strings.Fields(g)
		for _, w := range ws {
			m[w] = ws[0]
		}
	}
	return m
}()

// plainStem is the Porter2 stem without synonyms, for telling verbs.
func plainStem(w string) string { return english.Stem(w, false) }
