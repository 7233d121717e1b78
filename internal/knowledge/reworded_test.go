package knowledge_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
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
	if !b.rests(price) {
		t.Error("a section that went by another name leaves the price in use")
	}
}

// However a section leaves use, what cites it or says what it said is withheld until the section is back, or says the
// same under another heading; a person may give it again, or retire it.
func TestWhatRestsOnASectionThatWentIsWithheld(t *testing.T) {
	var told []knowledge.Outdated
	b := setUp(t, knowledge.Options{OnOutdated: func(_ *db.Tx, _ knowledge.Case, l []knowledge.Outdated, _ bool) error {
		told = l
		return nil
	}})
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	const care, hours = "## Care\n\nWipe the oak with a damp cloth. Never use bleach on it.\n\n",
		"## Hours\n\nThe shop opens at nine.\n"
	b.importSofas("# Shop\n\n" + care + hours)
	section := b.section("sofas.md#Care")
	quote := b.released("i1", "Hello. Never use bleach on it. [1]\n\nSources:\n[1] Shop: Care", section.ID)
	cites := b.released("i2", "A wet rag will do.", section.ID)
	other := b.released("i3", "The shop opens at nine.", b.section("sofas.md#Hours").ID)
	withheld := func(what string, want bool) {
		t.Helper()
		if b.rests(quote) != want || b.rests(cites) != want || b.rests(other) {
			t.Errorf("%s: withheld: the quote %v, the one that cites %v, another %v", what, b.rests(quote),
				b.rests(cites), b.rests(other))
		}
		if want != (len(told) == 2) {
			t.Errorf("%s: told of %+v", what, told)
		}
	}
	withheld("at first", false)
	b.importSofas("# Shop\n\n" + hours)
	withheld("gone from its document", true)
	if now, err := b.Case(ctx, quote.ID); err != nil || now.Flags[0].Quote != "Never use bleach on it." ||
		now.Flags[0].Why != "This answer rests on sofas.md#Care, which is no longer in use. It isn't given to agents "+
			"until a person decides." {
		t.Errorf("%+v, %v", now.Flags, err)
	}
	b.importSofas("# Shop\n\n" + care + hours)
	withheld("back", false)
	b.importSofas("# Shop\n\n" + strings.Replace(care, "Care", "Looking after it", 1) + hours)
	withheld("by another name", false)
	b.importSofas("# Shop\n\n" + care + hours)
	retire := func(id string, again bool) {
		t.Helper()
		c, err := b.Case(ctx, id)
		if err == nil {
			err = b.RetireCase(ctx, id, "As I say.", c.Version, again, edie)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	retire(section.ID, false)
	withheld("retired by a person", true)
	retire(section.ID, true)
	withheld("put back by a person", false)
	s, _ := b.source("sofas.md")
	if err := b.WithdrawSource(ctx, s.ID, " ", false, edie); !fault.Is(err, fault.Invalid) {
		t.Errorf("withdrawn without a reason: %v", err)
	}
	if err := b.WithdrawSource(ctx, s.ID, "It is of another shop.", false, edie); err != nil {
		t.Fatal(err)
	}
	if !b.rests(quote) || !b.rests(cites) || !b.rests(other) {
		t.Error("a document that was withdrawn leaves answers in use")
	}
	retire(quote.ID, true)
	retire(cites.ID, false)
	if now, err := b.Case(ctx, cites.ID); b.rests(quote) || err != nil || now.Status != knowledge.Retired {
		t.Errorf("after a person decided: %+v, %v", now, err)
	}
	r, err := b.Import(ctx, fstest.MapFS{"sofas.md": {Data: []byte("# Shop\n\n" + care + hours)}},
		knowledge.ImportOptions{Pack: pack.GeneralName, By: by})
	if err != nil || r.Restored != 2 || b.rests(other) || b.section("sofas.md#Care").Status != knowledge.Active {
		t.Errorf("uploaded again: %+v, %v", r, err)
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
