// Package erase takes one customer's texts out of everything that the program keeps, which the law may demand, and
// holds them where the law demands that.
//
// It owns the tables erasure_key, erasure and legal_hold. It orders what each domain package does with its own tables
// (their EraseTx) and knows none of their columns.
//
// A subject is the customer of interactions: named by a reference of theirs (a customer id, an e-mail address, an NI or
// policy number, wherever the submission has it), by the name that was sent, or by one interaction's id. An erasure
// reaches what the agent was asked and answered, decisions and what people typed, comments, experts' cases, verdicts,
// lessons, knowledge cases in every version, items of gold sets, the indexes of words and of vectors, the memory of the
// latter, jobs, idempotency keys, the outbox, and what the audit log says of all these. What happened, when, and who
// did it stays: rows are emptied and say "Erased on ...", and the audit chain is valid before and after.
//
// What it promises.
//   - One interaction is one transaction; so is each item of a gold set. Killed in the middle, the rest is done at the
//     next call, by the next start of the server, or within a minute while it runs: the record says that it is running,
//     and whose texts it is about is found again by hash.
//   - The record keeps who asked, when, why, and how many texts there were where. The subject is in it as a keyed hash:
//     whoever has the name can ask whether it was erased, and nobody can read whom it was about.
//   - A preview is the erasure itself, rolled back, so that its figures are the erasure's.
//   - A legal hold on a subject, in any of the ways an interaction names it, or on an interaction refuses all of it,
//     and says who set it, when, and on which texts; the others can be erased by their ids. It is
//     looked at before and within each transaction.
//   - Afterwards the write-ahead log is emptied, and secure_delete has overwritten pages, so that the bytes are gone
//     from the files: a test looks for planted words in them.
//
// What it can't reach stands in Outside: backups, exports, and what was sent elsewhere.
//
// Decided against: deleting rows (counts, chains and versions would no longer add up, and who decided must stay known);
// one great transaction (everybody else would wait to write); erasing a held decision (it leaves in a moment, and the
// text must not change below it: the erasure waits for it); a table of subjects per interaction (it would be one more
// place with personal data; an erasure is rare and may read all interactions once).
package erase

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/judging"
	"preceptor/internal/dataset"
	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/review"
)

// resumeEvery is how soon an erasure goes on that had to wait for a held decision, or that was cut short.
const resumeEvery = time.Minute

// Parts are the packages that erase what is theirs.
type Parts struct {
	Interactions *interaction.Store
	Reviews      *review.Queue
	Comments     *comment.Store
	Verdicts     *compliance.Store
	Judging      *judging.Desk
	Borderline   *borderline.Store
	Judges       *evaluate.Store
	Datasets     *dataset.Store
	Learning     *learning.Pipeline
	Knowledge    *knowledge.Base
	Delivery     *delivery.Service
	Jobs         *job.Queue
	Privacy      *privacy.Pseudonymiser

	Also   []Also  // further places, in this order
	Others []Other // are looked through for references
	// run when texts were erased and committed: what is in memory follows the tables
	After []func(ctx context.Context) error
}

// Gone is one interaction whose texts are erased, with what was made of it. Interaction is "" for an item of a gold set
// alone.
type Gone struct {
	Interaction string
	Thread      string // that it was in
	Decisions   []string
	Rulings     []string
	Lessons     []string
	Cases       []string // of the knowledge base
	Texts       []string // what those cases said
	Items       []string // of gold sets
	Known       []string // words that give the customer away
	Why         string
	By          audit.Actor
}

// Also is a place that another package has texts in: it empties what it made of g, in the same transaction, and tells
// how many texts there were.
type Also struct {
	Place   string // as people read it
	Once    bool   // it empties the same whoever is erased, so that it is done and counted once
	EraseTx func(tx *db.Tx, g Gone) (int, error)
}

// Other is a place with texts of subjects that are customers of no interaction: users of agents that nobody reviews, by
// the ids that the agents gave them.
type Other struct {
	Place string // as people read it
	// Walk gives every row that has its texts, after the one of id after, in the order of ids: at most n.
	Walk    func(ctx context.Context, after string, n int, give func(id, reference string)) (last string, err error)
	EraseTx func(tx *db.Tx, id string) (int, error)
}

// Service erases and holds.
type Service struct {
	Parts
	d   *db.DB
	log *slog.Logger
}

// New makes the service and registers its job, which goes on with what was cut short; the jobs must not have been
// started.
func New(d *db.DB, p Parts, log *slog.Logger) *Service {
	s := &Service{Parts: p, d: d, log: log}
	p.Jobs.Periodic("erase.resume", resumeEvery, func(ctx context.Context) error {
		_, err := s.Resume(ctx)
		return err
	})
	return s
}

// Outside is what an erasure can't reach and the firm must see to itself.
var Outside = []string{
	"Backups of the database file, and file system snapshots: delete older ones or let them expire, and erase again " +
		"after restoring one.",
	"Exports and downloads: decisions, evidence reports, gold sets, knowledge and the audit log; the log says who " +
		"made them.",
	"Imported documents that name the customer: withdraw and erase them under Knowledge, Documents.",
	"Data sent to agents and their systems by the API and webhooks.",
	"Calls that your model provider keeps, if you use one.",
	"The audit anchors that you keep elsewhere stay valid; they hold no text.",
}
