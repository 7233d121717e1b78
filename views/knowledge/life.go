package knowledge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// Shown is a draft that an item was shown to, and what became of it. A nil Result: it waits.
type Shown struct {
	lessons.Use
	Result *review.Result
}

// words say which version of the item the draft was shown, and whether it names it.
func (s Shown) words() string {
	if s.Cited {
		return "used version " + strconv.Itoa(s.Version) + " and cites it,"
	}
	return "used version " + strconv.Itoa(s.Version) + ","
}

// Event is one entry of an item's life. Shown is set for a run of drafts.
type Event struct {
	At    time.Time
	Icon  string
	Tone  ui.Tone
	Title string
	Text  string
	By    string
	Href  string
	Link  string // what Href is called
	Shown []Shown
}

// Life is what happened to an item, newest first: its versions, the lessons it came of and was tried by, what people
// decided of its conflicts, and the drafts it was shown to, those between two other events as one.
func Life(versions []knowledge.Version, list []learning.Lesson, decided []conflict.Conflict, uses []Shown) []Event {
	var out []Event
	for _, c := range decided {
		if c.State == conflict.Settled {
			out = append(out, Event{At: c.ClosedAt, Icon: "check", Tone: ui.Neutral,
				Title: "Conflict resolved: " + choiceLabel(c, c.Outcome), Text: c.Note, By: c.By,
				Href: "/knowledge/conflicts/" + c.ID, Link: ConflictTitle(c)})
		}
	}
	for i, v := range versions {
		out = append(out, versionEvent(versions, i, v))
	}
	for _, l := range list {
		if len(versions) > 0 && versions[0].Case != nil {
			l.SameAs = false // of its rule; the case is its own
		}
		out = append(out, lessonEvents(l)...)
	}
	for _, u := range uses {
		out = append(out, Event{At: u.At, Shown: []Shown{u}})
	}
	slices.SortStableFunc(out, func(a, b Event) int { return b.At.Compare(a.At) })
	return joined(out)
}

// joined makes one event of drafts that follow one another.
func joined(list []Event) (out []Event) {
	for _, e := range list {
		if n := len(out); len(e.Shown) > 0 && n > 0 && len(out[n-1].Shown) > 0 {
			out[n-1].Shown = append(out[n-1].Shown, e.Shown...)
			continue
		}
		out = append(out, e)
	}
	for i := range out {
		if list := out[i].Shown; len(list) > 0 {
			out[i].Icon, out[i].Title, out[i].Text = "send", "Given for "+ui.Count(len(list), "draft"),
				results(list)
		}
	}
	return out
}

// results sums up what became of drafts, as "5 approved, 1 revised, 1 waits".
func results(list []Shown) string {
	n := map[string]int{}
	for _, s := range list {
		n[resultWord(s.Result)]++
	}
	var parts []string
	for _, word := range []string{"approved", "revised", "rejected", "recalled", "sent back", "sent by sampling",
		"not reviewed (chat)", "waiting for a second approval", "waiting"} {
		if n[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[word], word))
		}
	}
	return strings.Join(parts, ", ")
}

func resultWord(f *review.Result) string {
	if f == nil {
		return "waiting"
	}
	if f.Second {
		return "waiting for a second approval"
	}
	return map[string]string{review.Approve: "approved", review.Revise: "revised", review.Reject: "rejected",
		review.Return: "sent back", review.Sampled: "sent by sampling", review.Recalled: "recalled",
		review.Observed: "not reviewed (chat)"}[f.Kind]
}

func resultBadge(f *review.Result) (ui.Tone, string) {
	switch resultWord(f) {
	case "approved", "sent by sampling":
		return ui.Green, "check"
	case "revised", "sent back":
		return ui.Amber, "pencil"
	case "rejected", "recalled":
		return ui.Red, "cross"
	case "not reviewed (chat)":
		return ui.Neutral, "comment"
	}
	return ui.Neutral, "clock"
}

