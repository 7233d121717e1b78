// Package embedded is the compliance judge that needs no network: it reads a text against its question with the small
// encoder in the program (internal/llm/encoder), whose heads were tuned on texts that we wrote and labelled
// (tools/encoder).
//
// It owns no table. One pass reads the question, the profile and the text. Heads say how likely the text is fine,
// borderline or over the line, which issues it has, whether it answers what was asked, and, token by token, which words
// carry a violation. A text longer than a window is read in several, and the worst counts. What the firm's labels
// taught moves the verdict once people accepted it (Taught).
//
// What it promises: the same text gives the same vote on every machine; an issue that is said quotes the sentence that
// says it, and one without such a sentence isn't named. It is no language model, and it stops nothing by itself.
// card.md says what it was tuned on, how well it did on authors and trades that it never saw, and what it is bad at.
package embedded

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/llm/encoder"
	"preceptor/internal/llm/tuned"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
)

// Name is the judge's.
const Name = "encoder"

//go:embed judge.json
var limitsJSON []byte

// talkFile makes of the trunk what reads a text after a conversation; tools/encoder/talk.py tunes it.
//
//go:embed talk.bin
var talkFile []byte

var talk = encoder.Part("embedded: talk.bin", talkFile, func(b []byte) (*encoder.Branch, error) {
	return encoder.BGE().Adapted(b)
})

// limits are what is decided from, chosen on authors left out of training (tools/encoder).
type limits struct {
	Version  string  `json:"version"`
	Label    float64 `json:"label"`     // what the label's log odds of a violation weigh
	Span     float64 `json:"span"`      // and those of the words that carry one most
	Shift    float64 `json:"shift"`     // and what is added
	AnyTrade float64 `json:"any_trade"` // and what more outside pensions
	// the share of "over the line" among violations from which a text isn't borderline
	Hard float64            `json:"hard"`
	From map[string]float64 `json:"from"` // the probability from which an issue is named, by code
	// the probability of answering its question below which a text is off topic
	Answers float64 `json:"answers"`
	// the probability of its likeliest words from which a sentence carries a violation
	Words   float64  `json:"words"`
	Lacking []string `json:"lacking"` // codes of what a text leaves out, which no sentence carries
	Stops   stops    `json:"stops"`   // what blocks a text
}

// stops are the probabilities, all three needed, from which an issue of a critical code blocks a text that isn't
// borderline.
type stops struct {
	Violation float64 `json:"violation"`
	Code      float64 `json:"code"`
	Words     float64 `json:"words"` // of the sentence that is quoted
}

type model struct {
	branch *encoder.Branch
	trunk  *encoder.Trunk
	limits
	label, general, pension, answers, span encoder.Head
}

var loaded = sync.OnceValue(func() *model {
	m := &model{trunk: encoder.BGE(), branch: tuned.Branch(), label: tuned.Head("label"),
		general: tuned.Head("general"),
		pension: tuned.Head("pension"), answers: tuned.Head("answers"), span: tuned.Head("span")}
	if err := strict.Into(limitsJSON, &m.limits); err != nil {
		panic(err) // the file is part of the program
	}
	return m
})

// reading is what the heads say of a text.
type reading struct {
	trade   string             // the head that read it
	label   float64            // the label's log odds of a violation
	span    float64            // log odds of the words that carry one most
	hard    float64            // of a violation, the share over the line
	codes   map[string]float64 // probability by code
	answers float64            // probability that it answers the question
	words   []float64          // by sentence, the probability that its likeliest words carry a violation
	pooled  []float32          // the mean vector of the window that decides
	talk    float64            // what the conversation before it adds to the log odds
}

// sentence is a stretch of a text in bytes.
type sentence struct{ from, to int }

