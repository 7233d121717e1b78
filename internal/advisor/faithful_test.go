package advisor

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// documents is what was imported, with single blanks.
func documents(t *testing.T, kb *knowledge.Base) string {
	t.Helper()
	cases, next, err := kb.Cases(ctx, knowledge.Filter{Source: knowledge.FromDocument, Limit: 500})
	if err != nil || next != "" || len(cases) == 0 {
		t.Fatalf("%d cases, more after %q, %v", len(cases), next, err)
	}
	var b strings.Builder
	for _, c := range cases {
		b.WriteString(c.Page + " – " + c.Title + ":\n" + c.Title + "\n" + c.Guidance + "\n")
	}
	return plain(b.String())
}

// plain is a text without marks of emphasis and lists.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("*", "", "_", "", "#", "").Replace(s)), " ")
}

// No sentence of a draft, once the replacements that its rules name and the pack's frames are undone, is absent from a
// document, a rule's statement, a released text or the pack.
func TestNoSentenceIsOfTheAdvisorsOwn(t *testing.T) {
	root := os.DirFS("../demo/guidance")
	if _, err := os.Stat(corpus); testing.Short() {
		t.Log("the demo's guidance is drafted from; make check takes the real pages")
	} else if err == nil {
		root = os.DirFS(corpus)
	} else {
		t.Log("../shared/data/pensionwise is not here, so the demo's guidance is drafted from")
	}
	helpdesk := fstest.MapFS{
		"vpn.md": {
			Data: []byte("# VPN\n\n## Connecting\n\nOpen the VPN client and choose your office. The client asks for " +
				"your password once a day.\n\n## Printing\n\nA printer needs its driver before it prints. Install " +
				"the driver from the software centre.\n")}}
	for name, root := range map[string]fs.FS{"pension": root, "general": helpdesk} {
		t.Run(name, func(t *testing.T) { faithful(t, pack.Of(name), root) })
	}
}

func faithful(t *testing.T, p *pack.Pack, root fs.FS) {
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	if _, err := kb.Import(ctx, root, knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	s := &Service{d: d, knowledge: kb}
	imported := documents(t, kb)
	questions := []string{"Why does the VPN ask for my password?", "How do I install a printer?"}
	for _, topic := range p.Topics {
		questions = append(questions, topic.Questions...)
	}
	stated := []rule.Act{include("Forms take some weeks. Please keep a copy.", rule.AtStart),
		include("Charges can differ.", rule.AtTopic), include("Do write again.", rule.AtEnd),
		never("scam"), never("pension pot", "password"), replace("pot", "plan", "pots", "plans"),
		replace("provider", "insurer", "client", "program"), {Kind: rule.Ask, Text: "Have you any other questions?"},
		{Kind: rule.Point, Text: "A colleague can ring you."}, {Kind: rule.Other, Text: "write warmly"}}
	const kept = "Most people take their time over this."
	rapid.Check(t, func(t *rapid.T) {
		situation := pack.Situation{Question: rapid.SampledFrom(questions).Draw(t, "question"), Pack: p.Name, At: today,
			Literacy: rapid.SampledFrom([]string{"low", "high", ""}).Draw(t, "literacy"),
			HasDB:    rapid.Bool().Draw(t, "db")}
		r, err := s.recall(ctx, "", situation, "", nil, knowledge.Withhold{})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "released") {
			it := releasedItem(900, "Customer aged 61.", "Hello [NAME-1],\n\n"+kept+" At 61 you can start.")
			it.Score, it.Legs = 2, knowledge.Legs{Cosine: 0.9}
			r.Cases = append([]knowledge.Item{it}, r.Cases...)
		}
		var a acts
		sources := imported + " " + kept + " " +
			plain(strings.Join([]string{p.Frames.HelloAny, p.Frames.Hello, p.Frames.OpenAny, p.Frames.Unknown,
				p.Frames.Signpost}, " "))
		for _, k := range p.Frames.Kinds {
			sources += " " + plain(k.Open) + " " + plain(k.Close)
		}
		for _, topic := range p.Topics {
			sources += " " + plain(strings.ReplaceAll(p.Frames.Open, "TOPIC", topic.Phrase))
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "rules") {
			act := rapid.SampledFrom(stated).Draw(t, fmt.Sprint("act ", i))
			r.Rules = append(r.Rules, ruleItem(i+1, always(act)))
			sources += " " + plain(act.Text)
			for _, w := range act.Swaps {
				a.swaps = append(a.swaps, swap{avoid: w.Avoid, say: w.Say})
			}
		}
		slices.SortStableFunc(a.swaps, func(x, y swap) int { return len(y.avoid) - len(x.avoid) })
		replaced, _ := a.swap(sources)
		got, err := Embedded{}.Draft(ctx, Request{Situation: situation, Recall: r})
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := strings.Cut(got.Text, "\n\n"+p.Frames.Sources)
		for _, sp := range phrase.Sentences(citationRE.ReplaceAllString(body, "")) {
			said := plain(sp.In(citationRE.ReplaceAllString(body, "")))
			if !strings.Contains(replaced, said) {
				t.Fatalf("nobody wrote %q:\n%s", said, got.Text)
			}
		}
		for _, m := range got.Marks {
			if m.Start < 0 || m.End > len(got.Text) || m.Start >= m.End {
				t.Fatalf("a mark outside of the text: %+v", m)
			}
		}
	})
}
