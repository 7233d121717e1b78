package reviews

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/advisor"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/internal/review/reply"
	"preceptor/internal/signal"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// The forms of a case, each an address of its own. Stop and Recall are for decisions that somebody made.
const (
	ModeRevise = review.Revise
	ModeReject = review.Reject
	ModeReturn = review.Return
	ModeSkip   = "skip"
	ModeAssign = "assign"
	// ModeOverrule approves a text against the checks that block it.
	ModeOverrule = review.OverruleMode
	ModeStop     = "stop"   // take back what somebody else decided, while it is held
	ModeRecall   = "recall" // take back what was delivered, to correct it
)

// Case is one case, for deciding or for reading.
type Case struct {
	Item       *review.Item
	In         *interaction.Interaction
	Flags      []review.Flag     // of the text under review
	Assessment review.Assessment // of the text under review
	Knowledge  []Known
	Moved      []knowledge.UsedItem    // on which the draft rests, and that changed since
	Cuts       []Cut                   // left out of what the draft cites
	Issues     map[int][]signal.Signal // of evaluators, by step; 0: of the whole
	Notes      []string                // what the drafter has to say of the text shown
	Unanswered string                  // the group in which the question is listed; "" for none
	History    []interaction.Event
	Lesson     *learning.Lesson
	Pos, Total int
	Prev, Next string // ids; empty at the ends
	Filter     string // query that the neighbours keep, as "?agent=x"
	Viewer     string
	Now        time.Time
	Targets    Targets
	To         []ui.Option // to whom the viewer may assign the case
	Mode       string      // "" or one of the forms
	OneWay     bool        // who wrote it can't act on a note, so it isn't sent back
	Form       Form
	Check      *Check
	Preview    *statement.Preview // of what is being stated; nil: fetched when the page is there
	Conflict   string             // who decided what, after a 409
	Rail       Rail

	Questions []credit.Question // what the draft was shown, to be ticked in a form that does not approve it

	Saved   time.Time        // when what stands in the form was saved; zero: nothing was
	Typed   []review.Draft   // what the viewer typed and hasn't sent, in other forms or for an older text
	Similar *SimilarView     // nil: fetched after the page is there
	Sent    *review.Decision // what went out before, of a case that was recalled to be corrected
	// Out is all that went out and was recalled, of the versions before too, and Earlier their history; oldest first.
	Out     []review.Decision
	Earlier []interaction.Event
	// Told is how the recall gets to the agent.
	Told delivery.Standing
	// Escalated is where its customer is, of a draft that was rejected for good; Ending is what was typed of how that
	// ended and can't be taken.
	Escalated *escalation.Case
	Ending    Ending
	Thread    []review.Told       // the other drafts of the conversation, newest first
	SeenTurn  int                 // the customer's last message that the page was opened with; 0: this is it opened
	Older     *Version            // the case that this one answers anew
	Newer     *Version            // the case that answers this one anew
	Planted   string              // what was wrong with a seeded check; only once it is closed
	Note      string              // what was typed for the experts and could not be sent
	Expert    borderline.Standing // where compliance experts stand on the text under review
	Said      []borderline.Answer // theirs, where they ended without a ruling
	Practice  *Practice           // it is made up, to practise on; nil for what somebody asked
	// Comments is drawn in its place when somebody set it.
	Comments templ.Component
	// Wording is the approved text, by code, that mends a flag of the text at hand; Replies what the viewer may put in.
	Wording map[string]string
	Replies []reply.Reply
	Lent    string // why nothing is learned from the changes in the text; "" where something may be
}

// Version is another round of the same question: before or after it was sent back.
type Version struct {
	ID   string
	Note string // with which it was sent back
	By   string
	At   time.Time
}

// SimilarView are earlier decisions about cases like this one.
type SimilarView struct {
	Items []review.Similar
}

// Cut is a sentence that the draft could have from a source, with the key by which it is put back.
type Cut struct {
	advisor.Cut
	Key string
}

