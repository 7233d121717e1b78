package trial

import (
	"os"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

const helpdeskTrial = `{"id":"vpn","agent":"IT desk","domain":"general","documents":[{"title":"VPN problems","text":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again. Sign in with your work address."},{"title":"Printing","text":"Hold your badge to the reader of any printer. Your print jobs wait for two days."}],` +
	`"query":"The VPN does not connect, what can I do?","profile":{"name":"Noreen","os":"Windows 11"},"response":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again.","decision":"revise",` +
	`"revised":"If the VPN does not connect, check that you are online. Then close the VPN client and open it again. Restart the service Corporate Tunnel, Noreen.","reason":"It hangs most days.","next_time":"restart the service. Windows only",` +
	`"probes":[{"id":"same","query":"My VPN does not connect from home","profile":{"name":"Ann","os":"Windows 10"}},{"id":"mac","query":"My VPN does not connect from home","profile":{"os":"macOS 15"}},{"id":"other","query":"How do I print with my badge on another printer?","profile":{"os":"Windows 11"}}]}`

// What the reader lets through has all that a trial needs, and reads the same once more.
func FuzzReadTrials(f *testing.F) {
	f.Add(helpdeskTrial)
	f.Add(helpdeskTrial + "\n" + strings.Replace(helpdeskTrial, `"vpn"`, `"b"`, 1))
	f.Add(`{"id":"a","agent":"b","domain":"pension","documents":null,"query":"q","profile":{"age":"57","pensions":"a DC pot"},"response":"r","decision":"reject","say":"s","probes":[]}`)
	f.Add(`{"id":"a"} {"id":"b"}`)
	f.Add("\x00\n[]")
	f.Fuzz(func(t *testing.T, in string) {
		list, err := Read(strings.NewReader(in))
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("not the reader's own words: %v", err)
			}
			return
		}
		ids := map[string]bool{}
		for _, one := range list {
			if wrong := one.check(); len(wrong) > 0 || ids[one.ID] {
				t.Fatalf("let through: %+v", wrong)
			}
			ids[one.ID] = true
		}
		if again, err := Read(strings.NewReader(in)); err != nil || len(again) != len(list) {
			t.Fatalf("read again: %d of %d, %v", len(again), len(list), err)
		}
	})
}

// A correction that turns the meaning teaches, or says that a person has to say what it teaches.
func TestACorrectionThatTurnsTheMeaningIsNotSmall(t *testing.T) {
	const one = `{"id":"neg","domain":"pension","agent":"a","query":"Do I have to take advice before I transfer?","profile":{"age":58},` +
		`"response":"Thank you for asking. BEFORE A defined benefit pension has valuable guarantees.","decision":"revise",` +
		`"revised":"Thank you for asking. AFTER A defined benefit pension has valuable guarantees.","reason":"wrong","next_time":"",` +
		`"probes":[{"id":"p","query":"Must I get advice?","profile":{"age":60}}]}`
	for _, c := range [][2]string{
		{"You have to take regulated financial advice when the transfer value is below the limit.",
			"You do not have to take regulated financial advice when the transfer value is below the limit."},
		{"You must report it before the transfer.", "You must report it after the transfer."},
		{"The charge is 55 % of it.", "The charge is 25 % of it."},
	} {
		list, err := Read(strings.NewReader(strings.NewReplacer("BEFORE", c[0], "AFTER", c[1]).Replace(one)))
		if err != nil {
			t.Fatal(err)
		}
		out, err := list[0].Run(t.Context())
		if err != nil || out.Lesson.Outcome == "nothing" && out.Lesson.Why != rule.NothingSure ||
			strings.Contains(out.Lesson.Why, "small") {
			t.Errorf("%q: %+v, %v", c[1], out.Lesson, err)
		}
	}
}

// A rule from a correction that nobody stated acts on questions like the first one, although no draft has that draft's
// sentences, and on no others.
func TestAnUnstatedCorrectionActsWhereItBelongs(t *testing.T) {
	f, err := os.Open("../../cmd/preceptor/testdata/trials/unstated.trials.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		kind, try := map[string]string{"s03": rule.Include, "s06": "", "s08": rule.Never, "e05": rule.Include,
			"e04": "", "p06": rule.Ask}[one.ID]
		if !try {
			continue
		}
		out, err := one.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case kind == "" && out.Lesson.Outcome == "nothing" && out.Lesson.Why != "":
		case kind == "" || out.Lesson.Do == nil || out.Lesson.Do.Kind != kind:
			t.Errorf("%s: %+v", one.ID, out.Lesson)
		}
		for i, p := range out.Probes {
			if acts := kind != "" && kind != rule.Never && i < 2; acts != (p.With != p.Without) {
				t.Errorf("%s: %q acts %v: %s", one.ID, one.Probes[i].Query, !acts, out.Lesson.Statement)
			}
		}
	}
}
