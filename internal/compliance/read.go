package compliance

import (
	"strings"
	"sync"

	"preceptor/internal/compliance/lexicon"
	"preceptor/internal/pack"
)

// classes of the lexicon that the checks ask for.
type classes struct {
	loss, noReturn, guarantee, fall, runout, inflation, diesWith, tax, mpaa, fees, locked, benefits                   lexicon.Class
	refer, signpost, understanding, scamWarn, scamSoft, scamSign, pressure, calm, promise, figureFuture, hedge        lexicon.Class
	condition, decline, quoteMark, jargon, gloss, provider, pick, exampleMark, evalPos, author, protect, courtesy, cn lexicon.Class
	irreversible, optverb, modalHard, option, certain, yourChoice, legal                                              lexicon.Class
}

var cls = sync.OnceValue(func() *classes {
	f := lexicon.Pensions().Find
	return &classes{f("loss"), f("no_return"), f("guarantee_word"), f("fall"), f("runout"), f("inflation"), f("dies_with"), f("tax"), f("mpaa"), f("fees"), f("locked"), f("benefits"),
		f("refer"), f("signpost"), f("understanding"), f("scam_warn"), f("scam_soft"), f("scam_sign"), f("pressure"), f("calm"), f("promise"), f("figure_future"), f("hedge"),
		f("condition"), f("decline"), f("quote_mark"), f("jargon"), f("jargon_gloss"), f("provider"), f("product_pick"), f("example_mark"), f("eval_pos"), f("author"), f("protect"), f("courtesy"), f("contrast"),
		f("irreversible_topic"), f("optverb"), f("modal_hard"), f("option"), f("certain_tone"), f("your_choice"), f("legal")}
})

// told is a situation with what of it the checks read more than once.
type told struct {
	pack.Situation
	words string // question, goal, free words and features, in lower case
}

// containsFold tells whether words, in lower case, contain name.
func containsFold(words, name string) bool { return strings.Contains(words, lowerASCII(name)) }

// Read is a text as the checks and the embedded judges share it.
func Read(text string) *lexicon.Reading {
	return lexicon.Pensions().ReadText(text, pack.SentenceSpans(text))
}
