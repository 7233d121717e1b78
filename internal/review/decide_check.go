package review

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/interaction"
)

// maxSeconds is the longest time on a case that is believed: a day.
const maxSeconds = 24 * 60 * 60

// normalise brings the input into the form that is stored. Browsers send line ends as CRLF.
func (in *Input) normalise() {
	in.Text = strings.ToValidUTF8(strings.ReplaceAll(in.Text, "\r\n", "\n"), "\uFFFD")
	in.Reason = strings.TrimSpace(strings.ToValidUTF8(in.Reason, "\uFFFD"))
	in.Feedback = strings.TrimSpace(strings.ToValidUTF8(in.Feedback, "\uFFFD"))
	if in.Kind != Reject {
		in.ReasonCode = ""
	}
	if in.Kind != Revise {
		in.Text = ""
	}
}

// check lists what is wrong with the input itself.
func (in *Input) check() error {
	var wrong []fault.Field
	add := func(f *fault.Field) {
		if f != nil {
			wrong = append(wrong, *f)
		}
	}
	long := func(name, text string) {
		if text != "" {
			add(checkReason(name, text, ""))
		}
	}
	switch in.Kind {
	case Approve:
		long("reason", in.Reason)
		long("feedback", in.Feedback)
	case Revise:
		add(checkRevision(in.Text))
		add(checkReason("reason", in.Reason, "Say why you changed it."))
		add(checkReason("feedback", in.Feedback, "Tell the advisor what to do next time; it learns from this."))
	case Reject:
		long("feedback", in.Feedback)
		long("reason", in.Reason)
		if _, ok := ReasonByCode(in.ReasonCode); !ok {
			add(&fault.Field{Name: "reason_code", Msg: "Choose a reason."})
		} else if in.ReasonCode == ReasonOther && in.Reason == "" {
			add(&fault.Field{Name: "reason", Msg: "Say what is wrong in your own words."})
		}
	default:
		add(&fault.Field{Name: "kind", Msg: "Decide approve, revise or reject."})
	}
	if in.By.ID == "" {
		return fault.New(fault.Unsigned, "Sign in to decide.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.WithFields("Something is missing before this can be decided. Nothing you typed is lost.", wrong...)
}

func checkRevision(text string) *fault.Field {
	switch {
	case strings.TrimSpace(text) == "":
		return &fault.Field{Name: "text", Msg: "Write the text that the customer shall get."}
	case len(text) > interaction.MaxGuidance:
		return &fault.Field{Name: "text", Msg: fmt.Sprintf("The text is %d bytes long; at most %d are kept.", len(text), interaction.MaxGuidance)}
	}
	return nil
}

// Check assesses a text as Decide would, for the live re-check while somebody revises.
func (q *Queue) Check(ctx context.Context, id, text string) (a Assessment, err error) {
	in, r, err := q.read(ctx, id, nil)
	if err != nil {
		return a, err
	}
	return q.assess(strings.ReplaceAll(text, "\r\n", "\n"), in, r), nil
}

// checkText refuses a text that does not pass. It returns what the check says of the draft, to be kept with the decision.
// It runs before the transaction: win then makes sure that the draft is still the one that was checked.
func (q *Queue) checkText(ctx context.Context, in Input) ([]Flag, error) {
	it, r, err := q.read(ctx, in.ID, &in)
	if err != nil {
		return nil, err
	}
	draft := q.assess(it.Guidance, it, r)
	switch in.Kind {
	case Approve:
		if !draft.clean() {
			return nil, refusal(draft, "This draft can't be approved as it is: it needs a text that passes the check, or an expert's ruling. Revise it, or reject it.")
		}
	case Revise:
		if in.Text == strings.ReplaceAll(it.Guidance, "\r\n", "\n") {
			return nil, fault.WithFields("The text is the draft, unchanged.", fault.Field{Name: "text", Msg: "Change it, or approve the draft instead."})
		}
		if a := q.assess(in.Text, it, r); !a.clean() {
			return nil, refusal(a, "Your text does not pass the check yet. Mend what is marked, or reject the draft.")
		}
	}
	return draft.Flags, nil
}

// read gets what a check needs. With in, it says at once that the decision would not go through.
func (q *Queue) read(ctx context.Context, id string, in *Input) (it *interaction.Interaction, r Row, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		if in != nil {
			if err := conflict(tx, *in); err != nil {
				return err
			}
		}
		if r, err = getRow(tx, id); err != nil {
			return err
		}
		it, err = q.interactions.GetTx(tx, id)
		return err
	})
	return it, r, err
}

func (q *Queue) assess(text string, it *interaction.Interaction, r Row) Assessment {
	if q.Assess != nil {
		return q.Assess(text, it)
	}
	if interaction.TextHash(text) == r.TextHash {
		return r.Assessment
	}
	return Assessment{Passed: true, Confidence: 1}
}

// clean tells whether a text may go to a customer once a person agrees.
func (a Assessment) clean() bool { return a.Passed && !a.Blocked && !a.Borderline }

func refusal(a Assessment, msg string) error {
	var fields []fault.Field
	for _, f := range a.Flags {
		fields = append(fields, fault.Field{Name: "text", Msg: f.Code + ": " + f.Why})
	}
	if len(fields) == 0 {
		fields = append(fields, fault.Field{Name: "text", Msg: "The check calls it " + a.word() + "."})
	}
	return fault.WithFields(msg, fields...)
}

func (a Assessment) word() string {
	switch {
	case a.Blocked:
		return "blocked"
	case a.Borderline:
		return "borderline"
	case a.Label == "":
		return "not assessed"
	}
	return strings.ToLower(strings.ReplaceAll(a.Label, "_", " "))
}

// seconds is the time on the case: as the page measured it, but no longer than since the claim began, if there was one.
func (in *Input) seconds(since int64, tx *db.Tx) int {
	n := min(max(in.SecondsOnCase, 0), maxSeconds)
	if since == 0 {
		return n
	}
	sinceClaim := min(int((tx.NowMs()-since)/1000), maxSeconds)
	if n == 0 {
		return sinceClaim
	}
	return min(n, sinceClaim)
}
