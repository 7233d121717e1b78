package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/static"
	"preceptor/web/page"
	"preceptor/web/session"
)

// access is who may use a route. Exactly one of its parts is set.
type access struct {
	anyone   bool
	operator bool            // a peer on this machine, or the metrics token
	signedIn bool            // whatever the roles
	roles    []account.Role  // one of these
	scopes   []account.Scope // a token with one of these
}

var (
	anyone   = access{anyone: true}
	operator = access{operator: true}
	signedIn = access{signedIn: true}

	supervisor = only(account.Supervisor)
	admin      = only(account.Admin)
	expert     = only(account.Expert)
	overview   = only(account.Manager, account.Admin)
	deskers    = only(account.Supervisor, account.Manager, account.Admin) // see where cases stand; what is in them, supervisors only
	learners   = only(account.Supervisor, account.Expert, account.Manager, account.Admin)
	acceptors  = only(account.Expert, account.Admin)
	readers    = only(account.Expert, account.Manager, account.Admin) // of how well judges do, and of what agents remember
	exporters  = only(account.Supervisor, account.Manager, account.Admin)
	curators   = only(account.Expert, account.Manager, account.Admin) // look after gold sets
	labellers  = only(account.Expert)
	keepers    = only(account.Manager, account.Admin) // see items and checks, which labellers must not
)

func only(roles ...account.Role) access    { return access{roles: roles} }
func token(scopes ...account.Scope) access { return access{scopes: scopes} }

// route is one line of the table. A nil handler is mounted by web/api.
type route struct {
	method, path string
	who          access
	handler      echo.HandlerFunc
}

const (
	get          = http.MethodGet
	head         = http.MethodHead
	post         = http.MethodPost
	uploadPath   = "/admin/import/upload"
	baseFilePath = "/knowledge/file/import"

	packCheckPath = "/stats/packs/check"
)