// Known is one piece of knowledge that the advisor was shown.
type Known struct {
	Kind, Label, Href, Text string
	Why                     []string
	Stale                   string // what happened to it since, as "withdrawn since"
}

// UsedHref is the page of what a draft was shown.
func UsedHref(u knowledge.UsedItem) string { return "/knowledge/" + u.Kind + "s/" + u.ID }

// Form is what somebody typed, and what is wrong with it by field.
type Form struct {
	Text, Reason, ReasonCode, Feedback string
	To                                 string   // to whom it is to be assigned
	Misled                             []string // what was ticked
	Overrule                           []string // codes that were ticked
	OverruleReason                     string
	Arguments                          map[string][]string // of actions, by field, as they were typed
	Teach                              statement.Form      // what should change next time
	Seconds                            int
	Errors                             map[string]string
	Message                            string // what is wrong as a whole
}

// first reports whether the focus belongs in this of a form's fields: the first that is wrong, or the first of all.
func (f Form) first(name string, fields ...string) bool {
	for _, n := range fields {
		if f.Errors[n] != "" {
			return n == name
		}
	}
	return name == fields[0] && f.Teach.Focus == 0
}

// Check is the live answer to a text being revised.
type Check struct {
	Assessment review.Assessment
	Changes    []ui.Change
	Unchanged  bool                // the text
	From, To   interaction.Actions // those under review, and as they are typed
	Wrong      string              // with the arguments as they are typed
}

// acted reports whether an action changes that the text doesn't say.
func (c Check) acted(v Case) bool { return !v.In.NoText && !c.To.Same(c.From) }

// Decided reports whether the case can't be decided any more.
func (v Case) Decided() bool { return v.Item.State != "waiting" }

// HeldByOther reports whether somebody else works on the case now.
func (v Case) HeldByOther() bool { return v.Item.Claim.HeldByOther(v.Viewer, v.Now) }

// Mine reports whether the viewer holds the case.
func (v Case) Mine() bool { return v.Item.Claim.Active(v.Now) && v.Item.Claim.By.ID == v.Viewer }

// RanOut reports whether the viewer held the case until a moment ago and nobody took it.
func (v Case) RanOut() bool {
	c := v.Item.Claim
	return c.By.ID == v.Viewer && c.By.ID != "" && !c.Active(v.Now)
}

// free reports whether nobody works on the case, and nobody's hold on it just ran out.
func (v Case) free() bool {
	return !v.Decided() && !v.HeldByOther() && !v.Mine() && !v.RanOut() && !v.signedByMe()
}

// Pending reports whether one supervisor signed the text and a second one is awaited.
func (v Case) Pending() bool {
	return !v.Decided() && v.Item.Base != nil && v.Item.Base.State == review.Pending
}

// signedByMe reports whether the viewer signed first and so can't be the second.
func (v Case) signedByMe() bool {
	return !v.Decided() && v.Item.First.ID != "" && v.Item.First.ID == v.Viewer
}

// TaskLabel is what the case is about.
func TaskLabel(v Case) string { return pack.Label(v.In.Consultation.TaskType) }

// mayDecide reports whether the forms are shown.
func (v Case) mayDecide() bool { return !v.Decided() && !v.HeldByOther() && !v.signedByMe() }

// text is the text under review: a first signer's, what was recalled, or the agent's draft.
func (v Case) text() string {
	if v.Item.Text == "" && v.Item.Base == nil {
		return v.In.Guidance
	}
	return v.Item.Text
}

// approvable reports whether approve is open: a text that does not pass waits for a passing one or a ruling.
func (v Case) approvable() bool {
	if v.expertsHave() {
		return v.Expert.Releases()
	}
	return v.Assessment.Clean() || v.confirms()
}

// confirmed ties a button to the sentence that it confirms; in practice there is none.
func (v Case) confirmed() templ.Attributes {
	if v.Practice != nil {
		return nil
	}
	return templ.Attributes{"aria-describedby": "confirmation"}
}

