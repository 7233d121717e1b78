package advisor

import (
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// releasedItem is a recalled text that a supervisor released.
func releasedItem(n int, situation, text string) knowledge.Item {
	it := caseItem(n, "", "", text)
	it.Title, it.Case.Title, it.Case.Source, it.Case.Page, it.Case.Heading = "Consolidation", "Consolidation",
		knowledge.FromReview, "", ""
	it.Case.Situation = situation
	return it
}

func TestReleasedTextsLoseTheirCustomer(t *testing.T) {
	const kept = "Merging pots may leave fewer letters to file."
	r := asks(question, nil)
	r.Ruled = []string{"Under 55, combining pots has to wait for your birthday."}
	text := "Hello [NAME-1],\n\nThank you for your question about bringing pensions together.\n\n" + kept + "\n\n" +
		"Your £86,000 pot would stay invested meanwhile. " +
		"At 58 you can combine pots at once. Aviva lets people combine pots by telephone. You can combine pots with " +
		"Aviva in weeks.\n\n" +
		"Combining a council pension with pots is rare indeed. We can't say which way of combining pots is right for " +
		"you.\n\n" +
		"Under 55, combining pots has to wait for your birthday. Charges of both pots were read out to [NAME-1] " +
		"before combining. " +
		"Could you tell us in your own words what combining means?"
	r.Recall = recalled([]knowledge.Item{combining[2],
		releasedItem(1, `Customer aged 58. Asked: "I have a council pension and one with Aviva, may I combine them?"`,
			text)})
	d := draft(t, r)
	if !strings.Contains(d.Text, kept+" [1]") || !strings.Contains(d.Text, "[1] Previously reviewed guidance") {
		t.Errorf("%s", d.Text)
	}
	for _, not := range []string{"NAME", "£86,000", "58", "Aviva", "council", "right for you", "own words",
		"birthday"} {
		if strings.Contains(d.Text, not) {
			t.Errorf("the draft has %q:\n%s", not, d.Text)
		}
	}
	r.Situation.Question = "How do I combine a council pension with pots?"
	if d := draft(t, r); !strings.Contains(d.Text, "council pension with pots is rare") {
		t.Errorf("what the present customer says is nobody else's:\n%s", d.Text)
	}
}

func TestReleasedTextsOfOtherDomainsHaveNoFigures(t *testing.T) {
	it := releasedItem(1, "", "Restart the router and wait for the light. The router needs 25 seconds to restart.")
	r := Request{Situation: pack.Situation{Question: "How do I restart the router light?", Pack: "general"},
		Recall: recalled([]knowledge.Item{it})}
	if d := draft(t, r); !strings.Contains(d.Text, "Restart the router and wait") || strings.Contains(d.Text, "25") {
		t.Errorf("%s", d.Text)
	}
}

// An apology to somebody else answers nobody.
func TestReleasedTextsAnswerWhatIsAsked(t *testing.T) {
	it := releasedItem(1, "", "We are sorry about that.")
	r := Request{Situation: pack.Situation{Question: "Why was I charged twice?", Pack: "general"},
		Recall: recalled([]knowledge.Item{it})}
	if d := draft(t, r); !d.Unanswered || strings.Contains(d.Text, "sorry") {
		t.Errorf("%s", d.Text)
	}
}

// What a document says is said as the document says it: a released text may carry what a rule made of it.
func TestDocumentsComeBeforeReleasedTexts(t *testing.T) {
	r := asks(question, nil)
	r.Recall = recalled(
		[]knowledge.Item{
			releasedItem(4, "", "Some people combine several plans with one provider. One plan can mean one "+
				"statement and one set of charges."), combining[0]})
	if d := draft(t, r); strings.Contains(d.Text, "plans") || !strings.Contains(d.Text, "several pots") {
		t.Errorf("%s", d.Text)
	}
}

// What a virtual customer got is a source once an expert has adopted it, and not before.
func TestPracticeIsASourceOnceItIsAdopted(t *testing.T) {
	it := releasedItem(1, "", "Combining pots may leave fewer papers to file away.")
	r := asks(question, nil)
	for source, want := range map[string]bool{knowledge.FromReview: true, knowledge.FromFeedback: true,
		knowledge.FromPractice: false, knowledge.FromPractice + "+": true, knowledge.FromDataset: false} {
		it.Case.Source, it.Case.Approved = strings.TrimSuffix(source, "+"), strings.HasSuffix(source, "+")
		r.Recall = recalled([]knowledge.Item{it})
		if d := draft(t, r); strings.Contains(d.Text, "fewer papers") != want {
			t.Errorf("%s: want %v\n%s", source, want, d.Text)
		}
	}
}

// What an agent wrote of its sources and nobody changed is no source of its own; what a person changed is.
func TestReleasedCopiesNeverCompete(t *testing.T) {
	const copied = "Merging pots may leave fewer letters to file. [1]\n\nSources:\n[1] Several pensions: Why people " +
		"combine pots"
	for _, c := range []struct {
		text, was string
		source    bool
	}{
		{copied, "", false},
		{strings.TrimSuffix(copied, "ots") + "ot", copied, false},
		{strings.Replace(copied, "[1]", "Ask both providers first. [1]", 1), copied, true},
		{"Merging pots may leave fewer letters to file.", "", true},
	} {
		it := releasedItem(1, "", c.text)
		it.Case.Negative = c.was
		r := asks(question, nil)
		r.Recall = recalled([]knowledge.Item{it})
		if d := draft(t, r); strings.Contains(d.Text, "fewer letters") != c.source {
			t.Errorf("%q, before %q: want %v\n%s", c.text, c.was, c.source, d.Text)
		}
	}
}

// A released paragraph that loses most of its sentences to its customer's particulars would be a stump.
func TestReleasedStumpsStayOut(t *testing.T) {
	for text, want := range map[string]bool{
		"Pots can be combined online. At 58 you can start. Your £86,000 stays invested.": false,
		"Pots can be combined online. At 58 you can start.":                              true,
		"Pots can be combined online.\n\nAt 58 you can start. Your £86,000 stays.":       true,
	} {
		r := asks(question, nil)
		r.Recall = recalled([]knowledge.Item{releasedItem(1, "", text)})
		if d := draft(t, r); strings.Contains(d.Text, "combined online") != want || strings.Contains(d.Text, "58") {
			t.Errorf("%q: want %v\n%s", text, want, d.Text)
		}
	}
}

// What people wrote to the same question is named where it can't be used, and a text that can't be used makes nothing
// else near enough.
func TestAnAnswerThatCannotBeUsedIsNamed(t *testing.T) {
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	files := fstest.MapFS{"delivery.md": {Data: []byte("# Delivery\n\n## Made to order\n\nMade-to-order sofas take six " +
		"weeks and can't be returned.\n\n## Days\n\nWe deliver Monday to Saturday and you choose the day.\n")}}
	if _, err := kb.Import(ctx, files, knowledge.ImportOptions{Pack: pack.GeneralName}); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(ctx, func(tx *db.Tx) error {
		_, err := kb.AddCaseTx(tx, knowledge.Case{Source: knowledge.FromReview, Status: knowledge.Active, Origin: "D-1",
			Task: pack.General, Approved: true, CaseText: knowledge.CaseText{Title: "General", Pack: pack.GeneralName,
				Situation: knowledge.WithAsked("Customer", "Do you offer interest-free credit?"),
				Guidance: "Yes: orders over £300 can be paid in three instalments by card, free of interest. [1]\n\n" +
					"Sources:\n[1] Delivery: Days",
				Negative: "Yes: orders over £200 can be paid in three instalments by card, free of interest. [1]\n\n" +
					"Sources:\n[1] Delivery: Days"}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := kb.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	s := &Service{d: d, knowledge: kb}
	for question, named := range map[string]bool{
		"Do you offer interest-free credit?": true, "do you offer interest-free credit": true,
		"Is there interest-free credit at your shop?": false,
	} {
		r := Request{Situation: pack.Situation{Question: question, Pack: pack.GeneralName, At: today}}
		if err := s.look(ctx, "", &r, knowledge.Withhold{}); err != nil {
			t.Fatal(err)
		}
		got := draft(t, r)
		if !got.Unanswered || strings.Contains(strings.Join(got.Notes, " "), "answers the same question") != named {
			t.Errorf("%s\n%s\n%q", question, got.Text, got.Notes)
		}
	}
}
