package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"preceptor/internal/pack"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// Where items come from.
const (
	FromReview = "review" // a decided case of the desk
	FromRuling = "ruling" // a borderline case that experts ruled on
	FromImport = "import"
	ByHand     = "hand"
)

// States of an item.
const (
	ItemOpen        = "open"        // needs more labels
	ItemLabelled    = "labelled"    // has its labels, and they agree; final when there are at least two
	ItemDisputed    = "disputed"    // has its labels, and they don't agree
	ItemAdjudicated = "adjudicated" // ruled on
	ItemExcluded    = "excluded"    // left out, with a reason
	ItemErased      = "erased"      // a tombstone
)

// Why a final label is final.
const (
	WhyAgreement    = "agreement"
	WhyAdjudication = "adjudication"
	WhyImport       = "import"
	WhyRuling       = "ruling" // of a borderline case, elsewhere in the program
)

// Bounds of an item.
const (
	MaxCustomer = 64 << 10 // bytes of JSON
	MaxQuestion = 20_000   // bytes
	MaxGuidance = 100_000
	maxTalk     = 200 << 10 // bytes of a conversation's texts
	maxKey      = 200       // bytes of group, external id, source id
	maxDepth    = 32        // of the customer's JSON
)

// Text is what is labelled.
type Text struct {
	// a JSON object; keys sorted once it is stored; empty: nothing is known
	Customer json.RawMessage `json:"customer,omitempty"`
	Question string          `json:"question,omitempty"`
	// the conversation with the question in it, oldest first; empty: nothing else is known
	Messages Messages `json:"messages,omitempty"`
	Guidance string   `json:"guidance"`
}

// Messages are what was said, and what tools answered.
type Messages []pack.Message

// column is the list as it is stored and hashed.
func (list Messages) column() string {
	if len(list) == 0 {
		return ""
	}
	b, _ := json.Marshal(list) // texts and times always can
	return string(b)
}

// Item is a row of a set, as those who manage it see it.
type Item struct {
	ID         string
	DatasetID  string
	N          int // the order in which items came; unique in the set
	Hash       string
	ExternalID string
	Group      string // "": none
	Source     string
	SourceID   string
	Text
	State       string
	Version     int
	Needs, Has  int // labels
	Flags       int // people who flagged it
	ExcludedWhy string
	// Settling tells that it has its labels and what they are is still hidden (UndoFor).
	Settling bool
	Check    bool   // a hidden check item; never shown to labellers
	Known    Answer // of a check item
	Final    *Final // nil: none, or not to be seen yet
	ClosedAt time.Time
	AddedAt  time.Time
	AddedBy  Person
}

// Final is the label that counts, and why.
type Final struct {
	Answer
	Why string    `json:"why"` // WhyAgreement ...
	By  string    `json:"by"`  // in words
	At  time.Time `json:"at"`
}

// NewItem is an item as it comes in.
type NewItem struct {
	Text
	ExternalID string
	Group      string
	Source     string // ByHand when empty
	SourceID   string
	Final      *Answer // final from the first, by the actor of the call
	FinalWhy   string  // WhyImport when empty
	FinalBy    string  // in words; the actor's name when empty
	Known      *Answer // makes it a hidden check item
	Labels     []ExternalLabel
}

// ExternalLabel is a label that somebody gave elsewhere; it counts as that rater's label, for agreement too.
type ExternalLabel struct {
	Rater   string // a name
	Answer  Answer
	At      time.Time // now when zero
	SpentMs int64
}

// What became of each row of an Add.
const (
	Added     = "added"
	Duplicate = "duplicate" // was there already; labels of external raters were still taken
	Broken    = "broken"
)

// Outcome is what became of one row.
type Outcome struct {
	ID     string // of the item; "" when broken
	Result string // Added, Duplicate or Broken
	Why    string // of Broken; of Duplicate when its labels differ from what is there
	// Labelled is a Duplicate that had no final label and got the file's.
	Labelled bool
}

