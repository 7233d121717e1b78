package review

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/policy"
	"preceptor/internal/rule"
)

// maxMisled bounds Input.Misled, in bytes.
const maxMisled = 8_000

// maxSeconds is the longest time on a case that is believed: a day.
const maxSeconds = 24 * 60 * 60

// normalise brings the input into the form that is stored. Browsers send line ends as CRLF.
func (in *Input) normalise() {
	in.Text = strings.ToValidUTF8(lines(in.Text), "\uFFFD")
	in.Reason = text.Typed(in.Reason)
	in.Feedback = text.Typed(in.Feedback)
	if in.Kind != Reject {
		in.ReasonCode = "" // of the form that was not sent
	}
	if in.Kind != Revise {
		in.Text, in.Arguments, in.Refused = "", nil, nil
	}
	if in.Overrule = tidyOverrulings(in.Overrule); in.Kind != Approve && in.Kind != Revise {
		in.Overrule = nil
	}
	if in.Kind == Approve || len(in.Misled) > maxMisled {
		in.Misled = "" // it never holds up a decision
	}
	if in.Kind == Approve || in.OnlyCustomer {
		in.Statements = nil
	}
	for i := range in.Statements {
		in.Statements[i] = in.Statements[i].Tidy()
	}
	in.Statements = slices.DeleteFunc(in.Statements, rule.Statement.Empty)
}

// Ready brings the input into the form that is stored and says what is wrong with it, as Decide would of a case with
// the text shown: for a decision that is none of a case here.
func (in *Input) Ready(shown string) error {
	in.normalise()
	if err := in.check(); err != nil {
		return err
	}
	return in.unchanged(shown)
}

// unchanged refuses a revision that changes nothing, and one with a place to fill in that the text shown didn't have.
func (in *Input) unchanged(shown string) error {
	if in.Kind != Revise {
		return nil
	}
	if in.Text == lines(shown) {
		return fault.Wrong("The text is unchanged.", "text", "Change it, or approve it instead.")
	}
	return in.Filled(shown)
}

