package pack

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/llm/tuned"
	"preceptor/internal/platform/fault"
)

// pensionWords are words that no agent of another domain may meet.
var pensionWords = regexp.MustCompile(
	`(?i)pension|annuit|drawdown|money ?helper|\bfca\b|\bdb\b|\bsipp|retire|lump sum|\bisa\b|regulated advi[cs]e`)

func TestEveryPackIsWhole(t *testing.T) {
	if got := Names(); !slices.Equal(got, []string{GeneralName, Pension}) {
		t.Fatalf("packs %v", got)
	}
	for _, p := range All() {
		b, err := data.ReadFile("data/" + p.Name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parse([]byte(strings.Replace(string(b), `"name"`, `"nmae": "", "name"`, 1))); err == nil {
			t.Errorf("%s: a field that no pack has is let in", p.Name)
		}
		for what, text := range map[string]string{"title": p.Title, "about": p.About, "prompt": p.Prompt,
			"hello": p.Frames.Hello, "hello_any": p.Frames.HelloAny,
			"open": p.Frames.Open, "open_any": p.Frames.OpenAny, "unknown": p.Frames.Unknown,
			"sources": p.Frames.Sources, "released": p.Frames.Released} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", p.Name, what)
			}
		}
		if !strings.Contains(p.Frames.Hello, "NAME") || !strings.Contains(p.Frames.Open, "TOPIC") ||
			len(p.Frames.Ask) == 0 || len(p.Frames.Point) == 0 || len(p.Domains) == 0 {
			t.Errorf("%s: frames %+v, domains %v", p.Name, p.Frames, p.Domains)
		}
		for _, k := range p.Frames.Kinds {
			known := tuned.Ask("Thanks").Kinds[k.Kind] > 0
			topics := slices.Concat(k.About, k.Sections)
			if !known || k.Open == "" || k.From <= 0 ||
				slices.ContainsFunc(topics, func(n string) bool { _, ok := p.Topic(n); return !ok }) {
				t.Errorf("%s: kind %+v", p.Name, k)
			}
		}
		checkFields(t, p)
		checkTopics(t, p)
	}
}

func checkFields(t *testing.T, p *Pack) {
	for i, f := range p.Fields {
		if f.Name == "" || f.Label == "" || slices.IndexFunc(p.Fields, func(o Field) bool {
			return o.Name == f.Name
		}) != i {
			t.Errorf("%s: field %+v", p.Name, f)
		}
		switch f.Kind {
		case "number", "list", "text":
		case "choice", "flag":
			if len(f.Values) < 2 {
				t.Errorf("%s: %s has nothing to choose from", p.Name, f.Name)
			}
		default:
			t.Errorf("%s: %s is a %q", p.Name, f.Name, f.Kind)
		}
		for _, v := range f.Values {
			if v.Value == "" || v.Label == "" {
				t.Errorf("%s: %s may be %+v", p.Name, f.Name, v)
			}
		}
	}
}

func checkTopics(t *testing.T, p *Pack) {
	for i, topic := range p.Topics {
		if topic.Name == "" || topic.Label == "" || slices.IndexFunc(p.Topics, func(o Topic) bool {
			return o.Name == topic.Name
		}) != i {
			t.Errorf("%s: topic %+v", p.Name, topic)
		}
		if len(topic.Questions) < 3 {
			t.Errorf("%s: %s has %d example questions", p.Name, topic.Name, len(topic.Questions))
		}
	}
}

func TestGeneralKnowsNoPension(t *testing.T) {
	b, err := data.ReadFile("data/general.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := pensionWords.FindAllString(string(b), -1); got != nil {
		t.Errorf("general.json says %q", got)
	}
	p := Of(GeneralName)
	if p.Checks || p.Concept || len(p.Topics) > 0 || p.Example() != "" {
		t.Errorf("general has %+v", p)
	}
	if got := p.TopicOf("I have lost track of my old pension"); got != General {
		t.Errorf("general has a topic %q", got)
	}
}

func TestLabels(t *testing.T) {
	for _, task := range Topics(Names(), nil) {
		if Label(task) == "" || Label(task) == task {
			t.Errorf("%s has no label", task)
		}
	}
	for task, want := range map[string]string{"equity_release": "Equity release", "": "General", "general": "General",
		DBTransfer: "DB transfer"} {
		if got := Label(task); got != want {
			t.Errorf("%q is shown as %q, want %q", task, got, want)
		}
	}
	if got := Topics([]string{GeneralName}, []string{"vpn", "", "mail", "vpn"}); !slices.Equal(got,
		[]string{"mail", "vpn"}) {
		t.Errorf("topics of general with those seen: %v", got)
	}
	if got := Topics([]string{Pension}, []string{"drawdown", "vpn"}); got[len(got)-1] != "vpn" ||
		len(got) != len(Of(Pension).Topics)+1 {
		t.Errorf("topics of pension with those seen: %v", got)
	}
}

func TestRuleDomains(t *testing.T) {
	var names []string
	for _, d := range RuleDomains() {
		names = append(names, d.Name)
	}
	if want := []string{"regulatory_compliance", "risk_disclosure", "understanding_verification",
		"pension_education", "guidance"}; !slices.Equal(names, want) {
		t.Errorf("domains %v, want %v", names, want)
	}
	for _, d := range RuleDomains(GeneralName) {
		if pensionWords.MatchString(d.Name + d.Label) {
			t.Errorf("general files rules under %+v", d)
		}
		for _, p := range All() {
			for _, o := range p.Domains {
				if o.Name == d.Name && o.Importance != d.Importance {
					t.Errorf("%+v is %+v in %s", d, o, p.Name)
				}
			}
		}
	}
}

func TestDomainLabel(t *testing.T) {
	for name, want := range map[string]string{"risk_disclosure": "Risk disclosure", "guidance": "Answers",
		"house_style": "House style"} {
		if got := DomainLabel(name); got != want {
			t.Errorf("%s is shown as %q, want %q", name, got, want)
		}
	}
	if got := DomainLabel("regulatory_compliance", GeneralName); got == DomainLabel("regulatory_compliance", Pension) {
		t.Errorf("a shop files rules under %q, as a pensions firm does", got)
	}
}

func TestCheckName(t *testing.T) {
	if err := CheckName(Pension); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", "pensions", "PENSION"} {
		if err := CheckName(name); !fault.Is(err, fault.Invalid) ||
			!strings.Contains(fault.Message(err), "general, pension") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// What a text says is left of it, without its greeting, its citations and its list of sources.
func TestBare(t *testing.T) {
	f := Of(Pension).Frames
	const said = "A quarter is tax free, up to £268,275.\n\n- Ask your provider."
	for _, text := range []string{said, "Hello,\n\nThank you for your question.\n\n" + said,
		"Hello Ann,\n\nThank you for your question about tax-free cash.\n\nA quarter is tax free, up to £268,275. [1]\n\n" +
			"- Ask your provider. [2]\n\nSources:\n[1] a.md\n[2] b.md"} {
		if got := f.Bare(text); got != said {
			t.Errorf("of %q is left %q", text, got)
		}
	}
}
