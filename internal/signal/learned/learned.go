// Package learned finds what a user's message teaches an agent (seed 004), and keeps it: extraction, likeness,
// LEARNINGS.md, reminders.
//
// It owns no table. Everything is a pure function but Prompted, which asks a model; Embedded answers where there is
// none or it fails.
//
// Embedded is the encoder's trunk with upper layers tuned on the whole message (reader.bin; tools/encoder/reader.py):
// one pass, and of each sentence or wish the mean of its tokens, beside that of all, tells what it teaches and whether
// that is for once; the mean of a reaction tells which it is. Two sets by new authors, read by nobody before all was
// frozen: of 32 plain wishes ("Never use force push") 32 and 31 are found, of 32 said in other manners 23 and 24, of 32
// messages that teach nothing lasting 0 and 1 are taken for a lasting wish, and of what is found the category is right
// for 81 of 85 and 78 of 84. The weights of the step before found 31 and 32, 26 and 26 and took 1 and 0 of two other
// such sets. On the sets by which the floor was chosen (testdata/held) it was 32 and 31, 24 and 20, and 1 and 1.
//
// What it promises. The same answer on every machine; at most three learnings, the likeliest first, however many of one
// category; a content is the user's own words, cut at a word, and its span lies inside the message. Of what a
// person wrote into LEARNINGS.md the order, headings and free text stay; an entry waits, marked, for approval.
//
// The seed contradicts itself, and each is settled here: "I want" is both a correction and a preference, "don't use X"
// a correction, a preference and about a tool (the classifier chooses by the whole sentence, one category a sentence);
// "great" is a success, and in "oh great, another crash" it isn't; low is for implicit signals, which no keyword tells
// (a probability near the floor does); its id and time of day are not in its file (an entry has a day and its place).
//
// The seed's file gets each learning at once, and agents load it. Here an agent is given what somebody approved: the
// file has that, and a copy with what waits is asked for by name, to look through and delete from.
//
// The seed's expressions are kept as a floor: every part of a message is read, and where one of them begins behind a
// comma or an "and" is a part of its own. What is for this time only ("No, I want the other file", "Deploy to staging")
// is marked so: an order without one of these expressions has to last when it is said of the work at hand, too.
// What a message quotes is somebody else's.
//
// What it decided against: joining what is near in meaning (so is the opposite), summarising what was said, and taking
// "imperial units" for the end of "metric units": likeness can't tell it from "simple answers" after "short answers".
package learned

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/text"
)

// Categories of what is learned.
const (
	Preference = "preference"
	Correction = "correction"
	Pattern    = "pattern"
	ToolUsage  = "tool-usage"
)

// Categories in the order of the file's sections and of the classifier's rows, whose first is for what teaches nothing.
var Categories = []string{Preference, Correction, Pattern, ToolUsage}

// Confidences.
const (
	High   = "high"
	Medium = "medium"
	Low    = "low"
)

// The seed's limits.
const (
	MostLearnings = 3   // of a message
	MostContent   = 150 // characters
	LeastMessage  = 10  // characters
)

// Learning is one thing that a message teaches.
type Learning struct {
	Category   string `json:"category"`
	Content    string `json:"content"`    // the words of Span on one line, shortened
	Confidence string `json:"confidence"` // High, Medium or Low
	// it is meant for this time only, and teaches nothing for the next
	Once bool   `json:"once,omitempty"`
	Span [2]int `json:"span"` // bytes of the message, from and to
}

var surenesses = map[string]float64{High: .9, Medium: .7, Low: .5}

// Sureness is the confidence as a number.
func (l Learning) Sureness() float64 { return surenesses[l.Confidence] }

// Limits bound what is read and what is learned; a 0 is the seed's number.
type Limits struct{ LeastMessage, MostLearnings int }

func (l Limits) most() int { return cmp.Or(l.MostLearnings, MostLearnings) }

// short reports whether a message is too short to teach anything.
func (l Limits) short(message string) bool {
	return utf8.RuneCountInString(strings.TrimSpace(message)) < cmp.Or(l.LeastMessage, LeastMessage)
}

// Extractor reads messages.
type Extractor interface {
	// Extract gives what message teaches, the surest first.
	Extract(ctx context.Context, message string, limits Limits) ([]Learning, error)
}

// explicit are the seed's words of somebody who means it.
var explicit = regexp.MustCompile(`(?i)\b(always|never|must|important)\b`)

// stated is a learning of the bytes of message between from and to, which are cut to whole words.
func stated(message string, category string, from, to int) Learning {
	l := Learning{Category: category, Span: [2]int{from, to}, Confidence: Medium}
	l.Content = shortened(message[from:to])
	if category == Correction || explicit.MatchString(message[from:to]) {
		l.Confidence = High
	}
	return l
}

// shortened is a content of at most MostContent characters, the mark of the cut included.
func shortened(s string) string {
	if line := text.Opening(s, MostContent); utf8.RuneCountInString(line) <= MostContent {
		return line
	}
	return text.Opening(s, MostContent-1)
}

// Success is what positive feedback to an action teaches.
func Success(action, message string) Learning {
	return Learning{Category: Pattern, Confidence: Medium, Span: [2]int{0, len(message)},
		Content: shortened(`For "` + text.Opening(message, MostContent/2) + `": ` + action)}
}