// Prepare checks a new item and brings it into its stored form. The error is for a person.
func (n *NewItem) Prepare(s *Settings) error {
	cut := &lineEnds{}
	for _, t := range []struct {
		name string
		text *string
		most int
	}{{"question", &n.Question, MaxQuestion}, {"guidance", &n.Guidance, MaxGuidance}, {"group", &n.Group, maxKey},
		{"id", &n.ExternalID, maxKey}, {"source id", &n.SourceID, maxKey}} {
		switch {
		case !utf8.ValidString(*t.text):
			return fmt.Errorf("the %s is not valid UTF-8", t.name)
		case strings.ContainsRune(*t.text, 0):
			return fmt.Errorf("the %s holds a character that is no text (NUL)", t.name)
		case len(*t.text) > t.most:
			return fmt.Errorf("the %s is too long. %s", t.name, text.TooBig(*t.text, t.most))
		}
	}
	if strings.TrimSpace(n.Guidance) == "" {
		return errors.New("there is no guidance text")
	}
	n.Guidance, cut = unixLines(n.Guidance)
	n.Question, _ = unixLines(n.Question)
	var said strings.Builder
	for _, m := range n.Messages {
		said.WriteString(m.Text + m.Tool)
	}
	if said.Len() > maxTalk {
		return fmt.Errorf("the conversation is too long. %s", text.TooBig(said.String(), maxTalk))
	}
	n.converse()
	n.Group, n.ExternalID = strings.TrimSpace(n.Group), strings.TrimSpace(n.ExternalID)
	customer, err := canonical(n.Customer)
	if err != nil {
		return fmt.Errorf("the customer %w", err)
	}
	n.Customer = customer
	if n.Source == "" {
		n.Source = ByHand
	}
	length := utf8.RuneCountInString(n.Guidance)
	for _, a := range n.answers() {
		cut.move(a.Issues)
		if err := a.normalise(s, length); err != nil {
			return err
		}
	}
	for _, l := range n.Labels {
		if l.Rater = strings.TrimSpace(l.Rater); l.Rater == "" || len(l.Rater) > maxName || !utf8.ValidString(l.Rater) {
			return errors.New("a label says nobody's name as its rater, or one that is too long")
		}
	}
	return nil
}

// converse gives the conversation its one form, with the question as the customer's last message; either may be left
// out.
func (n *NewItem) converse() {
	for i, m := range slices.Backward(n.Messages) {
		if m.Role != pack.FromCustomer {
			continue
		}
		if n.Question == "" {
			n.Question, _ = unixLines(m.Text)
		}
		if strings.TrimSpace(m.Text) == strings.TrimSpace(n.Question) {
			n.Messages[i].Text = n.Question
			return
		}
		break
	}
	if len(n.Messages) > 0 && n.Question != "" {
		n.Messages = append(n.Messages, pack.Message{Role: pack.FromCustomer, Text: n.Question})
	}
}

// answers are all answers that came with the item.
func (n *NewItem) answers() (list []*Answer) {
	for _, a := range []*Answer{n.Final, n.Known} {
		if a != nil {
			list = append(list, a)
		}
	}
	for i := range n.Labels {
		list = append(list, &n.Labels[i].Answer)
	}
	return list
}

// Hash is what makes an item the same as another: SHA-256 over its parts, each behind its length, in hex. A
// conversation is a part where there is one. Letters with their accents apart, as Macs write them, are the same.
func (t Text) Hash() string { return t.hash(norm.NFC.String) }

// Hashes are Hash and those that items of the same text may have from when the bytes decided.
func (t Text) Hashes() []string {
	return []string{t.Hash(), t.hash(strings.Clone), t.hash(norm.NFD.String)}
}

func (t Text) hash(form func(string) string) string {
	h := sha256.New()
	var n [8]byte
	parts := []string{string(t.Customer), t.Question, t.Guidance}
	if len(t.Messages) > 0 {
		parts = append(parts, t.Messages.column())
	}
	for _, part := range parts {
		part = form(part)
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		io.WriteString(h, part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// lineEnds remembers where carriage returns went, so that spans move with their text.
type lineEnds struct{ gone []int } // code points before which one was taken out, ascending

func (l *lineEnds) move(issues []Issue) {
	if l == nil || len(l.gone) == 0 {
		return
	}
	at := func(p int) (moved int) {
		moved = p
		for _, g := range l.gone {
			if g >= p {
				break
			}
			moved--
		}
		return moved
	}
	for i := range issues {
		issues[i].Start, issues[i].End = at(issues[i].Start), at(issues[i].End)
	}
}

// unixLines writes line ends as \n: CSV readers do, and the same text has to have the same hash whichever way it came.
func unixLines(s string) (string, *lineEnds) {
	if !strings.Contains(s, "\r\n") {
		return s, nil
	}
	l, p := &lineEnds{}, 0
	for i, r := range s {
		if r == '\r' && strings.HasPrefix(s[i:], "\r\n") {
			l.gone = append(l.gone, p)
		}
		p++
	}
	return strings.ReplaceAll(s, "\r\n", "\n"), l
}

// canonical is a JSON object with its keys sorted and no blanks; "" for none. Numbers stay as they were written.
func canonical(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return nil, nil
	}
	switch {
	case len(raw) > MaxCustomer:
		return nil, fmt.Errorf("is too long. %s", text.TooBig(string(raw), MaxCustomer))
	case !utf8.Valid(raw):
		return nil, errors.New("is not valid UTF-8")
	case raw[0] != '{':
		return nil, errors.New("is not a JSON object")
	}
	if err := strict.Check(raw, maxDepth); err != nil {
		return nil, err
	}
	var v map[string]any
	if err := strict.Tree(raw, &v); err != nil {
		return nil, errors.New("is not valid JSON")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, errors.New("is not valid JSON")
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
