package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/static"
	"preceptor/web/form"
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
		{get, "/sign-in", anyone, form.Into(p.SignInForm)}, {post, "/sign-in", anyone, form.Into(p.SignIn)},
		{post, "/demo/sign-in", anyone, form.Into(p.DemoSignIn)},
		{post, "/sign-out", anyone, p.SignOut},
		{get, "/setup/:secret", anyone, p.SetupForm}, {post, "/setup/:secret", anyone, form.Into(p.Setup)},

		// Where everybody starts, and what keeps pages fresh.
		{get, "/", signedIn, p.Home}, {get, "/nav", signedIn, form.Into(p.Nav)}, {get, "/events", signedIn, form.Into(p.Events)},

		// The desk.
		{get, "/reviews", deskers, form.Into(p.ReviewList)}, {post, "/reviews/next", supervisor, form.Into(p.ReviewNext)},
		{get, "/reviews/assign", deskers, p.ReviewListBack}, {post, "/reviews/assign", deskers, form.Into(p.ReviewAssignMany)},
		{get, "/reviews/skip", supervisor, p.ReviewListBack}, {post, "/reviews/skip", supervisor, form.Into(p.ReviewSkipMany)},
		{post, "/reviews/skips/reset", supervisor, p.ReviewSkipsReset},
		{get, "/reviews/filters", deskers, p.ReviewListBack}, {post, "/reviews/filters", deskers, form.Into(p.FilterSave)},
		{get, "/reviews/filters/:id", deskers, p.ReviewListBack}, {post, "/reviews/filters/:id", deskers, form.Into(p.FilterChange)},
		{post, "/reviews/:id/assign", supervisor, form.Into(p.ReviewAssign)},
		{get, "/reviews/recent", supervisor, p.ReviewRecent},
		{get, "/reviews/:id", supervisor, form.Into(p.ReviewShow)},
		{get, "/reviews/:id/claim", supervisor, form.Into(p.ReviewClaimState)}, {post, "/reviews/:id/claim", supervisor, p.ReviewClaim},
		{post, "/reviews/:id/renew", supervisor, p.ReviewRenew}, {post, "/reviews/:id/unclaim", supervisor, p.ReviewUnclaim},
		{get, "/reviews/:id/approve", supervisor, p.ReviewBack}, {post, "/reviews/:id/approve", supervisor, form.Into(p.ReviewApprove)},
		{get, "/reviews/:id/revise", supervisor, p.ReviewBack}, {post, "/reviews/:id/revise", supervisor, form.Into(p.ReviewRevise)},
		{get, "/reviews/:id/overrule", supervisor, p.ReviewBack}, {post, "/reviews/:id/overrule", supervisor, form.Into(p.ReviewOverrule)},
		{get, "/reviews/:id/reject", supervisor, p.ReviewBack}, {post, "/reviews/:id/reject", supervisor, form.Into(p.ReviewReject)},
		{get, "/reviews/:id/skip", supervisor, p.ReviewBack}, {post, "/reviews/:id/skip", supervisor, form.Into(p.ReviewSkip)},
		{get, "/reviews/:id/check", supervisor, p.ReviewBack}, {post, "/reviews/:id/check", supervisor, form.Into(p.ReviewCheck)}, {post, "/reviews/:id/teach", supervisor, form.Into(p.ReviewTeach)}, {post, "/reviews/:id/preview", supervisor, form.Into(p.ReviewPreview)},
		{get, "/reviews/:id/return", supervisor, p.ReviewBack}, {post, "/reviews/:id/return", supervisor, form.Into(p.ReviewReturn)},
		{get, "/reviews/:id/draft", supervisor, p.ReviewBack}, {post, "/reviews/:id/draft", supervisor, form.Into(p.ReviewDraft)},
		{post, "/reviews/:id/draft/discard", supervisor, form.Into(p.ReviewDraftDiscard)},
		{get, "/reviews/:id/refer", supervisor, p.ReviewBack}, {post, "/reviews/:id/refer", supervisor, form.Into(p.ReviewRefer)},
		{get, "/reviews/:id/similar", supervisor, p.ReviewSimilar}, {get, "/reviews/ahead", supervisor, form.Into(p.ReviewAhead)},
		{post, "/decisions/:id/undo", supervisor, form.Into(p.DecisionUndo)}, {post, "/decisions/:id/recall", supervisor, form.Into(p.DecisionRecall)},

		// Borderline cases, for experts; what is ruled, for those who decide and those who watch.
		{get, "/compliance", learners, form.Into(p.BorderlineList)}, {post, "/compliance/next", expert, p.BorderlineNext},
		{get, "/compliance/next", expert, p.BorderlineListBack},
		{get, "/compliance/line", learners, p.LineMoved},
		{get, "/compliance/rubric", learners, form.Into(p.LineShow)}, {post, "/compliance/rubric", expert, form.Into(p.LinePropose)},
		{get, "/compliance/rubric/settle", acceptors, form.Into(p.LineShow)}, {post, "/compliance/rubric/settle", acceptors, form.Into(p.LineSettle)},
		{get, "/compliance/ratings/:id", expert, p.RatingShow}, {post, "/compliance/ratings/:id", expert, form.Into(p.RatingGive)},
		{get, "/compliance/checks", learners, p.CheckList}, {post, "/compliance/checks", expert, form.Into(p.CheckAdd)},
		{get, "/compliance/checks/new", expert, p.CheckNew}, {get, "/compliance/checks/:id/reword", expert, p.CheckReword},
		{get, "/compliance/checks/:id", learners, form.Into(p.CheckShow)}, {post, "/compliance/checks/:id", expert, form.Into(p.CheckChange)},
		{post, "/compliance/checks/:id/try", expert, form.Into(p.CheckTry)}, {post, "/compliance/checks/:id/text", expert, form.Into(p.CheckText)}, {post, "/compliance/checks/:id/switch", expert, form.Into(p.CheckSwitch)},
		{post, "/compliance/checks/:id/agree", acceptors, p.CheckAgree}, {post, "/compliance/checks/:id/refuse", acceptors, form.Into(p.CheckRefuse)},
		{post, "/compliance/checks/:id/withdraw", acceptors, p.CheckWithdraw},
		{get, "/compliance/:id", learners, form.Into(p.BorderlineShow)}, {post, "/compliance/:id/claim", expert, p.BorderlineClaim},
		{get, "/compliance/:id/answer", expert, p.BorderlineBack}, {post, "/compliance/:id/answer", expert, form.Into(p.BorderlineAnswer)},
		{get, "/compliance/:id/draft", expert, p.BorderlineBack}, {post, "/compliance/:id/draft", expert, form.Into(p.BorderlineDraft)},
		{get, "/compliance/:id/keep", expert, p.BorderlineBack}, {post, "/compliance/:id/keep", expert, p.BorderlineKeep},
		{get, "/compliance/:id/change", expert, p.BorderlineBack}, {post, "/compliance/:id/change", expert, form.Into(p.BorderlineChange)},
		{get, "/compliance/:id/rule", expert, p.BorderlineBack}, {post, "/compliance/:id/rule", expert, form.Into(p.BorderlineRule)},
		{get, "/compliance/:id/comments", expert, p.BorderlineBack}, {post, "/compliance/:id/comments", expert, form.Into(p.RemarkAdd)},
		{post, "/compliance/:id/comments/:remark/withdraw", expert, p.RemarkWithdraw},
		{get, "/compliance/:id/undo", expert, p.BorderlineBack}, {post, "/compliance/:id/undo", expert, p.BorderlineUndo},

		// People among themselves.
		{get, "/reviews/:id/comments", supervisor, p.CommentBlock}, {post, "/reviews/:id/comments", supervisor, form.Into(p.CommentAdd)},
		{get, "/comments", supervisor, form.Into(p.CommentList)}, {get, "/comments/people", supervisor, p.CommentPeople},
		{get, "/comments/:id", supervisor, form.Into(p.CommentShow)}, {post, "/comments/:id", supervisor, form.Into(p.CommentEdit)},
		{post, "/comments/:id/withdraw", supervisor, p.CommentWithdraw},
		{get, "/inbox", signedIn, form.Into(p.InboxList)}, {get, "/inbox/bell", signedIn, p.InboxBell},
		{post, "/inbox/read", signedIn, form.Into(p.NoticesRead)}, {post, "/inbox/:id/read", signedIn, form.Into(p.NoticeRead)},
		{get, "/progress", signedIn, p.Progress},

		// What is learned, and what is known.
		{get, "/learning", learners, form.Into(p.LearningList)}, {get, "/learning/:id", learners, p.LearningShow},
		{post, "/learning/:id/accept", acceptors, form.Into(p.LearningAccept)}, {post, "/learning/:id/reject", acceptors, form.Into(p.LearningReject)},
		{post, "/learning/:id/retry", acceptors, p.LearningRetry}, {post, "/learning/:id/back", acceptors, form.Into(p.LearningBack)},
		{post, "/learning/:id/state", acceptors, form.Into(p.LearningState)}, {post, "/learning/:id/teach", acceptors, p.LearningTeach}, {post, "/learning/:id/preview", acceptors, p.LearningPreview},
		{post, "/knowledge/rules/:id/teach", acceptors, form.Into(p.RuleTeach)}, {post, "/knowledge/rules/:id/preview", acceptors, form.Into(p.RulePreview)},
		{get, "/learning/reflections", readers, form.Into(p.ReflectionList)},
		{get, "/learning/several", acceptors, p.LearningSeveral}, {post, "/learning/several", acceptors, form.Into(p.LearningSettle)},
		{get, "/knowledge", signedIn, form.Into(p.KnowledgeList)}, {get, "/knowledge/documents", signedIn, p.DocumentList},
		{get, "/knowledge/map", signedIn, p.KnowledgeMap}, {get, "/knowledge/growth", signedIn, p.KnowledgeGrowth},
		{get, "/knowledge/file", acceptors, p.KnowledgeFile}, {post, "/knowledge/file/export", acceptors, p.KnowledgeExport},
		{get, baseFilePath, acceptors, p.KnowledgeFile}, {post, baseFilePath, acceptors, p.KnowledgeImport},
		{post, "/knowledge/rules/:id/accept", acceptors, form.Into(p.RuleAccept)},
		{post, "/knowledge/rules/:id/settle", acceptors, form.Into(p.RuleSettle)}, {post, "/knowledge/rules/:id/quarantine", acceptors, form.Into(p.RuleQuarantine)},
		{post, "/knowledge/rules/:id/still-right", acceptors, form.Into(p.RuleStillRight)}, {post, "/knowledge/cases/:id/retire", acceptors, form.Into(p.CaseRetire)},
		{get, "/knowledge/conflicts", signedIn, form.Into(p.ConflictList)}, {get, "/knowledge/conflicts/:id", signedIn, p.ConflictShow},
		{post, "/knowledge/conflicts/:id", acceptors, form.Into(p.ConflictSettle)}, {get, "/knowledge/quarantine", signedIn, p.QuarantineList},
		{get, "/knowledge/rules/:id/edit", acceptors, p.RuleEditForm}, {post, "/knowledge/rules/:id/edit", acceptors, form.Into(p.RuleEdit)},
		{post, "/knowledge/rules/:id/rollback", acceptors, form.Into(p.RuleGoBack)},
		{get, "/knowledge/history", signedIn, form.Into(p.StateList)}, {post, "/knowledge/history", acceptors, form.Into(p.StateSave)},
		{get, "/knowledge/history/:id", signedIn, p.StateShow}, {post, "/knowledge/history/:id", acceptors, form.Into(p.StateGoBack)},
		{post, "/learning/:id/rollback", acceptors, form.Into(p.LearningRollBack)}, {post, "/learning/:id/bring-back", acceptors, form.Into(p.LearningBringBack)},
		{get, "/interactions/:id/recall", learners, p.RecallShow},
		{get, "/interactions/:id/evidence", exporters, p.EvidenceShow}, {post, "/interactions/:id/evidence", exporters, p.EvidenceMake},
		{get, "/stats/packs", overview, p.PackList}, {post, "/stats/packs", overview, form.Into(p.PackMake)},
		{get, packCheckPath, overview, p.PackList}, {post, packCheckPath, overview, p.PackCheck},
		{get, "/knowledge/rules/:id", signedIn, p.RuleShow}, {get, "/knowledge/cases/:id", signedIn, p.CaseShow},

		// Gold sets.
		{get, "/datasets", curators, p.DatasetList}, {post, "/datasets", curators, form.Into(p.DatasetAdd)}, {get, "/datasets/new", curators, p.DatasetNew},
		{get, "/datasets/:id", curators, p.DatasetShow}, {post, "/datasets/:id/state", curators, form.Into(p.DatasetState)},
		{get, "/datasets/:id/settings", curators, p.DatasetSettings}, {post, "/datasets/:id/settings", curators, form.Into(p.DatasetSave)},
		{post, "/datasets/:id/people", curators, form.Into(p.DatasetPeople)}, {get, "/datasets/:id/agreement", curators, form.Into(p.DatasetAgreement)},
		{get, "/datasets/:id/items", keepers, form.Into(p.DatasetItems)}, {post, "/datasets/:id/items", curators, form.Into(p.DatasetItemAdd)},
		{get, "/datasets/:id/items/new", curators, p.DatasetItemNew}, {get, "/datasets/:id/items/:item", keepers, p.DatasetItem},
		{post, "/datasets/:id/items/assign", keepers, form.Into(p.DatasetAssign)},
		{post, "/datasets/:id/items/:item/exclude", keepers, form.Into(p.DatasetItemExclude)}, {post, "/datasets/:id/items/:item/include", keepers, p.DatasetItemInclude},
		{post, "/datasets/:id/items/:item/check", keepers, form.Into(p.DatasetItemCheck)}, {post, "/datasets/:id/items/:item/erase", admin, form.Into(p.DatasetItemErase)},
		{get, "/datasets/:id/label", labellers, form.Into(p.DatasetLabel)}, {post, "/datasets/:id/label", labellers, form.Into(p.DatasetAnswer)},
		{post, "/datasets/:id/label/skip", labellers, form.Into(p.DatasetSkip)}, {post, "/datasets/:id/label/unskip", labellers, form.Into(p.DatasetUnskip)},
		{post, "/datasets/:id/label/flag", labellers, form.Into(p.DatasetFlag)}, {post, "/datasets/:id/label/undo", labellers, form.Into(p.DatasetUndo)},
		{get, "/datasets/:id/adjudicate", labellers, form.Into(p.DatasetWaiting)}, {get, "/datasets/:id/adjudicate/:item", labellers, form.Into(p.DatasetSides)},
		{post, "/datasets/:id/adjudicate/:item", labellers, form.Into(p.DatasetRule)}, {post, "/datasets/:id/adjudicate/:item/undo", labellers, form.Into(p.DatasetUnrule)},
		{get, "/datasets/:id/versions", curators, p.DatasetVersions}, {post, "/datasets/:id/versions", curators, form.Into(p.DatasetFreeze)},
		{get, "/datasets/:id/versions/:n", curators, form.Into(p.DatasetVersion)}, {post, "/datasets/:id/versions/:n/verify", curators, form.Into(p.DatasetVerify)},
		{get, "/datasets/:id/files", curators, form.Into(p.DatasetFiles)}, {post, "/datasets/:id/gather", curators, form.Into(p.DatasetGather)}, {post, "/datasets/:id/export", curators, form.Into(p.DatasetExport)},
		{post, "/datasets/:id/import/upload", curators, p.DatasetUpload}, {post, "/datasets/:id/import", curators, form.Into(p.DatasetImport)},

		{get, "/datasets/:id/versions/:n/learn", acceptors, p.VersionLearn}, {post, "/datasets/:id/versions/:n/learn", acceptors, form.Into(p.VersionTeach)},

		// Judges, measured.
		{get, "/compliance/judges", readers, form.Into(p.JudgesShow)}, {post, "/compliance/judges/runs", acceptors, form.Into(p.JudgesMeasure)},
		{get, "/compliance/judges/runs", readers, form.Into(p.JudgeRuns)}, {get, "/compliance/judges/runs/:id", readers, p.JudgeRun},
		{post, "/compliance/judges/runs/:id/stop", acceptors, p.JudgeRunStop}, {get, "/compliance/judges/runs/:id/who/:who", readers, p.JudgeWho},
		{post, "/compliance/judges/runs/:id/threshold", acceptors, form.Into(p.JudgeThresholdPropose)},
		{get, "/compliance/judges/thresholds", readers, form.Into(p.JudgeThresholds)}, {get, "/compliance/judges/thresholds/:id", readers, p.JudgeThreshold},
		{post, "/compliance/judges/thresholds/:id/on", acceptors, form.Into(p.JudgeThresholdOn)}, {post, "/compliance/judges/thresholds/:id/off", acceptors, form.Into(p.JudgeThresholdOff)},
		{post, "/compliance/judges/thresholds/:id/refuse", acceptors, form.Into(p.JudgeThresholdRefuse)},
		{post, "/compliance/judges/thresholds/:id/agree", acceptors, form.Into(p.JudgeThresholdAgree)}, {post, "/compliance/judges/thresholds/:id/withdraw", acceptors, form.Into(p.JudgeThresholdWithdraw)},

		{get, "/ask", signedIn, form.Into(p.AskForm)}, {post, "/ask", signedIn, form.Into(p.Ask)}, {get, "/ask/:id", signedIn, p.AskShow},
		{get, "/stats", overview, form.Into(p.StatsSummary)}, {get, "/stats/satisfaction", overview, form.Into(p.StatsSatisfaction)},
		{get, "/stats/review", overview, form.Into(p.StatsReview)}, {get, "/stats/compliance", overview, form.Into(p.StatsCompliance)},
		{get, "/stats/learning", overview, form.Into(p.StatsLearning)}, {get, "/stats/changes", overview, form.Into(p.StatsChanges)},
		{get, "/stats/rows", overview, form.Into(p.StatsRows)}, {get, "/stats/mine", supervisor, p.StatsMine}, {get, "/stats/mine/rows", supervisor, form.Into(p.StatsMyRows)},
		{get, "/overview/desk", overview, p.DeskStats}, {get, "/overview/desk/hasty", overview, form.Into(p.HastyList)},
		{get, "/overview/planted", overview, p.PlantedList}, {post, "/overview/planted", overview, form.Into(p.PlantedAdd)},
		{get, "/overview/planted/new", overview, p.PlantedNew}, {get, "/overview/planted/results", overview, form.Into(p.PlantedResults)},
		{get, "/overview/planted/:id", overview, p.PlantedShow}, {post, "/overview/planted/:id", overview, form.Into(p.PlantedChange)},
		{post, "/overview/planted/:id/retire", overview, p.PlantedRetire}, {post, "/overview/planted/:id/restore", overview, p.PlantedRestore},
		{get, "/reviews/planted", supervisor, form.Into(p.PlantedMine)},

		// What users say: customers by a signed link or in the widget, without an account; staff who read it, follow up and ask for more.
		{get, "/f/:token", anyone, form.Into(p.FeedbackLink)}, {post, "/f/:token", anyone, form.Into(p.FeedbackLinkSend)},
		{get, "/widget/:token", anyone, form.Into(p.Widget)}, {post, "/widget/:token", anyone, form.Into(p.WidgetSend)},
		{get, "/feedback/examples", learners, form.Into(p.ExampleList)}, {post, "/feedback/examples/:id/retire", acceptors, form.Into(p.ExampleRetire)},
		{get, "/feedback/nightly", learners, form.Into(p.NightList)}, {post, "/feedback/nightly/:id", acceptors, p.PromptEnd},
		{get, "/feedback", overview, form.Into(p.CommentsOfUsers)}, {get, "/feedback/:id", deskers, p.SubjectShow},
		{get, "/feedback/:id/outcome", supervisor, p.SubjectBack}, {post, "/feedback/:id/outcome", supervisor, form.Into(p.SubjectFollowUp)},
		{get, "/feedback/:id/link", deskers, p.SubjectBack}, {post, "/feedback/:id/link", deskers, form.Into(p.SubjectLink)},
		{post, "/feedback/links/end", admin, p.LinksEnd},
		{get, "/chat", signedIn, p.ChatList}, {get, "/chat/:agent", signedIn, form.Into(p.ChatShow)}, {post, "/chat/:agent", signedIn, form.Into(p.ChatAsk)},
		{get, "/chat/:agent/:id", signedIn, form.Into(p.ChatShow)}, {post, "/chat/:agent/:id", signedIn, form.Into(p.ChatVote)},

		{get, "/exports", exporters, p.ExportForm}, {post, "/exports", exporters, form.Into(p.Export)},
		{get, "/overview", overview, p.Overview}, {get, "/search", signedIn, form.Into(p.Search)},
		{get, "/help", signedIn, p.HelpList}, {get, "/help/:page", signedIn, p.HelpShow},

		// Which of two answers is better, and whether a change makes them better.
		{get, "/preferences", learners, p.PreferenceJudge}, {post, "/preferences/answer", learners, form.Into(p.PreferenceAnswer)},
		{post, "/preferences/skip", learners, form.Into(p.PreferenceSkip)}, {post, "/preferences/unskip", learners, form.Into(p.PreferenceUnskip)},
		{post, "/preferences/undo", learners, form.Into(p.PreferenceUndo)}, {get, "/preferences/ranking", overview, form.Into(p.PreferenceRanking)},
		{get, "/preferences/pairs", overview, form.Into(p.PreferencePairs)}, {post, "/preferences/pairs", overview, form.Into(p.PreferenceAdd)},
		{get, "/preferences/pairs/new", overview, p.PreferenceNew}, {post, "/preferences/pairs/:id/remove", overview, p.PreferenceRemove},
		{post, "/preferences/export", overview, form.Into(p.PreferenceExport)},
		{get, "/experiments", overview, p.ExperimentList}, {post, "/experiments", overview, form.Into(p.ExperimentAdd)},
		{get, "/experiments/new", overview, p.ExperimentNew}, {get, "/experiments/:id", overview, form.Into(p.ExperimentShow)},
		{post, "/experiments/:id/start", overview, p.ExperimentStart}, {post, "/experiments/:id/stop", overview, form.Into(p.ExperimentStop)},

		// My account.
		{get, "/account", signedIn, p.Account},
		{post, "/account/password", signedIn, form.Into(p.AccountPassword)},
		{post, "/account/preferences", signedIn, form.Into(p.AccountPreferences)},
		{post, "/preferences", signedIn, form.Into(p.Preferences)},
		{post, "/account/sessions/end", signedIn, form.Into(p.AccountSessionsEnd)},

		// Administration.
		{get, "/admin", admin, p.Admin},
		{get, "/admin/people", admin, form.Into(p.People)}, {post, "/admin/people", admin, form.Into(p.PeopleAdd)},
		{get, "/admin/people/:id", admin, p.PersonShow}, {post, "/admin/people/:id/sign-out", admin, p.PeopleSignOut},
		{post, "/admin/people/:id/roles", admin, form.Into(p.PeopleRoles)},
		{post, "/admin/people/:id/disable", admin, p.PeopleDisable}, {post, "/admin/people/:id/enable", admin, p.PeopleEnable},
		{post, "/admin/people/:id/password", admin, form.Into(p.PeoplePassword)},
		{get, "/admin/teams", admin, p.TeamList}, {post, "/admin/teams", admin, form.Into(p.TeamAdd)},
		{post, "/admin/teams/:id", admin, form.Into(p.TeamChange)}, {post, "/admin/teams/:id/close", admin, form.Into(p.TeamClose)},
		{get, "/admin/agents", admin, p.Agents},
		{post, "/admin/agents/tokens", admin, form.Into(p.TokenCreate)},
		{post, "/admin/agents/tokens/:id/revoke", admin, p.TokenRevoke},
		{get, "/admin/policies", signedIn, form.Into(p.PolicyList)}, {post, "/admin/policies", admin, p.PolicyPropose},
		{get, "/admin/policies/propose", admin, form.Into(p.PolicyForm)}, {get, "/admin/policies/:id", signedIn, p.PolicyShow},
		{post, "/admin/policies/:id/agree", admin, p.PolicyAgree}, {post, "/admin/policies/:id/refuse", admin, form.Into(p.PolicyRefuse)},
		{post, "/admin/policies/:id/withdraw", admin, p.PolicyWithdraw},
		{get, "/admin/webhooks", admin, p.WebhookList},
		{get, "/admin/webhooks/:agent", admin, form.Into(p.WebhookShow)}, {post, "/admin/webhooks/:agent", admin, form.Into(p.WebhookSave)},
		{post, "/admin/webhooks/:agent/rotate", admin, p.WebhookRotate}, {post, "/admin/webhooks/:agent/test", admin, p.WebhookTest},
		{post, "/admin/webhooks/:agent/enable", admin, p.WebhookEnable}, {post, "/admin/webhooks/:agent/disable", admin, p.WebhookDisable},
		{post, "/admin/webhooks/:agent/hurry", admin, p.WebhookHurry}, {post, "/admin/webhooks/:agent/replay", admin, p.WebhookReplay},
		{get, "/admin/events/:id", admin, p.EventShow}, {post, "/admin/events/:id/replay", admin, p.EventReplay},
		{get, "/admin/import", admin, p.ImportForm}, {post, "/admin/import", admin, form.Into(p.ImportFolder)},
		{post, uploadPath, admin, p.ImportUpload},
		{get, "/admin/erasure", admin, p.ErasureForm}, {post, "/admin/erasure", admin, form.Into(p.ErasureMake)},
		{post, "/admin/erasure/preview", admin, form.Into(p.ErasurePreview)}, {post, "/admin/erasure/holds", admin, form.Into(p.HoldSet)},
		{post, "/admin/erasure/holds/:id/release", admin, form.Into(p.HoldRelease)},
		{get, "/admin/backup", admin, p.BackupForm}, {post, "/admin/backup", admin, p.BackupMake},
		{get, "/admin/jobs", admin, form.Into(p.JobList)}, {post, "/admin/jobs/:id/retry", admin, p.JobRetry},
		{post, "/admin/jobs/retry", admin, form.Into(p.JobRetryKind)}, {post, "/admin/jobs/loops", admin, form.Into(p.JobLoop)},
		{get, "/admin/audit", admin, form.Into(p.AuditLog)}, {post, "/admin/audit/verify", admin, form.Into(p.AuditVerify)},
		{post, "/admin/audit/export", admin, form.Into(p.AuditExport)},
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