// routes is every address of the program.
func (s *Server) routes(p *page.Pages, d Deps) []route {
	files := echo.WrapHandler(static.Handler())
	return []route{
		// The machine room.
		{get, "/healthz", anyone, s.healthz}, {head, "/healthz", anyone, s.healthz},
		{get, "/readyz", anyone, s.readyz(d)}, {head, "/readyz", anyone, s.readyz(d)},
		{get, "/metrics", operator, s.metrics.handler()},
		{get, "/static/*", anyone, files}, {head, "/static/*", anyone, files},

		// The API; its handlers stand in web/api.
		{post, "/api/guidance", token(account.Submit), nil}, {get, "/api/guidance", token(account.Submit), nil},
		{get, "/api/guidance/:id", token(account.Submit), nil},
		{post, "/api/advise", token(account.Submit), nil},
		{post, "/api/recall", token(account.Recall), nil}, {post, "/api/check", token(account.Submit), nil},
		{get, "/api/policy", token(account.Submit), nil},
		{post, "/api/feedback/interactions", token(account.Feedback), nil}, {post, "/api/feedback/submit", token(account.Feedback), nil},
		{get, "/api/feedback/examples", token(account.Feedback), nil}, {get, "/api/feedback/stats/:agent_type", token(account.Feedback), nil},
		{post, "/api/feedback/links", token(account.Feedback), nil}, {post, "/api/preferences", token(account.Feedback), nil},
		{post, "/api/experiments/:id/assignments", token(account.Feedback), nil}, {post, "/api/experiments/:id/outcomes", token(account.Feedback), nil},
		{post, "/api/feedback/outcomes", token(account.Feedback), nil}, {get, "/api/feedback/export/:kind", token(account.Feedback), nil},
		{post, "/api/feedback/experiences", token(account.Feedback), nil}, {get, "/api/feedback/experiences", token(account.Feedback), nil},
		{get, "/api/openapi.json", anyone, nil}, {get, "/api/docs", anyone, nil},

		// Coming in and going out.
		{get, "/sign-in", anyone, p.SignInForm}, {post, "/sign-in", anyone, p.SignIn},
		{post, "/demo/sign-in", anyone, p.DemoSignIn},
		{post, "/sign-out", anyone, p.SignOut},
		{get, "/setup/:secret", anyone, p.SetupForm}, {post, "/setup/:secret", anyone, p.Setup},

		// Where everybody starts, and what keeps pages fresh.
		{get, "/", signedIn, p.Home}, {get, "/nav", signedIn, p.Nav}, {get, "/events", signedIn, p.Events},

		// The desk.
		{get, "/reviews", deskers, p.ReviewList}, {post, "/reviews/next", supervisor, p.ReviewNext},
		{get, "/reviews/assign", deskers, p.ReviewListBack}, {post, "/reviews/assign", deskers, p.ReviewAssignMany},
		{get, "/reviews/skip", supervisor, p.ReviewListBack}, {post, "/reviews/skip", supervisor, p.ReviewSkipMany},
		{post, "/reviews/skips/reset", supervisor, p.ReviewSkipsReset},
		{get, "/reviews/filters", deskers, p.ReviewListBack}, {post, "/reviews/filters", deskers, p.FilterSave},
		{get, "/reviews/filters/:id", deskers, p.ReviewListBack}, {post, "/reviews/filters/:id", deskers, p.FilterChange},
		{post, "/reviews/:id/assign", supervisor, p.ReviewAssign},
		{get, "/reviews/recent", supervisor, p.ReviewRecent},
		{get, "/reviews/:id", supervisor, p.ReviewShow},
		{get, "/reviews/:id/claim", supervisor, p.ReviewClaimState}, {post, "/reviews/:id/claim", supervisor, p.ReviewClaim},
		{post, "/reviews/:id/renew", supervisor, p.ReviewRenew}, {post, "/reviews/:id/unclaim", supervisor, p.ReviewUnclaim},
		{get, "/reviews/:id/approve", supervisor, p.ReviewBack}, {post, "/reviews/:id/approve", supervisor, p.ReviewApprove},
		{get, "/reviews/:id/revise", supervisor, p.ReviewBack}, {post, "/reviews/:id/revise", supervisor, p.ReviewRevise},
		{get, "/reviews/:id/overrule", supervisor, p.ReviewBack}, {post, "/reviews/:id/overrule", supervisor, p.ReviewOverrule},
		{get, "/reviews/:id/reject", supervisor, p.ReviewBack}, {post, "/reviews/:id/reject", supervisor, p.ReviewReject},
		{get, "/reviews/:id/skip", supervisor, p.ReviewBack}, {post, "/reviews/:id/skip", supervisor, p.ReviewSkip},
		{get, "/reviews/:id/check", supervisor, p.ReviewBack}, {post, "/reviews/:id/check", supervisor, p.ReviewCheck}, {post, "/reviews/:id/teach", supervisor, p.ReviewTeach}, {post, "/reviews/:id/preview", supervisor, p.ReviewPreview},
		{get, "/reviews/:id/return", supervisor, p.ReviewBack}, {post, "/reviews/:id/return", supervisor, p.ReviewReturn},
		{get, "/reviews/:id/draft", supervisor, p.ReviewBack}, {post, "/reviews/:id/draft", supervisor, p.ReviewDraft},
		{post, "/reviews/:id/draft/discard", supervisor, p.ReviewDraftDiscard},
		{get, "/reviews/:id/refer", supervisor, p.ReviewBack}, {post, "/reviews/:id/refer", supervisor, p.ReviewRefer},
		{get, "/reviews/:id/similar", supervisor, p.ReviewSimilar}, {get, "/reviews/ahead", supervisor, p.ReviewAhead},
		{post, "/decisions/:id/undo", supervisor, p.DecisionUndo}, {post, "/decisions/:id/recall", supervisor, p.DecisionRecall},

		// Borderline cases, for experts; what is ruled, for those who decide and those who watch.
		{get, "/compliance", learners, p.BorderlineList}, {post, "/compliance/next", expert, p.BorderlineNext},
		{get, "/compliance/next", expert, p.BorderlineListBack},
		{get, "/compliance/line", learners, p.LineMoved},
		{get, "/compliance/rubric", learners, p.LineShow}, {post, "/compliance/rubric", expert, p.LinePropose},
		{get, "/compliance/rubric/settle", acceptors, p.LineShow}, {post, "/compliance/rubric/settle", acceptors, p.LineSettle},
		{get, "/compliance/ratings/:id", expert, p.RatingShow}, {post, "/compliance/ratings/:id", expert, p.RatingGive},
		{get, "/compliance/checks", learners, p.CheckList}, {post, "/compliance/checks", expert, p.CheckAdd},
		{get, "/compliance/checks/new", expert, p.CheckNew}, {get, "/compliance/checks/:id/reword", expert, p.CheckReword},
		{get, "/compliance/checks/:id", learners, p.CheckShow}, {post, "/compliance/checks/:id", expert, p.CheckChange},
		{post, "/compliance/checks/:id/try", expert, p.CheckTry}, {post, "/compliance/checks/:id/text", expert, p.CheckText}, {post, "/compliance/checks/:id/switch", expert, p.CheckSwitch},
		{post, "/compliance/checks/:id/agree", acceptors, p.CheckAgree}, {post, "/compliance/checks/:id/refuse", acceptors, p.CheckRefuse},
		{post, "/compliance/checks/:id/withdraw", acceptors, p.CheckWithdraw},
		{get, "/compliance/:id", learners, p.BorderlineShow}, {post, "/compliance/:id/claim", expert, p.BorderlineClaim},
		{get, "/compliance/:id/answer", expert, p.BorderlineBack}, {post, "/compliance/:id/answer", expert, p.BorderlineAnswer},
		{get, "/compliance/:id/draft", expert, p.BorderlineBack}, {post, "/compliance/:id/draft", expert, p.BorderlineDraft},
		{get, "/compliance/:id/keep", expert, p.BorderlineBack}, {post, "/compliance/:id/keep", expert, p.BorderlineKeep},
		{get, "/compliance/:id/change", expert, p.BorderlineBack}, {post, "/compliance/:id/change", expert, p.BorderlineChange},
		{get, "/compliance/:id/rule", expert, p.BorderlineBack}, {post, "/compliance/:id/rule", expert, p.BorderlineRule},
		{get, "/compliance/:id/comments", expert, p.BorderlineBack}, {post, "/compliance/:id/comments", expert, p.RemarkAdd},
		{post, "/compliance/:id/comments/:remark/withdraw", expert, p.RemarkWithdraw},
		{get, "/compliance/:id/undo", expert, p.BorderlineBack}, {post, "/compliance/:id/undo", expert, p.BorderlineUndo},

		// People among themselves.
		{get, "/reviews/:id/comments", supervisor, p.CommentBlock}, {post, "/reviews/:id/comments", supervisor, p.CommentAdd},
		{get, "/comments", supervisor, p.CommentList}, {get, "/comments/people", supervisor, p.CommentPeople},
		{get, "/comments/:id", supervisor, p.CommentShow}, {post, "/comments/:id", supervisor, p.CommentEdit},
		{post, "/comments/:id/withdraw", supervisor, p.CommentWithdraw},
		{get, "/inbox", signedIn, p.InboxList}, {get, "/inbox/bell", signedIn, p.InboxBell},
		{post, "/inbox/read", signedIn, p.NoticesRead}, {post, "/inbox/:id/read", signedIn, p.NoticeRead},
		{get, "/progress", signedIn, p.Progress},

		// What is learned, and what is known.
		{get, "/learning", learners, p.LearningList}, {get, "/learning/:id", learners, p.LearningShow},
		{post, "/learning/:id/accept", acceptors, p.LearningAccept}, {post, "/learning/:id/reject", acceptors, p.LearningReject},
		{post, "/learning/:id/retry", acceptors, p.LearningRetry}, {post, "/learning/:id/back", acceptors, p.LearningBack},
		{post, "/learning/:id/state", acceptors, p.LearningState}, {post, "/learning/:id/teach", acceptors, p.LearningTeach}, {post, "/learning/:id/preview", acceptors, p.LearningPreview},
		{post, "/knowledge/rules/:id/teach", acceptors, p.RuleTeach}, {post, "/knowledge/rules/:id/preview", acceptors, p.RulePreview},
		{get, "/learning/reflections", readers, p.ReflectionList},
		{get, "/learning/several", acceptors, p.LearningSeveral}, {post, "/learning/several", acceptors, p.LearningSettle},
		{get, "/knowledge", signedIn, p.KnowledgeList}, {get, "/knowledge/documents", signedIn, p.DocumentList},
		{get, "/knowledge/map", signedIn, p.KnowledgeMap}, {get, "/knowledge/growth", signedIn, p.KnowledgeGrowth},
		{get, "/knowledge/file", acceptors, p.KnowledgeFile}, {post, "/knowledge/file/export", acceptors, p.KnowledgeExport},
		{get, baseFilePath, acceptors, p.KnowledgeFile}, {post, baseFilePath, acceptors, p.KnowledgeImport},
		{post, "/knowledge/rules/:id/accept", acceptors, p.RuleAccept},
		{post, "/knowledge/rules/:id/settle", acceptors, p.RuleSettle}, {post, "/knowledge/rules/:id/quarantine", acceptors, p.RuleQuarantine},
		{post, "/knowledge/rules/:id/still-right", acceptors, p.RuleStillRight}, {post, "/knowledge/cases/:id/retire", acceptors, p.CaseRetire},
		{get, "/knowledge/conflicts", signedIn, p.ConflictList}, {get, "/knowledge/conflicts/:id", signedIn, p.ConflictShow},
		{post, "/knowledge/conflicts/:id", acceptors, p.ConflictSettle}, {get, "/knowledge/quarantine", signedIn, p.QuarantineList},
		{get, "/knowledge/rules/:id/edit", acceptors, p.RuleEditForm}, {post, "/knowledge/rules/:id/edit", acceptors, p.RuleEdit},
		{post, "/knowledge/rules/:id/rollback", acceptors, p.RuleGoBack},
		{get, "/knowledge/history", signedIn, p.StateList}, {post, "/knowledge/history", acceptors, p.StateSave},
		{get, "/knowledge/history/:id", signedIn, p.StateShow}, {post, "/knowledge/history/:id", acceptors, p.StateGoBack},
		{post, "/learning/:id/rollback", acceptors, p.LearningRollBack}, {post, "/learning/:id/bring-back", acceptors, p.LearningBringBack},
		{get, "/interactions/:id/recall", learners, p.RecallShow},
		{get, "/interactions/:id/evidence", exporters, p.EvidenceShow}, {post, "/interactions/:id/evidence", exporters, p.EvidenceMake},
		{get, "/stats/packs", overview, p.PackList}, {post, "/stats/packs", overview, p.PackMake},
		{get, packCheckPath, overview, p.PackList}, {post, packCheckPath, overview, p.PackCheck},
		{get, "/knowledge/rules/:id", signedIn, p.RuleShow}, {get, "/knowledge/cases/:id", signedIn, p.CaseShow},

		// Gold sets.
		{get, "/datasets", curators, p.DatasetList}, {post, "/datasets", curators, p.DatasetAdd}, {get, "/datasets/new", curators, p.DatasetNew},
		{get, "/datasets/:id", curators, p.DatasetShow}, {post, "/datasets/:id/state", curators, p.DatasetState},
		{get, "/datasets/:id/settings", curators, p.DatasetSettings}, {post, "/datasets/:id/settings", curators, p.DatasetSave},
		{post, "/datasets/:id/people", curators, p.DatasetPeople}, {get, "/datasets/:id/agreement", curators, p.DatasetAgreement},
		{get, "/datasets/:id/items", keepers, p.DatasetItems}, {post, "/datasets/:id/items", curators, p.DatasetItemAdd},
		{get, "/datasets/:id/items/new", curators, p.DatasetItemNew}, {get, "/datasets/:id/items/:item", keepers, p.DatasetItem},
		{post, "/datasets/:id/items/assign", keepers, p.DatasetAssign},
		{post, "/datasets/:id/items/:item/exclude", keepers, p.DatasetItemExclude}, {post, "/datasets/:id/items/:item/include", keepers, p.DatasetItemInclude},
		{post, "/datasets/:id/items/:item/check", keepers, p.DatasetItemCheck}, {post, "/datasets/:id/items/:item/erase", admin, p.DatasetItemErase},
		{get, "/datasets/:id/label", labellers, p.DatasetLabel}, {post, "/datasets/:id/label", labellers, p.DatasetAnswer},
		{post, "/datasets/:id/label/skip", labellers, p.DatasetSkip}, {post, "/datasets/:id/label/unskip", labellers, p.DatasetUnskip},
		{post, "/datasets/:id/label/flag", labellers, p.DatasetFlag}, {post, "/datasets/:id/label/undo", labellers, p.DatasetUndo},
		{get, "/datasets/:id/adjudicate", labellers, p.DatasetWaiting}, {get, "/datasets/:id/adjudicate/:item", labellers, p.DatasetSides},
		{post, "/datasets/:id/adjudicate/:item", labellers, p.DatasetRule}, {post, "/datasets/:id/adjudicate/:item/undo", labellers, p.DatasetUnrule},
		{get, "/datasets/:id/versions", curators, p.DatasetVersions}, {post, "/datasets/:id/versions", curators, p.DatasetFreeze},
		{get, "/datasets/:id/versions/:n", curators, p.DatasetVersion}, {post, "/datasets/:id/versions/:n/verify", curators, p.DatasetVerify},
		{get, "/datasets/:id/files", curators, p.DatasetFiles}, {post, "/datasets/:id/gather", curators, p.DatasetGather}, {post, "/datasets/:id/export", curators, p.DatasetExport},
		{post, "/datasets/:id/import/upload", curators, p.DatasetUpload}, {post, "/datasets/:id/import", curators, p.DatasetImport},

		{get, "/datasets/:id/versions/:n/learn", acceptors, p.VersionLearn}, {post, "/datasets/:id/versions/:n/learn", acceptors, p.VersionTeach},

		// Judges, measured.
		{get, "/compliance/judges", readers, p.JudgesShow}, {post, "/compliance/judges/runs", acceptors, p.JudgesMeasure},
		{get, "/compliance/judges/runs", readers, p.JudgeRuns}, {get, "/compliance/judges/runs/:id", readers, p.JudgeRun},
		{post, "/compliance/judges/runs/:id/stop", acceptors, p.JudgeRunStop}, {get, "/compliance/judges/runs/:id/who/:who", readers, p.JudgeWho},
		{post, "/compliance/judges/runs/:id/threshold", acceptors, p.JudgeThresholdPropose},
		{get, "/compliance/judges/thresholds", readers, p.JudgeThresholds}, {get, "/compliance/judges/thresholds/:id", readers, p.JudgeThreshold},
		{post, "/compliance/judges/thresholds/:id/on", acceptors, p.JudgeThresholdOn}, {post, "/compliance/judges/thresholds/:id/off", acceptors, p.JudgeThresholdOff},
		{post, "/compliance/judges/thresholds/:id/refuse", acceptors, p.JudgeThresholdRefuse},
		{post, "/compliance/judges/thresholds/:id/agree", acceptors, p.JudgeThresholdAgree}, {post, "/compliance/judges/thresholds/:id/withdraw", acceptors, p.JudgeThresholdWithdraw},

		{get, "/ask", signedIn, p.AskForm}, {post, "/ask", signedIn, p.Ask}, {get, "/ask/:id", signedIn, p.AskShow},
		{get, "/stats", overview, p.StatsSummary}, {get, "/stats/satisfaction", overview, p.StatsSatisfaction},
		{get, "/stats/review", overview, p.StatsReview}, {get, "/stats/compliance", overview, p.StatsCompliance},
		{get, "/stats/learning", overview, p.StatsLearning}, {get, "/stats/changes", overview, p.StatsChanges},
		{get, "/stats/rows", overview, p.StatsRows}, {get, "/stats/mine", supervisor, p.StatsMine}, {get, "/stats/mine/rows", supervisor, p.StatsMyRows},
		{get, "/overview/desk", overview, p.DeskStats}, {get, "/overview/desk/hasty", overview, p.HastyList},
		{get, "/overview/planted", overview, p.PlantedList}, {post, "/overview/planted", overview, p.PlantedAdd},
		{get, "/overview/planted/new", overview, p.PlantedNew}, {get, "/overview/planted/results", overview, p.PlantedResults},
		{get, "/overview/planted/:id", overview, p.PlantedShow}, {post, "/overview/planted/:id", overview, p.PlantedChange},
		{post, "/overview/planted/:id/retire", overview, p.PlantedRetire}, {post, "/overview/planted/:id/restore", overview, p.PlantedRestore},
		{get, "/reviews/planted", supervisor, p.PlantedMine},

		// What users say: customers by a signed link or in the widget, without an account; staff who read it, follow up and ask for more.
		{get, "/f/:token", anyone, p.FeedbackLink}, {post, "/f/:token", anyone, p.FeedbackLinkSend},
		{get, "/widget/:token", anyone, p.Widget}, {post, "/widget/:token", anyone, p.WidgetSend},
		{get, "/feedback/examples", learners, p.ExampleList}, {post, "/feedback/examples/:id/retire", acceptors, p.ExampleRetire},
		{get, "/feedback/nightly", learners, p.NightList}, {post, "/feedback/nightly/:id", acceptors, p.PromptEnd},
		{get, "/feedback", overview, p.CommentsOfUsers}, {get, "/feedback/:id", deskers, p.SubjectShow},
		{get, "/feedback/:id/outcome", supervisor, p.SubjectBack}, {post, "/feedback/:id/outcome", supervisor, p.SubjectFollowUp},
		{get, "/feedback/:id/link", deskers, p.SubjectBack}, {post, "/feedback/:id/link", deskers, p.SubjectLink},
		{post, "/feedback/links/end", admin, p.LinksEnd},
		{get, "/chat", signedIn, p.ChatList}, {get, "/chat/:agent", signedIn, p.ChatShow}, {post, "/chat/:agent", signedIn, p.ChatAsk},
		{get, "/chat/:agent/:id", signedIn, p.ChatShow}, {post, "/chat/:agent/:id", signedIn, p.ChatVote},

		{get, "/exports", exporters, p.ExportForm}, {post, "/exports", exporters, p.Export},
		{get, "/overview", overview, p.Overview}, {get, "/search", signedIn, p.Search},
		{get, "/help", signedIn, p.HelpList}, {get, "/help/:page", signedIn, p.HelpShow},

		// Which of two answers is better, and whether a change makes them better.
		{get, "/preferences", learners, p.PreferenceJudge}, {post, "/preferences/answer", learners, p.PreferenceAnswer},
		{post, "/preferences/skip", learners, p.PreferenceSkip}, {post, "/preferences/unskip", learners, p.PreferenceUnskip},
		{post, "/preferences/undo", learners, p.PreferenceUndo}, {get, "/preferences/ranking", overview, p.PreferenceRanking},
		{get, "/preferences/pairs", overview, p.PreferencePairs}, {post, "/preferences/pairs", overview, p.PreferenceAdd},
		{get, "/preferences/pairs/new", overview, p.PreferenceNew}, {post, "/preferences/pairs/:id/remove", overview, p.PreferenceRemove},
		{post, "/preferences/export", overview, p.PreferenceExport},
		{get, "/experiments", overview, p.ExperimentList}, {post, "/experiments", overview, p.ExperimentAdd},
		{get, "/experiments/new", overview, p.ExperimentNew}, {get, "/experiments/:id", overview, p.ExperimentShow},
		{post, "/experiments/:id/start", overview, p.ExperimentStart}, {post, "/experiments/:id/stop", overview, p.ExperimentStop},

		// My account.
		{get, "/account", signedIn, p.Account},
		{post, "/account/password", signedIn, p.AccountPassword},
		{post, "/account/preferences", signedIn, p.AccountPreferences},
		{post, "/preferences", signedIn, p.Preferences},
		{post, "/account/sessions/end", signedIn, p.AccountSessionsEnd},

		// Administration.
		{get, "/admin", admin, p.Admin},
		{get, "/admin/people", admin, p.People}, {post, "/admin/people", admin, p.PeopleAdd},
		{get, "/admin/people/:id", admin, p.PersonShow}, {post, "/admin/people/:id/sign-out", admin, p.PeopleSignOut},
		{post, "/admin/people/:id/roles", admin, p.PeopleRoles},
		{post, "/admin/people/:id/disable", admin, p.PeopleDisable}, {post, "/admin/people/:id/enable", admin, p.PeopleEnable},
		{post, "/admin/people/:id/password", admin, p.PeoplePassword},
		{get, "/admin/teams", admin, p.TeamList}, {post, "/admin/teams", admin, p.TeamAdd},
		{post, "/admin/teams/:id", admin, p.TeamChange}, {post, "/admin/teams/:id/close", admin, p.TeamClose},
		{get, "/admin/agents", admin, p.Agents},
		{post, "/admin/agents/tokens", admin, p.TokenCreate},
		{post, "/admin/agents/tokens/:id/revoke", admin, p.TokenRevoke},
		{get, "/admin/policies", signedIn, p.PolicyList}, {post, "/admin/policies", admin, p.PolicyPropose},
		{get, "/admin/policies/propose", admin, p.PolicyForm}, {get, "/admin/policies/:id", signedIn, p.PolicyShow},
		{post, "/admin/policies/:id/agree", admin, p.PolicyAgree}, {post, "/admin/policies/:id/refuse", admin, p.PolicyRefuse},
		{post, "/admin/policies/:id/withdraw", admin, p.PolicyWithdraw},
		{get, "/admin/webhooks", admin, p.WebhookList},
		{get, "/admin/webhooks/:agent", admin, p.WebhookShow}, {post, "/admin/webhooks/:agent", admin, p.WebhookSave},
		{post, "/admin/webhooks/:agent/rotate", admin, p.WebhookRotate}, {post, "/admin/webhooks/:agent/test", admin, p.WebhookTest},
		{post, "/admin/webhooks/:agent/enable", admin, p.WebhookEnable}, {post, "/admin/webhooks/:agent/disable", admin, p.WebhookDisable},
		{post, "/admin/webhooks/:agent/hurry", admin, p.WebhookHurry}, {post, "/admin/webhooks/:agent/replay", admin, p.WebhookReplay},
		{get, "/admin/events/:id", admin, p.EventShow}, {post, "/admin/events/:id/replay", admin, p.EventReplay},
		{get, "/admin/import", admin, p.ImportForm}, {post, "/admin/import", admin, p.ImportFolder},
		{post, uploadPath, admin, p.ImportUpload},
		{get, "/admin/erasure", admin, p.ErasureForm}, {post, "/admin/erasure", admin, p.ErasureMake},
		{post, "/admin/erasure/preview", admin, p.ErasurePreview}, {post, "/admin/erasure/holds", admin, p.HoldSet},
		{post, "/admin/erasure/holds/:id/release", admin, p.HoldRelease},
		{get, "/admin/backup", admin, p.BackupForm}, {post, "/admin/backup", admin, p.BackupMake},
		{get, "/admin/jobs", admin, p.JobList}, {post, "/admin/jobs/:id/retry", admin, p.JobRetry},
		{post, "/admin/jobs/retry", admin, p.JobRetryKind}, {post, "/admin/jobs/loops", admin, p.JobLoop},
		{get, "/admin/audit", admin, p.AuditLog}, {post, "/admin/audit/verify", admin, p.AuditVerify},
		{post, "/admin/audit/export", admin, p.AuditExport},
	}
}

