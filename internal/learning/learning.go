// Package learning turns what people decide into knowledge, one lesson at a time.
//
// A lesson is anything that may be learned and where it stands on the path: reflect (what went wrong, why, and which
// principle follows), validate (does the principle help on guidance that people approved, and stay away where it must),
// refine ("When [situation], [action] because [reason]"), judge (four heads and duplicates), accept (a person). A
// revision or a rejection goes down that path; an approval and a revision also leave a case, once they are released. So do an
// experts' ruling, a critical check's finding (urgently, once per check and agent) and a panel that is sure that a text fails: seed
// 000's compliance feedback loop. A reflection over many memories (package stream) may propose a principle too. What a person
// teaches takes the place of the same from a check or panel.
//
// Tables: lesson, lesson_source, lesson_step, lesson_test (migrations 00007 and 00030). What is learned from is pseudonymised
// before it is stored, and lesson_source holds its text alone, so that erasing a person reaches one row.
//
// What it promises. The lesson and its first job are written in the decision's own transaction. Each stage is a job whose
// arguments are the lesson's id; the reasoner is asked outside any transaction; its answer, the lesson's next stage and
// the next job are one write, guarded by a compare-and-set on stage and version, so a job that runs twice, or beside
// its twin, or after an undo, has one effect or none. A duplicate is looked for inside that same write, so two lessons
// can't make one rule twice. Undoing a decision withdraws whatever came of it. A step that keeps failing leaves a lesson
// that says why in plain words and can be retried. Nothing becomes active without a person, or a policy that people set
// for the domain (never regulatory compliance, never a provisional rule).
//
// A person may send a lesson back with a note, as often as they like (lesson_back.go); the note becomes part of what is learned from,
// so it is pseudonymised, reaches the reasoner as material and is erased with the rest. The rule keeps its number and its
// history. What a person words anew is judged again by the deterministic guards (lesson_vet.go), whoever the reasoner is. Many
// lessons are settled one by one behind one act (lesson_bulk.go); provisional rules and those on compliance never are.
//
// Every step has two reasoners: Embedded (no network, deterministic) and Prompted (a language model under strict
// schemas); the step says which one answered.
//
// Differences from seed 000, on purpose. Its gate asks one model whether a principle "would help" and counts the yeses, 7 of
// 10; here a case counts only when the approved guidance itself speaks for or against the rule and the draft without the
// rule did not do the same: the draft that a person corrected, or what the advisor writes now with the rule and without it
// (lesson_arms.go). The rest is "silent", not counted, and uses nothing up; the rule must also stay quiet on customers it is not for;
// and what is asked is a lower bound (gate.go). Until the cases suffice a rule is provisional: marked, never accepted by
// policy, and tried again as cases arrive (lesson_retest.go); one that fails then is taken out of recall for a person to
// look at. Decisions come from fields, never from a substring ("does not pass" passed there). Confidence is helped/tried
// only once the gate is passed and is shrunk towards one half before that. The domain "human_feedback" does not exist: a
// correction is filed under what it is about. Only what a person approved becomes an exemplar; no score does.
package learning

import (
	"log/slog"
	"sync/atomic"

	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/privacy"
)

// Policy is what people may set about the path. The zero value of a field means its default.
type Policy struct {
	Gate        string          // GateWilson, or GateSeed for comparison
	Threshold   float64         // share of telling cases on which a principle must help; 0.7
	Exemplars   int             // on how many telling cases a rule is tried at most; 50, under the seed's gate 10
	MustNotFire int             // on how many cases outside its situation; 10, under the seed's gate 3
	Attempts    int             // how often a step is tried before the lesson fails; 5
	AutoAccept  map[string]bool // domains whose judged, non-provisional rules need no person; never regulatory_compliance
}

func (p Policy) withDefaults() Policy {
	if p.Gate == "" {
		p.Gate = GateWilson
	}
	exemplars, aliens := wilsonExemplars, wilsonAliens
	if p.Gate == GateSeed {
		exemplars, aliens = seedExemplars, seedAliens
	}
	if p.Threshold <= 0 {
		p.Threshold = gateThreshold
	}
	if p.Exemplars <= 0 {
		p.Exemplars = exemplars
	}
	if p.MustNotFire <= 0 {
		p.MustNotFire = aliens
	}
	if p.Attempts <= 0 {
		p.Attempts = 5
	}
	return p
}

// mayAutoAccept tells whether policy lets a rule in without a person.
func (p Policy) mayAutoAccept(domain string, provisional bool) bool {
	return p.AutoAccept[domain] && domain != RegulatoryCompliance && !provisional
}

// Pipeline takes lessons down the path. It is safe for concurrent use.
type Pipeline struct {
	d        *db.DB
	jobs     *job.Queue
	kb       *knowledge.Base
	reasoner Reasoner
	drafter  Drafter   // of the two arms of a case; nil for none
	guard    *Embedded // judges what a person words anew, whoever the reasoner is
	priv     *privacy.Pseudonymiser
	policy   Policy
	log      *slog.Logger
	held     atomic.Pointer[hold] // HoldAt
}

// New makes the pipeline and registers its jobs, so it must be called before the queue starts.
func New(d *db.DB, jobs *job.Queue, kb *knowledge.Base, r Reasoner, priv *privacy.Pseudonymiser, policy Policy, log *slog.Logger) *Pipeline {
	p := &Pipeline{d: d, jobs: jobs, kb: kb, reasoner: r, guard: NewEmbedded(compliance.NewChecker(d.Now)), priv: priv, policy: policy.withDefaults(), log: log}
	p.register()
	return p
}
