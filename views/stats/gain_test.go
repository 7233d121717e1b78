package stats

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/stats"
)

// What no filter narrows says so, on the page and in its files; a control that was stopped isn't said to go on.
func TestLearningSaysWhatAFilterNarrows(t *testing.T) {
	v := Gain{Scope: Scope{Period: Period{Agent: "it-helpdesk", Topic: "vpn"}}}
	for id, want := range map[string]string{"help": "none", "harm": "none", "cases": "none", "rules": "none",
		"memory": "none", "trajectory": "agent it-helpdesk", "lessons": "agent it-helpdesk"} {
		s := v.ScopeOf(id)
		if notes := s.Notes("x"); !strings.HasPrefix(notes[2], "Filter: "+want) {
			t.Errorf("%s: %q", id, notes)
		}
		if ever := id != "lessons"; s.Ever != ever {
			t.Errorf("%s is of all days: %v", id, s.Ever)
		}
	}
	for _, c := range []struct {
		m        stats.MemoryEffect
		yes, not []string
	}{
		{stats.MemoryEffect{Agent: "site-chat", Low: -.1, High: .2}, []string{"gives some users of site-chat",
			"not significant yet"}, []string{"stopped"}},
		{stats.MemoryEffect{Low: -.1, High: .2, Stopped: true}, []string{"has been stopped",
			"It gave some users of every agent", "not significant."}, []string{"yet", "gives"}},
		{stats.MemoryEffect{Agent: "site-chat", Low: .1, High: .2, Stopped: true}, []string{"is significant",
			"It gave some users of site-chat"}, []string{"gives"}},
	} {
		said := memorySays(c.m) + " " + memoryNote(c.m)
		holds := func(s string) bool { return strings.Contains(said, s) }
		if i := slices.IndexFunc(c.yes, func(s string) bool { return !holds(s) }); i >= 0 {
			t.Errorf("%q lacks %q", said, c.yes[i])
		}
		if i := slices.IndexFunc(c.not, holds); i >= 0 {
			t.Errorf("%q says %q", said, c.not[i])
		}
	}
}
