// Package policy says what people must see before it leaves: how much is reviewed, what is always reviewed, what needs
// a second supervisor, how many known-bad drafts are mixed in, and how fast the desk means to be. There is one policy
// for every agent, and an agent may have its own.
//
// Its versions are rows of package approval: two administrators make one, and nothing is deleted. The default, which
// nobody had to agree to, is to review everything. Share may lower that for guidance on which no condition stands; the
// Fixed conditions can't be switched off by anybody: a proposal without them is refused, and a stored text without them
// is read as if it had them. Versions are numbered over all agents, so the number that a decision carries names one
// text.
//
// A change holds from the next transaction on: ForTx reads what is in force in the caller's transaction.
//
// Who may see: every signed-in role. Who may change: administrators. The draw that picks what people read (Drawn) is a
// hash of the case's id: the same case always draws the same, whoever asks, so that a decision can be checked
// afterwards; a higher share draws all that a lower one drew. The id is made here after the draft has arrived, so an
// agent can't choose it.
//
// What it decided against: a policy per task type (conditions say it better).
package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"preceptor/internal/pack"
)

// Condition is something about a case that asks for people.
type Condition string

// The conditions.
const (
	RuleFlag      Condition = "rule_flag"      // a rule-based check found something
	Borderline    Condition = "borderline"     // the check could not settle it
	DBPension     Condition = "db_pension"     // the customer has a defined benefit pension
	Vulnerable    Condition = "vulnerable"     // the customer is vulnerable
	DBTransfer    Condition = "db_transfer"    // it is about giving up a defined benefit
	LowConfidence Condition = "low_confidence" // the check is not sure
	Revised       Condition = "revised"        // a person wrote the text; for SecondEyes

	Urgent Condition = "urgent" // the agent asks for haste; for First
	Live   Condition = "live"   // the customer waits in a chat or on the phone; for First

	// MaybeDBTransfer is that nothing rules DBTransfer out. It counts wherever that does, and no policy names it.
	MaybeDBTransfer Condition = pack.Open + DBTransfer
)

// Fixed conditions always lead to review, whatever a policy says.
var Fixed = []Condition{RuleFlag, Borderline, DBPension, Vulnerable}

// OfPension are the conditions that hold for no agent of another pack.
var OfPension = []Condition{DBPension, DBTransfer}

// Arriving are the conditions that can be known when a draft arrives, in the order of pages; Deciding those that can
// ask for a second supervisor.
var (
	Arriving = []Condition{RuleFlag, Borderline, DBPension, Vulnerable, DBTransfer, LowConfidence}
	Deciding = []Condition{DBTransfer, Vulnerable, DBPension, RuleFlag, Borderline, LowConfidence, Revised}
	Hurrying = []Condition{Live, Urgent} // can put a draft before the others
)

// Asked are the facts of what an agent asks for.
func Asked(urgent, live bool) (facts []string) {
	if urgent {
		facts = append(facts, string(Urgent))
	}
	if live {
		facts = append(facts, string(Live))
	}
	return facts
}

// IsFixed reports whether c can't be switched off.
func (c Condition) IsFixed() bool { return slices.Contains(Fixed, c) }

// Words say what c is, as they stand in a list: "the customer is marked vulnerable".
func (c Condition) Words() string { return words[c] }

var words = map[Condition]string{
	RuleFlag:      "a rule-based check found something",
	Borderline:    "the checks and judges did not agree that it is compliant",
	DBPension:     "the customer has a defined benefit pension",
	Vulnerable:    "the customer is vulnerable, by their profile or by what is said",
	DBTransfer:    "it is about giving up a defined benefit pension, or nothing rules that out",
	LowConfidence: "the judges were less than 70% sure of their verdict",
	Revised:       "a person rewrote the text",
	Urgent:        "the agent says that it's urgent",
	Live:          "the customer is waiting in a chat or on the phone",
}

// Label is c in two words.
func (c Condition) Label() string { return labels[c] }

var labels = map[Condition]string{
	RuleFlag: "Rule-based flag", Borderline: "Borderline", DBPension: "DB pension", Vulnerable: "Vulnerable customer",
	DBTransfer:    "DB transfer",
	LowConfidence: "Low confidence", Revised: "Revised text", Urgent: "Urgent", Live: "Live chat or call",
}

// Facts is what is known of a case, condition by condition.
type Facts map[Condition]bool

