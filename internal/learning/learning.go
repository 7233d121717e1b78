// Package learning turns what people decide into knowledge, one lesson at a time.
//
// A lesson is anything that may be learned and where it stands on the path: reflect (what should change: a statement),
// validate (do texts that people released speak for it), refine (its sentence, rendered), judge (four heads, the
// base's gate), accept (a person). A person states what should change, in a form made of the difference between two
// texts; the path carries the statement as it stands. Where nobody stated anything, the change that the remark speaks
// of is proposed as a guess, and the rest waits in state Unstated for an expert's sentence (State). Checks, panels and
// gold sets open one such lesson per issue code and agent, and never a rule alone, but for the pack's own mandatory
// warnings. Several statements of one decision are lessons of their own, numbered on the same cause.
//
// Tables: lesson, lesson_source, lesson_step, lesson_test (migrations 00007, 00030, 00046). What is learned from is
// pseudonymised before it is stored, and lesson_source holds its text alone, so that erasing a person reaches one row.
//
// What it promises. The lesson and its first job are written in the cause's own transaction. A reasoner is asked
// outside any transaction; its answer, the next stage and the next job are one write, guarded by a compare-and-set on
// stage and version, so a job that runs twice, or beside its twin, or after an undo, has one effect or none. Undoing a
// decision withdraws whatever came of it. A step that keeps failing says why and can be retried. Nothing becomes active
// without the base's gate (knowledge.Base.Vet) and a person, or a policy that people set for the domain (never
// regulatory compliance, nothing unproven, no guess).
//
// Two reasoners: Embedded reads no English; Prompted fills the same form from a person's words. A failing model falls
// back to Embedded, and the step says so.
//
// Differences from seed 000. Its gate counts a model's yeses, 7 of 10; here a case counts only where the customer meets
// the conditions and the released text speaks for or against the rule while the agent's own draft did not
// (embedded.go), and a lower bound is asked for (gate.go). There is no "must not fire" test: a rule whose conditions
// are not met is given to nobody.
package learning

import (
	"log/slog"
	"sync/atomic"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
)

// Policy is what people may set about the path. The zero value of a field means its default.
type Policy struct {
	Gate      string  // GateWilson, or GateSeed for comparison
	Threshold float64 // share of telling cases on which a principle must help; 0.7
	Exemplars int     // on how many telling cases a rule is tried at most; 50, under the seed's gate 10
	Attempts  int     // how often a step is tried before the lesson fails; 5
	// domains whose judged, non-provisional rules need no person; never regulatory_compliance
	AutoAccept map[string]bool
}

func (p Policy) withDefaults() Policy {
	if p.Gate == "" {
		p.Gate = GateWilson
	}
	exemplars := wilsonExemplars
	if p.Gate == GateSeed {
		exemplars = seedExemplars
	}
	if p.Threshold <= 0 {
		p.Threshold = gateThreshold
	}
	if p.Exemplars <= 0 {
		p.Exemplars = exemplars
	}
	if p.Attempts <= 0 {
		p.Attempts = 5
	}
	return p
}

// mayAutoAccept reports whether policy lets a rule in without a person.
func (p Policy) mayAutoAccept(domain string, provisional bool) bool {
	return p.AutoAccept[domain] && domain != RegulatoryCompliance && !provisional
}

// Pipeline takes lessons down the path. It is safe for concurrent use.
type Pipeline struct {
	d        *db.DB
	jobs     *job.Queue
	kb       *knowledge.Base
	reasoner Reasoner
	priv     *privacy.Pseudonymiser
	policy   Policy
	log      *slog.Logger
	held     atomic.Pointer[hold] // HoldAt
}

// New makes the pipeline and registers its jobs, so it must be called before the queue starts.
func New(d *db.DB, jobs *job.Queue, kb *knowledge.Base, r Reasoner, priv *privacy.Pseudonymiser, policy Policy,
	log *slog.Logger) *Pipeline {
	p := &Pipeline{d: d, jobs: jobs, kb: kb, reasoner: r, priv: priv, policy: policy.withDefaults(), log: log}
	p.register()
	return p
}