// versionEvent says in a line what a version changed; the differences themselves stand in the history.
func versionEvent(list []knowledge.Version, i int, v knowledge.Version) Event {
	tone, icon, word := statement.RuleState(v.Status)
	e := Event{At: v.CreatedAt, Tone: tone, Icon: icon, By: v.By.Name, Text: v.Reason,
		Title: fmt.Sprintf("Version %d: written, %s", v.Version, word)}
	if i+1 >= len(list) {
		return e
	}
	before := list[i+1]
	var changed []string
	switch {
	case !v.ErasedAt.IsZero():
		changed = append(changed, "erased")
	case text(v) != text(before):
		changed = append(changed, "reworded")
	}
	if v.Status != before.Status {
		changed = append(changed, word)
	}
	if v.Rule != nil && before.Rule != nil && v.Rule.Surely() != before.Rule.Surely() {
		changed = append(changed, "confidence: "+v.Rule.Surely()+", was: "+before.Rule.Surely())
	}
	if v.Rule != nil && before.Rule != nil && before.Rule.Provisional && !v.Rule.Provisional {
		changed = append(changed, "no longer provisional")
	}
	if len(changed) == 0 {
		changed = append(changed, "changed")
		if v.Status == before.Status {
			e.Tone, e.Icon = ui.Neutral, "pencil"
		}
	}
	e.Title = fmt.Sprintf("Version %d: %s", v.Version, strings.Join(changed, ", "))
	return e
}

// lessonEvents are the beginning of a lesson and the times it was tried out.
func lessonEvents(l learning.Lesson) []Event {
	title := "A lesson that led to it was started"
	if l.SameAs {
		title = "Another lesson led to the same rule"
	}
	out := []Event{{At: l.CreatedAt, Icon: "learn", Tone: ui.Accent, Title: title,
		Text: cmp.Or(lessonCause(l), l.Title), By: l.By, Href: "/learning/" + l.ID, Link: "The lesson"}}
	times := 0
	for _, s := range l.Steps {
		if s.Name != learning.StageValidate || len(s.Cases) == 0 {
			continue
		}
		times++
		e := Event{At: s.At, Icon: "question", Title: "Tried on cases", Text: trial(s.Cases), By: s.AnsweredBy,
			Href: "/learning/" + l.ID, Link: "The trial"}
		if times > 1 {
			e.Title = "Tested again, as cases arrived"
		}
		out = append(out, e)
	}
	return out
}

func lessonCause(l learning.Lesson) string {
	return map[string]string{learning.Approve: "From an approval", learning.Revise: "From a revision",
		learning.Reject: "From a rejection", learning.Ruling: "From an expert's ruling",
		learning.Verdict: "From a critical finding of a check", learning.Judged: "From a text that the panel failed",
		learning.Reflected: "From a reflection on many drafts", learning.Disliked: "From answers that users disliked",
		learning.Proposed: "From an agent's proposal"}[l.Origin]
}

// trial counts what a trial showed.
func trial(list []learning.CaseTest) string {
	helped, tried, quiet, aliens := 0, 0, 0, 0
	for _, c := range list {
		switch {
		case c.Kind == learning.TestMustNotFire:
			aliens++
			if c.Helped() {
				quiet++
			}
		case c.Kind == learning.TestExemplar && c.Verdict != learning.Silent:
			tried++
			if c.Helped() {
				helped++
			}
		}
	}
	s := "No approved case supports or contradicts it yet"
	if tried > 0 {
		s = fmt.Sprintf("It helped in %d of %s", helped, ui.Count(tried, "relevant case"))
	}
	if aliens > 0 {
		s += fmt.Sprintf(", and was correctly not applied in %d of %s", quiet, ui.Count(aliens, "other"))
	}
	return s + "."
}

// Named puts names to who wrote the versions.
func Named(list []knowledge.Version, names map[string]string) []knowledge.Version {
	for i := range list {
		switch by := &list[i].By; {
		case by.Name != "":
		case by.Kind == audit.SystemActor:
			by.Name = "Preceptor (" + by.ID + ")"
		default:
			by.Name = names[by.ID]
		}
	}
	return list
}
