// Package ui holds the components that pages are made of: buttons, fields, badges, notices, empty states, tables,
// tabs, pagers, times, diffs, icons. Every one is a pure function of its arguments; /ui shows them all.
//
// How to use it, in a .templ file:
//
//	@ui.Button(ui.Btn{Label: "Approve and next", Kind: ui.Primary, Key: "a", Name: "kind", Value: "approve"})
//	@ui.TextField(ui.InputProps{ID: "email", Label: "E-mail", Type: "email", Value: v.Email, Required: true, Error: errs["email"]})
//	@ui.Badge(ui.Red, "flag", "Missing DB warning")
//	@ui.Empty("inbox", "Nothing is waiting", "…what will fill it, and how") { @ui.Button(…) }
//	@ui.Section("card stack-s", "people-title", "People") { … }
//	@ui.Table("People", "Name", "#Decisions", "-Action") { <tr>…</tr> }
//	@ui.Time(p.CreatedAt, now)
//
// Layout classes come from static/app.css: .stack, .row, .card, .form, .form-actions, .page-head, .facts, .prose.
// No component writes inline style or script (the policy refuses them) and none trusts a text: what people and agents
// wrote is escaped by templ and stands in an element with class user-text, which keeps its line breaks and its own
// writing direction.
//
// A tone always comes with an icon and a word; colour alone says nothing.
//
// Every component says go:noinline: the compiler would copy all of a component's code to each place that uses it, which
// made the binary a tenth larger and no page faster.
package ui

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/go-playground/form/v4"

	"preceptor/internal/platform/text"
)

// Tone is a meaning with a colour: neutral, attention, stop, good, or ours.
type Tone string

// The tones.
const (
	Neutral Tone = ""
	Amber   Tone = "amber"
	Red     Tone = "red"
	Green   Tone = "green"
	Accent  Tone = "accent"
)

// Kind is how much a button asks to be pressed.
type Kind string

// The kinds of button.
const (
	Plain   Kind = ""
	Primary Kind = "primary"
	Danger  Kind = "danger"
	Quiet   Kind = "quiet"
	Link    Kind = "link"
)

// Ago is how long before now t was, in words short enough for a list: "just now", "4 min", "26 h", "3 days".
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d < -time.Hour:
		return "soon"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	default:
		return strconv.Itoa(int(d.Hours()/24)) + " days"
	}
}

// AgoSentence is Ago for running text.
func AgoSentence(t, now time.Time) string {
	a := Ago(t, now)
	if a == "just now" || a == "soon" {
		return a
	}
	return a + " ago"
}

// Waited is how long something has waited since t.
func Waited(t, now time.Time) string {
	a := Ago(t, now)
	if a == "just now" || a == "soon" {
		return "less than a minute"
	}
	return a
}

// Left is how long until t, for a countdown: "9:40", "18 s".
func Left(t, now time.Time) string {
	s := max(0, int(t.Sub(now).Round(time.Second).Seconds()))
	if s >= 60 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return strconv.Itoa(s) + " s"
}

// Zone names the zone of all times and days on the pages: the desk's, which main makes that of the process.
func Zone() string { return time.Local.String() }

// Absolute is t with its day, for a title or a record.
func Absolute(t time.Time) string { return t.Local().Format("2 January 2006 15:04:05") }

// Count is n with its noun, in the singular or the plural: Count(2, "case") → "2 cases". many is for a noun that takes
// no s.
func Count(n int, one string, many ...string) string {
	return text.Count(n, one, many...)
}

// Percent is a share in whole percent.
func Percent(share float64) string { return strconv.Itoa(int(math.Round(share*100))) + "%" }

// Times is how often: "once", "twice", "3 times".
func Times(n int) string {
	return cmp.Or(map[int]string{1: "once", 2: "twice"}[n], Thousands(n)+" times")
}

// The puts the article before the name of a part of the program; a model's name, as "openai/gpt-5-mini", has none.
func The(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return "the " + name
}

// Thousands writes n with a comma between thousands.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Initials are one or two letters for a person's mark.
func Initials(name string) string {
	parts := strings.Fields(name)
	if len(parts) == 0 {
		return "?"
	}
	first := []rune(parts[0])[:1]
	if len(parts) == 1 {
		return strings.ToUpper(string(first))
	}
	return strings.ToUpper(string(first) + string([]rune(parts[len(parts)-1])[:1]))
}

// WordDiff is what a person changed, in whole words: neighbouring changes are joined, so that one reads a phrase that
// went and a phrase that came and not a flicker of single words.
func WordDiff(before, after string) []Change {
	return joinAcrossBlanks(text.Phrases(words(before), words(after)))
}