// mount puts the table's routes in place, then the API's, and refuses to start with one that the table does not know.
func (s *Server) mount(p *page.Pages, d Deps) error {
	s.table = map[string]access{}
	for _, r := range s.routes(p, d) {
		s.table[r.method+" "+r.path] = r.who
		if h := r.handler; h != nil {
			switch {
			case strings.HasPrefix(r.path, "/reviews/:id"):
				h = p.OfCase(h)
			case strings.HasPrefix(r.path, "/decisions/:id"):
				h = p.OfDecision(h)
			}
			s.echo.Add(r.method, r.path, h)
		}
	}
	if d.API != nil {
		if err := d.API(s.echo); err != nil {
			return err
		}
	}
	mounted := map[string]bool{}
	for _, r := range s.echo.Routes() {
		mounted[r.Method+" "+r.Path] = true
		if _, ok := s.table[r.Method+" "+r.Path]; !ok {
			return fmt.Errorf("web: %s %s is not in the table of routes.go", r.Method, r.Path)
		}
	}
	for line := range s.table {
		if !mounted[line] {
			return fmt.Errorf("web: %s stands in the table of routes.go and nothing answers it", line)
		}
	}
	return nil
}

// gate enforces the table. What is not in it has no handler: the router answers 404 or 405.
func (s *Server) gate(d Deps) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			who, known := s.table[c.Request().Method+" "+c.Path()]
			switch {
			case !known || who.anyone:
				return next(c)
			case who.operator:
				return requireOperator(d.MetricsToken)(next)(c)
			case len(who.scopes) > 0:
				return session.RequireToken(d.Accounts, who.scopes...)(next)(c)
			case who.signedIn || len(who.roles) > 0:
				return session.RequireRole(who.roles...)(next)(c)
			}
			return fmt.Errorf("web: %s %s has no access rule", c.Request().Method, c.Path())
		}
	}
}

// route is the pattern that the request matched, for the log and the metrics; "none" when it matched nothing.
func (s *Server) route(c echo.Context) string {
	if _, ok := s.table[c.Request().Method+" "+c.Path()]; ok {
		return c.Path()
	}
	return "none"
}

func knownMethod(m string) string {
	if slices.Contains([]string{get, head, post, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}, m) {
		return m
	}
	return "other"
}
