package knowledge_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

func TestRanks(t *testing.T) {
	out := os.Getenv("PRECEPTOR_RANKS")
	if out == "" {
		t.Skip()
	}
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(x any) {
		if err := json.NewEncoder(f).Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	type section struct{ Base, Section, Text string }
	type question struct {
		Set, Base, Before, Last string
		Answers, Also           []string
		Kind                    string
		Ranks                   []string
		Scores                  []float64
	}
	type base struct {
		bench
		names map[string]string
		pack  string
	}
	open := func(name string, pages fs.FS, pk string, id func(knowledge.Case) string) base {
		b := setUp(t, knowledge.Options{})
		if _, err := b.Import(ctx, pages, knowledge.ImportOptions{Source: "guidance", Pack: pk}); err != nil {
			t.Fatal(err)
		}
		if err := b.Reembed(ctx); err != nil {
			t.Fatal(err)
		}
		cases, _, err := b.Cases(ctx, knowledge.Filter{Limit: 500})
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for _, c := range cases {
			names[c.ID] = id(c)
		}
		pending, err := b.index.Pending(ctx, "none", 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pending {
			put(section{name, names[p.ID], p.Text})
		}
		return base{b, names, pk}
	}
	ask := func(b base, q question, s pack.Situation) {
		items, err := b.Search(ctx, knowledge.Query{AgentID: "a", Text: q.Last, Situation: s, Far: true}, 12)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			q.Ranks = append(q.Ranks, b.names[it.ID])
			q.Scores = append(q.Scores, it.Score)
		}
		put(q)
	}
	bases := map[string]base{}
	bases["guidance"] = open("guidance", os.DirFS("../demo/guidance"), pack.Pension, func(c knowledge.Case) string {
		return path.Base(c.Path) + "#" + c.Title
	})
	bases["pensionwise"] = open("pensionwise", pensionwise(t), pack.Pension,
		func(c knowledge.Case) string { return c.Citation })
	type firm struct {
		Base      string
		Sections  []struct{ ID, Title, Text string }
		Questions []struct {
			Q       string
			Answers []string
		}
	}
	files, _ := filepath.Glob("testdata/lead/a*.jsonl")
	for _, name := range files {
		read, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(bytes.NewReader(read)); d.More(); {
			var l firm
			if err := d.Decode(&l); err != nil {
				t.Fatal(err)
			}
			l.Base = strings.Replace(l.Base, "pensions", "guidance", 1)
			if len(l.Sections) > 0 {
				ids, page := map[string]string{}, "# "+l.Base+"\n"
				for _, s := range l.Sections {
					ids[s.Title] = s.ID
					page += "\n## " + s.Title + "\n\n" + s.Text + "\n"
				}
				bases[l.Base] = open(l.Base, fstest.MapFS{"p.md": {Data: []byte(page)}}, pack.GeneralName,
					func(c knowledge.Case) string { return ids[c.Title] })
			}
			for _, q := range l.Questions {
				ask(bases[l.Base], question{Set: path.Base(name), Base: l.Base, Last: q.Q, Answers: q.Answers},
					pack.Situation{Pack: bases[l.Base].pack})
			}
		}
	}
	for _, name := range []string{"recall_queries", "recall_z9"} {
		for _, l := range readLabelled(t, name) {
			ask(bases["pensionwise"], question{Set: "pw-" + l.Split, Base: "pensionwise", Last: l.Query,
				Answers: l.Relevant}, pack.Situation{Pack: pack.Pension})
		}
	}
	turns, _ := filepath.Glob("../compliance/testdata/conversations/turns_*.jsonl")
	more, _ := filepath.Glob(os.Getenv("PRECEPTOR_MORE"))
	for _, name := range append(turns, more...) {
		for _, l := range turnsOf(t, name) {
			q := question{Set: path.Base(name), Base: l.Base, Last: l.Last, Answers: []string{l.Section}, Kind: l.Kind}
			if l.Base == "" {
				q.Base, q.Answers = "guidance", []string{l.File + "#" + l.Section}
			}
			s := l.situation()
			s.Pack = bases[q.Base].pack
			q.Before = s.Talk(2000)
			ask(bases[q.Base], q, s)
		}
	}
	_ = interaction.Consultation{}
}