// confirms reports whether the first signature overruled all that blocks the text, so that only the second is missing.
func (v Case) confirms() bool {
	return v.Pending() && len(v.Item.Base.Overrulings) > 0 && v.Item.Base.Covers(v.Assessment.Stopping()) &&
		len(v.final(v.Assessment)) == 0
}

// final are the codes that block a text and that nobody can overrule.
func (v Case) final(a review.Assessment) []string {
	return review.Final(a.Stopping(), v.In.Consultation.Pack)
}

// overrulable reports whether a person may overrule what blocks a text.
func (v Case) overrulable(a review.Assessment) bool {
	return len(a.Stopping()) > 0 && len(v.final(a)) == 0
}

// expertsHave reports whether experts decide about the text under review: it was sent to them, or they ruled. What only
// the panel enrolled waits for nobody.
func (v Case) expertsHave() bool { return v.Expert.Ruled != "" || v.Expert.Open && v.Expert.Sent != "" }

// decision is the one that stands; nil while waiting.
func (v Case) decision() *review.Decision { return v.Item.Decision }

// undoable reports whether the standing decision is held, or a pending signature of the viewer's, so that it can be
// taken back.
func (v Case) undoable() bool {
	d := v.decision()
	return v.Decided() && d != nil && d.State == review.Held && v.Now.Before(d.HeldUntil)
}

// signed reports whether the viewer signed a decision, first or second.
func (v Case) signed(d *review.Decision) bool {
	return d != nil && (d.By.ID == v.Viewer || (d.Second.ID != "" && d.Second.ID == v.Viewer))
}

// recallable reports whether the text went out and may be taken back to be corrected.
func (v Case) recallable() bool {
	d := v.decision()
	return v.Decided() && d != nil && d.State == review.Released
}

func (v Case) href(tail string) string { return v.at(v.Item.ID) + tail }

// at is the address of a case beside this one.
func (v Case) at(id string) string {
	if v.Practice != nil {
		return v.Practice.href(id)
	}
	return "/reviews/" + id
}

// mode is the address of a form of this case; the queue's filter stays.
func (v Case) mode(m string) string {
	if m == "" {
		return v.href("") + v.Filter
	}
	if v.Filter == "" {
		return v.href("?mode=" + m)
	}
	return v.href(v.Filter + "&mode=" + m)
}

// draftHref opens a form with what was typed for an older text.
func (v Case) draftHref(d review.Draft) string {
	if d.Version == v.Item.Version {
		return v.mode(d.Mode)
	}
	return v.mode(d.Mode) + "&draft=" + strconv.Itoa(d.Version)
}

// aheadHref is where the next case is to be had before it is needed.
func (v Case) aheadHref() string {
	if v.Filter == "" {
		return "/reviews/ahead?after=" + v.Item.ID
	}
	return "/reviews/ahead" + v.Filter + "&after=" + v.Item.ID
}

// AheadKey says which text of which case a page shows, and what asks for two: it may be used as long as these are the
// same.
func AheadKey(r review.Row) string {
	return r.ID + "." + strconv.Itoa(r.Version) + "." + r.TextHash + "." + r.TwoEyes
}

// position is "3 / 17"; nothing where to count would have taken too long.
func (v Case) position() string {
	if v.Pos == 0 {
		return ""
	}
	counted := func(n int) string {
		if n == review.MaxPosition {
			return ui.Thousands(n) + "+"
		}
		return ui.Thousands(n)
	}
	return counted(v.Pos) + " / " + counted(v.Total)
}

// told are the facts as they stand beside the case, and those that are folded away when an agent sends a great many.
// What stands above them as a sign is not said twice.
func told(c interaction.Customer) (shown, more []ui.Fact) {
	if c.Vulnerable != nil && *c.Vulnerable {
		c.Vulnerable = nil
	}
	shown, more = given(c), extras(c.Extra)
	if len(more) <= 6 {
		return append(shown, more...), nil
	}
	return shown, more
}

