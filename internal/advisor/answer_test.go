package advisor

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// desk is the advisor over the demo's guidance.
func desk(t *testing.T) *Service {
	t.Helper()
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	if _, err := kb.Import(ctx, os.DirFS("../demo/guidance"), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	return &Service{d: d, knowledge: kb}
}

func (s *Service) answerTo(t *testing.T, about pack.Situation) Draft {
	t.Helper()
	about.At = today
	found, err := s.recall(ctx, "", about, "", nil, knowledge.Withhold{})
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Situation: about, Recall: found}
	if err := s.needs(ctx, "", &r, knowledge.Withhold{}); err != nil {
		t.Fatal(err)
	}
	return draft(t, r)
}

// A reviewed section is answered whole: its limits, its long sentence and its risks are part of it; what is cut of a
// long one isn't its warning.
func TestSectionsAreWhole(t *testing.T) {
	s := desk(t)
	for question, want := range map[string][]string{
		"Will taking money from my pension stop my Universal Credit?": {"£6,000", "£16,000", "left in a pension pot",
			"Giving money away"},
		"How are pensions split when you get divorced?": {"three main ways: pension sharing",
			"offsetting", "attachment"},
		"How does drawdown work?": {"In drawdown up to 25%",
			"the money can run out"},
		"How do I check that a pension firm is real?": {"Use the telephone number on the register"},
	} {
		d := s.answerTo(t, pack.Situation{Question: question, HasDC: true, Age: 60})
		for _, w := range want {
			if !strings.Contains(d.Text, w) {
				t.Errorf("%s: %q is missing\n%s", question, w, d.Text)
			}
		}
	}
	long := strings.Repeat("Charges of pots differ from one provider to the next and add up over many years. ", 6)
	text := long + "\n\nBefore you combine pots, compare:\n\n- exit fees\n- guarantees\n\n" +
		strings.Repeat("Markets fall and rise. ", 30) +
		"\n\nWarning: A guarantee that is given up is lost for good."
	r := asks("What do I compare before I combine pots?", nil)
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Pots", "Combining", text)})
	d := draft(t, r)
	for _, w := range []string{"compare:\n- exit fees\n- guarantees\n",
		"A guarantee that is given up is lost for good. [1]"} {
		if !strings.Contains(d.Text, w) {
			t.Errorf("%q is missing\n%s", w, d.Text)
		}
	}
	if strings.Contains(d.Text, "Markets fall") || !strings.Contains(d.Reasoning, "Left out for length: “") {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
}

// An item of a list keeps its sentences, each once.
func TestAnItemOfAListIsSaidOnce(t *testing.T) {
	r := asks("What do I compare before I combine pots?", nil)
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Pots", "Combining",
		"Before you combine pots, compare:\n\n- Exit fees can be high. They are taken from the pot. Ask for the "+
			"sum.\n- Guarantees may be lost. They don't come back.")})
	d := draft(t, r)
	const want = "compare:\n- Exit fees can be high. They are taken from the pot. Ask for the sum.\n- Guarantees may " +
		"be lost. They don't come back."
	if !strings.Contains(d.Text, want) || strings.Count(d.Text, "Exit fees can be high") != 1 {
		t.Errorf("%s", d.Text)
	}
}

