// Package app puts the parts together: it opens the file, makes every service, and runs the server and the jobs. It is
// the only package that sees everything. What each service is given stands in wire, what follows from an event, in
// order, in events.go, and what runs at its times in periodic.go.
//
// Commands use the same Open and never call Run. Run starts the jobs, serves until its context ends, lets requests and
// jobs finish for at most ten seconds, and leaves what is not finished for the next start.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/approval"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/judging"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	"preceptor/internal/platform/backup"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/policy"
	"preceptor/internal/practice"
	"preceptor/internal/practice/drill"
	"preceptor/internal/privacy"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/internal/review/export"
	"preceptor/internal/review/planted"
	"preceptor/internal/search"
	"preceptor/internal/signal"
	"preceptor/internal/stats"
	"preceptor/internal/stats/counter"
	"preceptor/web/parts"
)

// App is the program, open.
type App struct {
	parts.Parts
	DB      *db.DB
	Judging *judging.Desk
	Search  *search.Memory
	Privacy *privacy.Pseudonymiser
	Counter *counter.Keeper // of what Stats reads
	Zone    *time.Location  // the desk's: whose days are counted

	cfg      config.Config
	adopting sync.Mutex // held while what experts ruled on sentences is read and put in force
	terminal io.Writer  // for the person who started the program
	listener net.Listener
	running  atomic.Bool
	closed   sync.Once
	sending  sync.Map // folders of copies that are with a command, which hasn't said yet what came of them

	filling atomic.Bool // fill is not done
	fill    func(ctx context.Context) error
	said    func() string
}

// Option changes how Open works.
type Option func(*options)

type options struct {
	clock    db.Clock
	log      *slog.Logger
	terminal io.Writer
	holder   string
}

// WithClock gives the database another clock: the demo fills its past with it.
func WithClock(c db.Clock) Option { return func(o *options) { o.clock = c } }

// WithLog sends the log elsewhere than to standard error.
func WithLog(l *slog.Logger) Option { return func(o *options) { o.log = l } }

// WithTerminal says where the set-up link and the address are printed; standard error by default.
func WithTerminal(w io.Writer) Option { return func(o *options) { o.terminal = w } }

// WithHolder says what the lock file tells a second process about this one.
func WithHolder(s string) Option { return func(o *options) { o.holder = s } }

