package pack

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/phrase"
	"preceptor/internal/platform/strict"
)

// Pack is one domain's data, read from data/NAME.json. Go code knows no domain: it asks the agent's pack.
type Pack struct {
	Name    string       `json:"name"`
	Title   string       `json:"title"` // as people read it, as "UK pensions"
	About   string       `json:"about"` // a sentence on what it is for
	Fields  []Field      `json:"fields"`
	Topics  []Topic      `json:"topics"`  // in the order in which they are offered
	Domains []RuleDomain `json:"domains"` // what rules are filed under, weightiest first
	// Reasons are those of a rejection, in the order in which they are offered; digits on the desk pick from them.
	Reasons []Reason `json:"reasons"`
	Line    Line     `json:"line"`
	Frames  Frames   `json:"frames"`
	// stems that most questions of the domain have, so that sharing one tells little
	Common  []string `json:"common"`
	Prompt  string   `json:"prompt"`   // the domain's paragraph in every prompt
	Concept bool     `json:"concepts"` // the embedder knows this domain's concepts
	// Warnings are texts that the domain's law asks for; a draft without one makes a lesson at once, in these words.
	Warnings []Warning `json:"warnings,omitempty"`
	// Wordings are approved texts by the code of the check that misses them, for a person to put in.
	Wordings map[string][]string `json:"wordings,omitempty"`
	// NeverOverruled are codes of checks that people can't overrule: without what they miss a text may not go out by
	// law.
	NeverOverruled []string `json:"never_overruled,omitempty"`
	// Signs is what whoever approves a text agrees to.
	Signs Signs `json:"signs,omitzero"`
	// Report is what the domain's law asks of the report on a period.
	Report Report `json:"report,omitzero"`
	// TakesTwo are the facts of a case for which two people must approve.
	TakesTwo []TakesTwo `json:"takes_two,omitempty"`
	// Particulars are words that tell one customer's employer or scheme, where the customer says them.
	Particulars []string `json:"particulars,omitempty"`
	// Practised is the one trade of many in the domain whose customers practice has; "" where they are the domain's.
	Practised string `json:"practised,omitempty"`
	Checks    bool   `json:"checks"` // the domain's own compliance checks hold for it, beside those of form

	phrases func() *phrase.Lexicon
}

// Phrases are the pack's classes of phrases and its rules, from data/NAME/*.rules; they are read when they are first
// asked for.
func (p *Pack) Phrases() *phrase.Lexicon { return p.phrases() }

// lexicon reads a pack's rules, and those of English. Classes come in the order of their files' names and lines, and
// that of the first file is the order of the sentence model's weights.
func lexicon(name string) *phrase.Lexicon {
	l, err := phrase.Parse(append(rules(name), English()...)...)
	if err != nil {
		panic(err) // a test parses them all
	}
	return l
}

// English is what holds in every domain: how sentences deny, report, suppose, warn and go on with one another.
func English() []phrase.Source { return rules("english") }

func rules(folder string) (sources []phrase.Source) {
	files, _ := fs.Glob(data, "data/"+folder+"/*.rules")
	for _, f := range files {
		b, err := data.ReadFile(f)
		if err != nil {
			panic(err) // the files are part of the program
		}
		sources = append(sources, phrase.Source{Name: path.Base(f), Text: string(b)})
	}
	return sources
}

// Line is how experts speak of what a text may say: the head of its page, and the sides of it, from fine to not.
type Line struct {
	Title string    `json:"title"`
	Asks  string    `json:"asks"` // over the sides, to choose from
	Sides [3]string `json:"sides"`
}

// Signs is a sentence that approvers sign, and the law that asks for it. The zero value: nothing is signed.
type Signs struct {
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
}

// Report is what a domain's law asks of the report on a period. The zero value: nothing, and the report is plain.
type Report struct {
	Name    string            `json:"name"`
	Law     string            `json:"law"`
	File    string            `json:"file"`    // how its name begins
	Lead    string            `json:"lead"`    // what it is for
	Figures map[string]string `json:"figures"` // names of outcomes that only it has, by the key of their figure
	Limits  []string          `json:"limits"`  // what it can't say
}

