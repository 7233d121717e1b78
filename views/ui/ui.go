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
	"strconv"
	"strings"
	"time"
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

// Count is n with its noun, in the singular or the plural: Count(1, "case", "cases") → "1 case".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

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
