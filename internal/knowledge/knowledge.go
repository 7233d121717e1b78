// Package knowledge is what an agent has learned and what it is given back: the case base, the rules base, recall over
// both, the ledger of what was used, and the import of guidance documents.
//
// It owns knowledge_case, knowledge_case_version, knowledge_rule, knowledge_rule_version, knowledge_duplicate,
// knowledge_usage, knowledge_seq, knowledge_state, knowledge_reindex and knowledge_prompt; the words and vectors under
// which things are found belong to package search and are written in the same transaction.
//
// What it promises. A version that was shown to an agent can be read for ever: every change, of status too, is a new
// version with author and reason, and nothing is deleted. Numbers ("Case #127", "R-12") are given once. Only active
// rules and active cases with guidance are recalled. An agent sees its own knowledge and what is shared, never
// another's. Recall is deterministic, stays inside the token budget, and says of each item why it is there.
//
// Recall follows seed 000 ("Retrieval", "Compliance-Specific Rule Priority") on top of hybrid candidates; each of the
// seed's formulas is a named function with its section (formulas.go). Its prompt has no words for a rule that no case
// tested: ours has "Confidence: not tested yet" and "Evidence: Made from case 025". Seed errors resolved: the forced
// compliance rules could appear twice and pushed out better ones (reserve); the importance multiplier was declared and
// never used in a score; a raw RRF score (at most 0.03) would drown in the boosts (rescale); a document counted as
// verified because it was official, though real pages are years stale (import checks figures and ranks flagged sections
// down).
//
// A version may begin and end on a date; a version supersedes all before it from its first day on, and the status of
// the newest one holds at once (effective.go). All versions are numbered in one order (seq), so that a state of the
// whole base is one number, and costs nothing to keep (state.go). Going back writes new versions in one transaction and
// has the search index follow in small ones; recall minds what stands in the versions, so it never gives a mixture
// (rollback.go). What was erased or quarantined is never brought back by it. Each draft's prompt is kept as the text it
// was, compressed (prompt.go); what is erased is taken out of it (prompt_erase.go).
//
// Every text that comes into use passes one gate (Vet, vet.go), whichever way it comes, inside the write that would
// bring it in.
//
// Decided against: a snapshot of all items for each state, a rollback into quarantine (no rollback could take it out),
// going back in worth and credit, merging texts by a model, scores that approve anything, and a cache of recalled
// prompts.
package knowledge

