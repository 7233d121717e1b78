package compliance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/fault"
)

// Book is what experts decided about the checks: those that they added, and the shipped ones that don't count. The zero
// value is the checks as shipped.
type Book struct {
	Version  int // goes up with every change; verdicts carry it
	Patterns []PatternCheck
	Off      []string // codes of shipped checks

	own *phrase.Lexicon // of Patterns; nil for none
}

// Adopt puts a book in force, in place of the one before, for every text that is checked from now on. If one of its
// checks can't be used it is refused, and nothing changes. It is safe while checks run.
func (c *Checker) Adopt(b Book) error {
	for _, p := range b.Patterns {
		if err := p.Check(); err != nil {
			return err
		}
	}
	if len(b.Patterns) > maxPatternChecks {
		return fault.New(fault.Limited, "At most %d checks can be on at once.", maxPatternChecks)
	}
	adopted := &Book{Version: b.Version, Patterns: slices.Clone(b.Patterns), Off: slices.Sorted(slices.Values(b.Off))}
	if len(b.Patterns) > 0 {
		own, err := read(b.Patterns...)
		if err != nil {
			return fault.New(fault.Limited, "These checks are too many or too large together: %s.", err)
		}
		adopted.own = own
	}
	for _, p := range b.Patterns {
		if _, shipped := InfoOf(p.Code); !shipped {
			pack.NameIssue(p.Code, p.Title)
		}
	}
	c.book.Store(adopted)
	return nil
}

// Book is what is in force.
func (c *Checker) Book() Book {
	b := c.inForce()
	return Book{Version: b.Version, Patterns: slices.Clone(b.Patterns), Off: slices.Clone(b.Off)}
}

// apply leaves out what shipped checks found that are off, and adds what the experts' own find.
func (b *Book) apply(d draft, mine []finding) []finding {
	if len(b.Off) > 0 {
		mine = slices.DeleteFunc(mine, func(f finding) bool { return slices.Contains(b.Off, f.code) })
	}
	if b.own != nil {
		mine = append(mine, found(b.own, b.Patterns, d.text, d.figures)...)
	}
	return mine
}

// without are votes of the judges in the program without issues of checks that are off.
func (b *Book) without(votes []Vote) []Vote {
	for i := range votes {
		votes[i].Issues = slices.DeleteFunc(votes[i].Issues, func(f Issue) bool {
			return slices.Contains(b.Off, f.Code)
		})
	}
	return votes
}

// name is the book's part in the name that Rules gives.
func (b *Book) name() string {
	return fmt.Sprintf("book %d %s", b.Version, strings.Join(b.Off, ","))
}

var shipped = &Book{}

// inForce is the book that counts for one text.
func (c *Checker) inForce() *Book {
	if c.Look != nil {
		c.Look()
	}
	if b := c.book.Load(); b != nil {
		return b
	}
	return shipped
}

// Finder is what the check finds in texts, whether it is on or not: for trying it on labelled ones before it is
// switched on.
func (p PatternCheck) Finder() (func(text string) []Issue, error) {
	own, err := p.own()
	if err != nil {
		return nil, err
	}
	return func(text string) []Issue {
		original := []rune(strings.ToValidUTF8(text, "\uFFFD"))
		seen, places, _ := asSeen(original)
		return toIssues(seen, original, places, found(own, []PatternCheck{p}, seen, pack.Facts(time.Time{}).Figure))
	}, nil
}