// read reads a text about a question. In several windows, what the text says is as bad as in the worst, and what it
// lacks is lacking in all.
func (m *model) read(ctx context.Context, about, text string, sentences []sentence,
	head encoder.Head) (*reading, error) {
	out := &reading{trade: head.Name, label: math.Inf(-1), span: math.Inf(-1), codes: map[string]float64{},
		words: make([]float64, len(sentences))}
	windows := m.windows(about, text)
	if len(windows) > mostWindows {
		return nil, errTooLong
	}
	for n, w := range windows {
		r, err := m.branch.Read(ctx, w)
		if err != nil {
			return nil, err
		}
		v, sides := r.Pool(), r.Sides()
		p := tuned.Softmax(m.label.Apply(v))
		if odds := math.Log((1 - p[0]) / p[0]); odds > out.label {
			out.label, out.hard, out.pooled = odds, p[2]/(p[1]+p[2]), v
		}
		out.answers = max(out.answers, chance(float64(m.answers.Apply(sides)[0])))
		for i, z := range head.Apply(v) {
			code, q := head.Names[i], chance(float64(z))
			if had, ok := out.codes[code]; ok && n > 0 && slices.Contains(m.Lacking, code) {
				out.codes[code] = min(had, q)
			} else {
				out.codes[code] = max(had, q)
			}
		}
		for i, t := range w.Tokens {
			if t.Mark || t.Segment == 0 {
				continue
			}
			at, found := slices.BinarySearchFunc(sentences, t.From, func(s sentence, from int) int {
				if s.to <= from {
					return -1
				}
				if s.from > from {
					return 1
				}
				return 0
			})
			if found {
				z := float64(m.span.Apply(r.Token(i))[0])
				out.words[at], out.span = max(out.words[at], chance(z)), max(out.span, z)
			}
		}
	}
	return out, nil
}

// reads gives what the heads say of a text, and what the conversation before it adds.
func (m *model) reads(ctx context.Context, s *compliance.Subject, about, text string, sentences []sentence,
	head encoder.Head) (*reading, error) {
	r, err := m.read(ctx, about, text, sentences, head)
	if err != nil || len(s.Situation.Before) == 0 {
		return r, err
	}
	said, _ := before(s.Situation.Before, mostTalk)
	of, err := talk().Read(ctx, m.trunk.Ends(said+alone(s), text, talkTokens, talkText))
	if err != nil {
		return nil, err
	}
	h, _ := talk().Head("talk")
	r.talk = talkWeighs * float64(h.Apply(of.Sides())[0])
	return r, nil
}

// A text is read after the last so many bytes of a conversation, and as many tokens of both as talk.py tuned it on.
const (
	mostTalk, talkTokens, talkText = 1600, 256, 160
	// what its log odds weigh, and the most that they move those of the text by itself
	talkWeighs, mostMoved = 0.5, 3.0
)

// inTalk are the log odds of a violation, before what the firm taught: where something was said before the question,
// the text counts once more as it reads after it, but that stops nothing by itself.
func (m *model) inTalk(r *reading) float64 {
	odds := m.odds(r)
	return min(odds+max(-mostMoved, min(mostMoved, r.talk)), max(odds, mostInTalk))
}

// mostInTalk is below the odds that stop a text.
const mostInTalk = 3.4

// odds are those of a text by itself.
func (m *model) odds(r *reading) float64 {
	odds := m.Label*r.label + m.Span*max(r.span, -10) + m.Shift
	if r.trade == m.general.Name {
		odds += m.AnyTrade
	}
	return odds
}

// Windows: a text of up to whole tokens, its question included, is read at once; of a longer one a stretch at a time,
// as one bad sentence among many good ones is lost in a long stretch.
// What is longer than mostWindows of them, some 5,000 words, nobody waits for: it isn't read, and that is said.
const (
	whole       = 384
	stretch     = 256
	mostWindows = 64
)

var errTooLong = fault.New(fault.Limited, "The text is too long for it.")

func (m *model) windows(about, text string) []encoder.Window {
	if all := m.trunk.TokenizeTo(whole, about, text); len(all) == 1 {
		return all
	}
	return m.trunk.TokenizeTo(stretch, about, text)
}

