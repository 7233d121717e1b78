package reviews

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/review"
	"preceptor/views/ui"
)

func TestTheAddressesOfTheQueueKeepTheFilter(t *testing.T) {
	q := Queue{Filter: review.Filter{State: review.Done, AgentID: "a&b", Search: "lump sum"},
		Page: review.Page{Next: "c"}}
	if got := q.nextHref(); got != "/reviews?agent=a%26b&cursor=c&q=lump+sum&state=done" {
		t.Error(got)
	}
	if got := q.caseHref("i"); got != "/reviews/i?agent=a%26b&q=lump+sum&state=done" {
		t.Error(got)
	}
	bare := Queue{Filter: review.Filter{State: review.Needs}}
	if got := bare.href(review.Needs, ""); got != "/reviews" || bare.caseHref("i") != "/reviews/i" {
		t.Error(got)
	}
	bare.Saved = []review.SavedFilter{{Pinned: true}}
	if got := bare.href(review.Needs, ""); got != "/reviews?all=yes" {
		t.Errorf("with a pinned filter everything is at %s", got)
	}
	all := review.Filter{State: review.Others, AgentID: "a", Task: "t", Flag: "F", Age: "late", Reviewer: "r",
		Assigned: "me", Eyes: "two", Search: "w"}
	if got := FilterValues(all); len(got) != 9 {
		t.Errorf("%d of 9 filters are kept: %v", len(got), got)
	}
	if _, err := url.ParseQuery(strings.TrimPrefix(FilterQuery(all), "?")); err != nil {
		t.Error(err)
	}
}

func TestPeerRequest18_EmptyQueuesSayWhy(t *testing.T) {
	for _, c := range []struct {
		counts review.Counts
		want   string
	}{
		{review.Counts{Others: 3}, "3 reviews are waiting, all being reviewed by others"},
		{review.Counts{Others: 1}, "1 review is waiting, all being reviewed by others"},
		{review.Counts{Signed: 2}, "2 are waiting for a second supervisor, not you"},
		{review.Counts{Others: 1, Signed: 1}, "2 reviews are waiting, but not for you"},
		{review.Counts{}, "Nothing is waiting"},
	} {
		if got, _ := (Queue{Counts: c.counts}).emptyWaiting(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.counts, got, c.want)
		}
	}
}

// Each review has the target of its own agent's policy, so hours are said only where all that are listed share them.
func TestAgesAreInHoursWhereOnePolicyHolds(t *testing.T) {
	q := Queue{Agents: []ui.Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}},
		Policies: review.Targets{"": {Soon: 2 * time.Hour, Late: 3 * time.Hour}}, Filter: review.Filter{State: review.Needs}}
	said := func() string {
		var out []string
		for _, o := range q.ageOptions() {
			out = append(out, o.Label)
		}
		_, why := q.groupWords(review.GroupOverdue)
		return strings.Join(out, ", ") + "; " + q.targetWords() + "; " + why
	}
	shared := "Any age, Over 3 h, 2 h to 3 h, Under 2 h; target 3 h; Waiting longer than the target of 3 h."
	if got := said(); got != shared {
		t.Errorf("one policy: %q", got)
	}
	q.Policies["b"] = review.Target{Soon: 20 * time.Hour, Late: 48 * time.Hour}
	if got := said(); got != "Any age, Past the target, Waiting long, Not waiting long; agents have different targets; "+
		"Waiting longer than the target of their agent's review policy." {
		t.Errorf("two policies: %q", got)
	}
	q.Filter.State = review.Done
	if got := said(); !strings.HasPrefix(got, "Any time to decide, Decided without a long wait, "+
		"Decided after a long wait, Decided past the target;") {
		t.Errorf("decided, two policies: %q", got)
	}
	q.Filter.AgentID = "b"
	if got := said(); !strings.HasPrefix(got, "Any time to decide, Decided within 20 h, Decided in 20 h to 48 h, "+
		"Decided after 48 h; target 48 h;") {
		t.Errorf("decided, of one agent: %q", got)
	}
	q.Filter.AgentID, q.Agents = "", q.Agents[1:]
	if got := said(); !strings.HasPrefix(got, "Any time to decide, Decided within 20 h") {
		t.Errorf("the only agent has its own policy: %q", got)
	}
}

func TestAFilterForWhatIsGoneShowsItself(t *testing.T) {
	q := Queue{Filter: review.Filter{AgentID: "x", Flag: "GONE", Reviewer: "y", Assigned: "team:z"},
		Agents: []ui.Option{{Value: "a", Label: "A"}}}
	for what, options := range map[string][]ui.Option{"x": q.agentOptions(), "GONE": q.flagOptions(),
		"y": q.reviewerOptions(), "team:z": q.assignedOptions()} {
		if last := options[len(options)-1]; last.Value != what || last.Label == "" {
			t.Errorf("%s: %+v", what, options)
		}
	}
}

// A group's heading holds in every domain.
func TestGroupsNameNoDomain(t *testing.T) {
	for g := range review.GroupRest + 1 {
		if title, why := (Queue{}).groupWords(g); strings.Contains(title+why, "DB") {
			t.Errorf("group %d: %s: %s", g, title, why)
		}
	}
}