// Items within an item and numbered steps are of the list that they stand in. What is left out of a section is told.
func TestAListIsQuotedWithTheListsInIt(t *testing.T) {
	r := asks("Which papers do I need for a permit?", nil)
	const papers = "You need these papers:\n\n- an address check needs a bill\n  1. not older than 3 months\n" +
		"  2. not a mobile bill\n    - nor one of a shop\n- a photo of the car\n\n1. Fill in the form\n2) Pay £40. It is " +
		"kept.\n10. Collect the permit"
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Parking", "Permits", papers)})
	d := draft(t, r)
	if want := strings.Replace(papers, "\n\n", "\n", 2); !strings.Contains(d.Text, want) ||
		strings.Contains(d.Reasoning, "Left out") {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Parking", "Permits", "Permits end on 1 May.\n\nIn thousands of "+
		"pounds, before tax\n- Band: Low; Amount: 10\n- Band: High; Amount: 40\n\nPapers\n\n- a bill")})
	if d := draft(t, r); !strings.Contains(d.Text, " In thousands of pounds, before tax:\n- Band: Low; Amount: 10\n"+
		"- Band: High; Amount: 40\n\nPapers:\n- a bill") || strings.Contains(d.Reasoning, "Left out") {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Parking", "Permits",
		"A permit needs two papers and a photo. Do you have them?\n\nCap\n\n£7,000\n\n- a bill\n"+
			"  1. a new one")}, always(replace("permit", "pass")))
	const want = "\nLeft out of Case #001: “Do you have them?” “Cap” “£7,000” “a bill” “a new one”"
	if d := draft(t, r); !strings.HasSuffix(d.Reasoning, want) {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
}

// What stands above sentences in their document is told with them where they don't repeat it: a list is often one of
// what is not done. A line without a full stop is part of its paragraph.
func TestAHeadingIsToldWithWhatItHeads(t *testing.T) {
	for _, c := range []struct{ page, heading, text, want string }{
		{"Delivery", "We do not deliver", "- Pianos\n- Safes", "Delivery – We do not deliver:\n- Pianos\n- Safes [1]"},
		{"Delivery", "Not covered by the warranty", "Damage by pets. Scratches from use.",
			"\n\nNot covered by the warranty\n\nDamage by pets. Scratches from use. [1]"},
		{"What we don’t deliver", "Music", "Pianos and organs of any kind.",
			"\n\nWhat we don’t deliver – Music\n\nPianos and organs of any kind. [1]"},
		{"Delivery", "Delivery", "- Pianos", "\n\nDelivery:\n- Pianos [1]"},
		{"Delivery", "What can't be returned?", "- Mattresses that were used", "Delivery – What can't be returned?\n- Mattresses"},
		{"Delivery", "Do you collect fridges?", "We take them for £20 each.", "pension.\n\nWe take them for £20 each. [1]"},
		{"Delivery", "Delivery", "No pianos are part of our delivery.", "\n\nNo pianos are part of our delivery. [1]"},
		{"Delivery", "Collection", "We collect old sofas for £30.\nWe collect beds for £20\nWe don't collect fridges",
			"\n\nCollection\n\nWe collect old sofas for £30. We collect beds for £20. We don't collect fridges. [1]"},
	} {
		r := asks("Do you deliver pianos or collect fridges?", nil)
		it := caseItem(1, c.page, c.heading, c.text)
		it.Case.Title = c.heading
		r.Recall = recalled([]knowledge.Item{it})
		if d := draft(t, r); !strings.Contains(d.Text, c.want) {
			t.Errorf("%q is missing\n%s", c.want, d.Text)
		}
	}
	r := asks("Do you deliver pianos?", nil)
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Delivery", "We do not deliver", "- Pianos\n- Safes")},
		always(never("not deliver")))
	if d := draft(t, r); strings.Contains(d.Text, "not deliver") || !strings.Contains(strings.Join(d.Notes, "\n"), "The heading “") {
		t.Errorf("%s\n%q", d.Text, d.Notes)
	}
}

// A question of many parts is looked up a few times, and has few needs.
func TestAskedHasAnEnd(t *testing.T) {
	s := desk(t)
	about := pack.Situation{
		Question: strings.Repeat("Is flexible income safe? How are pensions split when you divorce? ", 40), HasDC: true,
		Age: 60, At: today}
	found, err := s.recall(ctx, "", about, "", nil, knowledge.Withhold{})
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Situation: about, Recall: found}
	if err := s.needs(ctx, "", &r, knowledge.Withhold{}); err != nil || len(r.Needs) > mostNeeds ||
		len(r.Recall.Cases) > len(found.Cases)+mostNeeds {
		t.Errorf("%d needs, %d cases, %v", len(r.Needs), len(r.Recall.Cases), err)
	}
}

