package learning

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

const shopDraft = "We accept returns for thirty days. Please keep the box it came in."

// What is one customer's, a typing error or taste proposes nothing and says so; a deletion waits for a person.
func TestWhatAGuessLeavesToPeople(t *testing.T) {
	for name, c := range map[string]struct{ draft, after, remark, nothing string }{
		"phoned for her": {"", shopDraft + " We will fetch the parcel from your neighbour in the afternoon.",
			"I called them for her, it is all arranged now", rule.NothingPrivate},
		"a deed": {"", shopDraft + " I have stopped the parcel for you at the warehouse.",
			"the parcel has to be stopped then", rule.NothingPrivate},
		"an appointment": {"", shopDraft + " The driver comes to you again on Thursday between two and four.",
			"say when the driver comes", rule.NothingPrivate},
		"a number": {"", shopDraft + " Please quote order 88213 whenever you write to us about it.",
			"they need the number", rule.NothingPrivate},
		"their age": {"", shopDraft + " You are 59 now and pay less for the parcel from today.", "they pay less",
			rule.NothingPrivate},
		"a name of the question": {"", shopDraft + " Your neighbour Mr Pell has the parcel in his shed.", "where it is",
			rule.NothingPrivate},
		"taste": {"",
			"You have thirty days in which we gladly take things back. Please keep the box it came in.",
			"sounds nicer, otherwise fine", rule.NothingTaste},
		"typing": {strings.Replace(shopDraft, "thirty", "thrity", 1), shopDraft, "typo",
			rule.NothingTaste},
		"gushing": {shopDraft + " We are ever so happy to help you out!", shopDraft,
			"a bit much, I like it plainer", rule.NothingTaste},
		"said twice": {shopDraft + " Keep the box that it came in, please.", shopDraft,
			"must never say that they have to keep the box twice", rule.NothingSmall},
		"too long": {shopDraft + " Our office is a nice place to work in.", shopDraft,
			"nobody asked about the office", rule.NothingGone},
		"four words": {shopDraft,
			strings.Replace(shopDraft, "for thirty days", "for all of thirty days", 1), "be exact about the days",
			rule.NothingSure},
	} {
		if c.draft == "" {
			c.draft = shopDraft
		}
		s := Source{Kind: Revise, AgentText: c.draft, HumanText: c.after, Reason: c.remark,
			Situation: pack.Situation{Pack: "pension", Question: "Where is my parcel, did Mr Pell take it?", Age: 59}}
		if st, nothing := Guess(s, "", nil); nothing != c.nothing {
			t.Errorf("%s: %q, want %q: %s", name, nothing, c.nothing, rule.Sentence(st, nil))
		}
	}
}

// What came from a saved reply alone is said to have.
func TestASavedReplyIsNoSmallChange(t *testing.T) {
	own := shopDraft
	s := Source{Kind: Revise, AgentText: shopDraft, HumanText: shopDraft + " We have noted your call.", Own: &own,
		Reason: "more personal", Situation: pack.Situation{Pack: "pension"}}
	if _, nothing := Guess(s, "", nil); nothing != rule.NothingLent {
		t.Errorf("%q", nothing)
	}
	own = strings.Replace(shopDraft, "thirty", "thrity", 1)
	if _, nothing := Guess(s, "", nil); nothing == rule.NothingLent {
		t.Errorf("what was changed beside it: %q", nothing)
	}
}

// The remark chooses among what came, in other words than it; the question stands in the rule without what belongs to
// its customer.
func TestTheRemarkChooses(t *testing.T) {
	after := "Thank you for shopping with us today. " + shopDraft +
		" Earrings are not taken back once their seal is broken. Which card did you pay with?"
	for remark, want := range map[string]string{
		"pierced jewellery is an exception, for hygiene": "Earrings are not taken back",
		"we need to know how they paid us":               "Which card",
	} {
		s := Source{Kind: Revise, AgentText: shopDraft, HumanText: after, Reason: remark, Known: []string{"Bethan"},
			Situation: pack.Situation{Pack: "general",
				Question: "I am Bethan of Leeds, 62, and can I return a gift that cost 41.50 by next Friday, on " +
					"the 3rd?"}}
		st, nothing := Guess(s, "", nil)
		if !strings.HasPrefix(st.Do.Text, want) || nothing != "" {
			t.Errorf("%s: %s (%s)", remark, rule.Sentence(st, nil), nothing)
		}
		if len(st.When) != 1 || st.When[0].Kind != rule.Like || !slices.Contains(st.When[0].Values, remark) {
			t.Fatalf("%s: %+v", remark, st.When)
		}
		for _, own := range []string{"Bethan", "Leeds", "41", "Friday", "62", "3rd"} {
			if strings.Contains(rule.Sentence(st, nil), own) {
				t.Errorf("%q is in the rule: %s", own, rule.Sentence(st, nil))
			}
		}
	}
}
