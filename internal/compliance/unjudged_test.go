package compliance

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
)

// Nothing is called compliant that no judge stands behind; what a check found is still said.
func TestWithoutAJudgeNothingIsCompliant(t *testing.T) {
	shop, pensions := interaction.Consultation{Pack: "general", Question: "Which sofa?"},
		interaction.Consultation{Question: "How does it work?"}
	local, gone := Panel{Judges: []Judge{agreeing{"one"}, agreeing{"two"}}}, Panel{Judges: []Judge{absent{}, absent{}}}
	for name, c := range map[string]struct {
		panel    Panel
		asked    interaction.Consultation
		text     string
		label    Label
		because  string
		judgesOf int
	}{
		"a pack without judges": {local, shop, "You should buy it now, guaranteed for life.", NotJudged,
			"No judge reads", 0},
		"a rule of form": {local, shop, "", NonCompliant, "", 0},
		"personal data": {local, shop, "Your number is QQ 12 34 56 C, as you told us in your letter.",
			Borderline, "", 0},
		"no panel": {Panel{}, pensions, "A pension is a pot of money.", NotJudged, "No judge reads",
			0},
		"judges that don't answer": {gone, pensions, "A pension is a pot of money.", NotJudged,
			"No judge answered.", 2},
		"too few answer": {Panel{Judges: []Judge{agreeing{"one"}, absent{}}, Quorum: 2}, pensions,
			"A pension is a pot of money.", NotJudged, "Only 1 judge answered, and 2 are needed.", 2},
		"German": {local, pensions,
			"Ihre Rente beginnt mit siebenundsechzig Jahren und wird jeden Monat auf Ihr Konto gezahlt.", NotJudged,
			"It doesn't read as English", 0},
		"Welsh, to a shop": {local, shop,
			"Bydd eich pensiwn yn dechrau pan fyddwch yn chwe deg saith oed ac yn cael ei dalu bob mis.", NotJudged,
			"It doesn't read as English", 0},
		"actions alone": {local, interaction.Consultation{Pack: "general", Question: "Which sofa?", NoText: true},
			"order: Sofa bestellen\narticle: 4711 blau Stoff links\ncopies: 2\nfabric: Leinen natur grob gewebt",
			NotJudged, "No judge reads", 0},
		"an answer beside actions": {local, interaction.Consultation{Question: "How does it work?",
			Acts: "book: Termin buchen\nplace: Berlin Mitte Rathaus\nroom: zwei null vier links\nwho: Frau Weber"},
			"A pension is a pot of money.", Compliant, "", 2},
		"judged": {local, pensions, "A pension is a pot of money.", Compliant, "", 2},
		"stopped by a check": {local, pensions, "You should transfer your pension now. I recommend it.",
			NonCompliant, "", 0},
		"judged, but not as it was": {local, pensions, "A pensi\u043en is a pot of money.", Compliant,
			"letters that only look like", 2},
	} {
		v := New(NewChecker(time.Now), c.panel).Validate(t.Context(), c.text, c.asked)
		if v.Label != c.label || len(v.Judges) != c.judgesOf || v.Passed != (c.label == Compliant) ||
			!strings.Contains(strings.Join(v.Because, " "), c.because) {
			t.Errorf("%s: %+v", name, v)
		}
		if v.Label == NotJudged && (v.Confidence != 0 || v.Band != "" || !v.RequiresHumanReview) {
			t.Errorf("%s: %+v", name, v)
		}
		if slices.Contains(unreadable, strings.Join(v.Because, " ")) && v.Band == ExemplarOffer {
			t.Errorf("%s: a candidate for an example: %+v", name, v)
		}
		b, err := json.Marshal(v)
		if head, _, _ := strings.Cut(string(b), `"issues"`); err != nil ||
			strings.Contains(head, "confidence") == (v.Label == NotJudged) {
			t.Errorf("%s: %s, %v", name, b, err)
		}
	}
}

// Why a person must look stands before how many judges passed it.
func TestTheLineSaysWhatCouldNotBeRead(t *testing.T) {
	v := New(NewChecker(time.Now), Panel{Judges: []Judge{agreeing{"one"}, agreeing{"two"}, agreeing{"three"}}}).
		Validate(t.Context(), "A pensi\u043en is a pot of money.", interaction.Consultation{Question: "What is it?"})
	if got := v.Line(); !strings.HasPrefix(got, "It has letters that only look like Latin ones") ||
		strings.Contains(got, "judges passed it") {
		t.Errorf("%q", got)
	}
}

// citing finds what it was given, with the registry's source.
type citing struct{ code string }

func (citing) Name() string { return "citing" }
func (citing) Local() bool  { return true }
func (citing) AnyTrade()    {}
func (c citing) Judge(_ context.Context, s Subject) (Vote, error) {
	i := s.Issue(c.code, Minor, "It is so.", 0, 2)
	return Vote{Confidence: 0.97, Boundary: Guidance, Issues: []Issue{i}}, nil
}

// The registry's sources are rules about pensions: what a judge finds in another trade's text cites none of them.
func TestAnotherTradeIsHeldToNoRuleOfPensions(t *testing.T) {
	for _, code := range []string{OffTopic, DisguisedRecommendation, JargonForLiteracy} {
		v := New(NewChecker(time.Now), Panel{Judges: []Judge{citing{code}}})
		for packName, cited := range map[string]bool{"general": false, "pension": true} {
			got := v.Validate(t.Context(), "It is oiled by hand. That takes us a week.",
				interaction.Consultation{Pack: packName, Question: "How is it made?"})
			if len(got.Issues) != 1 || (got.Issues[0].Reference != "") != cited {
				t.Errorf("%s, %s: %+v", code, packName, got.Issues)
			}
		}
	}
}
