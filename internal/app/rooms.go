package app

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/review/reply"
	"preceptor/internal/signal/turn"
	"preceptor/web"
	"preceptor/web/admin"
	"preceptor/web/api"
	"preceptor/web/api/inproc"
	"preceptor/web/api/mcp"
	"preceptor/web/api/proxy"
	"preceptor/web/datasets"
	"preceptor/web/desk"
	"preceptor/web/experts"
	"preceptor/web/frame"
	"preceptor/web/guest"
	"preceptor/web/home"
	"preceptor/web/knowledge"
	"preceptor/web/stats"
	"preceptor/web/teach"
)

// webDeps is what the server is made of: each room gets what it works with, and no more.
func (a *App) webDeps() web.Deps {
	proxies, _ := a.cfg.Proxies() // Open has checked them
	audits := admin.Audit{
		List:   func(ctx context.Context, f audit.Filter) (audit.Page, error) { return audit.List(ctx, a.DB, f) },
		Verify: func(ctx context.Context) (audit.Report, error) { return audit.Verify(ctx, a.DB, nil) },
		Export: a.exportAudit, Name: a.objectName,
		Record: func(ctx context.Context, e audit.Entry) error {
			return a.DB.Write(ctx, func(tx *db.Tx) error { return audit.Record(tx, e) })
		},
	}
	backup := func(ctx context.Context, by audit.Actor, file string) error {
		_, err := a.Backup(ctx, by, file)
		return err
	}
	return web.Deps{
		Accounts: a.Accounts, Jobs: a.Jobs, Delivery: a.Delivery, Model: llm.Used, Log: a.Log,
		Frame: frame.Deps{
			Accounts: a.Accounts, Approvals: a.Approvals, Reviews: a.Reviews, Borderline: a.Borderline,
			Learning: a.Learning, Knowledge: a.Knowledge, Conflicts: a.Conflicts,
			Comments: a.Comments, Demo: a.cfg.Demo, Log: a.Log, Now: a.DB.Now,
		},
		Teach: teach.Deps{
			Accounts: a.Accounts, Interactions: a.Interactions, Knowledge: a.Knowledge, Advisor: a.Advisor, Log: a.Log,
		},
		Admin: admin.Deps{
			Accounts: a.Accounts, Jobs: a.Jobs, Audit: audits, Policies: a.Policies, Approvals: a.Approvals,
			Delivery: a.Delivery, Erase: a.Erase, Knowledge: a.Knowledge,
			Imports: a.Imports, Reviews: a.Reviews, Judges: a.Judges, Backup: backup, Copies: a.Copies,
			RetryJob: a.retryJob, RetryJobs: a.retryJobs, PauseJob: a.pauseJob, ResumeJob: a.resumeJob,
			RunJob: a.runJob, Voted: a.votedOnly, Address: a.address, Log: a.Log, Now: a.DB.Now,
		},
		Datasets: datasets.Deps{
			Accounts: a.Accounts, Approvals: a.Approvals, Datasets: a.Datasets, Versions: a.Versions,
			Transfer: a.Transfer, Imports: a.Imports, Judges: a.Judges, Validator: a.Validator,
			Rubric: a.Borderline.Store,
			Now:    a.DB.Now,
		},
		Desk: desk.Deps{
			Accounts: a.Accounts, Reviews: a.Reviews, Interactions: a.Interactions, Borderline: a.Borderline,
			Compliance: a.Compliance,
			Validator:  a.Validator, Planted: a.Planted, Knowledge: a.Knowledge, Unanswered: a.Unanswered,
			Advisor: a.Advisor, Credit: a.Credit,
			Learning: a.Learning, Comments: a.Comments, Drill: a.Drill, Log: a.Log,
			Replies: reply.New(a.DB), Signals: a.Signals, Escalations: a.Escalations, Now: a.DB.Now,
		},
		Experts: experts.Deps{
			Approvals: a.Approvals, Borderline: a.Borderline, Checklist: a.Checklist, Compliance: a.Compliance,
			Judges: a.Judges, Interactions: a.Interactions, Learning: a.Learning,
			Conflicts: a.Conflicts, Unanswered: a.Unanswered, Datasets: a.Datasets, Knowledge: a.Knowledge,
			Signals: a.Signals, Validator: a.Validator, Reviews: a.Reviews, Now: a.DB.Now,
		},
		Guest: guest.Deps{
			Feedback: a.Feedback, Links: a.Links, Pairs: a.Preferences, Room: a.Room,
			WidgetOrigins: a.cfg.WidgetOrigins, Address: a.address, Subscribe: a.DB.Subscribe, Now: a.DB.Now,
		},
		Home: home.Deps{
			Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Knowledge: a.Knowledge,
			Comments: a.Comments, Approvals: a.Approvals, Room: a.Room, Address: a.address,
			Subscribe: a.DB.Subscribe, Touched: a.DB.Touched, Demo: a.cfg.Demo, Log: a.Log, Now: a.DB.Now,
		},
		Knowledge: knowledge.Deps{
			Knowledge: a.Knowledge, Conflicts: a.Conflicts, Unanswered: a.Unanswered, Credit: a.Credit, Bases: a.Bases,
			Imports: a.Imports, Learning: a.Learning, Stream: a.Stream, Signals: a.Signals, Accounts: a.Accounts,
			Interactions: a.Interactions, Reviews: a.Reviews, Stats: a.Stats, AskExperts: a.askExperts,
			CheckURL: a.Delivery.CheckURL, Log: a.Log, Now: a.DB.Now,
		},
		Stats: stats.Deps{
			Accounts: a.Accounts, Stats: a.Stats, Borderline: a.Borderline, Policies: a.Policies, Planted: a.Planted,
			Interactions: a.Interactions, Reviews: a.Reviews,
			Knowledge: a.Knowledge, Unanswered: a.Unanswered, Learning: a.Learning, Feedback: a.Feedback,
			Links: a.Links, Nightly: a.Nightly, Experiments: a.Experiments, Pairs: a.Preferences,
			Practice: a.Practice, Practise: a.practise, PractiseOn: a.practiseOn, ProposePractised: a.proposePractised,
			ComparePractised: a.comparePractised, PractisedWell: a.practisedWell, AdoptPractised: a.adoptPractised,
			Exports: a.Exports, Evidence: a.teller(), Duty: a.reporter(), CheckPack: a.checkPack,
			Address: a.address,
			Now:     a.DB.Now,
		},

		API: func(e *echo.Echo) error {
			spec, err := api.Mount(e,
				api.Deps{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Recall: a.recall,
					Rules: a.Knowledge.RulesInForce, Escalation: a.escalation, Escalated: a.escalated,
					Validate: a.Validator.Validate,
					Delivery: a.Delivery.Of,
					Feedback: a.Feedback, Links: a.Links, Preferences: a.Preferences, Experiments: a.Experiments,
					Signals: a.Signals, PromptFile: a.Nightly.PromptOf,
					Address: a.address, Log: a.Log})
			if err != nil {
				return err
			}
			mcp.Mount(e, spec, inproc.New(e, turn.ByMCP), a.cfg.PublicURL, spec.Info.Version)
			proxy.Mount(e, a.proxyDeps(inproc.New(e, turn.ByProxy)))
			return nil
		},
		Ready:        a.ready,
		Busy:         a.busy,
		TokenRate:    a.cfg.TokenRate,
		Secure:       a.cfg.Secure(),
		PublicURL:    a.cfg.PublicURL,
		Proxies:      proxies,
		MetricsToken: a.cfg.MetricsToken.Reveal(),
	}
}