// Or is what is known by f or by g.
func (f Facts) Or(g Facts) Facts {
	all := maps.Clone(f)
	for c, known := range g {
		all[c] = all[c] || known
	}
	return all
}

// Policy is one version of what holds for an agent.
type Policy struct {
	AgentID     string      // "" for every agent that has none of its own
	Version     int         // 0: the built-in default, which nobody had to agree to
	Follows     bool        // the agent gives up its own policy; nothing below counts
	Share       float64     // 0 to 1: of guidance that no condition demands, how much people review
	Always      []Condition // always reviewed; the Fixed ones are, whether they stand here or not
	SecondEyes  []Condition // needs a second supervisor
	First       []Condition // of Hurrying: comes before the others in the queue
	Planted     float64     // 0 to 0.2: known-bad drafts mixed in, per draft that arrives
	TargetSoon  time.Duration
	TargetLate  time.Duration // past this, people are reminded
	WordsPerMin int           // reading faster than this is noted as hasty
	Experts     Experts       // asked about a borderline case
	ExpertShare float64       // 0 to 1: of the drafts that arrive, how many experts can take; the most uncertain go
	ExpertLate  time.Duration // from a borderline case's arrival to its ruling; past this, experts are reminded
}

// Experts are how many compliance experts answer a borderline case, each without seeing the others. All 0 is
// DefaultExperts.
type Experts struct {
	First int // at first
	Hard  int // at first, where judges disagree about somebody who has a guarantee to lose or is vulnerable
	Most  int // one more is asked while they are not of one mind, up to so many; then somebody adjudicates
}

// DefaultExperts is what holds until two administrators agree otherwise.
var DefaultExperts = Experts{First: 1, Hard: 2, Most: 3}

// DefaultExpertShare is what experts can take of the drafts that arrive, until two administrators agree otherwise.
const DefaultExpertShare = 0.1

// DefaultExpertLate is how long a borderline case may wait for its ruling, until two administrators agree otherwise.
const DefaultExpertLate = 24 * time.Hour

// MaxExperts bounds how many can be asked about one case.
const MaxExperts = 7

// or is e, or the default where nobody said anything.
func (e Experts) or() Experts {
	if e == (Experts{}) {
		return DefaultExperts
	}
	return e
}

// Default is what holds until two admins agree otherwise.
func Default() Policy {
	return Policy{Share: 1, Always: slices.Clone(Arriving), SecondEyes: []Condition{DBTransfer, Vulnerable},
		First: slices.Clone(Hurrying), Planted: 0, TargetSoon: 4 * time.Hour, TargetLate: 24 * time.Hour,
		WordsPerMin: 600, Experts: DefaultExperts, ExpertShare: DefaultExpertShare, ExpertLate: DefaultExpertLate}
}

// MustReview are the conditions that stand on a case and keep it from being let go unread; none: the draw decides.
func (p Policy) MustReview(f Facts) []Condition {
	var out []Condition
	for _, c := range Arriving {
		if c.IsFixed() || slices.Contains(p.Always, c) {
			out = append(out, c.of(f)...)
		}
	}
	return out
}

// NeedsSecond are the conditions that stand on a case and ask for a second supervisor.
func (p Policy) NeedsSecond(f Facts) []Condition {
	var out []Condition
	for _, c := range Deciding {
		if slices.Contains(p.SecondEyes, c) {
			out = append(out, c.of(f)...)
		}
	}
	return out
}

// of is c where it stands on a case, or that nothing rules it out.
func (c Condition) of(f Facts) []Condition {
	switch maybe := pack.Open + c; {
	case f[c]:
		return []Condition{c}
	case f[maybe]:
		return []Condition{maybe}
	}
	return nil
}

// ComesFirst reports whether a case comes before the others of the queue.
func (p Policy) ComesFirst(f Facts) bool {
	return slices.ContainsFunc(p.First, func(c Condition) bool { return f[c] })
}

// Drawn reports whether people review the case of this id although no condition demands it.
func (p Policy) Drawn(id string) bool { return lot(id) < p.Share }

// Unread reports whether a case would be let go with nobody having read it.
func (p Policy) Unread(id string, f Facts) bool { return len(p.MustReview(f)) == 0 && !p.Drawn(id) }

// lot is a number from 0 up to but not including 1 that belongs to an id and looks like chance.
func lot(id string) float64 {
	sum := sha256.Sum256([]byte("preceptor review sample\n" + id))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}
