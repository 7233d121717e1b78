package reviews

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/views/ui"
)

// Queue is the list of waiting, taken, signed or decided cases.
type Queue struct {
	Experts  map[string]map[string]borderline.Standing // by case, then by the text's hash
	Filter   review.Filter
	Counts   review.Counts
	Page     review.Page
	Policies review.Targets // when an agent's cases turn amber and red
	Agents   []ui.Option
	Flags    []string    // codes
	People   []ui.Option // supervisors, for the reviewer
	To       []ui.Option // to whom this person may assign; empty: to nobody
	Teams    []ui.Option // the viewer's
	Saved    []review.SavedFilter
	// fields of agents' metadata that the lists show; known to who may choose them
	Columns    []string
	MayColumns bool
	All        bool // every row is ticked
	Bulk       Bulk
	// Outside: a manager or administrator who is no supervisor. They see where cases stand and assign them; what
	// customers asked, and who they are, is shown to them once it is decided.
	Outside bool
	// Escalated is how many customers wait for a person; below zero where there never was one.
	Escalated int
	Now       time.Time
	Rail      Rail
}

// Bulk is what was typed into an act on several cases, and what is wrong with it.
type Bulk struct {
	To      string   `form:"to"`
	Reason  string   `form:"reason"`
	Ticks   []string `form:"id"` // as they are sent: an id and the version that was on the screen
	IDs     []string
	Errors  map[string]string
	Message string
}

// MayHandOn reports whether a supervisor may give a review to somebody else: it is theirs or their team's, or they work
// on it.
func (v Queue) MayHandOn(r review.Row) bool {
	me, to := v.Filter.Viewer, r.AssignedTo.ID
	if to == "" {
		return r.Claim.By.ID == me && r.Claim.Active(v.Now)
	}
	return to == me || slices.ContainsFunc(v.Teams, func(o ui.Option) bool { return o.Value == to })
}

// FilterValues is a filter as the parameters of an address, without cursor.
func FilterValues(f review.Filter) url.Values {
	if f.Cursor = ""; f.State == review.Needs {
		f.State = ""
	}
	return ui.Query(f)
}

// FilterQuery is a filter as the end of an address; empty when nothing is filtered.
func FilterQuery(f review.Filter) string {
	if q := FilterValues(f); len(q) > 0 {
		return "?" + q.Encode()
	}
	return ""
}

func (v Queue) pinned() bool {
	return slices.ContainsFunc(v.Saved, func(f review.SavedFilter) bool { return f.Pinned })
}

// at is the address of the list with other parameters. Where a filter is pinned, the bare address would lead there.
func (v Queue) at(change func(url.Values)) string {
	q := FilterValues(v.Filter)
	change(q)
	if len(q) == 0 && v.pinned() {
		q.Set("all", "yes")
	}
	if len(q) == 0 {
		return "/reviews"
	}
	return "/reviews?" + q.Encode()
}

func (v Queue) href(state, cursor string) string {
	return v.at(func(q url.Values) {
		q.Del("state")
		if state != review.Needs {
			q.Set("state", state)
		}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
	})
}

// self is this very page, for following what changes.
func (v Queue) self() string {
	return v.at(func(q url.Values) {
		if v.Filter.Cursor != "" {
			q.Set("cursor", v.Filter.Cursor)
		}
		if v.All {
			q.Set("tick", "all")
		}
	})
}

func (v Queue) tick(all bool) string {
	w := v
	w.All = all
	return w.self()
}

// only is the list of a state with one filter and no other.
func (v Queue) only(state, name, value string) string {
	q := url.Values{}
	if state != review.Needs {
		q.Set("state", state)
	}
	if name != "" {
		q.Set(name, value)
	}
	if len(q) == 0 {
		if v.pinned() {
			return "/reviews?all=yes"
		}
		return "/reviews"
	}
	return "/reviews?" + q.Encode()
}

// caseHref keeps the filter, so that next and previous walk the same list.
func (v Queue) caseHref(id string) string { return "/reviews/" + id + FilterQuery(v.Filter) }

func (v Queue) waiting() bool { return v.Filter.State != review.Done && v.Filter.State != review.Ended }

// tickable reports whether rows can be ticked: there is something to do with several of them.
func (v Queue) tickable() bool {
	return v.waiting() && len(v.Page.Items) > 0 && (len(v.To) > 0 || !v.Outside)
}

func (v Queue) onlySkipped() bool { return v.Counts.Needs > 0 && v.Counts.Skipped >= v.Counts.Needs }

func (v Queue) firstHref() string {
	if v.Filter.Cursor == "" {
		return ""
	}
	return v.href(v.Filter.State, "")
}

func (v Queue) nextHref() string {
	if v.Page.Next == "" {
		return ""
	}
	return v.href(v.Filter.State, v.Page.Next)
}