// Filled is a fault that names the places of a revision that are left to fill in, and that the text shown didn't have.
func (in *Input) Filled(shown string) error {
	was := text.Blanks(shown)
	open := slices.DeleteFunc(text.Blanks(in.Text), func(name string) bool { return slices.Contains(was, name) })
	if in.Kind != Revise {
		return nil
	}
	if left := text.Unfinished(in.Text); len(open) == 0 && left != "" && left != text.Unfinished(shown) {
		msg := "Fill in or remove “" + left + "”."
		return fault.Wrong(msg, "text", msg)
	}
	if len(open) == 0 {
		return nil
	}
	msg := "Fill in {{" + strings.Join(open, "}}, {{") + "}}."
	return fault.Wrong(msg, "text", msg)
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
		long("feedback", in.Feedback)
	case Reject:
		long("feedback", in.Feedback)
		long("reason", in.Reason)
		if pack.ReasonOf(in.ReasonCode).Code == "" {
			add(&fault.Field{Name: "reason_code", Msg: "Choose a reason."})
		} else if in.ReasonCode == pack.ReasonOther && in.Reason == "" {
			add(&fault.Field{Name: "reason", Msg: "Say what is wrong in your own words."})
		}
	case Return:
		add(checkReason("reason", in.Reason, "Tell the agent what to do differently."))
		long("feedback", in.Feedback)
	default:
		add(&fault.Field{Name: "kind", Msg: "Decide approve, revise, reject or return."})
	}
	add(checkStatements(in.Statements))
	wrong = append(wrong, checkOverrulings(in.Overrule)...)
	if in.By.ID == "" {
		return fault.New(fault.Unsigned, "Sign in to decide.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.Unready(wrong)
}

func checkRevision(revised string) *fault.Field {
	switch {
	case strings.TrimSpace(revised) == "":
		return &fault.Field{Name: "text", Msg: "Enter the text for the customer."}
	case len(revised) > interaction.MaxGuidance:
		return &fault.Field{Name: "text", Msg: text.TooBig(revised, interaction.MaxGuidance)}
	}
	return nil
}

// Check assesses a text as Decide would, for the live re-check while somebody revises.
func (q *Queue) Check(ctx context.Context, id, text string) (a Assessment, err error) {
	return q.CheckWith(ctx, id, text, nil)
}

// CheckWith is Check beside actions other than those under review.
func (q *Queue) CheckWith(ctx context.Context, id, text string, acts interaction.Actions) (a Assessment, err error) {
	it, r, _, _, err := q.read(ctx, id, nil)
	if err != nil {
		return a, err
	}
	if acts != nil && !it.NoText {
		it.Consultation.Acts = acts.Text()
	}
	return q.assess(lines(text), it, r), nil
}

// checked is what was found before the transaction; what it is about can't change without the case's version changing.
type checked struct {
	flags  []Flag       // of the text on the screen
	facts  policy.Facts // of the case, whatever its draft or its text brings
	expert Expert       // of the text that would go out; the one thing that can change, see stillAllowed

	sent      Assessment   // of the text that would go out
	overruled []Overruling // what stops that text, all of it

	actions interaction.Actions // that would go out beside that text
}

// checkText refuses a text that does not pass. It runs before the transaction, because reading a long text takes a
// while and others wait to write; openTx then makes sure that the text on the screen is still the one that was checked.
func (q *Queue) checkText(ctx context.Context, in Input) (c checked, err error) {
	it, r, base, shown, err := q.read(ctx, in.ID, &in)
	if err != nil {
		return c, err
	}
	a := q.assess(shown, it, r)
	c = checked{flags: a.Flags, facts: r.Assessment.facts()}
	edited := false
	if edited, err = in.act(&c, base, it); err != nil {
		return c, err
	}
	sent := shown
	if in.Kind == Revise {
		sent = in.Text
	}
	if in.Kind == Approve || in.Kind == Revise {
		if c.expert, err = q.expert(ctx, in, sent); err == nil {
			err = c.expert.refuse()
		}
		if err != nil {
			return c, err
		}
	}
	msg := "This text can't be approved as it is."
	switch in.Kind {
	case Approve:
	case Revise:
		wrong := in.unchanged
		if edited {
			wrong = in.Filled
		}
		if err := wrong(shown); err != nil {
			return c, err
		}
		a, msg = q.assess(in.Text, it, r), "Your text is blocked."
	case Return:
		return c, q.hooks.MayReturn(it)
	default:
		return c, nil
	}
	c.sent = a
	if c.overruled, err = in.overrule(a, c.expert, base, it.Consultation.Pack, msg); err != nil {
		return c, err
	}
	c.facts = c.facts.Or(a.facts())
	return c, nil
}

// read gets what a check needs; shown is the text under review, base whose it is. With in, it says at once that the
// decision would not go through.
func (q *Queue) read(ctx context.Context, id string,
	in *Input) (it *interaction.Interaction, r Row, base *Decision, shown string, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		if in != nil {
			if err := q.hooks.MayDecide.May(tx, in.By.ID); err != nil {
				return err
			}
		}
		if r, err = getRow(tx, id); err != nil {
			return err
		}
		if in != nil {
			if err := r.conflict(tx, *in); err != nil {
				return err
			}
		}
		if it, err = q.interactions.GetTx(tx, id); err != nil {
			return err
		}
		base, shown, err = underReview(tx, r, it)
		if base != nil && !it.NoText {
			it.Consultation.Acts = base.Actions.Text()
		}
		return err
	})
	return it, r, base, shown, err
}

func (q *Queue) assess(text string, it *interaction.Interaction, r Row) Assessment {
	draft := r.BaseID == "" && interaction.TextHash(text) == r.TextHash && (it.NoText ||
		it.Consultation.Acts == it.Actions.Text())
	if draft && q.current(r.Assessment) {
		return r.Assessment
	}
	return q.hooks.Assess(text, it)
}