// given are the fields that every agent may send.
func given(c interaction.Customer) []ui.Fact {
	var out []ui.Fact
	add := func(label, value string) {
		if value != "" {
			out = append(out, ui.Fact{Label: label, Value: value})
		}
	}
	add("Name", c.Name)
	if c.Age != nil {
		add("Age", strconv.Itoa(*c.Age))
	}
	for _, p := range c.Pensions {
		add(pensionKinds[p.Kind], pensionLine(p))
	}
	add("Literacy", c.Literacy)
	if c.Vulnerable != nil {
		add("Vulnerable", map[bool]string{true: "yes", false: "no"}[*c.Vulnerable])
	}
	add("Goal", c.Goal)
	return out
}

// care is what a supervisor must not overlook about a customer, by their profile, their words and what was found in the
// case.
func care(asked interaction.Consultation, found []string) (words []string) {
	s := asked.Situation().Known()
	if s.Fragile() || slices.Contains(found, pack.Vulnerable) {
		words = append(words, "Vulnerable customer")
	}
	if s.HoldsDB() || slices.Contains(found, pack.DBPension) {
		word := "DB pension"
		if list := asked.Customer.Pensions; len(list) > 0 && !slices.ContainsFunc(list,
			func(p interaction.Pension) bool { return p.Kind == "db" }) {
			word += ", not in the profile"
		}
		words = append(words, word)
	}
	return words
}

// whyTwo names what asks for a second supervisor when the viewer approves, or sends the revision as the check read it.
func (v Case) whyTwo() string {
	if v.Mode != ModeRevise && v.Check == nil {
		return v.Item.TwoFor(v.Viewer, v.Assessment, false)
	}
	a := v.Assessment
	if v.Check != nil {
		a = v.Check.Assessment
	}
	return v.Item.TwoFor(v.Viewer, a, true)
}

// grounds are why a review that waits needs two supervisors.
func (v Case) grounds() []review.Ground {
	if v.Decided() || v.Practice != nil {
		return nil
	}
	return v.Item.Grounds()
}

var pensionKinds = map[string]string{"db": "DB pension", "dc": "DC pension", "state": "State Pension",
	"unknown": "Pension, kind unknown"}

func pensionLine(p interaction.Pension) string {
	value := "value not given"
	if p.ValueGBP != nil {
		value = "£" + ui.Thousands(int(*p.ValueGBP))
	}
	if len(p.Features) > 0 {
		value += ", " + strings.Join(p.Features, ", ")
	}
	return value
}

// Teach is the form in which one states what should change next time.
func (v Case) Teach() statement.Editor {
	s := v.In.Consultation.Situation()
	e := statement.Editor{Form: v.Form.Teach, Base: v.href(""), Pack: pack.Of(s.Pack), Private: true,
		Preview: v.Preview}
	e.Fields = statement.FieldsOf(e.Pack, s)
	if v.Mode == ModeRevise && !v.In.NoText {
		e.TextID, e.Lent = "text", v.Lent
	}
	return e
}

// draftForm is what was typed, to be read; what was stated too, as far as it can be.
func draftForm(d review.Draft) Form {
	f := Form{Text: d.Text, Reason: d.Reason, Feedback: d.Feedback}
	f.SetOverrulings(d.Overrule)
	if d.Stated != "" && json.Unmarshal([]byte(d.Stated), &f.Teach) != nil {
		// written by this program; an older form is left alone
		f.Teach = statement.Form{}
	}
	return f
}

// Overrulings are the checks that were ticked, each with the one reason that was typed; a reason alone has no code.
func (f Form) Overrulings() (list []review.Overruling) {
	for _, code := range f.Overrule {
		list = append(list, review.Overruling{Code: code, Reason: f.OverruleReason})
	}
	if len(list) == 0 && f.OverruleReason != "" {
		list = append(list, review.Overruling{Reason: f.OverruleReason})
	}
	return list
}

// SetOverrulings is the way back.
func (f *Form) SetOverrulings(list []review.Overruling) {
	for _, o := range list {
		if f.OverruleReason = o.Reason; o.Code != "" {
			f.Overrule = append(f.Overrule, o.Code)
		}
	}
}
