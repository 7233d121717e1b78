package review_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
)

// An agent's label, an empty profile or its choice of words can't shed the second approval: what is said before, the
// question and the guidance all count, and where nothing rules the fact out it takes two.
func TestWhatAsksForTwoComesFromEverythingSaid(t *testing.T) {
	dc := []interaction.Pension{{Kind: "dc"}}
	for name, c := range map[string]struct {
		change change
		two    string
	}{
		"guidance alone": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance = "Is it right for me?",
				"Giving up your final salary pension is a form away."
		}, "db_transfer"},
		"guidance under another label": {func(s *interaction.Submission) {
			s.Consultation.TaskType, s.Guidance = "state_pension", "Your NHS pension can be transferred to us."
		}, "db_transfer"},
		"an earlier turn in the metadata": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance = "And how?", "Sign the form."
			s.Metadata = json.RawMessage(
				`{"history":[{"role":"user","content":"I want to give up my final salary pension."}]}`)
		}, "db_transfer"},
		"an earlier turn in the steps": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance = "And how?", "Sign the form."
			s.Steps = json.RawMessage(
				`[{"role":"customer","text":"My husband has just died."},{"tool":"search","output":"final salary"}]`)
		}, "maybe_db_transfer,vulnerable"},
		"nothing is said of it": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance, s.Consultation.TaskType = "And how?", "Sign the form.", "state_pension"
		}, "maybe_db_transfer"},
		"the profile rules it out": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance, s.Consultation.Customer.Pensions = "And how?", "Sign the form.", dc
		}, ""},
		"question and guidance are about something else": {func(*interaction.Submission) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			id := k.submit(t, c.change)
			if item := k.get(t, id); item.TwoEyes != c.two || item.NeedsTwo != (c.two != "") {
				t.Fatalf("two approvals for %q, want %q", item.TwoEyes, c.two)
			}
			dec := k.decide(t, id, ann, review.Approve)
			if held := dec.State == review.Held; held != (c.two == "") {
				t.Errorf("after one approval it is %s", dec.State)
			}
		})
	}
}

// What a reviewer writes counts as what the agent wrote does.
func TestARevisionThatIsAboutItTakesTwo(t *testing.T) {
	k := open(t)
	in := k.input(t, k.submit(t), ann, review.Revise)
	in.Text = "A quarter is tax free. You could also transfer your final salary pension."
	if dec, err := k.Decide(ctx, in); err != nil || dec.State != review.Pending {
		t.Errorf("%v, %v", dec, err)
	}
}

// What an approver signs is the pack's: its sentence and source for pensions, nothing for a furniture shop. What was
// signed stays.
func TestWhatIsSignedComesFromThePack(t *testing.T) {
	const law = "I have read the whole text as it will be sent, and I confirm before the customer gets it that I " +
		"agree to its being given as guidance (COBS 19.1.1BG)."
	for name, want := range map[string]string{pack.Pension: law, pack.GeneralName: ""} {
		k := open(t)
		k.packOf = name
		id := k.submit(t, vulnerable)
		first, second := k.decide(t, id, ann, review.Approve), k.decide(t, id, bob, review.Approve)
		if first.Confirmation != want || second.Confirmation != want || second.SecondConfirmation != want {
			t.Errorf("%s: signed %q, %q and %q, want %q", name, first.Confirmation, second.Confirmation,
				second.SecondConfirmation, want)
		}
		k.exec(t, `UPDATE decision SET confirmation = 'as it was signed' WHERE id = $1`, first.ID)
		if d, err := k.Decision(ctx, first.ID); err != nil || d.Confirmation != "as it was signed" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	if got := (pack.Signs{Text: "I agree."}).Sentence(); got != "I agree." {
		t.Errorf("without a source: %q", got)
	}
}

// What asks for two says where it is from, and in which words.
func TestWhatAsksForTwoIsQuoted(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		change change
		want   []review.Ground
	}{
		"the profile": {func(s *interaction.Submission) {
			s.Consultation.Customer.Vulnerable = &yes
		}, []review.Ground{{Fact: "vulnerable", From: "the profile"}}},
		"the question": {func(s *interaction.Submission) {
			s.Consultation.Question = "My husband has just died. How much is tax free?"
		},
			[]review.Ground{{Fact: "vulnerable", From: "the question", Words: "My husband has just died"}}},
		"a fact in words": {func(s *interaction.Submission) {
			s.Consultation.Customer.Extra = map[string]any{"employment": "off sick since May"}
		},
			[]review.Ground{{Fact: "vulnerable", From: "the profile", Words: "off sick"}}},
		"the answer": {func(s *interaction.Submission) {
			s.Guidance = "We are sorry for your loss. A quarter is tax free."
		},
			[]review.Ground{{Fact: "vulnerable", From: "the answer", Words: "sorry for your loss"}}},
		"the conversation": {func(s *interaction.Submission) {
			s.Metadata = json.RawMessage(`{"history":[{"role":"user","content":"I was newly widowed."}]}`)
		}, []review.Ground{{Fact: "vulnerable", From: "the conversation before", Words: "newly widowed"}}},
		"the task": {func(s *interaction.Submission) {
			s.Consultation.TaskType = "db_transfer"
		}, []review.Ground{{Fact: "db_transfer", From: "the task that the agent named"}}},
		"an act": {func(s *interaction.Submission) {
			s.Consultation.Question, s.Guidance = "Is it right for me?",
				"Giving up your final salary pension is a form away."
		}, []review.Ground{{Fact: "db_transfer", From: "the answer", Words: "Giving up"}}},
		"a topic that nobody named": {func(s *interaction.Submission) {
			s.Consultation.TaskType, s.Consultation.Question = "", "Should I transfer my final salary pension?"
		}, []review.Ground{{Fact: "db_transfer", From: "the question", Words: "transfer"}}},
		"nothing": {func(*interaction.Submission) {}, nil},
	} {
		k := open(t)
		if diff := cmp.Diff(c.want, k.get(t, k.submit(t, c.change)).Grounds()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