// Open opens or makes the database file and all services on it. Nothing runs yet.
func Open(ctx context.Context, cfg config.Config, opts ...Option) (_ *App, err error) {
	o := options{terminal: os.Stderr}
	for _, set := range opts {
		set(&o)
	}
	if o.log == nil {
		o.log = NewLog(cfg.Log, os.Stderr)
	}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	a := &App{cfg: cfg, terminal: o.terminal}
	a.Log = o.log
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if a.DB, err = db.Open(ctx, cfg.DB, db.Options{Clock: o.clock, Holder: o.holder,
		Poll: cfg.Notify == "poll", Replica: cfg.Read}); err != nil {
		return nil, err
	}
	if err := errors.Join(dropCopies(a.DB.Path()), job.Migrate(ctx, a.DB)); err != nil {
		return nil, err
	}
	if err := a.wire(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// wire makes the services, each before those that use it, with the hooks by which they ask and tell the others. What is
// not made yet is reached through a method of App.
func (a *App) wire(ctx context.Context) error {
	generator, embedder, err := llm.Open(models(a.cfg.LLM))
	if err != nil {
		return err
	}
	if err := a.openCounter(ctx); err != nil {
		return err
	}
	a.Jobs = job.New(a.DB, a.Log)
	job.Register(a.Jobs, a.practiceRun)
	a.Imports = imports.New(a.DB, a.Jobs, a.Log)
	a.Accounts = account.New(a.DB, account.WithLifetimes(a.cfg.SessionIdle, a.cfg.SessionAbsolute),
		account.WithHooks(account.Hooks{
			Decided: func(tx *db.Tx) (bool, error) { return a.Reviews.DecidedTx(tx) }, OnGranted: a.noticeGranted,
			OnTaken: a.taken, OnRenamed: a.renamed,
			OnReaddressed: a.noticeReaddressed,
			Spoken:        nightly.SpokenTx, Work: workOf, OnAway: signal.PutAwayTx}))
	a.Privacy = privacy.New()
	if err := a.wireDrafts(embedder); err != nil {
		return err
	}
	a.wireKnowledge(generator, embedder)
	a.wireDesk(generator, embedder)
	a.wireMeasures()
	a.periodic()
	if err := errors.Join(a.countAnew(ctx), a.Planted.Sync(ctx), a.Borderline.Sync(ctx), a.AdoptRuled(ctx),
		a.checks(ctx), a.Knowledge.CarryOver(ctx)); err != nil {
		return err
	}
	return a.Knowledge.EnsureEmbedded(ctx, a.Jobs)
}

// wireDrafts makes what a draft meets first: the agent's policy, the verdict, and the experts.
func (a *App) wireDrafts(embedder llm.Embedder) error {
	a.Approvals = approval.New(a.DB, approval.Hooks{OnProposed: a.noticeProposed, OnAnswered: a.noticeAnswered})
	a.Policies = policy.New(a.DB, a.Approvals, policy.Hooks{MayAdmin: a.holds(account.Admin), OnAgreed: a.policyAgreed})
	a.Interactions = interaction.New(a.DB, a.Jobs,
		interaction.Hooks{PackOf: a.Accounts.PackTx, Read: a.read, OnAsked: a.asked}, a.Log)
	a.Feedback = feedback.New(a.DB, a.Interactions, embedder,
		feedback.Settings{MinPositive: a.cfg.MinPositive, CacheTTL: a.cfg.FeedbackCacheTTL(), Zone: a.Zone},
		feedback.Hooks{Clean: a.clean, Registered: a.Accounts.AgentNamedTx, Names: a.Accounts.NamesTx,
			Withheld: a.withheld, OnVote: a.voted, OnOutcome: a.outcomeGiven, OnLog: a.logged}, a.Log)
	a.Links = link.Of(a.DB, a.Feedback)
	a.Compliance = compliance.NewStore(a.DB)
	panel, err := Panel(a.cfg, a.Privacy, a.taught)
	if err != nil {
		return err
	}
	a.Validator = compliance.New(compliance.NewChecker(a.DB.Now), panel)
	a.Judging = judging.New(a.DB, a.Jobs, a.Interactions, a.Compliance, a.Validator, a.judged, a.Log)
	a.Borderline = borderline.New(a.DB, a.Approvals, borderline.Hooks{
		MayRule: a.holds(account.Expert), MayDecide: a.holds(account.Manager, account.Admin),
		MayAgree: a.holds(account.Expert, account.Admin), MaySend: a.holds(account.Supervisor),
		Undecided: a.undecided, AskFor: a.askFor, Experts: a.experts,
		OnOpened: a.withExperts, OnRated: a.Counter.CaseTx, OnRuled: a.ruled, OnRulingUndone: a.rulingUndone,
		OnSentences: a.resentenced,
		OnRemark:    a.remarked, OnStuck: a.noticeStuck, OnClosed: a.caseClosed, OnLate: a.noticeBorderline,
		OnUnresolved: a.unresolved,
	}, a.Log)
	a.Validator.Rubric = a.Borderline.Rubric
	a.Copies = backup.New(a.DB, a.Backup, a.tellBackup)
	a.Drill = drill.New(a.DB, shipped(compliance.NewChecker(a.DB.Now)))
	return nil
}

// wireKnowledge makes what agents are shown.
func (a *App) wireKnowledge(generator llm.Generator, embedder llm.Embedder) {
	a.Search = search.NewMemory(a.DB)
	a.Knowledge = knowledge.New(a.DB, a.Search, embedder, knowledge.Options{
		Compare: compare.Plain,
		Mode:    a.cfg.Recall, Previous: []llm.Embedder{local()}, Hide: hide(a.Privacy), Log: a.Log,
		Compliant: compliant(a.Validator.Checks()), Personal: a.Privacy.Words, PackOf: a.Accounts.PackTx,
		OnRule: a.ruleWritten, OnMany: a.rulesChanged, OnOutdated: a.sectionReworded,
		OnCase: a.caseWritten, Fetch: a.fetchPage,
	})
	a.Practice = practice.NewRuns(a.DB, a.Knowledge)
	a.Knowledge.RegisterJobs(a.Jobs)
	a.Credit = credit.New(a.DB, a.Knowledge)
	a.Conflicts = a.conflicts(generator)
	a.Bases = a.bases()
}

// wireDesk makes what supervisors work with, and what they teach.
func (a *App) wireDesk(generator llm.Generator, embedder llm.Embedder) {
	hold := a.cfg.Hold
	if hold == 0 {
		hold = -1 // the setting 0 means no hold; review's zero value means its default
	}
	a.Reviews = review.New(a.DB, a.Jobs, a.Interactions, review.Policy{Hold: hold, ClaimFor: a.cfg.ClaimFor},
		review.Hooks{
			MayDecide: a.holds(account.Supervisor), MayApprove: a.Judging.MayApproveTx, MayReturn: a.mayReturn,
			Moved:  a.Knowledge.MovedTx,
			Assess: a.assess, Rules: a.Validator.Rules, PolicyFor: a.Policies.ForTx, Experts: a.expertSays,
			TeamsOf: a.teamsOf, Assignee: a.assigneeTx,
			OnDecided: a.decided, OnUndone: a.undone, OnReleased: a.released, OnRecalled: a.recalled,
			OnClosed: a.plantedClosed,
			OnSigned: a.noticeSigned, OnSettled: a.settled, OnAssigned: a.noticeAssigned, OnLate: a.noticeLate,
			OnEnded: a.ended,
		}, a.Log)
	a.Escalations = escalation.New(a.DB, a.Interactions,
		escalation.Hooks{MayTake: a.holds(account.Supervisor), OnMoved: a.escalatedMoved})
	a.Learning = learning.New(a.DB, a.Jobs, a.Knowledge, reasoner(generator, a.Privacy), a.Privacy,
		learningPolicy(a.cfg), a.Log)
	a.Stream = a.stream(generator)
	a.Advisor = advisor.New(a.DB, a.Jobs, a.Interactions, a.Knowledge, drafter(generator, a.Privacy),
		advisor.Hooks{Withhold: a.withhold, Shots: a.shots, ShownTx: a.shown}, a.Log)
	a.Unanswered = unanswered.New(a.DB, a.Jobs, a.Interactions, a.Knowledge, local(), a.Advisor.Answers)
	a.Delivery = a.deliver(a.Jobs)
	a.Signals = signal.New(a.DB, a.Jobs, a.Learning, a.Knowledge, generator, local(), a.Privacy,
		signal.Hooks{PackOf: a.Accounts.PackTx, Post: a.Delivery.Ask, Held: a.heldTurns}, a.Log)
	a.Comments = comment.New(a.DB, comment.Hooks{People: a.supervisorsTx, Team: a.Accounts.TeamMembersTx,
		Case: a.commentedTx})
	a.datasets()
	a.Planted = planted.New(a.DB, a.Jobs, a.Interactions, planted.Hooks{
		PolicyFor: a.Policies.ForTx, Compose: a.Advisor.Compose, Recall: a.recallFor, Forget: a.Knowledge.ForgetUsageTx,
		Answers: a.Advisor.Answers, Notify: a.noticePlanted,
	}, a.Log)
	a.Exports = export.New(a.DB)
	a.Exports.Comments = a.commentsOf
	a.Room = a.chatRoom(generator, embedder)
}

// wireMeasures makes what tells how well it goes, and the erasure, which comes when all that has texts stands.
func (a *App) wireMeasures() {
	a.Judges = evaluate.New(a.DB, a.Approvals, a.Jobs, a.Validator, a.Datasets, a.Versions, evaluate.Hooks{
		MaySwitch: a.holds(account.Admin, account.Expert), Rulings: a.rulings, OnExemplar: a.goldCase,
		OnLesson: a.goldLesson, OnOff: a.noticeOff,
	}, a.Log)
	a.Validator.Routing = a.Judges.Routing
	a.Nightly = nightly.New(a.DB, a.Feedback, a.Approvals, a.Zone, nightly.Hooks{AgentName: a.agentName,
		OnNight: a.summedUp, Agents: a.agentNames, Rules: a.promptRules, Words: a.ruleWords,
		MayApprove: a.holds(account.Admin, account.Expert)}, a.Log)
	a.Preferences, a.Experiments = preference.New(a.DB, preference.Hooks{Hide: hide(a.Privacy), About: a.pairAbout,
		MayAsk: a.mayAsk, OnChosen: a.chosen}),
		experiment.New(a.DB, a.ruleFacts, a.noticeEnded)
	a.Erase = a.eraser()
	a.Stats = stats.New(a.DB, a.Zone, stats.Hooks{
		Beginning: a.Knowledge.Beginning, Growth: a.baseSizes, ExpectedCases: knowledge.ExpectedCases,
		ExpectedRules: knowledge.ExpectedRules, ExpectedQuality: knowledge.ExpectedQuality,
		Credit: a.ruleCredit, Memory: a.memoryEffect, Standing: a.Reviews.StandingTx,
	})
}

// Generator is the model that the settings name; nil where they name none.
func Generator(c config.Config) (llm.Generator, error) {
	g, _, err := llm.Open(models(c.LLM))
	return g, err
}

func models(c config.LLM) llm.Config {
	return llm.Config{Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(),
		EmbedModel: c.EmbedModel, EmbedDims: c.EmbedDims, Timeout: c.Timeout}
}

func learningPolicy(c config.Config) learning.Policy {
	accept := map[string]bool{}
	for _, domain := range c.AutoAccept {
		accept[domain] = true
	}
	return learning.Policy{Gate: c.Gate, AutoAccept: accept}
}

// Config is what the program was opened with.
func (a *App) Config() config.Config { return a.cfg }

// Close gives the file back. It does not wait for Run; let that return first.
func (a *App) Close() (err error) {
	a.closed.Do(func() {
		var errs []error
		if a.listener != nil {
			if cerr := a.listener.Close(); !errors.Is(cerr, net.ErrClosed) {
				errs = append(errs, cerr)
			}
		}
		if a.DB != nil {
			errs = append(errs, a.DB.Close())
		}
		err = errors.Join(errs...)
	})
	return err
}

// NewLog is the log that the settings ask for.
func NewLog(c config.Log, w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		level = slog.LevelInfo // Check refuses anything else
	}
	o := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// say writes a line for the person at the terminal.
func (a *App) say(format string, args ...any) { fmt.Fprintf(a.terminal, format+"\n", args...) }