// ReportOf is that of the first of these packs that has one.
func ReportOf(names ...string) Report {
	for _, name := range names {
		if r := Of(name).Report; r.Name != "" {
			return r
		}
	}
	return Report{Name: "Report on a period", File: "report",
		Lead: "What customers experienced, what was found wrong, and how people oversaw it."}
}

// Unanswered reports whether a text says, in the pack's own sentence, that no guidance answers the question.
func (p *Pack) Unanswered(text string) bool {
	return p.Frames.Unknown != "" && strings.Contains(text, p.Frames.Unknown)
}

// Sentence is text and source as they are shown and kept; "" where nothing is signed.
func (s Signs) Sentence() string {
	if s.Text == "" || s.Source == "" {
		return s.Text
	}
	return strings.TrimSuffix(s.Text, ".") + " (" + s.Source + ")."
}

// Field is one of a profile's fields. A profile may carry others.
type Field struct {
	Name   string  `json:"name"`
	Label  string  `json:"label"`
	Kind   string  `json:"kind"` // number, choice, list, flag or text
	Values []Value `json:"values,omitempty"`
	// Unusual is how a customer differs from most, offered as whom a rule is for.
	Unusual []Compare `json:"unusual,omitempty"`
	Bare    bool      `json:"bare,omitempty"` // a bound in a remark without a unit is about this number, as "under 55"
	// Said are words right before a bound by which a text speaks of its reader's number, as "you are" under 55.
	Said []string `json:"said,omitempty"`
}

// Compare is a comparison with a field's value; Op as in rule.Condition.
type Compare struct {
	Op    string `json:"op"`
	Value string `json:"value"`
}

// Value is one that a field may have.
type Value struct {
	Value string   `json:"value"`
	Label string   `json:"label"`
	Said  []string `json:"said,omitempty"` // a question with one of these words says that the field has it
	// Common is what all have some day, so that a text on it is for all; of one that is Due at an age, as soon as the
	// reader may have it, or where it names the age.
	Common bool `json:"common,omitempty"`
	Due    int  `json:"due,omitempty"`
}

// Of is a value of the field; zero where it has none of the name.
func (f Field) Of(value string) Value {
	i := slices.IndexFunc(f.Values, func(v Value) bool { return strings.EqualFold(v.Value, value) })
	if i < 0 {
		return Value{}
	}
	return f.Values[i]
}

// Topic is a task of the domain.
type Topic struct {
	Name      string   `json:"name"`
	Label     string   `json:"label"`
	Phrase    string   `json:"phrase,omitempty"`    // within a sentence, as "annuities and guaranteed income"
	Questions []string `json:"questions,omitempty"` // examples
}

// RuleDomain is what a rule is about; Importance multiplies its score at recall (seed 000, "Compliance-Specific Rule
// Priority").
type RuleDomain struct {
	Name       string  `json:"name"`
	Label      string  `json:"label"`
	Importance float64 `json:"importance"`
}

// Warning is a text that a check asks for, and for whom: those who ask about one of the topics and whose profile field
// has the value.
type Warning struct {
	Code    string   `json:"code"` // of the check
	Topics  []string `json:"topics"`
	Field   string   `json:"field"`
	Value   string   `json:"value"`
	Text    string   `json:"text"`
	Because string   `json:"because"`
}

