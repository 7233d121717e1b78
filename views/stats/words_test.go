package stats

import (
	"strings"
	"testing"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
)

func part(key string, yes, n int) stats.Slice {
	s := estimate.Of(yes, n)
	return stats.Slice{Key: key, Figure: stats.Figure{Unit: stats.Ratio, Known: true, Value: s.Value(), Part: yes, N: n,
		Low: s.Low, High: s.High}, Volume: n}
}

// A part with few votes does not hide that another differs from all others together.
func TestThePartThatSurelyDiffersIsNamed(t *testing.T) {
	list := []stats.Slice{part("tax_free_cash", 180, 250), part("state_pension", 172, 200), part("drawdown", 200, 240),
		part("divorce", 11, 11)}
	got := extremes(list, "topic")
	if !strings.HasPrefix(got, "Tax-free cash (72") || !strings.Contains(got, "State Pension (") &&
		!strings.Contains(got, "others combined") {
		t.Error(got)
	}
	if got := extremes([]stats.Slice{part("scams", 5, 9), part("tax", 6, 9)},
		"topic"); got != "No topic differs significantly from the others combined." {
		t.Error(got)
	}
	if got := extremes([]stats.Slice{part("scams", 5, 9)}, "topic"); got != "Scams is the only topic." {
		t.Error(got)
	}
}

// Agents are called what they call themselves; topics and codes are put into words.
func TestNamesStandAsTheyAre(t *testing.T) {
	for _, name := range []string{"pension-advisor", "a%b", "tu_tor", "élan"} {
		agent := part(name, 3, 9)
		agent.Name = name
		if b := bars(Period{}, "Agent", "votes", []stats.Slice{agent}, 12, nil); b.Rows[0].Name != name {
			t.Errorf("the bar of %s is called %s", name, b.Rows[0].Name)
		}
		if got := extremes([]stats.Slice{agent}, "agent"); got != name+" is the only agent." {
			t.Error(got)
		}
		if o := options("All agents", []stats.Choice{{Value: name, Label: name}}, "gone-agent"); o[1].Label != name ||
			o[2].Label != "gone-agent" {
			t.Errorf("choices %+v", o)
		}
	}
	if o := options("All", topics([]stats.Choice{{Value: "tax_free_cash", Label: "tax_free_cash"}}, "élan_vital"),
		"élan_vital"); len(o) != 3 || o[1].Label != "Tax-free cash" || o[2].Label != "Élan vital" {
		t.Errorf("choices %+v", o)
	}
	if b := bars(Period{}, "Topic", "votes", []stats.Slice{part("tax_free_cash", 3, 9)}, 12,
		nil); b.Rows[0].Name != "Tax-free cash" {
		t.Error(b.Rows[0].Name)
	}
}

// Codes as the reader of the figures names them are words on the page.
func TestLabelsAndCausesAreWords(t *testing.T) {
	for key, want := range map[string]string{"ruling.COMPLIANT_GUIDANCE": "Compliant",
		"ruling.NON_COMPLIANT": "Non-compliant", "borderline.dissent": "The judges differed",
		"borderline.unsure": "The judges were unsure"} {
		_, name, _ := strings.Cut(key, ".")
		var b strings.Builder
		if err := volumes("V", "What", []stats.Slice{{Key: key, Name: name, Volume: 3}}, Scope{},
			"v").Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, ">"+want+"<") || strings.Contains(got, ">"+name+"<") ||
			!strings.Contains(got, "of="+key) {
			t.Errorf("%s: %s", key, got)
		}
	}
}

// Every figure that leads to rows has a heading of its own.
func TestEveryListOfRowsHasAHeading(t *testing.T) {
	seen := map[string]string{}
	for of, title := range rowTitles {
		if title == "" || !stats.HasRows(of) {
			t.Errorf("%s: %q", of, title)
		}
		seen[of] = title
	}
	for _, of := range []string{"votes", "satisfaction", "avg_feedback", "rating", "vote.negative", "decisions",
		"decision.approve", "decision.sampled", "waited", "waited_p90", "sla", "on_case", "edit",
		"rewritten", "hasty", "agreement", "second", "outcomes", "outcome.goals_met", "drafts", "compliance", "missed",
		"false_alarm", "borderline", "rulings", "panel", "quality", "planted", "lessons", "lessons_accepted"} {
		if seen[of] == "" {
			t.Errorf("%s has no heading", of)
		}
	}
	if got := RowsTitle("borderline.dissent"); got != "Borderline cases: the judges differed" {
		t.Error(got)
	}
	if got := RowsTitle("ruling.NON_COMPLIANT"); got != "Rulings: non-compliant" {
		t.Error(got)
	}
}

func TestNothingIsComparedWithFewerThanThirtyBefore(t *testing.T) {
	for n, want := range map[int]string{29: "", 30: "50 points up"} {
		before := stats.ShareOf("k", 0, n)
		f := stats.ShareOf("k", 50, 100)
		f.Before = &before
		if got := change(f); got != want {
			t.Errorf("%d before: %q, want %q", n, got, want)
		}
	}
}
