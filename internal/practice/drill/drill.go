// Package drill lets a supervisor practise on made-up cases whose faults are known, some of them without any, and says
// what they caught, missed and over-corrected.
//
// A round is a set of package labelling, in the order in which this person gets the cases. They are the packs' data
// (data/NAME/practice/desk.jsonl). A round begins with a turn at each, so that a person may stop and go on another day,
// and ends with the last answer; until then an answer can be taken back.
//
// What it promises. Nothing of it touches the desk: no interaction, review, delivery, lesson, statistic, audit entry or
// event. An answer is marked when it is given and keeps its mark: approving a fault is a miss; a revision is caught
// when each fault is gone (the faulty words are, and the pack's check finds no more of it); a rejection is caught when
// the reason that was ticked is one of the faults', and else stopped for another reason; sending back is caught, since
// its words are read by nobody. To change or stop a case without a fault is to over-correct. The checks and judges stay
// silent while one practises: a text that they block could not be missed.
//
// Privacy: results are the person's own. No manager or administrator sees them, not even that there are any, since who
// is watched does not practise; a person who wants to show theirs prints the page. They may delete them, and they go
// after Keep without an answer. Decided against: showing what was right after each case (twenty answers in a row show
// how somebody reads, not how fast they adapt), and marking what was written in one's own words.
package drill

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
	"preceptor/internal/review"
)

// Keep is how long a round is kept after its last answer.
const Keep = 400 * 24 * time.Hour

// Case is one made-up case.
type Case struct {
	ID       string               `json:"id"`
	Task     string               `json:"task"`
	Question string               `json:"question"`
	Customer interaction.Customer `json:"customer"`
	Draft    string               `json:"draft"`
	Faults   []Fault              `json:"faults,omitempty"`
	// of a case without a fault: why it is right although it looks wrong
	Fine   string `json:"fine,omitempty"`
	Source string `json:"source,omitempty"` // what that rests on
	Pack   string `json:"-"`
}

// Fault is one thing that is wrong with a draft.
type Fault struct {
	Code   string `json:"code"`
	Words  string `json:"words"` // of the draft; of what is missing, where it belongs
	Why    string `json:"why"`
	Source string `json:"source"`
	Better string `json:"better"` // what could stand there instead, or be added
	// gone when the pack's check no longer finds it: something is missing, or wrong with the whole
	Check bool `json:"check,omitempty"`
	// gone when the text has one of these: something is missing that no check looks for
	Says []string `json:"says,omitempty"`
}

// Consultation is what the made-up customer asked.
func (c *Case) Consultation() interaction.Consultation {
	return interaction.Consultation{Customer: c.Customer, Question: c.Question, TaskType: c.Task, Pack: c.Pack}
}

// Title is a case's topic, or the question where its pack has no topics.
func (c *Case) Title() string {
	if len(pack.Of(c.Pack).Topics) == 0 {
		return text.Opening(c.Question, 60)
	}
	return pack.Label(c.Task)
}

// Interaction is the case as an agent would have brought it.
func (c *Case) Interaction() *interaction.Interaction {
	return &interaction.Interaction{Consultation: c.Consultation(), Guidance: c.Draft, Status: interaction.Waiting}
}

// Place is where a fault's words stand in a draft, in characters.
func (f *Fault) Place(draft string) (start, end int) {
	before, _, _ := strings.Cut(draft, f.Words)
	start = utf8.RuneCountInString(before)
	return start, start + utf8.RuneCountInString(f.Words)
}

var read sync.Map // []Case by pack

// Cases are a pack's; none where it has none.
func Cases(packName string) []Case {
	if list, ok := read.Load(packName); ok {
		return list.([]Case)
	}
	list, err := parse(packName)
	if err != nil {
		panic(err) // the files are part of the program, and a test reads them all
	}
	read.Store(packName, list)
	return list
}

func parse(packName string) (list []Case, err error) {
	b, err := pack.PracticeFile(packName, "desk.jsonl")
	if err != nil {
		return nil, nil // the pack has no cases
	}
	for line := range bytes.Lines(b) {
		c := Case{Pack: packName}
		if err := strict.Into(line, &c); err != nil {
			return nil, fmt.Errorf("drill: the cases of %s: %w", packName, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// The outcomes.
const (
	Caught        = "caught"
	Missed        = "missed"
	OverCorrected = "over_corrected"
	OtherReason   = "other_reason" // stopped, for a reason that isn't what was wrong
	Passed        = "passed"       // approved, and rightly
)

// Find gives the codes that the checks find in an answer to a consultation.
type Find func(text string, c interaction.Consultation) []string

// mark says what an answer comes to, and which faults are still in the text.
func (c *Case) mark(in review.Input, find Find) (outcome string, left []int) {
	switch {
	case len(c.Faults) == 0 && in.Kind == review.Approve:
		return Passed, nil
	case len(c.Faults) == 0:
		return OverCorrected, nil
	case in.Kind == review.Return:
		return Caught, nil
	case in.Kind == review.Reject:
		if slices.ContainsFunc(c.Faults, func(f Fault) bool {
			return slices.Contains(pack.Of(c.Pack).Reason(in.ReasonCode).Issues, f.Code)
		}) {
			return Caught, nil
		}
		return OtherReason, nil
	}
	before, now := find(c.Draft, c.Consultation()), find(in.Text, c.Consultation())
	for i, f := range c.Faults {
		if in.Kind == review.Approve ||
			!f.gone(in.Text, slices.Contains(before, f.Code) && slices.Contains(now, f.Code)) {
			left = append(left, i)
		}
	}
	if len(left) > 0 {
		return Missed, left
	}
	return Caught, nil
}

// gone reports whether a text is without the fault; found: the check finds it in the draft and in the text.
func (f *Fault) gone(revised string, found bool) bool {
	has := func(words string) bool { return strings.Contains(plain(revised), plain(words)) }
	switch {
	case len(f.Says) > 0:
		return slices.ContainsFunc(f.Says, has)
	case f.Check:
		return !found
	}
	return !found && !has(f.Words)
}

// plain is a text without what doesn't change its words: letter case, blanks, and the shape of quotes and apostrophes.
func plain(text string) string {
	text = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u201c", `"`, "\u201d", `"`).Replace(text)
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}
