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
	"preceptor/web/api"
	"preceptor/web/api/inproc"
	"preceptor/web/api/mcp"
	"preceptor/web/api/proxy"
	"preceptor/web/parts"
)

// webDeps is what the server is made of.
func (a *App) webDeps() web.Deps {
	proxies, _ := a.cfg.Proxies() // Open has checked them
	p := &a.Parts
	p.Hooks = parts.Hooks{
		Audit: parts.Audit{
			List:   func(ctx context.Context, f audit.Filter) (audit.Page, error) { return audit.List(ctx, a.DB, f) },
			Verify: func(ctx context.Context) (audit.Report, error) { return audit.Verify(ctx, a.DB, nil) },
			Export: a.exportAudit, Name: a.objectName,
			Record: func(ctx context.Context, e audit.Entry) error {
				return a.DB.Write(ctx, func(tx *db.Tx) error { return audit.Record(tx, e) })
			},
		},
		Backup: func(ctx context.Context, by audit.Actor, file string) error {
			_, err := a.Backup(ctx, by, file)
			return err
		},
		RetryJob: a.retryJob, RetryJobs: a.retryJobs, PauseJob: a.pauseJob, ResumeJob: a.resumeJob, RunJob: a.runJob,
		Practise: a.practise, PractiseOn: a.practiseOn, ProposePractised: a.proposePractised,
		ComparePractised: a.comparePractised, PractisedWell: a.practisedWell, AdoptPractised: a.adoptPractised,
		AskExperts: a.askExperts, Voted: a.votedOnly, CheckPack: a.checkPack,
		Address: a.address, Subscribe: a.DB.Subscribe, Touched: a.DB.Touched, Pace: a.DB.Pace, Now: a.DB.Now,
	}
	p.Replies, p.Evidence, p.Duty = reply.New(a.DB), a.teller(), a.reporter()
	p.Demo, p.Secure, p.WidgetOrigins = a.cfg.Demo, a.cfg.Secure(), a.cfg.WidgetOrigins
	return web.Deps{
		Parts: p, Model: llm.Used,
		API: func(e *echo.Echo) {
			spec := api.Mount(e,
				api.Deps{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Recall: a.recall,
					Rules: a.Knowledge.RulesInForce, Escalation: a.escalation, Escalated: a.escalated,
					Validate: a.Validator.Validate,
					Delivery: a.Delivery.Of,
					Feedback: a.Feedback, Links: a.Links, Preferences: a.Preferences, Experiments: a.Experiments,
					Signals: a.Signals, PromptFile: a.Nightly.PromptOf,
					Address: a.address, Log: a.Log})
			mcp.Mount(e, spec, inproc.New(e, turn.ByMCP), a.cfg.PublicURL, spec.Info.Version)
			proxy.Mount(e, a.proxyDeps(inproc.New(e, turn.ByProxy)))
		},
		Ready:        a.ready,
		Busy:         a.busy,
		TokenRate:    a.cfg.TokenRate,
		PublicURL:    a.cfg.PublicURL,
		Proxies:      proxies,
		MetricsToken: a.cfg.MetricsToken.Reveal(),
	}
}