import (
	"context"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// AnyAgent as Query.AgentID asks for everybody's knowledge, for people who browse it.
const AnyAgent = search.AnyAgent

// Modes of recall.
const (
	Hybrid = "hybrid"
	Seed   = "seed" // plain cosine, as seed 000 has it
)

// Sources of cases.
const (
	FromReview   = "review"
	FromDocument = "document"
	FromDataset  = "dataset"
	FromPractice = "practice"
	FromFeedback = "feedback"
)

// Statuses of cases and rules.
const (
	Candidate = "candidate" // waits for a person's acceptance
	Active    = "active"    // recalled
	Rejected  = "rejected"
	Withdrawn = "withdrawn" // its decision was undone
	Retired   = "retired"   // superseded, or its source is gone

	Quarantined = "quarantined" // a rule that seems to do harm: out of recall until a person has looked at it
)

// StatusWords say the status of a rule or a case, the same everywhere.
func StatusWords(status string) string {
	return map[string]string{Active: "in use", Candidate: "waiting for an expert", Rejected: "rejected",
		Withdrawn: "withdrawn", Quarantined: "in quarantine", Retired: "retired"}[status]
}

// Domains of rules that seed 000 names ("Compliance-Specific Rule Priority"); a pack's data lists its own.
const (
	RegulatoryCompliance      = "regulatory_compliance"
	RiskDisclosure            = "risk_disclosure"
	UnderstandingVerification = "understanding_verification"
	PensionEducation          = "pension_education"
)

// Domains lists those of all packs, weightiest first.
var Domains = allDomains()

func allDomains() (out []string) {
	for _, d := range pack.RuleDomains() {
		out = append(out, d.Name)
	}
	return out
}

// Options of New.
type Options struct {
	Mode string // Hybrid when empty
	// RecentFor is how long a case counts as recent; 30 days when 0.
	RecentFor time.Duration
	// Previous embeds queries while the corpus is being re-embedded, if its name is that of the vectors in use.
	Previous []llm.Embedder
	// Hide takes what is personal, and the customer's known values, out of a question before it leaves for an embedder
	// that is not local. What is stored has been through it already. Nil hides nothing.
	Hide func(text string, known ...string) string
	// Compliant says what a pack's compliance check has against a text of a rule; "" is nothing. Nil has nothing
	// against any.
	Compliant func(packName, text string) (why string)
	// Personal lists the words of a text that belong to one customer: known values, and what the detectors find. Nil
	// finds none.
	Personal func(text string, known ...string) []string
	// Compare tells what contradicts what; nil is compare.Plain.
	Compare compare.Func
	// PackOf is the name of an agent's pack; nil knows none, which is pension.
	PackOf func(tx *db.Tx, agentID string) (string, error)
	// OnRule follows each new version of a rule, and OnMany once rules that were changed in bulk (a rollback of the
	// whole base, an import) and documents that contradict each other, in the transaction. Where one is nil nothing
	// follows.
	OnRule func(tx *db.Tx, r Rule) error
	OnMany func(tx *db.Tx) error
	// OnOutdated follows where a section was changed or left use, in the transaction: what in use rests on what it said
	// before. all tells that nothing else does. Nil follows nothing.
	OnOutdated func(tx *db.Tx, section Case, list []Outdated, all bool) error
	// OnCase follows each new version of a case, in the transaction: agents may be given it or not, see WithheldTx. Nil
	// follows nothing.
	OnCase func(tx *db.Tx, c Case) error
	// Fetch reads a page at an address; the error is for a person. Nil reads none.
	Fetch func(ctx context.Context, address string) (mediaType string, body []byte, err error)
	Log   *slog.Logger
}

// Base is the door to the knowledge.
type Base struct {
	db       *db.DB
	index    search.Index
	embedder llm.Embedder
	previous []llm.Embedder
	local    bool // the embedder may be asked inside a transaction
	opts     Options
	log      *slog.Logger
	jobs     *job.Queue // nil in tests that have none
	// Compare tells what contradicts what, here and to those who compare rules and wishes with each other.
	Compare compare.Func
	rules   atomic.Pointer[ruleCache]
	counts  counts
}

// New makes a base on d. Its background job is registered with RegisterJobs.
func New(d *db.DB, index search.Index, embedder llm.Embedder, o Options) *Base {
	if o.Mode == "" {
		o.Mode = Hybrid
	}
	if o.RecentFor <= 0 {
		o.RecentFor = 30 * 24 * time.Hour
	}
	if o.OnRule == nil {
		o.OnRule = func(*db.Tx, Rule) error { return nil }
	}
	if o.OnMany == nil {
		o.OnMany = func(*db.Tx) error { return nil }
	}
	if o.OnOutdated == nil {
		o.OnOutdated = func(*db.Tx, Case, []Outdated, bool) error { return nil }
	}
	if o.OnCase == nil {
		o.OnCase = func(*db.Tx, Case) error { return nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Base{db: d, index: index, embedder: embedder, previous: o.Previous, local: llm.IsLocal(embedder), opts: o,
		log: o.Log, Compare: o.Compare}
}

// Case is a stored success, or a mistake kept as a warning (Guidance empty, Negative set).
type Case struct {
	ID      string
	Number  int
	Version int
	Status  string // Active or Retired
	Source  string // FromReview, FromDocument, ...
	Origin  string // what it was made from, unique per agent and source; "" for none
	AgentID string // "" is shared
	// InteractionID is whose text it was, of a case that a draft or an outcome made.
	InteractionID string
	Task          string
	Domain        string
	Exemplar      bool // fit for few-shot prompts and for validating rules
	Approved      bool // a person approved it
	Flags         []Flag
	Validity
	CaseText
	CreatedAt time.Time
	UpdatedAt time.Time
	// By and Reason: who wrote this version, and why.
	By     audit.Actor
	Reason string

	vector []float32
	model  string
}

// CaseText is what a version of a case says.
type CaseText struct {
	Title          string   `json:"title"`
	Situation      string   `json:"situation"`
	Reasoning      string   `json:"reasoning,omitempty"`
	Guidance       string   `json:"guidance"`
	Outcome        string   `json:"outcome,omitempty"`
	SuccessFactors []string `json:"success_factors,omitempty"`
	Negative       string   `json:"negative,omitempty"` // the agent's version that a person corrected or rejected
	Citation       string   `json:"citation,omitempty"` // document cases: dir/file.md#heading
	Path           string   `json:"path,omitempty"`     // document cases: dir/file.md
	Place          string   `json:"place,omitempty"`    // where in it: an anchor, or page=3
	Heading        string   `json:"heading,omitempty"`
	Page           string   `json:"page,omitempty"` // document cases: the title of the whole page
	// document cases that no agent owns: whose agents share it; "" is everybody's, as before there were packs
	Pack  string `json:"pack,omitempty"`
	Flags []Flag `json:"flags,omitempty"`
}

// Flag is a reason for a person to look at a case.
type Flag struct {
	Code     string `json:"code"`     // stale_figure, conflict, withdrawn_service, ...
	Severity string `json:"severity"` // major or minor
	Quote    string `json:"quote,omitempty"`
	Why      string `json:"why"`
	Of       string `json:"of,omitempty"` // of an older wording: the id of the section
}

// Label is how the seed's prompt names the case, as "Case #127".
func (c Case) Label() string { return "Case #" + pad(c.Number) }

// Rule is a validated principle, or one on its way there.
type Rule struct {
	ID      string
	Number  int
	Version int
	Status  string // Candidate, Active, Rejected, Withdrawn or Retired
	AgentID string // "" is shared
	Domain  string
	// ReviewBy is when a person should look at the rule again; zero is never.
	ReviewBy time.Time
	Validity
	RuleText
	CreatedAt time.Time
	UpdatedAt time.Time
	By        audit.Actor
	Reason    string
	// Yields are the rules in force that hold instead where they apply. Read with the rules in force alone.
	Yields []*Rule `json:"-"`

	vector []float32
	model  string
}

// RuleText is what a version of a rule says.
type RuleText struct {
	Title        string   `json:"title"`
	Principle    string   `json:"principle"` // "When [situation], [action] because [reason]"
	Situation    string   `json:"situation"`
	Action       string   `json:"action"`
	Because      string   `json:"because"`
	Confidence   float64  `json:"confidence,omitempty"` // 0 to 1, from validation; see Untested
	Provisional  bool     `json:"provisional,omitempty"`
	FCACompliant bool     `json:"fca_compliant"`
	Supporting   []string `json:"supporting,omitempty"`   // ids of cases
	MadeFrom     []string `json:"made_from,omitempty"`    // those of Supporting that it was made from, which test nothing
	Counter      []string `json:"counter,omitempty"`      // ids of cases
	CreatedFrom  string   `json:"created_from,omitempty"` // the lesson's or decision's id
	Lead         bool     `json:"lead,omitempty"`         // must come before everything else in a draft
	Noticed      bool     `json:"noticed,omitempty"`      // in an agent's sessions: nobody stated it, nor chose its scope

	// Statement is the rule as it was stated; Principle and its parts are rendered from it. Empty in versions from
	// before rules were data: their sentence is shown and given to models, and not carried out by the embedded advisor.
	Statement rule.Statement `json:"statement,omitzero"`
}

// Label is how people call the rule, as "R-12".
func (r Rule) Label() string { return "R-" + strconv.Itoa(r.Number) }

// Version is one entry of a rule's or case's life.
type Version struct {
	Version   int
	Status    string
	By        audit.Actor
	Reason    string
	CreatedAt time.Time
	Domain    string
	ReviewBy  time.Time // of a rule
	Validity
	Rule *RuleText // of a rule
	Case *CaseText // of a case
}

// Change says who changes something, why, and which version they saw (0 does not check).
type Change struct {
	By      audit.Actor
	Reason  string
	Version int
}

// Filter narrows Cases and Rules. Zero values do not.
type Filter struct {
	AgentID  string // that agent's own and the shared; "" all
	Source   string // cases
	Status   string // "" all
	Task     string // cases
	Domain   string
	Text     string // in title or text, case-insensitive
	Flagged  bool
	Exemplar bool
	// Provisional leaves the rules that were tried on too few cases so far.
	Provisional bool
	Held        bool   // with the wording that holds now, where the newest begins later
	Cursor      string // Next of the page before
	Limit       int    // 50 when 0, at most 500
}

func pad(n int) string {
	s := strconv.Itoa(n)
	for len(s) < 3 {
		s = "0" + s
	}
	return s
}
