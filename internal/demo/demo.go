// Package demo fills a fresh database with a few days of a desk's work, so that a newcomer has something to decide.
//
// The guidance (guidance/*.md) and the consultations (consultations.json) are written for it; nobody in them exists.
// Everything else is made by the program itself through the same doors that people and agents use: documents by the
// importer, drafts by the advisor, decisions by the queue, rules by the learning path. Nothing is typed in that the
// program should have made, so what the demo shows is what it does. Time is the database's clock, which starts some
// days ago and is moved from one event to the next.
//
// What is left waiting is on purpose: drafts for people with a defined benefit pension who ask about something else,
// and none of whose drafts mentions the guarantees. No decision of the demo teaches that warning; the newcomer does.
//
// It owns no table. A demo's file carries Mark in its header, so that the demo makes anew its own files only.
//
// Decided against: a dump of a prepared database (it would lie as soon as the program changes) and generated
// consultations (they read like it).
package demo

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/lists"
	"preceptor/internal/policy"
	"preceptor/internal/review"
	"preceptor/internal/review/planted"
	"preceptor/internal/signal"
)

// Mark is in the header of a demo's file: "PrcD".
const Mark uint32 = 0x50726344

// Agent is the name of the agent for whom the demo's drafts are written.
const Agent = "pension-advisor"

// Hold is how long the demo holds a decision: short enough to be watched, long enough to read the next question and
// undo.
const Hold = 20 * time.Second

// Services are the doors that the demo uses.
type Services struct {
	Accounts     *account.Directory
	Interactions *interaction.Store
	Reviews      *review.Queue
	Knowledge    *knowledge.Base
	Learning     *learning.Pipeline
	Jobs         *job.Queue

	// What the desk has beside the queue. Without one its part is left out.
	Planted     *planted.Store
	Policies    *policy.Store
	Approvals   *approval.Store
	Comments    *comment.Store
	Borderline  *borderline.Store
	Datasets    *dataset.Store
	Credit      *credit.Ledger
	Versions    *version.Store
	Feedback    *feedback.Book
	Preferences *preference.Store
	Experiments *experiment.Store
	Signals     *signal.Store
	// Together runs f in one write transaction.
	Together func(ctx context.Context, f func(tx *db.Tx) error) error
	// Night has the days of feedback summed up that are over.
	Night func(ctx context.Context) error
	// Measure has the judges measured on the newest version of a set.
	Measure func(ctx context.Context, datasetID string) error
}

// People are the demo's accounts, in the order in which they are offered. Their passwords are random and thrown away.
var People = []account.NewAccount{
	{Name: "Sam Okafor", Email: "sam@demo.example", Roles: []account.Role{account.Supervisor}},
	{Name: "Priya Raman", Email: "priya@demo.example", Roles: []account.Role{account.Supervisor, account.Admin}},
	{Name: "Edie Lindqvist", Email: "edie@demo.example", Roles: []account.Role{account.Expert}},
	{Name: "Tom Brennan", Email: "tom@demo.example", Roles: []account.Role{account.Expert}},
	{Name: "Nadia Haddad", Email: "nadia@demo.example", Roles: []account.Role{account.Expert}},
	{Name: "Morag Sinclair", Email: "morag@demo.example", Roles: []account.Role{account.Manager}},
	{Name: "Ada Ferreira", Email: "ada@demo.example", Roles: []account.Role{account.Admin}},
}

//go:embed guidance
var guidance embed.FS

// Guidance is the demo's documents, as the importer takes them.
func Guidance() fs.FS { return folder(guidance, "guidance") }

// Documents are the sample documents of a pack.
func Documents(packName string) fs.FS {
	if packName == pack.GeneralName {
		return folder(helpdesk, "helpdesk")
	}
	return Guidance()
}

func folder(files embed.FS, name string) fs.FS {
	dir, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return dir
}

//go:embed consultations.json
var consultations []byte

// asked is one consultation and what the demo's people do about it.
type asked struct {
	HoursAgo     float64                  `json:"hours_ago"` // before the demo's start
	Plan         plan                     `json:"plan"`
	Consultation interaction.Consultation `json:"consultation"`
}

// plan says what becomes of a draft.
type plan string

// The plans beside the revisions and rejections, which are data in their own files.
const (
	approve plan = "approve"
	wait    plan = "wait"  // left on the desk
	later   plan = "later" // arrives while the demo runs
)

func readConsultations() ([]asked, error) {
	var list []asked
	if err := json.Unmarshal(consultations, &list); err != nil {
		return nil, fmt.Errorf("demo: read the consultations: %w", err)
	}
	return list, nil
}

// Clock is the database's clock while the demo is filled: it stands where it was set, until Live lets it follow the
// machine's.
type Clock struct {
	mu   sync.Mutex
	at   time.Time
	live bool
}

// NewClock stands at t.
func NewClock(t time.Time) *Clock { return &Clock{at: t} }

// Now is the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live {
		return time.Now()
	}
	return c.at
}

// Set moves the clock on to t; it never goes back.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.at) {
		c.at = t
	}
}

// Live lets the clock follow the machine's from now on.
func (c *Clock) Live() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = true
}

// Consultations are the demo's, as examples for measuring.
func Consultations() ([]interaction.Consultation, error) {
	list, err := readConsultations()
	out := lists.Map(list, func(a asked) interaction.Consultation { return a.Consultation })
	return out, err
}