// joinAcrossBlanks makes one change of two that only a blank keeps apart.
func joinAcrossBlanks(in []Change) []Change {
	var out []Change
	var removed, added strings.Builder
	flush := func() {
		if removed.Len() > 0 {
			out = append(out, Change{Op: text.Removed, Text: removed.String()})
		}
		if added.Len() > 0 {
			out = append(out, Change{Op: text.Added, Text: added.String()})
		}
		removed.Reset()
		added.Reset()
	}
	for i, c := range in {
		switch c.Op {
		case text.Removed:
			removed.WriteString(c.Text)
		case text.Added:
			added.WriteString(c.Text)
		default:
			if strings.TrimSpace(c.Text) == "" && !strings.Contains(c.Text, "\n") && removed.Len()+added.Len() > 0 &&
				i+1 < len(in) {
				removed.WriteString(c.Text)
				added.WriteString(c.Text)
				continue
			}
			flush()
			out = append(out, c)
		}
	}
	flush()
	return out
}

// words cuts s into words, runs of blanks, and single signs; joined they are the text again.
func words(s string) []string {
	var out []string
	start, kind := 0, -1
	for i, r := range s {
		k := kindOf(r)
		if (r == '.' || r == ',') && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
			k = 1 // within a number
		}
		if i > 0 && (k != kind || k == 2) {
			out = append(out, s[start:i])
			start = i
		}
		kind = k
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("'’£%-", r):
		return 1
	default:
		return 2
	}
}

// LeftOut says what the figures of people on the statistics pages leave out; it follows their name.
const LeftOut = " leaves out approvals that wait for a second, decisions that were undone or decided differently, " +
	"and seeded checks, which have figures of their own. " +
	"Recalled decisions count in times and rapid approvals only."

// unseen names the characters that a screen shows as nothing, or that turn the words after them round. Joiners and the
// plain direction marks are not among them: scripts need those.
func unseen(r rune) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case r < 0x20 || r == 0x7F || (r >= 0x80 && r < 0xA0):
		return "control character"
	case r == 0x200B || r == 0x2060 || r == 0xFEFF:
		return "zero-width character"
	case r == 0x202D || r == 0x202E:
		return "changes the text direction"
	case r == 0x202A || r == 0x202B || r == 0x202C || (r >= 0x2066 && r <= 0x2069):
		return "direction mark"
	case r >= 0xE0000 && r <= 0xE007F:
		return "invisible tag"
	case r >= 0xFFF9 && r <= 0xFFFB, r == 0xFFFD:
		return "not a character"
	}
	return ""
}

// writeSeen escapes a text and shows what can't be seen by its number, so that whoever approves a text has seen all of
// it.
func writeSeen(b *strings.Builder, text string) {
	from := 0 // of what is not yet written
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if what := unseen(r); what != "" {
			b.WriteString(templ.EscapeString(text[from:i]))
			fmt.Fprintf(b, `<span class="unseen" title="%s">U+%04X</span>`, what, r)
			from = i + size
		}
		i += size
	}
	b.WriteString(templ.EscapeString(text[from:]))
}

var encoder = func() *form.Encoder {
	e := form.NewEncoder()
	e.SetMode(form.ModeExplicit)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) {
		if x == true {
			return []string{"1"}, nil
		}
		return nil, nil
	}, false)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) { return number(int64(x.(int))), nil }, 0)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) { return number(x.(int64)), nil }, int64(0))
	return e
}()

// number leaves out 0, which is nothing chosen.
func number(n int64) []string {
	if n == 0 {
		return nil
	}
	return []string{strconv.FormatInt(n, 10)}
}

// Query is what was chosen as the fields of an address, by the same form tags that web/form reads; what is empty is
// left out.
func Query(chosen ...any) url.Values {
	out := url.Values{}
	for _, one := range chosen {
		q, err := encoder.Encode(one)
		if err != nil {
			panic(err) // of a kind that has no fields: a defect of the page that asks
		}
		maps.Copy(out, q)
	}
	maps.DeleteFunc(out, func(_ string, v []string) bool { return len(v) == 0 || len(v) == 1 && v[0] == "" })
	return out
}

// Address is a path with what was chosen as its query.
func Address(path string, chosen ...any) string {
	if q := Query(chosen...); len(q) > 0 {
		return path + "?" + q.Encode()
	}
	return path
}

// Around are the addresses of the first and the next page of a list. chosen is what the list was asked for, at is where
// in it a page begins, and next where the next one does; their zero values are the first page, and none.
func Around[V any, P comparable](path string, chosen V, at func(*V) *P, next P) (p Pages) {
	var first P
	if place := at(&chosen); *place != first {
		*place = first
		p.First = Address(path, chosen)
	}
	if next != first {
		*at(&chosen) = next
		p.Next = Address(path, chosen)
	}
	return p
}
