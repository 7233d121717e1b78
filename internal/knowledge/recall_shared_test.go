package knowledge_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

// shopPages are a furniture shop's documents, each with a question in other words.
var shopPages = [][3]string{
	{"Warranty", "Every frame is covered for ten years and every cushion for two. Keep the receipt and send a photo " +
		"of the fault.", "How long is my settee covered if it breaks?"},
	{"Returns", "Send an item back within thirty days, unused and in its packaging, and we refund the price.",
		"Can I get my money back if I don't like the table?"},
	{"Delivery", "Two people carry the furniture into the room that you choose. Slots are four hours long.",
		"Will the drivers bring it upstairs?"},
	{"Cleaning fabric", "Blot a spill at once with a dry cloth. Don't rub, and don't use bleach.",
		"I have dropped red wine on the sofa, what do I do?"},
	{"Caring for oak", "Oil solid oak twice a year and keep it away from radiators, or it will crack.",
		"How do I look after a wooden dining table?"},
	{"Paying by instalments", "Spread the cost over twelve months without interest on orders of 500 pounds or more.",
		"Is there a way to pay a bit each month?"},
	{"Assembly", "Our fitters can put together beds and wardrobes for 60 pounds a visit.",
		"Could somebody build the wardrobe for us?"},
	{"Swatches", "We post up to six fabric samples free of charge within three days.",
		"I'd like to feel the material before I order"},
	{"Recycling", "We take the old mattress away when we deliver the new one, for 25 pounds.",
		"What happens to my old bed?"},
	{"Showrooms", "Our showrooms are open from ten to six, on Sundays from eleven to four.",
		"When can I come and see the chairs on a Sunday?"},
}

// A document that no agent owns is shared by the agents of its pack, and by no others.
func TestSharedDocumentsAreThoseOfAPack(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for name, page := range map[string]string{pack.GeneralName: "# Warranty\n\nA frame is covered for ten years.\n",
		pack.Pension: "# Annuity\n\nAn annuity is covered for life.\n"} {
		if _, err := b.Import(ctx, fstest.MapFS{name + ".md": {Data: []byte(page)}},
			knowledge.ImportOptions{Source: name, Pack: name}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{pack.GeneralName: "Warranty", pack.Pension: "Annuity"} {
		got, err := b.Recall(ctx, knowledge.Query{AgentID: "x", Text: "how long am I covered: warranty or annuity?",
			Situation: pack.Situation{Pack: name}})
		if err != nil || len(got.Cases) != 1 || got.Cases[0].Title != want {
			t.Errorf("%s: %s, %v; want %s", name, labels(got.Cases), err, want)
		}
	}
}

// What other packs hold is no candidate at all: however much of it is like the question, what an agent may see is
// found.
func TestOtherPacksDontPushDocumentsOut(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for name, pages := range map[string]int{pack.GeneralName: 120, pack.Pension: 1} {
		files := fstest.MapFS{}
		for i := range pages {
			files[fmt.Sprintf("%s-%d.md", name, i)] = &fstest.MapFile{
				Data: []byte(
					fmt.Sprintf("# What is covered %d\n\nWhat is covered by the warranty is covered for %d years.\n", i,
						i))}
		}
		if _, err := b.Import(ctx, files, knowledge.ImportOptions{Source: name, Pack: name}); err != nil {
			t.Fatal(err)
		}
	}
	found := func() (pension, shop, all int) {
		t.Helper()
		for name, n := range map[string]*int{pack.Pension: &pension, pack.GeneralName: &shop} {
			got, err := b.Search(ctx,
				knowledge.Query{AgentID: "x", Text: "what is covered by the warranty",
					Situation: pack.Situation{Pack: name}}, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range got {
				if *n++; it.Case.Pack != name {
					t.Errorf("%s finds %s of %s", name, it.Title, it.Case.Pack)
				}
			}
		}
		got, err := b.Search(ctx, knowledge.Query{AgentID: knowledge.AnyAgent, Text: "what is covered by the warranty"},
			1000)
		if err != nil {
			t.Fatal(err)
		}
		return pension, shop, len(got)
	}
	pension, shop, all := found()
	if pension != 1 || shop < 10 || all < 10 {
		t.Errorf("%d of the pension's page, %d of the shop's, %d of all", pension, shop, all)
	}
	// An index from before, in which they were every agent's, is made anew at the start.
	b.write(func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE knowledge_seq SET carried = 1`)
		rows, rerr := db.Rows(tx, "read", func(e *search.Entry) []any {
			return []any{&e.Kind, &e.ID, &e.Task, &e.Title, &e.Body, &e.Active}
		},
			`SELECT kind, item_id, task, title, body, active FROM search_entry
			WHERE agent_id IN ($1, $2)`, search.SharedBy(pack.GeneralName), search.SharedBy(pack.Pension))
		err = errors.Join(err, rerr)
		for _, e := range rows {
			err = errors.Join(err, b.index.UpsertTx(tx, e))
		}
		return err
	})
	if err := b.CarryOver(ctx); err != nil {
		t.Fatal(err)
	}
	if p, s, a := found(); p != pension || s != shop || a != all {
		t.Errorf("after the start %d, %d and %d", p, s, a)
	}
}

// One ranking holds an agent's own entries and the documents that it shares: after fifty approvals the pages are found
// as before.
func TestApprovalsDontPushDocumentsOut(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	base := knowledge.New(b.d, b.index, embedded.New(), knowledge.Options{
		PackOf: func(*db.Tx, string) (string, error) { return pack.GeneralName, nil }})
	add := func(c knowledge.Case) string {
		var id string
		b.write(func(tx *db.Tx) error {
			made, err := base.AddCaseTx(tx, c)
			id = made.ID
			return err
		})
		return id
	}
	var pages []string
	for _, p := range shopPages {
		pages = append(pages,
			add(knowledge.Case{Source: knowledge.FromDocument, Origin: p[0], CaseText: text(p[0], "", p[1])}))
	}
	ndcg := func() (mean float64) {
		t.Helper()
		if err := base.Reembed(ctx); err != nil {
			t.Fatal(err)
		}
		for i, p := range shopPages {
			got, err := base.Recall(ctx,
				knowledge.Query{AgentID: "shop", Text: p[2], Task: "sales",
					Situation: pack.Situation{Pack: pack.GeneralName, Question: p[2]}})
			if err != nil {
				t.Fatal(err)
			}
			for place, it := range got.Cases {
				if it.ID == pages[i] {
					mean += 1 / math.Log2(float64(place)+2) / float64(len(shopPages))
				}
			}
		}
		return mean
	}
	before := ndcg()
	if before < .6 {
		t.Fatalf("the pages alone give %.3f", before)
	}
	rooms, things := []string{"hall", "study", "nursery", "attic", "kitchen"},
		[]string{"lamp", "mirror", "rug", "shelf", "stool", "curtain", "vase", "clock", "bench", "desk"}
	for i := range 50 {
		room, thing := rooms[i%5], things[i/5]
		add(knowledge.Case{AgentID: "shop", Source: knowledge.FromReview, Origin: fmt.Sprint("d", i), Task: "sales",
			Approved: true, Exemplar: true,
			CaseText: text(fmt.Sprintf("Which %s would go in the %s?", thing, room), "",
				fmt.Sprintf("A small %s goes well in a %s. We have it in three colours.", thing, room))})
	}
	if after := ndcg(); before-after > .02 {
		t.Errorf("nDCG %.3f with the pages alone, %.3f after fifty approvals", before, after)
	}
}