// Frames are the advisor's set phrases; it writes nothing else of its own. NAME and TOPIC are filled in.
type Frames struct {
	Hello    string `json:"hello"`     // "Hello NAME,"
	HelloAny string `json:"hello_any"` // without a name
	// before the answer, where a topic is known: "Thank you for your question about TOPIC."
	Open     string `json:"open"`
	OpenAny  string `json:"open_any"` // where none is
	Unknown  string `json:"unknown"`  // there is no guidance for the question: said so, and handed over
	Sources  string `json:"sources"`  // the head of the list of sources
	Released string `json:"released"` // the source of a sentence that was released to somebody before
	Signpost string `json:"signpost"` // where people get help that the advisor may not give; "" for none
	Kinds    []Kind `json:"kinds"`    // how kinds of question are answered; the first that holds
	// by which people speak to one customer: a sentence with one is said to no other
	Personal []string `json:"personal"`
	// how a person's sentence says that something is to be asked, TEXT for the words; for a rejection's sentence
	Ask      []string `json:"ask"`
	Point    []string `json:"point"`    // the same for where to point the customer
	Never    []string `json:"never"`    // words of a remark after which it quotes what is never to be said
	Instruct []string `json:"instruct"` // verbs that lead a sentence to the advisor, and not one to the customer
	Third    []string `json:"third"`    // words of whoever speaks about the customer or the draft
	Just     []string `json:"just"`     // a remark with one of these is about this customer alone
}

// Kind is how a kind of question is answered (see tuned), where the question is of one of the topics, if any are named.
type Kind struct {
	Kind  string   `json:"kind"`
	From  float64  `json:"from"` // probability from which a question counts as one
	About []string `json:"about,omitempty"`
	Open  string   `json:"open"`  // first, instead of thanks for the question
	Close string   `json:"close"` // where to turn, or what to do, unless a section of Sections says it
	// Sections are the topics of the sections that answer rather than others, alone where nothing is asked, and though
	// they aren't near; empty for none.
	Sections []string `json:"sections,omitempty"`
}

// ListOfSources is where the list of its sources begins in a text, which a line of the words in head opens; the text's
// length where it has none.
func ListOfSources(text, head string) int {
	if at := strings.LastIndex(text, "\n"+head+"\n"); at > 0 && head != "" {
		return at
	}
	return len(text)
}

var citation = regexp.MustCompile(`\s*\[\d+\]`)

// Bare is a text without the set phrases that stand on lines of their own, its citations and its list of sources.
func (f Frames) Bare(text string) string {
	set := []string{f.Hello, f.HelloAny, f.Open, f.OpenAny, f.Signpost}
	for _, k := range f.Kinds {
		set = append(set, k.Open, k.Close)
	}
	lines := strings.Split(citation.ReplaceAllString(text[:ListOfSources(text, f.Sources)], ""), "\n")
	for i, line := range lines {
		if slices.ContainsFunc(set, func(s string) bool { return filled(s, strings.TrimSpace(line)) }) {
			lines[i] = ""
		}
	}
	return blank.ReplaceAllString(strings.TrimSpace(strings.Join(lines, "\n")), "\n\n")
}

var blank = regexp.MustCompile(`\n\s*\n`)

// filled reports whether a line is a set phrase with its NAME or TOPIC filled in.
func filled(set, line string) bool {
	before, after, _ := strings.Cut(strings.Replace(set, "NAME", "TOPIC", 1), "TOPIC")
	mid, ok := strings.CutPrefix(line, before)
	if ok {
		mid, ok = strings.CutSuffix(mid, after)
	}
	return ok && set != "" && (mid == "" || before+after != set && !strings.Contains(mid, ". "))
}

//go:embed data/*.json data/*/*.rules data/*/rubric.md data/*/taxonomy.json data/*/facts.json data/*/practice/*
var data embed.FS

// File is a file of a pack's, by name; "" where it has none.
func File(packName, name string) string {
	b, _ := data.ReadFile(path.Join("data", Of(packName).Name, name))
	return string(b)
}

// PracticeFile is a file of a pack's practice people (package practice), by name.
func PracticeFile(packName, name string) ([]byte, error) {
	return data.ReadFile(path.Join("data", Of(packName).Name, "practice", name))
}

// Names of the packs that ship.
const (
	Pension     = "pension"
	GeneralName = "general"
)

var (
	packs   = load()
	ordered = byName(packs)
)

func load() map[string]*Pack {
	out := map[string]*Pack{}
	entries, err := data.ReadDir("data")
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		b, err := data.ReadFile("data/" + e.Name())
		if err != nil {
			panic(err)
		}
		p, err := parse(b)
		if err != nil {
			panic(fmt.Sprintf("pack: %s: %v", e.Name(), err))
		}
		p.phrases = sync.OnceValue(func() *phrase.Lexicon { return lexicon(p.Name) })
		out[p.Name] = p
	}
	return out
}

