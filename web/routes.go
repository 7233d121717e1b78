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
	admins     = only(account.Admin)
	expert     = only(account.Expert)
	overview   = only(account.Manager, account.Admin)
	// see where cases stand; what is in them, supervisors only
	deskers   = only(account.Supervisor, account.Manager, account.Admin)
	learners  = only(account.Supervisor, account.Expert, account.Manager, account.Admin)
	acceptors = only(account.Expert, account.Admin)
	// of how well judges do, and of what agents remember; they rule on borderline cases as the domain lets each
	readers   = only(account.Expert, account.Manager, account.Admin)
	exporters = only(account.Supervisor, account.Manager, account.Admin)
	curators  = only(account.Expert, account.Manager, account.Admin) // look after gold sets
	labellers = only(account.Expert)
	keepers   = only(account.Manager, account.Admin) // see items and checks, which labellers must not
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
	get           = http.MethodGet
	head          = http.MethodHead
	post          = http.MethodPost
	uploadPath    = "/admin/import/upload"
	baseFilePath  = "/knowledge/file/import"
	packCheckPath = "/stats/packs/check"
)

// routes is every address of the program.
func (s *Server) routes(r rooms, d Deps) []route {
	files := echo.WrapHandler(static.Handler())
	return []route{
		// The machine room.
		{get, "/healthz", anyone, s.healthz}, {head, "/healthz", anyone, s.healthz},
		{get, "/readyz", anyone, s.readyz(d)}, {head, "/readyz", anyone, s.readyz(d)},
		{get, "/metrics", operator, s.metrics.answer},
		{get, "/static/*", anyone, files}, {head, "/static/*", anyone, files},

		// The API; its handlers stand in web/api.
		{post, "/api/guidance", token(account.Submit), nil}, {get, "/api/guidance", token(account.Submit), nil},
		{get, "/api/guidance/:id", token(account.Submit), nil},
		{http.MethodDelete, "/api/guidance/:id", token(account.Submit), nil},
		{post, "/api/advise", token(account.Submit), nil},
		{post, "/api/recall", token(account.Recall), nil}, {post, "/api/check", token(account.Submit), nil},
		{get, "/api/rules", token(account.Recall), nil},
		{get, "/api/policy", token(account.Submit), nil},
		{post, "/api/feedback/interactions", token(account.Feedback), nil},
		{post, "/api/feedback/submit", token(account.Feedback), nil},
		{get, "/api/feedback/examples", token(account.Feedback), nil},
		{get, "/api/feedback/stats/:agent_type", token(account.Feedback), nil},
		{post, "/api/feedback/links", token(account.Feedback), nil},
		{post, "/api/preferences", token(account.Feedback), nil},
		{post, "/api/preferences/:id/choices", token(account.Feedback), nil},
		{get, "/api/agents/:agent/prompt", token(account.Recall), nil},
		{post, "/api/experiments", token(account.Feedback), nil},
		{get, "/api/experiments/:id/variant", token(account.Feedback), nil},
		{post, "/api/experiments/:id/outcome", token(account.Feedback), nil},
		{post, "/api/experiments/:id/assignments", token(account.Feedback), nil},
		{post, "/api/experiments/:id/outcomes", token(account.Feedback), nil},
		{post, "/api/feedback/outcomes", token(account.Feedback), nil},
		{get, "/api/feedback/export/:kind", token(account.Feedback), nil},
		{post, "/api/feedback/experiences", token(account.Feedback), nil},
		{get, "/api/feedback/experiences", token(account.Feedback), nil},
		{post, "/api/turns", token(account.Feedback), nil}, {post, "/api/sessions/end", token(account.Feedback), nil},
		{get, "/api/sessions/:id", token(account.Feedback), nil},
		{post, "/api/evaluations", token(account.Feedback), nil},
		{get, "/api/evaluations", token(account.Feedback), nil}, {get, "/api/notes", token(account.Recall), nil},
		{post, "/api/observations", token(account.Feedback), nil},
		{get, "/api/observations/:id", token(account.Feedback), nil},
		{post, "/api/learnings", token(account.Feedback), nil},
		{get, "/api/learnings", token(account.Feedback), nil},
		{get, "/api/learnings.md", token(account.Feedback), nil},
		{post, "/api/reminders", token(account.Feedback), nil}, {get, "/api/reminders", token(account.Feedback), nil},
		{get, "/api/openapi.json", anyone, nil}, {get, "/api/docs", anyone, nil},

		// The other doors, which ask the API's operations; any scope opens them, and each operation asks for its own.
		{post, "/mcp", token(account.Scopes...), nil},
		{post, "/v1/chat/completions", token(account.Submit), nil}, {get, "/v1/models", token(account.Submit), nil},

		// Coming in and going out.
		{get, "/sign-in", anyone, form.Into(r.home.SignInForm)}, {post, "/sign-in", anyone, form.Into(r.home.SignIn)},
		{post, "/demo/sign-in", anyone, form.Into(r.home.DemoSignIn)},
		{post, "/sign-out", anyone, r.home.SignOut},
		{get, "/setup/:secret", anyone, r.home.SetupForm}, {post, "/setup/:secret", anyone, form.Into(r.home.Setup)},
		{get, "/join/:secret", anyone, r.home.JoinForm}, {post, "/join/:secret", anyone, form.Into(r.home.Join)},

		// Where everybody starts, and what keeps pages fresh.
		{get, "/", signedIn, r.home.Home}, {get, "/nav", signedIn, form.Into(r.home.Nav)},
		{get, "/events", signedIn, form.Into(r.home.Events)},

		// The desk.
		{get, "/reviews", deskers, form.Into(r.desk.ReviewList)},
		{post, "/reviews/next", supervisor, form.Into(r.desk.ReviewNext)},
		{get, "/reviews/escalated", deskers, form.Into(r.desk.EscalatedList)},
		{get, "/reviews/assign", deskers, r.desk.ReviewListBack},
		{post, "/reviews/assign", deskers, form.Into(r.desk.ReviewAssignMany)},
		{get, "/reviews/skip", supervisor, r.desk.ReviewListBack},
		{post, "/reviews/skip", supervisor, form.Into(r.desk.ReviewSkipMany)},
		{get, "/reviews/columns", overview, r.desk.ReviewListBack},
		{post, "/reviews/columns", overview, form.Into(r.desk.ColumnsSave)},
		{post, "/reviews/skips/reset", supervisor, r.desk.ReviewSkipsReset},
		{get, "/reviews/filters", deskers, r.desk.ReviewListBack},
		{post, "/reviews/filters", deskers, form.Into(r.desk.FilterSave)},
		{get, "/reviews/filters/:id", deskers, r.desk.ReviewListBack},
		{post, "/reviews/filters/:id", deskers, form.Into(r.desk.FilterChange)},
		{get, "/reviews/replies", supervisor, r.desk.RepliesShow},
		{post, "/reviews/replies", supervisor, form.Into(r.desk.ReplySave)},
		{post, "/reviews/replies/:id/delete", supervisor, r.desk.ReplyDelete},
		{get, "/reviews/:id/assign", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/assign", supervisor, form.Into(r.desk.ReviewAssign)},
		{get, "/reviews/recent", supervisor, r.desk.ReviewRecent},
		{get, "/reviews/:id", deskers, form.Into(r.desk.ReviewShow)},
		{get, "/reviews/:id/claim", supervisor, form.Into(r.desk.ReviewClaimState)},
		{post, "/reviews/:id/claim", supervisor, r.desk.ReviewClaim},
		{post, "/reviews/:id/renew", supervisor, r.desk.ReviewRenew},
		{post, "/reviews/:id/unclaim", supervisor, r.desk.ReviewUnclaim},
		{get, "/reviews/:id/take", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/take", supervisor, form.Into(r.desk.EscalatedTake)},
		{get, "/reviews/:id/release", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/release", supervisor, r.desk.EscalatedRelease},
		{get, "/reviews/:id/close", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/close", supervisor, form.Into(r.desk.EscalatedClose)},
		{get, "/reviews/:id/approve", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/approve", supervisor, form.Into(r.desk.ReviewApprove)},
		{get, "/reviews/:id/revise", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/revise", supervisor, form.Into(r.desk.ReviewRevise)},
		{get, "/reviews/:id/overrule", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/overrule", supervisor, form.Into(r.desk.ReviewOverrule)},
		{get, "/reviews/:id/reject", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/reject", supervisor, form.Into(r.desk.ReviewReject)},
		{get, "/reviews/:id/skip", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/skip", supervisor, form.Into(r.desk.ReviewSkip)},
		{get, "/reviews/:id/check", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/check", supervisor, form.Into(r.desk.ReviewCheck)},
		{post, "/reviews/:id/teach", supervisor, form.Into(r.desk.ReviewTeach)},
		{post, "/reviews/:id/preview", supervisor, form.Into(r.desk.ReviewPreview)},
		{get, "/reviews/:id/return", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/return", supervisor, form.Into(r.desk.ReviewReturn)},
		{get, "/reviews/:id/draft", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/draft", supervisor, form.Into(r.desk.ReviewDraft)},
		{post, "/reviews/:id/draft/discard", supervisor, form.Into(r.desk.ReviewDraftDiscard)},
		{get, "/reviews/:id/refer", supervisor, r.desk.ReviewBack},
		{post, "/reviews/:id/refer", supervisor, form.Into(r.desk.ReviewRefer)},
		{get, "/reviews/:id/similar", supervisor, r.desk.ReviewSimilar},
		{get, "/reviews/ahead", supervisor, form.Into(r.desk.ReviewAhead)},
		// The same desk with made-up cases.
		{get, "/reviews/practice", supervisor, r.desk.PracticeHome},
		{post, "/reviews/practice", supervisor, form.Into(r.desk.PracticeBegin)},
		{get, "/reviews/practice/:round", supervisor, r.desk.PracticeRound},
		{post, "/reviews/practice/:round/delete", supervisor, r.desk.PracticeDelete},
		{get, "/reviews/practice/:round/:n", supervisor, form.Into(r.desk.PracticeShow)},
		{post, "/reviews/practice/:round/:n/undo", supervisor, form.Into(r.desk.PracticeUndo)},
		{get, "/reviews/practice/:round/:n/approve", supervisor, r.desk.PracticeBack},
		{post, "/reviews/practice/:round/:n/approve", supervisor, form.Into(r.desk.PracticeAnswer)},
		{get, "/reviews/practice/:round/:n/revise", supervisor, r.desk.PracticeBack},
		{post, "/reviews/practice/:round/:n/revise", supervisor, form.Into(r.desk.PracticeAnswer)},
		{get, "/reviews/practice/:round/:n/reject", supervisor, r.desk.PracticeBack},
		{post, "/reviews/practice/:round/:n/reject", supervisor, form.Into(r.desk.PracticeAnswer)},
		{get, "/reviews/practice/:round/:n/return", supervisor, r.desk.PracticeBack},
		{post, "/reviews/practice/:round/:n/return", supervisor, form.Into(r.desk.PracticeAnswer)},
		{get, "/reviews/practice/:round/:n/check", supervisor, r.desk.PracticeBack},
		{post, "/reviews/practice/:round/:n/check", supervisor, form.Into(r.desk.PracticeCheck)},
		{post, "/decisions/:id/undo", supervisor, form.Into(r.desk.DecisionUndo)},
		{post, "/decisions/:id/recall", supervisor, form.Into(r.desk.DecisionRecall)},

		// What experts have to do. Borderline cases, for experts; what is ruled, for those who decide and those who
		// watch.
		{get, "/todo", expert, r.experts.Todo},
		{get, "/compliance", learners, form.Into(r.experts.BorderlineList)},
		{post, "/compliance/next", expert, r.experts.BorderlineNext},
		{get, "/compliance/next", expert, r.experts.BorderlineListBack},
		{get, "/compliance/line", learners, r.experts.LineMoved},
		{get, "/compliance/rubric", learners, form.Into(r.experts.LineShow)},
		{post, "/compliance/rubric", expert, form.Into(r.experts.LinePropose)},
		{get, "/compliance/rubric/settle", acceptors, form.Into(r.experts.LineShow)},
		{post, "/compliance/rubric/settle", acceptors, r.home.ApprovalMoved},
		{post, "/compliance/sentences/:id/end", expert, form.Into(r.experts.SentenceEnd)},
		{get, "/compliance/ratings/:id", expert, r.experts.RatingShow},
		{post, "/compliance/ratings/:id", expert, form.Into(r.experts.RatingGive)},
		{get, "/compliance/checks", learners, r.experts.CheckList},
		{post, "/compliance/checks", expert, form.Into(r.experts.CheckAdd)},
		{get, "/compliance/checks/new", expert, r.experts.CheckNew},
		{get, "/compliance/checks/:id/reword", expert, r.experts.CheckReword},
		{get, "/compliance/checks/:id", learners, form.Into(r.experts.CheckShow)},
		{post, "/compliance/checks/:id", expert, form.Into(r.experts.CheckChange)},
		{post, "/compliance/checks/:id/try", expert, form.Into(r.experts.CheckTry)},
		{post, "/compliance/checks/:id/text", expert, form.Into(r.experts.CheckText)},
		{post, "/compliance/checks/:id/switch", expert, form.Into(r.experts.CheckSwitch)},
		{post, "/compliance/checks/:id/:answer", acceptors, r.home.ApprovalMoved},
		{get, "/compliance/:id", learners, form.Into(r.experts.BorderlineShow)},
		{post, "/compliance/:id/claim", expert, r.experts.BorderlineClaim},
		{get, "/compliance/:id/answer", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/answer", expert, form.Into(r.experts.BorderlineAnswer)},
		{get, "/compliance/:id/draft", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/draft", expert, form.Into(r.experts.BorderlineDraft)},
		{get, "/compliance/:id/keep", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/keep", expert, r.experts.BorderlineKeep},
		{get, "/compliance/:id/change", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/change", expert, form.Into(r.experts.BorderlineChange)},
		{get, "/compliance/:id/rule", readers, r.experts.BorderlineBack},
		{post, "/compliance/:id/rule", readers, form.Into(r.experts.BorderlineRule)},
		{get, "/compliance/:id/comments", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/comments", expert, form.Into(r.experts.RemarkAdd)},
		{post, "/compliance/:id/comments/:remark/withdraw", expert, r.experts.RemarkWithdraw},
		{get, "/compliance/:id/close", overview, r.experts.BorderlineBack},
		{post, "/compliance/:id/close", overview, form.Into(r.experts.BorderlineClose)},
		{get, "/compliance/:id/skip", expert, r.experts.BorderlineBack},
		{post, "/compliance/:id/skip", expert, r.experts.BorderlineSkip},
		{get, "/compliance/:id/undo", readers, r.experts.BorderlineBack},
		{post, "/compliance/:id/undo", readers, r.experts.BorderlineUndo},

		// People among themselves.
		{get, "/reviews/:id/comments", supervisor, r.desk.CommentBlock},
		{post, "/reviews/:id/comments", supervisor, form.Into(r.desk.CommentAdd)},
		{get, "/comments", supervisor, form.Into(r.desk.CommentList)},
		{get, "/comments/people", supervisor, r.desk.CommentPeople},
		{get, "/comments/:id", supervisor, form.Into(r.desk.CommentShow)},
		{post, "/comments/:id", supervisor, form.Into(r.desk.CommentEdit)},
		{post, "/comments/:id/withdraw", supervisor, r.desk.CommentWithdraw},
		{get, "/approvals", acceptors, r.home.ApprovalList},
		{get, "/approvals/:id", acceptors, r.home.ApprovalShow},
		{post, "/approvals/:id/:answer", acceptors, form.Into(r.home.ApprovalAnswer)},
		{get, "/inbox", signedIn, form.Into(r.home.InboxList)}, {get, "/inbox/bell", signedIn, r.home.InboxBell},
		{post, "/inbox/read", signedIn, form.Into(r.home.NoticesRead)},
		{post, "/inbox/:id/read", signedIn, form.Into(r.home.NoticeRead)},
		{get, "/progress", signedIn, r.desk.Progress},

		// What is learned, and what is known.
		{get, "/learning", learners, form.Into(r.knowledge.LearningList)},
		{get, "/learning/:id", learners, r.knowledge.LearningShow},
		{post, "/learning/:id/accept", acceptors, form.Into(r.knowledge.LearningAccept)},
		{post, "/learning/:id/reject", acceptors, form.Into(r.knowledge.LearningReject)},
		{post, "/learning/:id/retry", acceptors, r.knowledge.LearningRetry},
		{post, "/learning/:id/again", acceptors, r.knowledge.LearningAgain},
		{post, "/learning/:id/back", acceptors, form.Into(r.knowledge.LearningBack)},
		{post, "/learning/:id/state", acceptors, form.Into(r.knowledge.LearningState)},
		{post, "/learning/:id/teach", acceptors, r.knowledge.LearningTeach},
		{post, "/learning/:id/preview", acceptors, r.knowledge.LearningPreview},
		{post, "/knowledge/rules/:id/teach", acceptors, form.Into(r.knowledge.RuleTeach)},
		{post, "/knowledge/rules/:id/preview", acceptors, form.Into(r.knowledge.RulePreview)},
		{get, "/learning/reflections", readers, form.Into(r.knowledge.ReflectionList)},
		{get, "/learning/sessions", learners, form.Into(r.knowledge.SessionList)},
		{get, "/learning/sessions/:id", learners, r.knowledge.SessionShow},
		{post, "/learning/sessions/:id/proposals/:proposal", acceptors, form.Into(r.knowledge.ProposalDecide)},
		{get, "/learning/agents/:id", learners, r.knowledge.AgentSignals},
		{post, "/learning/agents/:id", acceptors, form.Into(r.knowledge.AgentSettings)},
		{get, "/learning/several", acceptors, r.knowledge.LearningSeveral},
		{post, "/learning/several", acceptors, form.Into(r.knowledge.LearningSettle)},
		{get, "/knowledge", signedIn, form.Into(r.knowledge.KnowledgeList)},
		{get, "/knowledge/documents", signedIn, r.knowledge.DocumentList},
		{get, "/knowledge/documents/:id", signedIn, r.knowledge.SourceShow},
		{post, "/knowledge/documents/:id", acceptors, form.Into(r.knowledge.SourceDecide)},
		{get, "/knowledge/more", signedIn, r.knowledge.KnowledgeMore},
		{get, "/knowledge/growth", signedIn, r.knowledge.KnowledgeGrowth},
		{get, "/knowledge/unanswered", learners, form.Into(r.knowledge.UnansweredList)},
		{get, "/knowledge/unanswered/:id", learners, r.knowledge.UnansweredShow},
		{get, "/knowledge/file", acceptors, r.knowledge.KnowledgeFile},
		{post, "/knowledge/file/export", acceptors, r.knowledge.KnowledgeExport},
		{get, baseFilePath, acceptors, r.knowledge.KnowledgeFile},
		{post, baseFilePath, acceptors, r.knowledge.KnowledgeImport},
		{post, "/knowledge/unanswered/:id", acceptors, form.Into(r.knowledge.UnansweredDecide)},
		{post, "/knowledge/rules/:id/accept", acceptors, form.Into(r.knowledge.RuleAccept)},
		{get, "/knowledge/section", acceptors, form.Into(r.knowledge.SectionForm)},
		{post, "/knowledge/section", acceptors, form.Into(r.knowledge.SectionSave)},
		{post, "/knowledge/rules/:id/ask", overview, r.knowledge.RuleAsk},
		{post, "/knowledge/rules/:id/settle", acceptors, form.Into(r.knowledge.RuleSettle)},
		{post, "/knowledge/rules/:id/quarantine", acceptors, form.Into(r.knowledge.RuleQuarantine)},
		{post, "/knowledge/rules/:id/still-right", acceptors, form.Into(r.knowledge.RuleStillRight)},
		{post, "/knowledge/cases/:id/retire", acceptors, form.Into(r.knowledge.CaseRetire)},
		{get, "/knowledge/conflicts", signedIn, form.Into(r.knowledge.ConflictList)},
		{get, "/knowledge/conflicts/:id", signedIn, r.knowledge.ConflictShow},
		{post, "/knowledge/conflicts/:id", acceptors, form.Into(r.knowledge.ConflictSettle)},
		{get, "/knowledge/quarantine", signedIn, r.knowledge.QuarantineList},
		{get, "/knowledge/rules/:id/edit", acceptors, r.knowledge.RuleEditForm},
		{post, "/knowledge/rules/:id/edit", acceptors, form.Into(r.knowledge.RuleEdit)},
		{post, "/knowledge/rules/:id/rollback", acceptors, form.Into(r.knowledge.RuleGoBack)},
		{get, "/knowledge/history", signedIn, form.Into(r.knowledge.StateList)},
		{post, "/knowledge/history", acceptors, form.Into(r.knowledge.StateSave)},
		{get, "/knowledge/history/:id", signedIn, r.knowledge.StateShow},
		{post, "/knowledge/history/:id", acceptors, form.Into(r.knowledge.StateGoBack)},
		{post, "/learning/:id/rollback", acceptors, form.Into(r.knowledge.LearningRollBack)},
		{post, "/learning/:id/bring-back", acceptors, form.Into(r.knowledge.LearningBringBack)},
		{get, "/interactions/:id", deskers, r.stats.ReviewRead},
		{get, "/interactions/:id/recall", learners, r.knowledge.RecallShow},
		{get, "/interactions/:id/evidence", exporters, r.stats.EvidenceShow},
		{post, "/interactions/:id/evidence", exporters, r.stats.EvidenceMake},
		{get, "/stats/packs", overview, r.stats.PackList},
		{post, "/stats/packs", overview, form.Into(r.stats.PackMake)},
		{get, packCheckPath, overview, r.stats.PackList}, {post, packCheckPath, overview, r.stats.PackCheck},
		{get, "/knowledge/rules/:id", signedIn, r.knowledge.RuleShow},
		{get, "/knowledge/cases/:id", signedIn, r.knowledge.CaseShow},

		// Gold sets.
		{get, "/datasets", curators, r.datasets.DatasetList},
		{post, "/datasets", curators, form.Into(r.datasets.DatasetAdd)},
		{get, "/datasets/new", curators, form.Into(r.datasets.DatasetNew)},
		{get, "/datasets/:id", curators, r.datasets.DatasetShow},
		{post, "/datasets/:id/state", curators, form.Into(r.datasets.DatasetState)},
		{get, "/datasets/:id/settings", curators, r.datasets.DatasetSettings},
		{post, "/datasets/:id/settings", curators, form.Into(r.datasets.DatasetSave)},
		{post, "/datasets/:id/order", curators, form.Into(r.datasets.DatasetOrder)},
		{post, "/datasets/:id/people", curators, form.Into(r.datasets.DatasetPeople)},
		{get, "/datasets/:id/agreement", curators, form.Into(r.datasets.DatasetAgreement)},
		{get, "/datasets/:id/items", keepers, form.Into(r.datasets.DatasetItems)},
		{post, "/datasets/:id/items", curators, form.Into(r.datasets.DatasetItemAdd)},
		{get, "/datasets/:id/items/new", curators, r.datasets.DatasetItemNew},
		{get, "/datasets/:id/items/:item", keepers, r.datasets.DatasetItem},
		{post, "/datasets/:id/items/assign", keepers, form.Into(r.datasets.DatasetAssign)},
		{post, "/datasets/:id/items/:item/exclude", keepers, form.Into(r.datasets.DatasetItemExclude)},
		{post, "/datasets/:id/items/:item/include", keepers, r.datasets.DatasetItemInclude},
		{post, "/datasets/:id/items/:item/check", keepers, form.Into(r.datasets.DatasetItemCheck)},
		{post, "/datasets/:id/items/:item/erase", admins, form.Into(r.datasets.DatasetItemErase)},
		{get, "/datasets/:id/label", labellers, form.Into(r.datasets.DatasetLabel)},
		{post, "/datasets/:id/label", labellers, form.Into(r.datasets.DatasetAnswer)},
		{post, "/datasets/:id/label/skip", labellers, form.Into(r.datasets.DatasetSkip)},
		{post, "/datasets/:id/label/unskip", labellers, form.Into(r.datasets.DatasetUnskip)},
		{post, "/datasets/:id/label/flag", labellers, form.Into(r.datasets.DatasetFlag)},
		{post, "/datasets/:id/label/undo", labellers, form.Into(r.datasets.DatasetUndo)},
		{get, "/datasets/:id/adjudicate", curators, form.Into(r.datasets.DatasetWaiting)},
		{get, "/datasets/:id/adjudicate/:item", curators, form.Into(r.datasets.DatasetSides)},
		{post, "/datasets/:id/adjudicate/:item", curators, form.Into(r.datasets.DatasetRule)},
		{post, "/datasets/:id/adjudicate/:item/undo", curators, form.Into(r.datasets.DatasetUnrule)},
		{get, "/datasets/:id/versions", curators, r.datasets.DatasetVersions},
		{post, "/datasets/:id/versions", curators, form.Into(r.datasets.DatasetFreeze)},
		{get, "/datasets/:id/versions/:n", curators, form.Into(r.datasets.DatasetVersion)},
		{post, "/datasets/:id/versions/:n/verify", curators, form.Into(r.datasets.DatasetVerify)},
		{get, "/datasets/:id/files", curators, form.Into(r.datasets.DatasetFiles)},
		{post, "/datasets/:id/gather", curators, form.Into(r.datasets.DatasetGather)},
		{post, "/datasets/:id/export", curators, form.Into(r.datasets.DatasetExport)},
		{post, "/datasets/:id/import/upload", curators, r.datasets.DatasetUpload},
		{post, "/datasets/:id/import", curators, form.Into(r.datasets.DatasetImport)},

		{get, "/datasets/:id/versions/:n/learn", acceptors, r.datasets.VersionLearn},
		{post, "/datasets/:id/versions/:n/learn", acceptors, form.Into(r.datasets.VersionTeach)},

		// Judges, measured.
		{get, "/compliance/judges", readers, form.Into(r.datasets.JudgesShow)},
		{post, "/compliance/judges/runs", acceptors, form.Into(r.datasets.JudgesMeasure)},
		{get, "/compliance/judges/runs", readers, form.Into(r.datasets.JudgeRuns)},
		{get, "/compliance/judges/runs/:id", readers, r.datasets.JudgeRun},
		{post, "/compliance/judges/runs/:id/stop", acceptors, r.datasets.JudgeRunStop},
		{get, "/compliance/judges/runs/:id/who/:who", readers, r.datasets.JudgeWho},
		{post, "/compliance/judges/runs/:id/threshold", acceptors, form.Into(r.datasets.JudgeThresholdPropose)},
		{get, "/compliance/judges/thresholds", readers, form.Into(r.datasets.JudgeThresholds)},
		{get, "/compliance/judges/thresholds/:id", readers, r.datasets.JudgeThreshold},
		{post, "/compliance/judges/thresholds/:id/on", acceptors, form.Into(r.datasets.JudgeThresholdOn)},
		{post, "/compliance/judges/thresholds/:id/off", acceptors, form.Into(r.datasets.JudgeThresholdOff)},
		{post, "/compliance/judges/thresholds/:id/refuse", acceptors, form.Into(r.datasets.JudgeThresholdRefuse)},
		{post, "/compliance/judges/thresholds/:id/:answer", acceptors, r.home.ApprovalMoved},

		{get, "/ask", signedIn, form.Into(r.home.AskForm)}, {post, "/ask", signedIn, form.Into(r.home.Ask)},
		{get, "/ask/:id", signedIn, r.home.AskShow},
		{get, "/stats", overview, form.Into(r.stats.StatsSummary)},
		{get, "/stats/satisfaction", overview, form.Into(r.stats.StatsSatisfaction)},
		{get, "/stats/review", overview, form.Into(r.stats.StatsReview)},
		{get, "/stats/compliance", overview, form.Into(r.stats.StatsCompliance)},
		{get, "/stats/learning", overview, form.Into(r.stats.StatsLearning)},
		{get, "/stats/changes", overview, form.Into(r.stats.StatsChanges)},
		{get, "/stats/rows", overview, form.Into(r.stats.StatsRows)},
		{get, "/stats/mine", supervisor, form.Into(r.stats.StatsMine)},
		{get, "/stats/mine/rows", supervisor, form.Into(r.stats.StatsMyRows)},
		{get, "/overview/desk", overview, form.Into(r.stats.DeskStats)},
		{get, "/overview/desk/hasty", overview, form.Into(r.stats.HastyList)},
		{get, "/overview/planted", overview, r.stats.PlantedList},
		{post, "/overview/planted", overview, form.Into(r.stats.PlantedAdd)},
		{get, "/overview/planted/new", overview, form.Into(r.stats.PlantedNew)},
		{get, "/overview/planted/results", overview, form.Into(r.stats.PlantedResults)},
		{get, "/overview/planted/:id", overview, form.Into(r.stats.PlantedShow)},
		{post, "/overview/planted/:id", overview, form.Into(r.stats.PlantedChange)},
		{post, "/overview/planted/:id/retire", overview, r.stats.PlantedRetire},
		{post, "/overview/planted/:id/restore", overview, r.stats.PlantedRestore},
		{get, "/reviews/planted", supervisor, form.Into(r.stats.PlantedMine)},

		// What users say: customers by a signed link or in the widget, without an account; staff who read it, follow up
		// and ask for more.
		{get, "/f/:token", anyone, form.Into(r.guest.FeedbackLink)},
		{post, "/f/:token", anyone, form.Into(r.guest.FeedbackLinkSend)},
		{get, "/widget/:token", anyone, form.Into(r.guest.Widget)},
		{post, "/widget/:token", anyone, form.Into(r.guest.WidgetSend)},
		// Customers who ask an agent, on a page or in the widget, and come back by a private link.
		{get, "/talk/:agent", anyone, form.Into(r.guest.TalkStart)},
		{post, "/talk/:agent", anyone, form.Into(r.guest.TalkBegin)},
		{get, "/c/:token", anyone, form.Into(r.guest.Talk)}, {post, "/c/:token", anyone, form.Into(r.guest.TalkSay)},
		{get, "/c/:token/events", anyone, r.guest.TalkEvents},
		{get, "/widget/chat/:agent", anyone, form.Into(r.guest.TalkStart)},
		{post, "/widget/chat/:agent", anyone, form.Into(r.guest.TalkBegin)},
		{get, "/widget/c/:token", anyone, form.Into(r.guest.Talk)},
		{post, "/widget/c/:token", anyone, form.Into(r.guest.TalkSay)},
		{get, "/feedback/examples", learners, form.Into(r.stats.ExampleList)},
		{post, "/feedback/examples/:id/retire", acceptors, form.Into(r.stats.ExampleRetire)},
		{get, "/feedback/nightly", learners, form.Into(r.stats.NightList)},
		{get, "/feedback", overview, form.Into(r.stats.CommentsOfUsers)},
		{get, "/feedback/:id", deskers, r.stats.SubjectShow},
		{get, "/feedback/:id/outcome", supervisor, r.stats.SubjectBack},
		{post, "/feedback/:id/outcome", supervisor, form.Into(r.stats.SubjectFollowUp)},
		{get, "/feedback/:id/link", deskers, r.stats.SubjectBack},
		{post, "/feedback/:id/link", deskers, form.Into(r.stats.SubjectLink)},
		{post, "/feedback/links/end", admins, r.stats.LinksEnd},
		{get, "/chat", signedIn, r.home.ChatList}, {get, "/chat/:agent", signedIn, form.Into(r.home.ChatShow)},
		{post, "/chat/:agent", signedIn, form.Into(r.home.ChatAsk)},
		{get, "/chat/:agent/:id", signedIn, form.Into(r.home.ChatShow)},
		{post, "/chat/:agent/:id", signedIn, form.Into(r.home.ChatVote)},

		{get, "/exports", exporters, r.stats.ExportForm}, {post, "/exports", exporters, form.Into(r.stats.Export)},
		{get, "/overview", overview, form.Into(r.stats.Overview)}, {get, "/search", signedIn, form.Into(r.home.Search)},
		// how to sign in is in it
		{get, "/help", anyone, r.home.HelpList}, {get, "/help/:page", anyone, r.home.HelpShow},

		// Which of two answers is better, and whether a change makes them better.
		{get, "/preferences", learners, r.stats.PreferenceJudge},
		{post, "/preferences/answer", learners, form.Into(r.stats.PreferenceAnswer)},
		{post, "/preferences/skip", learners, form.Into(r.stats.PreferenceSkip)},
		{post, "/preferences/unskip", learners, form.Into(r.stats.PreferenceUnskip)},
		{post, "/preferences/undo", learners, form.Into(r.stats.PreferenceUndo)},
		{get, "/preferences/ranking", overview, form.Into(r.stats.PreferenceRanking)},
		{get, "/preferences/pairs", overview, form.Into(r.stats.PreferencePairs)},
		{post, "/preferences/pairs", overview, form.Into(r.stats.PreferenceAdd)},
		{get, "/preferences/pairs/new", overview, r.stats.PreferenceNew},
		{post, "/preferences/pairs/:id/remove", overview, r.stats.PreferenceRemove},
		{post, "/preferences/export", overview, form.Into(r.stats.PreferenceExport)},
		{get, "/experiments", overview, r.stats.ExperimentList},
		{post, "/experiments", overview, form.Into(r.stats.ExperimentAdd)},
		{get, "/experiments/new", overview, r.stats.ExperimentNew},
		{get, "/experiments/:id", overview, form.Into(r.stats.ExperimentShow)},
		{post, "/experiments/:id/start", overview, r.stats.ExperimentStart},
		{post, "/experiments/:id/stop", overview, form.Into(r.stats.ExperimentStop)},

		// Practice with virtual customers.
		{get, "/practice", readers, r.stats.PracticeList},
		{post, "/practice", readers, form.Into(r.stats.PracticeBegin)},
		{get, "/practice/:id", readers, form.Into(r.stats.PracticeShow)},
		{post, "/practice/:id/resume", readers, r.stats.PracticeResume},
		{post, "/practice/:id/stop", readers, r.stats.PracticeStop},
		{get, "/practice/history", readers, form.Into(r.stats.PracticeHistory)},
		{post, "/practice/:id/propose", acceptors, form.Into(r.stats.PracticePropose)},
		{post, "/practice/:id/adopt", acceptors, form.Into(r.stats.PracticeAdopt)},
		{post, "/practice/:id/compare", acceptors, form.Into(r.stats.PracticeCompare)},

		// My account.
		{get, "/account", signedIn, r.home.Account},
		{post, "/account/password", signedIn, form.Into(r.home.AccountPassword)},
		{post, "/account/preferences", signedIn, form.Into(r.home.AccountPreferences)},
		{post, "/preferences", signedIn, form.Into(r.home.Preferences)},
		{post, "/account/sessions/end", signedIn, form.Into(r.home.AccountSessionsEnd)},

		// Administration.
		{get, "/admin", admins, r.admin.Admin}, {post, "/admin/steps/:step", admins, form.Into(r.admin.StepDismiss)},
		{get, "/admin/people", admins, form.Into(r.admin.People)},
		{post, "/admin/people", admins, form.Into(r.admin.PeopleAdd)},
		{get, "/admin/people/:id", admins, r.admin.PersonShow},
		{post, "/admin/people/:id/sign-out", admins, r.admin.PeopleSignOut},
		{post, "/admin/people/:id/roles", admins, form.Into(r.admin.PeopleRoles)},
		{post, "/admin/people/:id/name", admins, form.Into(r.admin.PeopleName)},
		{post, "/admin/people/:id/disable", admins, r.admin.PeopleDisable},
		{post, "/admin/people/:id/enable", admins, r.admin.PeopleEnable},
		{post, "/admin/people/:id/link", admins, r.admin.PeopleLink},
		{get, "/admin/teams", admins, r.admin.TeamList}, {post, "/admin/teams", admins, form.Into(r.admin.TeamAdd)},
		{post, "/admin/teams/:id", admins, form.Into(r.admin.TeamChange)},
		{post, "/admin/teams/:id/close", admins, form.Into(r.admin.TeamClose)},
		{get, "/admin/agents", admins, r.admin.Agents},
		{post, "/admin/agents/name", admins, form.Into(r.admin.AgentName)},
		{post, "/admin/agents/tokens", admins, form.Into(r.admin.TokenCreate)},
		{post, "/admin/agents/tokens/:id/revoke", admins, r.admin.TokenRevoke},
		{get, "/admin/policies", signedIn, form.Into(r.admin.PolicyList)},
		{post, "/admin/policies", admins, r.admin.PolicyPropose},
		{get, "/admin/policies/propose", admins, form.Into(r.admin.PolicyForm)},
		{get, "/admin/policies/:id", signedIn, r.admin.PolicyShow},
		{post, "/admin/policies/:id/:answer", admins, r.home.ApprovalMoved},
		{get, "/admin/webhooks", admins, r.admin.WebhookList},
		{get, "/admin/webhooks/:agent", admins, form.Into(r.admin.WebhookShow)},
		{post, "/admin/webhooks/:agent", admins, form.Into(r.admin.WebhookSave)},
		{post, "/admin/webhooks/:agent/rotate", admins, r.admin.WebhookRotate},
		{post, "/admin/webhooks/:agent/test", admins, r.admin.WebhookTest},
		{post, "/admin/webhooks/:agent/enable", admins, r.admin.WebhookEnable},
		{post, "/admin/webhooks/:agent/disable", admins, r.admin.WebhookDisable},
		{post, "/admin/webhooks/:agent/hurry", admins, r.admin.WebhookHurry},
		{post, "/admin/webhooks/:agent/replay", admins, r.admin.WebhookReplay},
		{get, "/admin/events/:id", admins, r.admin.EventShow},
		{post, "/admin/events/:id/replay", admins, r.admin.EventReplay},
		{get, "/admin/import", admins, r.admin.ImportForm},
		{post, "/admin/import", admins, form.Into(r.admin.ImportFolder)},
		{post, "/admin/import/pages", admins, form.Into(r.admin.ImportPages)},
		{post, "/admin/import/domain", admins, form.Into(r.admin.ImportDomain)},
		{post, uploadPath, admins, r.admin.ImportUpload},
		{get, "/admin/erasure", admins, r.admin.ErasureForm},
		{post, "/admin/erasure", admins, form.Into(r.admin.ErasureMake)},
		{post, "/admin/erasure/preview", admins, form.Into(r.admin.ErasurePreview)},
		{post, "/admin/erasure/holds", admins, form.Into(r.admin.HoldSet)},
		{post, "/admin/erasure/holds/:id/release", admins, form.Into(r.admin.HoldRelease)},
		{get, "/admin/backup", admins, r.admin.BackupForm}, {post, "/admin/backup", admins, r.admin.BackupMake},
		{post, "/admin/backup/schedule", admins, form.Into(r.admin.BackupSchedule)},
		{get, "/admin/jobs", admins, form.Into(r.admin.JobList)},
		{post, "/admin/jobs/:id/retry", admins, r.admin.JobRetry},
		{post, "/admin/jobs/retry", admins, form.Into(r.admin.JobRetryKind)},
		{post, "/admin/jobs/loops", admins, form.Into(r.admin.JobLoop)},
		{get, "/admin/audit", admins, form.Into(r.admin.AuditLog)},
		{post, "/admin/audit/verify", admins, form.Into(r.admin.AuditVerify)},
		{post, "/admin/audit/export", admins, form.Into(r.admin.AuditExport)},
	}
}

// mount puts the table's routes in place, then the API's, and refuses to start with one that the table does not know.
func (s *Server) mount(rooms rooms, d Deps) error {
	s.table = map[string]access{}
	for _, r := range s.routes(rooms, d) {
		s.table[r.method+" "+r.path] = r.who
		if h := r.handler; h != nil {
			switch {
			case strings.HasPrefix(r.path, "/reviews/:id"):
				h = rooms.home.OfCase(h)
			case strings.HasPrefix(r.path, "/decisions/:id"):
				h = rooms.home.OfDecision(h)
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
				return session.RequireToken(d.Accounts, who.scopes...)(s.paced(next))(c)
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
	if slices.Contains([]string{get, head, post, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions}, m) {
		return m
	}
	return "other"
}
