package knowledge_test

import (
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

const harrow = "# Sofas\n\n## Harrow\n\nThe Harrow three-seater sofa costs £899. It comes in oat and slate, and the " +
	"cushions are covered for two years.\n\n## Oslo\n\nThe Oslo sofa costs £1,200.\n"

// importSofas imports the shop's page as it is now.
func (b bench) importSofas(text string) {
	b.t.Helper()
	if _, err := b.Import(ctx, fstest.MapFS{"sofas.md": {Data: []byte(text)}},
		knowledge.ImportOptions{Pack: pack.GeneralName, By: by}); err != nil {
		b.t.Fatal(err)
	}
}

// released is the case of a draft that was shown a section.
func (b bench) released(interaction, text, section string) knowledge.Case {
	b.t.Helper()
	b.write(func(tx *db.Tx) error {
		_, err := b.RecordUsageTx(tx, interaction, "shop", []knowledge.Used{{ID: section, Cited: true, Score: 1}})
		return err
	})
	return b.addCase(knowledge.Case{AgentID: "shop", Origin: "d-" + interaction, InteractionID: interaction,
		Approved: true, CaseText: knowledge.CaseText{Title: "Prices", Situation: "Asked: “What is the Harrow?”",
			Guidance: text}})
}

func (b bench) rests(c knowledge.Case) bool {
	b.t.Helper()
	now, err := b.Case(ctx, c.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return now.RestsOn("")
}

func (b bench) recalled(question string) (titles []string) {
	b.t.Helper()
	r, err := b.Recall(ctx, knowledge.Query{AgentID: "shop", Text: question,
		Situation: pack.Situation{Pack: pack.GeneralName, Question: question}})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, it := range r.Cases {
		titles = append(titles, it.Source)
	}
	return titles
}

// What says what a section said before is kept out of recall until it agrees again, whoever changed the section and
// however; what is true still stays.
func TestAChangedSectionKeepsOlderWordingsOut(t *testing.T) {
	var told []knowledge.Outdated
	b := setUp(t, knowledge.Options{OnOutdated: func(_ *db.Tx, _ knowledge.Case, l []knowledge.Outdated, _ bool) error {
		told = append(told, l...)
		return nil
	}})
	b.importSofas(harrow)
	section := b.section("sofas.md#Harrow")
	price := b.released("i1", "The Harrow is our three-seater sofa. It is £899.", section.ID)
	colour := b.released("i2", "The Harrow comes in oat and slate.", section.ID)
	other := b.released("i3", "A cushion for it is £899 if you want it in silk.", section.ID)
	rule := b.addRule(knowledge.Rule{RuleText: knowledge.RuleText{Title: "Price",
		Principle: "When the customer asks for the Harrow, say that it costs £899"}})
	b.importSofas(harrow[:len(harrow)-1] + " Delivery is free.\n") // of another section
	if b.rests(price) || told != nil {
		t.Fatal("another section's change marks it")
	}
	changed := "# Sofas\n\n## Harrow\n\nThe Harrow three-seater sofa costs £949. It comes in oat and slate, and the " +
		"cushions are covered for two years.\n\n## Oslo\n\nThe Oslo sofa costs £1,200.\n"
	b.importSofas(changed)
	if !b.rests(price) || b.rests(colour) || b.rests(other) {
		t.Errorf("marked: the price %v, the colours %v, another thing's price %v", b.rests(price), b.rests(colour),
			b.rests(other))
	}
	if len(told) != 2 || told[0].Case.ID != price.ID || told[1].Rule.ID != rule.ID ||
		told[0].Now != "The Harrow three-seater sofa costs £949." {
		t.Errorf("told of %+v", told)
	}
	for _, source := range b.recalled("What does the Harrow three-seater cost in slate?") {
		if source == "sofas.md#Harrow" {
			break
		} else if source == knowledge.FromReview {
			t.Error("an older answer comes before the section")
		}
	}
	// A draft from before that is sent afterwards makes a case that rests on the older wording too.
	if late := b.released("i4", "The Harrow three-seater sofa costs £899.", section.ID); !b.rests(late) {
		t.Error("what is sent late isn't marked")
	}
	b.importSofas(harrow)
	if b.rests(price) {
		t.Error("it is marked though the section says the same again")
	}
	b.importSofas("# Sofas\n\n## Harrow: now £949\n\nThe Harrow three-seater sofa costs £949.\n")
	if !b.rests(price) || b.rests(other) {
		t.Error("a section that went by another name leaves the price in use")
	}
}

// Near copies of a section among the cases are one result with it, and it comes first.
func TestASectionIsNotCrowdedOutByItsCopies(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.importSofas(harrow)
	section := b.section("sofas.md#Harrow")
	for _, i := range []string{"1", "2", "3", "4"} {
		b.released(i, "The Harrow three-seater sofa costs £899. It comes in oat and slate. [1]\n\nSources:\n[1] Sofas: "+
			"Harrow", section.ID)
	}
	got := b.recalled("What is the Harrow?")
	if len(got) == 0 || got[0] != "sofas.md#Harrow" {
		t.Fatalf("recalled %v", got)
	}
	for _, source := range got[1:] {
		if source == knowledge.FromReview {
			t.Errorf("a copy is a result of its own: %v", got)
		}
	}
}