// parse reads one pack strictly: a field that no pack has is an error, and so is a second value.
func parse(b []byte) (*Pack, error) {
	p := new(Pack)
	return p, strict.Into(b, p)
}

// Named is the pack of a name; false when none ships. The empty name is pension: what was stored before there were
// packs.
func Named(name string) (*Pack, bool) {
	p, ok := packs[cmp.Or(name, Pension)]
	return p, ok
}

// Of is the pack of a name, general where there is none of it.
func Of(name string) *Pack {
	if p, ok := Named(name); ok {
		return p
	}
	return packs[GeneralName]
}

// All lists the packs by name.
func All() []*Pack { return ordered }

func byName(packs map[string]*Pack) []*Pack {
	return slices.SortedFunc(maps.Values(packs), func(a, b *Pack) int { return strings.Compare(a.Name, b.Name) })
}

// Field finds a field by name, letter case aside.
func (p *Pack) Field(name string) (Field, bool) {
	if p == nil {
		return Field{}, false
	}
	i := slices.IndexFunc(p.Fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return Field{}, false
	}
	return p.Fields[i], true
}

// FieldLabel is a field in words, its name with blanks where the pack has none.
func (p *Pack) FieldLabel(name string) string {
	if f, ok := p.Field(name); ok {
		return f.Label
	}
	return Plain(name)
}

// ValueLabel is a field's value in words; the value itself where the pack has none.
func (p *Pack) ValueLabel(field, value string) string {
	f, _ := p.Field(field)
	if label := f.Of(value).Label; label != "" {
		return label
	}
	return value
}

// Said lists the values of a field that a question's own words tell.
func (p *Pack) Said(field, question string) (values []string) {
	f, _ := p.Field(field)
	for _, v := range f.Values {
		if slices.ContainsFunc(v.Said, func(w string) bool { return HasPhrase(question, w) }) {
			values = append(values, v.Value)
		}
	}
	return values
}

// Topic finds a topic by name.
func (p *Pack) Topic(name string) (Topic, bool) {
	i := slices.IndexFunc(p.Topics, func(t Topic) bool { return t.Name == name })
	if i < 0 {
		return Topic{}, false
	}
	return p.Topics[i], true
}

// Example is a question as its customers ask it; "" where the pack has none.
func (p *Pack) Example() string {
	for _, t := range p.Topics {
		if t.Name != General && len(t.Questions) > 0 {
			return t.Questions[0]
		}
	}
	return ""
}

// Importance is a rule domain's weight; 1 where the pack has none of the name.
func (p *Pack) Importance(domain string) float64 {
	for _, d := range p.Domains {
		if d.Name == domain {
			return d.Importance
		}
	}
	return 1
}

// HasPhrase reports whether text has the words of phrase, in order and whole, in any inflection and letter case.
func HasPhrase(text, phrase string) bool { return len(PhraseSpans(text, phrase)) > 0 }

// PhraseSpans are the places of the words of a phrase in text, whole words in any inflection.
func PhraseSpans(text, of string) (out []phrase.Span) {
	want := words(of)
	if len(want) == 0 {
		return nil
	}
	have := words(text)
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.EqualFunc(have[i:i+len(want)], want, func(h, w word) bool {
			// a stem begins as its word does
			return h.text == w.text || h.text[0] == w.text[0] && Inflect(h.text) == Inflect(w.text)
		}) {
			out = append(out, phrase.Span{Start: have[i].start, End: have[i+len(want)-1].end})
		}
	}
	return out
}

// Inflect is the form under which the inflections of a word are one.
func Inflect(w string) string { return plainStem(strings.TrimSuffix(w, "'s")) }

// WordingsOf are the approved texts for what a check misses: the law's own first.
func (p *Pack) WordingsOf(code string) (out []string) {
	for _, w := range p.Warnings {
		if w.Code == code {
			out = append(out, w.Text)
		}
	}
	return append(out, p.Wordings[code]...)
}