func (v Queue) tabs() []ui.Tab {
	n := v.Counts
	tab := func(label, state string, count int) ui.Tab {
		if v.Filter.Narrowed() {
			// the tab leads to what the filter leaves of its list, which is counted for the one that is shown
			if count = -1; state == v.Filter.State && v.Filter.Cursor == "" && v.Page.Matches < review.MaxPosition {
				count = v.Page.Matches
			}
		}
		return ui.Tab{Label: label, Href: v.href(state, ""), Count: count, Current: v.Filter.State == state}
	}
	out := []ui.Tab{tab("Needs review", review.Needs, n.Needs), tab("With others", review.Others, n.Others)}
	if n.Signed > 0 || v.Filter.State == review.Signed {
		out = append(out, tab("Approved by you", review.Signed, n.Signed))
	}
	if v.Filter.State == review.All {
		out = append(out, tab("All waiting", review.All, n.Waiting))
	}
	out = append(out, tab("Done", review.Done, n.Done))
	if v.Filter.State == review.Ended || n.Ended > 0 {
		out = append(out, tab("Withdrawn or expired", review.Ended, n.Ended))
	}
	if v.Escalated >= 0 {
		n := v.Escalated
		if n == escalation.MostCounted {
			n = -1 // or more
		}
		out = append(out, ui.Tab{Label: "Escalated", Href: "/reviews/escalated", Count: n})
	}
	return out
}

// tell is the state of the queue in a sentence, for those who don't see it change.
func (v Queue) tell() string {
	parts := []string{ui.Count(v.Counts.Needs, "review") + " waiting"}
	if v.Counts.Others > 0 {
		parts = append(parts, ui.Thousands(v.Counts.Others)+" with others")
	}
	return strings.Join(parts, ", ")
}

// target is when an agent's case turns amber and red.
func (v Queue) target(agentID string) Targets { return v.Policies.Of(agentID) }

// oneTarget is the target of every review that the list can have; same: they have one.
func (v Queue) oneTarget() (t Targets, same bool) {
	if v.Filter.AgentID != "" || len(v.Agents) == 0 {
		return v.target(v.Filter.AgentID), v.Filter.AgentID != "" || len(v.Policies) < 2
	}
	t = v.target(v.Agents[0].Value)
	return t, !slices.ContainsFunc(v.Agents, func(o ui.Option) bool { return v.target(o.Value) != t })
}

// targetWords is the target in the line above the list.
func (v Queue) targetWords() string {
	if t, same := v.oneTarget(); same {
		return "target " + hours(t.Late)
	}
	return "agents have different targets"
}

func hours(d time.Duration) string {
	if d%time.Hour == 0 {
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return strconv.Itoa(int(d.Minutes())) + " min"
}

func (v Queue) ageLabel() string {
	if v.waiting() {
		return "Age"
	}
	return "Decided within"
}

// ageOptions name the ages of the filter, in hours where those are the same for all that the list can have.
func (v Queue) ageOptions() []ui.Option {
	t, same := v.oneTarget()
	words := [...]string{"Any age", "Not waiting long", "Waiting long", "Past the target"}
	soon, span, late := hours(t.Soon), hours(t.Soon)+" to "+hours(t.Late), hours(t.Late)
	switch {
	case same && v.waiting():
		words = [...]string{"Any age", "Under " + soon, span, "Over " + late}
	case same:
		words = [...]string{"Any time to decide", "Decided within " + soon, "Decided in " + span,
			"Decided after " + late}
	case !v.waiting():
		words = [...]string{"Any time to decide", "Decided without a long wait", "Decided after a long wait",
			"Decided past the target"}
	}
	out := []ui.Option{{Value: "", Label: words[0]}, {Value: review.Fresh, Label: words[1]},
		{Value: review.Aging, Label: words[2]}, {Value: review.Late, Label: words[3]}}
	if v.waiting() {
		slices.Reverse(out[1:]) // what waits longest is asked for first
	}
	return out
}

func (v Queue) flagOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "Any flag"}}
	for _, code := range v.Flags {
		out = append(out, ui.Option{Value: code, Label: FlagName(code)})
	}
	return known(out, v.Filter.Flag, FlagName(v.Filter.Flag))
}

func (v Queue) agentOptions() []ui.Option {
	return known(append([]ui.Option{{Value: "", Label: "All agents"}}, v.Agents...), v.Filter.AgentID,
		"A removed agent")
}

func (v Queue) reviewerLabel() string {
	switch v.Filter.State {
	case review.Done:
		return "Decided by"
	case review.Others:
		return "Reviewed by"
	}
	return "With"
}

func (v Queue) reviewerOptions() []ui.Option {
	return known(append([]ui.Option{{Value: "", Label: "Anyone"}}, v.People...), v.Filter.Reviewer, "Someone who left")
}