// current reports whether Assess would say the same now.
func (q *Queue) current(a Assessment) bool {
	return a.Rules != "" && a.Rules == q.hooks.Rules()
}

// Clean reports whether a text may go to a customer once a person agrees. What the deterministic checks find may stop
// it (Flag.Stops). What judges say asks for a person, and the supervisor is one: it marks the text, moves it up the
// queue and brings experts in, but a score stops nobody, as it approves nothing.
func (a Assessment) Clean() bool {
	switch {
	case a.Blocked:
		return false
	case !a.ByPanel() && a.Label != NotJudged:
		return a.Passed && !a.Borderline
	}
	return !slices.ContainsFunc(a.Flags, func(f Flag) bool { return f.Stops })
}

// certain reports whether neither checks nor judges have a doubt: only then may sampling let a text go unread. Where no
// judge reads the domain, the policy decides alone.
func (a Assessment) certain() bool {
	return (a.Passed || a.Label == NotJudged) && !a.Blocked && !a.Borderline
}

func refusal(a Assessment, msg string) error {
	var fields []fault.Field
	for _, f := range a.Flags {
		fields = append(fields, fault.Field{Name: "text", Msg: pack.IssueName(f.Code) + ": " + f.Why})
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
	return strings.ToLower(pack.IssueName(a.Label))
}

// seconds is the time on the case: as the page measured it, but no longer than since their claim began. Without a claim
// of their own nothing but the request says how long it was: that is 0.
func (in *Input) seconds(claim Claim, tx *db.Tx) int {
	if claim.By.ID != in.By.ID || claim.Since.IsZero() {
		return 0
	}
	sinceClaim := min(max(int(tx.Now.Sub(claim.Since).Seconds()), 0), maxSeconds)
	if in.SecondsOnCase <= 0 {
		return sinceClaim
	}
	return min(in.SecondsOnCase, sinceClaim)
}

// characters is how much there was to read.
func (c *deciding) characters() int {
	return utf8.RuneCountInString(c.it.Consultation.Question) + utf8.RuneCountInString(c.text)
}

// hasty reports whether the question and the text can't have been read in the time that was taken.
func (c *deciding) hasty() bool {
	words := len(strings.Fields(c.it.Consultation.Question)) + len(strings.Fields(c.text))
	return words*60 > c.policy.WordsPerMin*c.seconds
}

// Expert is what compliance experts say about a text that may go to a customer, where they have to do with it. At most
// one of Open, Releases and Blocks is set.
type Expert struct {
	Open     bool   // they have it: it can't be approved before they ruled
	Releases bool   // they ruled that it may go out, whatever the check says
	Blocks   bool   // they ruled that it may not, as it stands
	By       string // who ruled
}

func (q *Queue) expertTx(tx *db.Tx, id, text string) (Expert, error) {
	return q.hooks.Experts(tx, id, interaction.TextHash(text))
}

// expert is what experts say about the text that in would send.
func (q *Queue) expert(ctx context.Context, in Input, text string) (x Expert, err error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (Expert, error) { return q.expertTx(tx, in.ID, text) })
}

// refuse says why a text can't go out because of the experts; nil when they don't mind.
func (x Expert) refuse() error {
	switch {
	case x.Open:
		return fault.Wrong("The compliance experts have this text, so it can't be sent until they rule. Meanwhile, "+
			"you can revise it, reject it or send it back.",
			"text", "With experts; see the case under Borderline.")
	case x.Blocks:
		return fault.Wrong(x.By+" ruled that this text can't be sent as it is. Revise it, reject it or send it back.",
			"text", "Ruled against by "+x.By+".")
	}
	return nil
}

// stillAllowed makes sure, in the deciding transaction, that what the experts said of the text at the check is what
// they say now.
func (q *Queue) stillAllowed(tx *db.Tx, c *deciding) error {
	text := c.text
	switch c.Kind {
	case Approve:
	case Revise:
		text = c.Text
	default:
		return nil
	}
	x, err := q.expertTx(tx, c.ID, text)
	if err == nil && x != c.found.expert {
		err = changedSince()
	}
	return err
}