// chance is the probability of log odds.
func chance(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// readKey names what a reading is of.
func readKey(s *compliance.Subject, about, text string, head encoder.Head) string {
	said, _ := before(s.Situation.Before, mostTalk)
	return fmt.Sprintf("%q %q %q %s", said, about, text, head.Name)
}

// Judges is the panel's part that is in the program; taught may be nil.
func Judges(taught Taught) []compliance.Judge { return []compliance.Judge{&judge{taught: taught}} }

type judge struct{ taught Taught }

// judged is what was read lately: a text is judged when it comes in, when it is shown and when it is decided.
var judged tuned.Memory[*reading]

// Name is the judge's.
func (j *judge) Name() string { return Name }

// Local is true: it needs no network.
func (j *judge) Local() bool { return true }

// AnyTrade says that it reads texts of every pack.
func (j *judge) AnyTrade() {}

// Judge reads the text. It fails only when ctx ends, or the text is longer than anybody writes to a customer.
func (j *judge) Judge(ctx context.Context, s compliance.Subject) (v compliance.Vote, _ error) {
	m := loaded()
	about, text, sentences := shown(&s)
	head := m.headOf(s.Situation.Pack)
	r, err := judged.Get(readKey(&s, about, text, head), func() (*reading, error) {
		return m.reads(ctx, &s, about, text, sentences, head)
	})
	if err != nil {
		return v, err
	}
	odds := m.inTalk(r)
	v = compliance.Vote{Judge: Name, AnsweredBy: j.Base(), Reads: r.codes}
	if taught, version := j.taught.of(s.Situation.Pack); taught != nil {
		odds += taught.Add(unit(r.pooled))
		v.AnsweredBy += fmt.Sprintf(", your version %d", version)
	}
	violation := min(max(math.Round(chance(odds)*1000), 1), 999) / 1000
	v.Issues = m.issues(&s, r, sentences, violation)
	named := slices.ContainsFunc(v.Issues, func(i compliance.Issue) bool { return i.Severity == compliance.Major })
	v.Decide(violation, r.hard >= m.Hard && named) // with nothing to name it is borderline: half of such texts are fine
	if at := worst(r.words); at >= 0 && r.words[at] >= standsOut {
		i := s.Issue(compliance.Other, compliance.Major, "It weighs most.", sentences[at].from, sentences[at].to)
		v.Weighs = &i
	}
	v.Reasoning = reason(&s, v, r, sentences)
	if _, all := asked(&s); !all {
		v.Reasoning += " " + readPart
	}
	return v, nil
}

// readPart is what a vote says of a conversation that is longer than the encoder's window.
const readPart = "It read only the end of the conversation."

// headOf is the head that reads a pack's issues: pensions have their own, and the other holds in any trade.
func (m *model) headOf(packName string) encoder.Head {
	if pack.Of(packName).Checks {
		return m.pension
	}
	return m.general
}

// shown is what is read: the question with what is known of the customer, and the text up to its list of sources.
func shown(s *compliance.Subject) (about, text string, sentences []sentence) {
	read := s.Reading()
	text = read.Text[:pack.ListOfSources(read.Text, pack.Of(s.Situation.Pack).Frames.Sources)]
	for i := range read.Sentences {
		if x := read.Sentences[i]; x.End <= len(text) {
			sentences = append(sentences, sentence{x.Start, x.End})
		}
	}
	about, _ = asked(s)
	return about, text, sentences
}

// alone is the question with who asks it.
func alone(s *compliance.Subject) string {
	return fmt.Sprintf("%s [%s]", s.Situation.Question, profile(s))
}

// asked is the question after what was said before it, and whether that is all of it.
func asked(s *compliance.Subject) (about string, all bool) {
	about = alone(s)
	said, all := before(s.Situation.Before, mostAbout-len(about))
	return said + about, all
}

// mostAbout is how long the question may be with what was said before it, in bytes: some 120 of the tokens that a
// window has for it.
const mostAbout = 480

// before is the end of a conversation in at most so many bytes, whole messages, and whether that is all of it.
func before(list []pack.Message, room int) (said string, all bool) {
	for _, m := range slices.Backward(list) {
		if m.Role == pack.FromTool {
			continue
		}
		next := m.Text + "\n" + said
		if len(next) > room {
			return said, false
		}
		said = next
	}
	return said, true
}

// profile is one line about the customer, in the words that the encoder was tuned with (tools/encoder/tune.py).
func profile(s *compliance.Subject) string {
	var parts []string
	c := s.Customer
	if c.Age != nil {
		parts = append(parts, fmt.Sprintf("aged %d", *c.Age))
	}
	for _, p := range c.Pensions {
		value := "?"
		if p.ValueGBP != nil {
			value = strconv.FormatFloat(*p.ValueGBP, 'f', -1, 64)
		}
		parts = append(parts,
			strings.TrimSpace(fmt.Sprintf("%s pension £%s %s", p.Kind, value, strings.Join(p.Features, " "))))
	}
	if c.Literacy != "" {
		parts = append(parts, "literacy "+c.Literacy)
	}
	if c.Vulnerable != nil && *c.Vulnerable {
		parts = append(parts, "vulnerable")
	}
	return strings.Join(parts, "; ")
}