func (v Queue) assignedOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "Anyone"}}
	if !v.Outside {
		out = append(out, ui.Option{Value: review.ToMe, Label: "You"})
		if len(v.Teams) > 0 {
			out = append(out, ui.Option{Value: review.ToMyTeam, Label: "Your team"})
		}
	}
	return known(append(out, ui.Option{Value: review.ToNobody, Label: "Unassigned"}), v.Filter.Assigned,
		v.nameOf(v.Filter.Assigned))
}

// nameOf is an assignee's name, as far as the lists of this page know it.
func (v Queue) nameOf(key string) string {
	for _, o := range slices.Concat(v.People, v.To, v.Teams) {
		if o.Value == key {
			return o.Label
		}
	}
	return "Someone who left"
}

func (v Queue) eyesOptions() []ui.Option {
	return []ui.Option{{Value: "", Label: "Any"}, {Value: review.TwoEyes, Label: "Needs 2 approvals"},
		{Value: review.Once, Label: "1 of 2 approved"}}
}

func skipsOptions() []ui.Option {
	return []ui.Option{{Value: "", Label: "Any"}, {Value: review.ToMe, Label: "Skipped by you"}}
}

func (v Queue) urgencyOptions() []ui.Option {
	return []ui.Option{{Value: "", Label: "Any"}, {Value: interaction.UrgencyHigh, Label: "Urgent"},
		{Value: "normal", Label: "Said to be normal"}}
}

func (v Queue) channelOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "Any"}}
	for _, c := range interaction.Channels {
		out = append(out, ui.Option{Value: c, Label: channelWord(c)})
	}
	return out
}

// channelWord is a channel in words.
func channelWord(channel string) string {
	return cmp.Or(map[string]string{"chat": "Live chat", "sms": "Text message", "other": "Another channel"}[channel],
		sentence(channel))
}

// known adds an option for a value that no option has, so that a filter for what is gone shows itself.
func known(options []ui.Option, value, label string) []ui.Option {
	if value == "" || slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
		return options
	}
	return append(options, ui.Option{Value: value, Label: label})
}

// more is how many of the filters are in force that the menu hides.
func (v Queue) more() (n int) {
	for _, s := range []string{v.Filter.Reviewer, v.Filter.Assigned, v.Filter.Eyes, v.Filter.Skips,
		v.Filter.Urgency, v.Filter.Channel} {
		if s != "" {
			n++
		}
	}
	return n
}

// current is the saved filter that is in force.
func (v Queue) current() (review.SavedFilter, bool) {
	mine := FilterValues(v.Filter).Encode()
	for _, f := range v.Saved {
		if f.Query == mine {
			return f, true
		}
	}
	return review.SavedFilter{}, false
}

func (v Queue) teamName(key string) string {
	for _, o := range v.Teams {
		if o.Value == key {
			return o.Label
		}
	}
	return "a team"
}

func (v Queue) ticked(r review.Row) bool { return v.All || slices.Contains(v.Bulk.IDs, r.ID) }

// seen is what a ticked row sends: the case at the version that is on the screen.
func seen(r review.Row) string { return r.ID + ":" + strconv.Itoa(r.Version) }

// emptyWaiting says truthfully why nothing waits for this person although something waits.
func (v Queue) emptyWaiting() (title, text string) {
	n := v.Counts
	switch {
	case n.Others > 0 && n.Signed > 0:
		return ui.Count(n.Others+n.Signed, "review is", "reviews are") + " waiting, but not for you",
			ui.Count(n.Others, "is", "are") + " being reviewed by others. " + ui.Count(n.Signed, "is", "are") +
				" waiting for a second supervisor, not you: you approved first."
	case n.Others > 0:
		return ui.Count(n.Others, "review is", "reviews are") + " waiting, all being reviewed by others",
			"A review that someone leaves comes back here after 10 minutes. Updates automatically."
	case n.Signed > 0:
		return ui.Count(n.Signed, "is", "are") + " waiting for a second supervisor, not you",
			"You approved first. Another supervisor must read and approve the same text before it is sent."
	}
	return "Nothing is waiting", "Drafts arrive when an agent sends guidance to the API, or when someone asks the " +
		"built-in advisor. Updates automatically."
}

// outcomeTone is how a standing decision shows in the list.
func outcomeTone(o review.Outcome) (ui.Tone, string) {
	switch o.State {
	case review.Released:
		return ui.Green, "send"
	case review.Escalated, review.Returned:
		return ui.Amber, "arrow"
	case review.Held:
		return ui.Accent, "clock"
	}
	return ui.Neutral, "check"
}

func outcomeState(o review.Outcome) string {
	switch o.State {
	case review.Held:
		return "held, can be undone"
	case review.Escalated:
		return "with a person"
	case review.Returned:
		return "sent back"
	case review.Closed:
		return "a seeded check"
	case review.Released:
		return "sent"
	}
	return o.State
}

// taskOf is what a case is about.
func taskOf(r review.Row) string { return pack.Label(r.Task) }
