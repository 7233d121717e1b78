package main

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/internal/trial"
)

const helpdeskTrial = `{"id":"vpn","agent":"IT desk","domain":"general","documents":[{"title":"VPN problems","text":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again. Sign in with your work address."},{"title":"Printing","text":"Hold your badge to the reader of any printer. Your print jobs wait for two days."}],` +
	`"query":"The VPN does not connect, what can I do?","profile":{"name":"Noreen","os":"Windows 11"},"response":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again.","decision":"revise",` +
	`"revised":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again. Restart the service Corporate Tunnel, Noreen.","reason":"It hangs most days.","next_time":"restart the service. Windows only",` +
	`"probes":[{"id":"same","query":"My VPN does not connect from home","profile":{"name":"Ann","os":"Windows 10"}},{"id":"mac","query":"My VPN does not connect from home","profile":{"os":"macOS 15"}},{"id":"other","query":"How do I print with my badge on another printer?","profile":{"os":"Windows 11"}}]}`

func TestLearnTrial(t *testing.T) {
	only := strings.NewReplacer(`"vpn"`, `"only"`, "Windows only", "just this once").Replace(helpdeskTrial)
	r := must(t, helpdeskTrial+"\n\n"+only+"\n", "learn", "trial")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines for two trials: %s", len(lines), r.out)
	}
	var vpn, nothing trial.Result
	for line, to := range map[string]*trial.Result{lines[0]: &vpn, lines[1]: &nothing} {
		if err := json.Unmarshal([]byte(line), to); err != nil {
			t.Fatal(err)
		}
	}
	const text = "Restart the service Corporate Tunnel."
	if l := vpn.Lesson; l.Outcome != "rule" || l.Do == nil || l.Do.Text != text || len(l.Rules) != 1 ||
		!strings.Contains(l.Statement, "OS includes Windows") {
		t.Fatalf("the lesson: %s", lines[0])
	}
	for _, p := range vpn.Probes {
		changed := p.ID == "same"
		if (p.With != p.Without) != changed || strings.Contains(p.With, text) != changed ||
			len(p.Rules) > 0 != changed {
			t.Errorf("probe %s: rules %v\nwithout %s\nwith %s", p.ID, p.Rules, p.Without, p.With)
		}
	}
	if l := nothing.Lesson; l.Outcome != "nothing" || l.Why != rule.NothingPrivate || l.Do != nil || l.Rules == nil {
		t.Errorf("for this customer alone: %s", lines[1])
	}
	for _, p := range nothing.Probes {
		if p.With != p.Without || p.With == "" {
			t.Errorf("probe %s changed, and nothing was learned", p.ID)
		}
	}
}

func TestLearnTrialRefuses(t *testing.T) {
	with := func(old, now string) string { return strings.Replace(helpdeskTrial, old, now, 1) }
	for name, c := range map[string]struct{ in, says string }{
		"nothing":            {"\n\n", "no trial"},
		"no JSON":            {helpdeskTrial + "\nx\n", "Line 2: This is not a trial"},
		"an unknown field":   {with(`"query"`, `"question"`), `unknown field "question"`},
		"one of a document":  {with(`"text"`, `"body"`), `unknown field "body"`},
		"two on a line":      {helpdeskTrial + helpdeskTrial, "behind its end"},
		"an id twice":        {helpdeskTrial + "\n" + helpdeskTrial, `Line 2: another line has the id "vpn"`},
		"no id":              {with(`"vpn"`, `" "`), "id: "},
		"no pack":            {with(`"general"`, `"law"`), `domain: There is no pack "law".`},
		"another decision":   {with(`"revise"`, `"approve"`), "decision: "},
		"rejected and new":   {with(`"revise"`, `"reject"`), "revised: "},
		"said with a change": {with(`"reason"`, `"say":"x","reason"`), "say: "},
		"no revised text":    {with(`"revised":"If`, `"revised":"","say":"If`), "revised: "},
		"a probe twice":      {with(`"mac"`, `"same"`), "probes[1].id: "},
		"a probe's question": {with(`"My VPN does not connect from home"`, `""`), "probes[0].query: "},
		"a text as profile":  {with(`{"name":"Noreen","os":"Windows 11"}`, `"Noreen"`), "a profile is an object"},
		"no UTF-8":           {with("Noreen", "Nor\xffen"), "not UTF-8"},
		"a long line":        {with("Noreen", strings.Repeat("x", 1<<20)), "Line 1: "},
	} {
		r := preceptor(t, c.in, "learn", "trial", "-")
		if r.code != fault.Invalid.ExitCode() || r.out != "" || !strings.Contains(r.err, c.says) {
			t.Errorf("%s: code %d, out %q, says %q, want %q", name, r.code, r.out, r.err, c.says)
		}
	}
	if r := preceptor(t, "", "learn", "trial", t.TempDir()+"/none.jsonl"); r.code != fault.Invalid.ExitCode() {
		t.Errorf("a missing file: %+v", r)
	}
}