// A sentence that points to one that was left out goes with it.
func TestNoOrphans(t *testing.T) {
	r := asks(question, nil)
	r.Recall = recalled(
		[]knowledge.Item{caseItem(1, "Pots", "Combining",
			"Some people combine pots with one provider. Have you? It saves letters. "+
				"Taking cash does not end it. Charges of combined pots can be lower.")})
	if d := draft(t, r); strings.Contains(d.Text, "saves letters") || strings.Contains(d.Text, "end it") ||
		!strings.Contains(d.Text, "can be lower") {
		t.Error(d.Text)
	}
}

func TestASecondNeedIsAnswered(t *testing.T) {
	s := desk(t)
	for question, want := range map[string][]string{
		"When will I get my state pension? And how much is it?": {"The State Pension age is 66",
			"£241.30"},
		"How does drawdown work? Is inheritance tax due on an unused pension pot?": {"In drawdown",
			"unused pension money"},
		"What is an annuity, and how do I find a lost pension?": {"An annuity turns",
			"Pension Tracing Service"},
		"I am told that I have months to live. Can I take my pension before I am 55?": {"ill"},
	} {
		d := s.answerTo(t, pack.Situation{Question: question, HasDC: true, HasState: true, Age: 60})
		last := -1
		for _, w := range want {
			at := strings.Index(d.Text, w)
			if at < last || at < 0 {
				t.Errorf("%s: %q is missing or out of order\n%s", question, w, d.Text)
			}
			last = at
		}
		if len(want) == 1 && strings.Contains(d.Text, "[3]") {
			t.Errorf("%s: what is only told is no need\n%s", question, d.Text)
		}
	}
	for question, n := range map[string]int{"What is a pot?": 0, "I am 61, can I?": 0, "I am 61 now, can I retire?": 2,
		"Where do I find a lost pension, who values it, and is the service free of charge?": 3,
		"Who pays for the fitting; who collects it":                                         2,
		"Do I pay tax on £20,000?":                                                          0} {
		if got := partsOf(question); len(got) != n {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// What a base can't answer is told so: money, homes, benefits, the website and work, and near misses of its own
// subject. The floor was chosen with these questions.
func TestSaysWhenItHasNothing(t *testing.T) {
	s := desk(t)
	list, err := os.ReadFile("testdata/unanswerable.txt")
	if err != nil {
		t.Fatal(err)
	}
	questions := strings.Split(strings.TrimSpace(string(list)), "\n")
	var answered []string
	for _, q := range questions {
		d := s.answerTo(t, pack.Situation{Question: q, HasDC: true})
		if !strings.Contains(d.Text, pack.Of(pack.Pension).Frames.Unknown) {
			answered = append(answered, q)
		} else if strings.Contains(d.Text, "[1]") {
			t.Errorf("%s\n%s", q, d.Text)
		}
	}
	if len(questions) < 60 || len(answered) > 7 {
		t.Errorf("%d of %d answered: %q", len(answered), len(questions), answered)
	}
	if d := s.answerTo(t, pack.Situation{Question: "What should I look at before I merge my workplace pots?",
		HasDC: true}); !strings.Contains(d.Text, "[1]") {
		t.Errorf("a question on a topic of the pack is answered sooner\n%s", d.Text)
	}
}

// Where no domain is known, a question without a word of its section is answered if a sentence of it is near, and one
// that nothing answers is told so, with the nearest section for the supervisor.
func TestAnotherTradesQuestionIsAnsweredByMeaning(t *testing.T) {
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	files := fstest.MapFS{"gym.md": {Data: []byte("# Gym\n\n## Freezing a membership\n\nA membership can be paused " +
		"for one to three months in a year, for £5 a month. Ask at least a week before the next payment.\n\n" +
		"## Towels and lockers\n\nLockers take a pound coin or your own padlock. Towels cost £1 at the desk.\n\n" +
		"## Classes\n\nClasses can be booked eight days ahead in the app. Who does not come twice can't book for a " +
		"week.\n\n## Guests\n\nA member may bring one guest a month without charge. Guests sign in at the desk.\n")}}
	if _, err := kb.Import(ctx, files, knowledge.ImportOptions{Pack: pack.GeneralName}); err != nil {
		t.Fatal(err)
	}
	if err := kb.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	s := &Service{d: d, knowledge: kb}
	for question, want := range map[string]string{
		"I'm having an operation and won't be training till spring, must I keep paying?": "paused",
		"can my mate come along for free one time":                                       "one guest a month",
		"where do I put my stuff while I work out":                                       "padlock",
		"What is the capital of Peru?":                                                   "",
		"How do I renew my passport?":                                                    "",
	} {
		about := pack.Situation{Question: question, Pack: pack.GeneralName, At: today}
		r := Request{Situation: about}
		if err := s.look(ctx, "", &r, knowledge.Withhold{}); err != nil {
			t.Fatal(err)
		}
		got := draft(t, r)
		if !strings.Contains(got.Text, want) || got.Unanswered != (want == "") {
			t.Errorf("%s\n%s", question, got.Text)
		}
		if want == "" && len(r.Recall.Cases) > 0 {
			t.Errorf("%s: %d cases", question, len(r.Recall.Cases))
		}
	}
}

// What the question names isn't answered by what is known of another.
func TestAnotherThingsSectionDoesNotAnswer(t *testing.T) {
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	files := fstest.MapFS{
		"oslo.md": {Data: []byte("# Oslo dining table\n\n## Measures\n\nThe Oslo is 180 cm wide and 90 cm deep, and seats " +
			"six people.\n\n## Wood\n\nThe top is oiled oak from Latvia.\n")},
		"bergen.md": {Data: []byte("# Bergen sofa\n\n## Cover\n\nThe cover of the Bergen is wool. It comes off for dry " +
			"cleaning, and a new one costs £190.\n")},
		"delivery.md": {Data: []byte("# Delivery\n\n## What it costs\n\nDelivery costs £35 for tables and £49 for sofas. " +
			"Two people carry it to the room of your choice.\n")},
	}
	if _, err := kb.Import(ctx, files, knowledge.ImportOptions{Pack: pack.GeneralName}); err != nil {
		t.Fatal(err)
	}
	if err := kb.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	s := &Service{d: d, knowledge: kb}
	for _, c := range []struct{ question, want, not string }{
		{"How wide is the Bergen?", "", "180 cm"},
		{"how wide is the bergen", "", "180 cm"},
		{"How wide is the Oslo?", "180 cm", ""},
		{"how wide is the oslo table", "180 cm", ""},
		{"What is delivery of a Bergen?", "£49", ""},
		{"Is the Oslo wider than the Bergen?", "180 cm", ""},
	} {
		r := Request{Situation: pack.Situation{Question: c.question, Pack: pack.GeneralName, At: today}}
		if err := s.look(ctx, "", &r, knowledge.Withhold{}); err != nil {
			t.Fatal(err)
		}
		got := draft(t, r)
		if !strings.Contains(got.Text, c.want) || c.not != "" && strings.Contains(got.Text, c.not) {
			t.Errorf("%s\n%s", c.question, got.Text)
		}
	}
	for question, other := range map[string]string{"How wide is the Stockholm?": "“Stockholm”",
		"What does a cover of the Bodo cost?": "“Bodo”", "How wide is the Oslo?": "", "how much is delivery?": "",
		"Do you deliver to Leeds?": ""} {
		r := Request{Situation: pack.Situation{Question: question, Pack: pack.GeneralName, At: today}}
		if err := s.look(ctx, "", &r, knowledge.Withhold{}); err != nil {
			t.Fatal(err)
		}
		got := draft(t, r)
		if said := strings.Join(got.Notes, " "); !strings.Contains(said, other) ||
			strings.Contains(said, "question names") != (other != "") {
			t.Errorf("%s\n%s\n%q", question, got.Text, said)
		}
	}
}

func TestTheNearestIsNamed(t *testing.T) {
	far := caseItem(1, "Gym", "Towels and lockers", "Towels cost £1 at the desk.")
	r := Request{Situation: pack.Situation{Question: "Is there a pool?", Pack: pack.GeneralName, At: today}, Nearest: &far}
	if d := draft(t, r); !d.Unanswered || len(d.Notes) != 1 ||
		!strings.Contains(d.Notes[0], "The nearest is Gym: Towels and lockers.") {
		t.Errorf("%q\n%s", d.Notes, d.Text)
	}
	far.Case.Source = knowledge.FromReview
	if d := draft(t, r); len(d.Notes) != 1 ||
		!strings.Contains(d.Notes[0], "The nearest is "+far.Label+".") {
		t.Errorf("of an earlier answer: %q", d.Notes)
	}
}

func TestKindsOfQuestionHaveTheirAnswer(t *testing.T) {
	s := desk(t)
	for question, want := range map[string][]string{
		"My husband died last month. What happens to his pension now?": {
			"We are sorry for your loss", "Each provider has people who help after a death"},
		"You lost my transfer papers twice and nobody answers the phone. This is not acceptable.": {
			"We are sorry that this has gone wrong", "eight weeks"},
		"Please move my pension to Aviva for me today.": {
			"We can't do this for you", "ask your provider for its form"},
		"I can't go on like this. There is no money for food and the bailiffs are coming.": {
			"We are sorry that things are so hard", "116 123"},
	} {
		d := s.answerTo(t, pack.Situation{Question: question, HasDC: true})
		for _, w := range want {
			if strings.Count(d.Text, w) != 1 {
				t.Errorf("%s: %q\n%s", question, w, d.Text)
			}
		}
		if strings.Contains(d.Text, "Thank you for your question") {
			t.Errorf("%s: a lecture\n%s", question, d.Text)
		}
	}
	d := s.answerTo(t, pack.Situation{Question: "How does drawdown work?", HasDC: true})
	if strings.Contains(d.Text, "sorry") || strings.Contains(d.Text, pack.Of(pack.Pension).Frames.Signpost) {
		t.Errorf("a plain question\n%s", d.Text)
	}
	lost := "You lost my papers twice and nobody answers. This is not acceptable."
	r := Request{Situation: pack.Situation{Question: lost, HasDC: true, At: today},
		Recall: recalled(slices.Clone(combining))}
	if d := draft(t, r); strings.Contains(d.Text, "[1]") {
		t.Errorf("a complaint is answered with another subject's section\n%s", d.Text)
	}
}

// What the profile contradicts is for others: a section on another kind of pension, and a sentence on one; all have a
// State Pension some day.
func TestWhatIsForOthersStaysOut(t *testing.T) {
	of := "Combining pots may save charges. Defined benefit schemes have other rules for it. Exit fees differ. Wages " +
		"and the State Pension count for tax."
	r := asks(question, nil)
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Final salary", "Defined benefit pensions and pots", of),
		caseItem(2, "Pots", "Combining pots", of)})
	d := draft(t, r)
	if strings.Contains(d.Text, "Defined benefit") || !strings.Contains(d.Text, "count for tax") ||
		!strings.Contains(d.Text, "[1] Pots: Combining pots") {
		t.Errorf("%s", d.Text)
	}
	r.Situation.HasDB = true
	if d := draft(t, r); !strings.Contains(d.Text, "Defined benefit schemes") {
		t.Errorf("%s", d.Text)
	}
}

// A sentence that the customer's age, work or country contradicts is for others; one that names what will be isn't.
func TestWhatTheProfileContradictsStaysOut(t *testing.T) {
	type fields = map[string][]string
	const rest = " Exit fees can differ. Charges fall each year."
	for _, c := range []struct {
		name, text, left, kept string
		about                  pack.Situation
	}{
		{"too old", "If you’re under 55 you pay a charge.", "under 55", "", pack.Situation{Age: 60}},
		{"too young", "People aged 75 or over get no relief.", "75", "", pack.Situation{Age: 60}},
		{"old enough", "If you are over 55 you can start.", "", "over 55", pack.Situation{Age: 60}},
		{"another's age", "A child under 23 may get it.", "", "under 23", pack.Situation{Age: 60}},
		{"a death", "If you die before 75 it is free of tax.", "", "before 75",
			pack.Situation{Age: 60}},
		{"age not known", "If you're under 55 you pay a charge.", "", "under 55",
			pack.Situation{}},
		{"no State Pension yet", "The State Pension uses up your allowance.", "State Pension", "",
			pack.Situation{Age: 60}},
		{"a State Pension to come", "The State Pension comes at 66.", "", "State Pension",
			pack.Situation{Age: 60}},
		{"before its age", "Before State Pension age it isn't counted.", "", "counted", pack.Situation{Age: 60}},
		{"of age for it", "The State Pension uses up your allowance.", "", "State Pension",
			pack.Situation{Age: 68}},
		{"retired", "If you are still working your employer pays too.", "employer", "",
			pack.Situation{Fields: fields{"work": {"retired"}}}},
		{"says so", "If you are still working your employer pays too.", "employer", "",
			pack.Situation{Question: "I've retired. " + question}},
		{"at work", "If you are still working your employer pays too.", "", "employer",
			pack.Situation{Fields: fields{"work": {"working"}}}},
		{"another country", "In Scotland the bands differ.", "Scotland", "",
			pack.Situation{Fields: fields{"country": {"england"}}}},
		{"theirs too", "In England and Wales the bands are the same.", "", "Wales",
			pack.Situation{Fields: fields{"country": {"england"}}}},
		{"a country we don't know", "In another country tax differs.", "", "another country",
			pack.Situation{Fields: fields{"country": {"Spain"}}}},
	} {
		c.about.Question, c.about.HasDC, c.about.At = cmp.Or(c.about.Question, question), true, today
		it := caseItem(1, "Pots", "Combining pots", c.text+rest)
		r := Request{Situation: c.about, Recall: recalled([]knowledge.Item{it})}
		d := draft(t, r)
		if c.left != "" && strings.Contains(d.Text, c.left) || !strings.Contains(d.Text, c.kept) ||
			!strings.Contains(d.Text, "Charges fall each year.") {
			t.Errorf("%s:\n%s", c.name, d.Text)
		}
		if cuts := cutsOf(it, c.about, d.Text); c.left != "" && (len(cuts) != 1 ||
			!strings.HasPrefix(cuts[0].Why, "Not in the profile: ")) {
			t.Errorf("%s: %+v", c.name, cuts)
		}
	}
}

// What was left out of a cited section is told with why; what stands in the draft, and what no draft has, is not.
func TestCutsSayWhy(t *testing.T) {
	const profile, orphan, long = "Not in the profile: a defined benefit pension.",
		"It points back to a sentence that was left out.", "The section is long."
	for text, want := range map[string][]string{
		"Charges of pots differ. Defined benefit schemes have other rules. Ask for the statement each year.": {
			"Defined benefit schemes have other rules.", profile},
		"Charges of pots differ. Have you asked? It is worth it. Exit fees can be high.": {
			"It is worth it.", orphan},
		"Charges of pots differ. Read more on our website. Exit fees can be high.": nil,
		"Charges of pots are taken each year.\n\n" +
			strings.Repeat("Markets fall and rise again. ", 60): {"Markets fall and rise again.", long},
	} {
		it := caseItem(1, "Pots", "Charges", text)
		r := asks("What are the charges of pots?", nil)
		r.Recall = recalled([]knowledge.Item{it})
		var got []string
		for _, c := range cutsOf(it, r.Situation, draft(t, r).Text) {
			if got = append(got, c.Text, c.Why); c.Source != it.Label {
				t.Errorf("of %s", c.Source)
			}
		}
		if !slices.Equal(got[:min(2, len(got))], want) || len(want) > 0 && want[1] != long && len(got) != 2 {
			t.Errorf("%.60s: %q", text, got)
		}
	}
}
