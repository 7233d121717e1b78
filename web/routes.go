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

	feedback, submit, recall = token(account.Feedback), token(account.Submit), token(account.Recall)

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
	table := []route{
		// The machine room.
		{get, "/healthz", anyone, s.healthz}, {head, "/healthz", anyone, s.healthz},
		{get, "/readyz", anyone, s.readyz(d)}, {head, "/readyz", anyone, s.readyz(d)},
		{get, "/metrics", operator, s.metrics.answer},
		{get, "/static/*", anyone, files}, {head, "/static/*", anyone, files},

		// The API; its handlers stand in web/api.
		{post, "/api/guidance", submit, nil}, {get, "/api/guidance", submit, nil},
		{get, "/api/guidance/:id", submit, nil},
		{http.MethodDelete, "/api/guidance/:id", submit, nil},
		{post, "/api/advise", submit, nil},
		{post, "/api/recall", recall, nil}, {post, "/api/check", submit, nil},
		{get, "/api/rules", recall, nil},
		{get, "/api/policy", submit, nil},
		{post, "/api/feedback/interactions", feedback, nil},
		{post, "/api/feedback/submit", feedback, nil},
		{get, "/api/feedback/examples", feedback, nil},
		{get, "/api/feedback/stats/:agent_type", feedback, nil},
		{post, "/api/feedback/links", feedback, nil},
		{post, "/api/preferences", feedback, nil},
		{post, "/api/preferences/:id/choices", feedback, nil},
		{get, "/api/agents/:agent/prompt", recall, nil},
		{post, "/api/experiments", feedback, nil},
		{get, "/api/experiments/:id/variant", feedback, nil},
		{post, "/api/experiments/:id/outcome", feedback, nil},
		{post, "/api/experiments/:id/assignments", feedback, nil},
		{post, "/api/experiments/:id/outcomes", feedback, nil},
		{post, "/api/feedback/outcomes", feedback, nil},
		{get, "/api/feedback/export/:kind", feedback, nil},
		{post, "/api/feedback/experiences", feedback, nil},
		{get, "/api/feedback/experiences", feedback, nil},
		{post, "/api/turns", feedback, nil}, {post, "/api/sessions/end", feedback, nil},
		{get, "/api/sessions/:id", feedback, nil},
		{post, "/api/evaluations", feedback, nil},
		{get, "/api/evaluations", feedback, nil}, {get, "/api/notes", recall, nil},
		{post, "/api/observations", feedback, nil},
		{get, "/api/observations/:id", feedback, nil},
		{post, "/api/learnings", feedback, nil},
		{get, "/api/learnings", feedback, nil},
		{get, "/api/learnings.md", feedback, nil},
		{post, "/api/reminders", feedback, nil}, {get, "/api/reminders", feedback, nil},
		{get, "/api/openapi.json", anyone, nil}, {get, "/openapi.json", anyone, nil}, {get, "/api/docs", anyone, nil},

		// The other doors, which ask the API's operations; any scope opens them, and each operation asks for its own.
		{post, "/mcp", token(account.Scopes...), nil},
		{post, "/v1/chat/completions", submit, nil}, {get, "/v1/models", submit, nil},
	}
	for _, p := range s.pages(r) {
		if p.get != nil {
			table = append(table, route{get, p.path, p.who, p.get})
		}
		if p.post != nil {
			table = append(table, route{post, p.path, p.who, p.post})
		}
	}
	return table
}

// page is the address of a page, and of the form that is sent there; a form's own address shows the page it is on.
type page struct {
	path      string
	who       access
	get, post echo.HandlerFunc
}

// pages is every address that answers people.
func (s *Server) pages(r rooms) []page {
	return []page{
		// Coming in and going out.
		{"/sign-in", anyone, form.Into(r.home.SignInForm), form.Into(r.home.SignIn)},
		{"/demo/sign-in", anyone, nil, form.Into(r.home.DemoSignIn)},
		{"/sign-out", anyone, nil, r.home.SignOut},
		{"/setup/:secret", anyone, r.home.SetupForm, form.Into(r.home.Setup)},
		{"/join/:secret", anyone, r.home.JoinForm, form.Into(r.home.Join)},

		// Where everybody starts, and what keeps pages fresh.
		{"/", signedIn, r.home.Home, nil},
		{"/nav", signedIn, form.Into(r.home.Nav), nil},
		{"/events", signedIn, form.Into(r.home.Events), nil},

		// The desk.
		{"/reviews", deskers, form.Into(r.desk.ReviewList), nil},
		{"/reviews/next", supervisor, nil, form.Into(r.desk.ReviewNext)},
		{"/reviews/escalated", deskers, form.Into(r.desk.EscalatedList), nil},
		{"/reviews/assign", deskers, r.desk.ReviewListBack, form.Into(r.desk.ReviewAssignMany)},
		{"/reviews/skip", supervisor, r.desk.ReviewListBack, form.Into(r.desk.ReviewSkipMany)},
		{"/reviews/columns", overview, r.desk.ReviewListBack, form.Into(r.desk.ColumnsSave)},
		{"/reviews/skips/reset", supervisor, nil, r.desk.ReviewSkipsReset},
		{"/reviews/filters", deskers, r.desk.ReviewListBack, form.Into(r.desk.FilterSave)},
		{"/reviews/filters/:id", deskers, r.desk.ReviewListBack, form.Into(r.desk.FilterChange)},
		{"/reviews/replies", supervisor, r.desk.RepliesShow, form.Into(r.desk.ReplySave)},
		{"/reviews/replies/:id/delete", supervisor, nil, r.desk.ReplyDelete},
		{"/reviews/:id/assign", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewAssign)},
		{"/reviews/recent", supervisor, r.desk.ReviewRecent, nil},
		{"/reviews/:id", deskers, form.Into(r.desk.ReviewShow), nil},
		{"/reviews/:id/claim", supervisor, form.Into(r.desk.ReviewClaimState), form.Into(r.desk.ReviewClaim)},
		{"/reviews/:id/renew", supervisor, nil, form.Into(r.desk.ReviewRenew)},
		{"/reviews/:id/unclaim", supervisor, nil, r.desk.ReviewUnclaim},
		{"/reviews/:id/take", supervisor, r.desk.ReviewBack, form.Into(r.desk.EscalatedTake)},
		{"/reviews/:id/release", supervisor, r.desk.ReviewBack, form.Into(r.desk.EscalatedRelease)},
		{"/reviews/:id/close", supervisor, r.desk.ReviewBack, form.Into(r.desk.EscalatedClose)},
		{"/reviews/:id/approve", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewApprove)},
		{"/reviews/:id/revise", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewRevise)},
		{"/reviews/:id/overrule", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewOverrule)},
		{"/reviews/:id/reject", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewReject)},
		{"/reviews/:id/skip", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewSkip)},
		{"/reviews/:id/check", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewCheck)},
		{"/reviews/:id/teach", supervisor, nil, form.Into(r.desk.ReviewTeach)},
		{"/reviews/:id/preview", supervisor, nil, form.Into(r.desk.ReviewPreview)},
		{"/reviews/:id/return", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewReturn)},
		{"/reviews/:id/draft", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewDraft)},
		{"/reviews/:id/draft/discard", supervisor, nil, form.Into(r.desk.ReviewDraftDiscard)},
		{"/reviews/:id/refer", supervisor, r.desk.ReviewBack, form.Into(r.desk.ReviewRefer)},
		{"/reviews/:id/similar", supervisor, r.desk.ReviewSimilar, nil},
		{"/reviews/ahead", supervisor, form.Into(r.desk.ReviewAhead), nil},
		// The same desk with made-up cases.
		{"/reviews/practice", supervisor, r.desk.PracticeHome, form.Into(r.desk.PracticeBegin)},
		{"/reviews/practice/:round", supervisor, r.desk.PracticeRound, nil},
		{"/reviews/practice/:round/delete", supervisor, nil, r.desk.PracticeDelete},
		{"/reviews/practice/:round/:n", supervisor, form.Into(r.desk.PracticeShow), nil},
		{"/reviews/practice/:round/:n/undo", supervisor, nil, form.Into(r.desk.PracticeUndo)},
		{"/reviews/practice/:round/:n/approve", supervisor, r.desk.PracticeBack, form.Into(r.desk.PracticeAnswer)},
		{"/reviews/practice/:round/:n/revise", supervisor, r.desk.PracticeBack, form.Into(r.desk.PracticeAnswer)},
		{"/reviews/practice/:round/:n/reject", supervisor, r.desk.PracticeBack, form.Into(r.desk.PracticeAnswer)},
		{"/reviews/practice/:round/:n/return", supervisor, r.desk.PracticeBack, form.Into(r.desk.PracticeAnswer)},
		{"/reviews/practice/:round/:n/check", supervisor, r.desk.PracticeBack, form.Into(r.desk.PracticeCheck)},
		{"/decisions/:id/undo", supervisor, nil, form.Into(r.desk.DecisionUndo)},
		{"/decisions/:id/recall", supervisor, nil, form.Into(r.desk.DecisionRecall)},

		// What experts have to do. Borderline cases, for experts; what is ruled, for those who decide and those who
		// watch.
		{"/todo", expert, r.experts.Todo, nil},
		{"/compliance", learners, form.Into(r.experts.BorderlineList), nil},
		{"/compliance/next", expert, r.experts.BorderlineListBack, r.experts.BorderlineNext},
		{"/compliance/line", learners, r.experts.LineMoved, nil},
		{"/compliance/rubric", learners, form.Into(r.experts.LineShow), nil},
		{"/compliance/rubric", expert, nil, form.Into(r.experts.LinePropose)},
		{"/compliance/rubric/settle", acceptors, form.Into(r.experts.LineShow), r.home.ApprovalMoved},
		{"/compliance/sentences/:id/end", expert, nil, form.Into(r.experts.SentenceEnd)},
		{"/compliance/ratings/:id", expert, r.experts.RatingShow, form.Into(r.experts.RatingGive)},
		{"/compliance/checks", learners, r.experts.CheckList, nil},
		{"/compliance/checks", expert, nil, form.Into(r.experts.CheckAdd)},
		{"/compliance/checks/new", expert, r.experts.CheckNew, nil},
		{"/compliance/checks/:id/reword", expert, r.experts.CheckReword, nil},
		{"/compliance/checks/:id", learners, form.Into(r.experts.CheckShow), nil},
		{"/compliance/checks/:id", expert, nil, form.Into(r.experts.CheckChange)},
		{"/compliance/checks/:id/try", expert, nil, form.Into(r.experts.CheckTry)},
		{"/compliance/checks/:id/text", expert, nil, form.Into(r.experts.CheckText)},
		{"/compliance/checks/:id/switch", expert, nil, form.Into(r.experts.CheckSwitch)},
		{"/compliance/checks/:id/:answer", acceptors, nil, r.home.ApprovalMoved},
		{"/compliance/:id", learners, form.Into(r.experts.BorderlineShow), nil},
		{"/compliance/:id/claim", expert, nil, r.experts.BorderlineClaim},
		{"/compliance/:id/answer", expert, r.experts.BorderlineBack, form.Into(r.experts.BorderlineAnswer)},
		{"/compliance/:id/draft", expert, r.experts.BorderlineBack, form.Into(r.experts.BorderlineDraft)},
		{"/compliance/:id/keep", expert, r.experts.BorderlineBack, r.experts.BorderlineKeep},
		{"/compliance/:id/change", expert, r.experts.BorderlineBack, form.Into(r.experts.BorderlineChange)},
		{"/compliance/:id/rule", readers, r.experts.BorderlineBack, form.Into(r.experts.BorderlineRule)},
		{"/compliance/:id/comments", expert, r.experts.BorderlineBack, form.Into(r.experts.RemarkAdd)},
		{"/compliance/:id/comments/:remark/withdraw", expert, nil, r.experts.RemarkWithdraw},
		{"/compliance/:id/close", overview, r.experts.BorderlineBack, form.Into(r.experts.BorderlineClose)},
		{"/compliance/:id/skip", expert, r.experts.BorderlineBack, r.experts.BorderlineSkip},
		{"/compliance/:id/undo", readers, r.experts.BorderlineBack, r.experts.BorderlineUndo},

		// People among themselves.
		{"/reviews/:id/comments", supervisor, r.desk.CommentBlock, form.Into(r.desk.CommentAdd)},
		{"/comments", supervisor, form.Into(r.desk.CommentList), nil},
		{"/comments/people", supervisor, r.desk.CommentPeople, nil},
		{"/comments/:id", supervisor, form.Into(r.desk.CommentShow), form.Into(r.desk.CommentEdit)},
		{"/comments/:id/withdraw", supervisor, nil, r.desk.CommentWithdraw},
		{"/approvals", acceptors, r.home.ApprovalList, nil},
		{"/approvals/:id", acceptors, r.home.ApprovalShow, nil},
		{"/approvals/:id/:answer", acceptors, nil, form.Into(r.home.ApprovalAnswer)},
		{"/inbox", signedIn, form.Into(r.home.InboxList), nil},
		{"/inbox/bell", signedIn, r.home.InboxBell, nil},
		{"/inbox/read", signedIn, nil, form.Into(r.home.NoticesRead)},
		{"/inbox/:id/read", signedIn, nil, form.Into(r.home.NoticeRead)},
		{"/progress", signedIn, r.desk.Progress, nil},

		// What is learned, and what is known.
		{"/learning", learners, form.Into(r.knowledge.LearningList), nil},
		{"/learning/:id", learners, r.knowledge.LearningShow, nil},
		{"/learning/:id/accept", acceptors, nil, form.Into(r.knowledge.LearningAccept)},
		{"/learning/:id/reject", acceptors, nil, form.Into(r.knowledge.LearningReject)},
		{"/learning/:id/retry", acceptors, nil, r.knowledge.LearningRetry},
		{"/learning/:id/again", acceptors, nil, r.knowledge.LearningAgain},
		{"/learning/:id/back", acceptors, nil, form.Into(r.knowledge.LearningBack)},
		{"/learning/:id/state", acceptors, nil, form.Into(r.knowledge.LearningState)},
		{"/learning/:id/teach", acceptors, nil, r.knowledge.LearningTeach},
		{"/learning/:id/preview", acceptors, nil, r.knowledge.LearningPreview},
		{"/knowledge/rules/:id/teach", acceptors, nil, form.Into(r.knowledge.RuleTeach)},
		{"/knowledge/rules/:id/preview", acceptors, nil, form.Into(r.knowledge.RulePreview)},
		{"/learning/reflections", readers, form.Into(r.knowledge.ReflectionList), nil},
		{"/learning/sessions", learners, form.Into(r.knowledge.SessionList), nil},
		{"/learning/sessions/:id", learners, r.knowledge.SessionShow, nil},
		{"/learning/sessions/:id/proposals/:proposal", acceptors, nil, form.Into(r.knowledge.ProposalDecide)},
		{"/learning/agents/:id", learners, r.knowledge.AgentSignals, nil},
		{"/learning/agents/:id", acceptors, nil, r.knowledge.AgentSettings},
		{"/learning/several", acceptors, r.knowledge.LearningSeveral, form.Into(r.knowledge.LearningSettle)},
		{"/knowledge", signedIn, form.Into(r.knowledge.KnowledgeList), nil},
		{"/knowledge/documents", signedIn, r.knowledge.DocumentList, nil},
		{"/knowledge/documents/:id", signedIn, r.knowledge.SourceShow, nil},
		{"/knowledge/documents/:id", acceptors, nil, form.Into(r.knowledge.SourceDecide)},
		{"/knowledge/more", signedIn, r.knowledge.KnowledgeMore, nil},
		{"/knowledge/growth", signedIn, r.knowledge.KnowledgeGrowth, nil},
		{"/knowledge/unanswered", learners, form.Into(r.knowledge.UnansweredList), nil},
		{"/knowledge/unanswered/:id", learners, r.knowledge.UnansweredShow, nil},
		{"/knowledge/file", acceptors, r.knowledge.KnowledgeFile, nil},
		{"/knowledge/file/export", acceptors, nil, r.knowledge.KnowledgeExport},
		{baseFilePath, acceptors, r.knowledge.KnowledgeFile, r.knowledge.KnowledgeImport},
		{"/knowledge/unanswered/:id", acceptors, nil, form.Into(r.knowledge.UnansweredDecide)},
		{"/knowledge/rules/:id/accept", acceptors, nil, form.Into(r.knowledge.RuleAccept)},
		{"/knowledge/section", acceptors, form.Into(r.knowledge.SectionForm), form.Into(r.knowledge.SectionSave)},
		{"/knowledge/rules/:id/ask", overview, nil, r.knowledge.RuleAsk},
		{"/knowledge/rules/:id/settle", acceptors, nil, form.Into(r.knowledge.RuleSettle)},
		{"/knowledge/rules/:id/quarantine", acceptors, nil, form.Into(r.knowledge.RuleQuarantine)},
		{"/knowledge/rules/:id/still-right", acceptors, nil, form.Into(r.knowledge.RuleStillRight)},
		{"/knowledge/cases/:id/retire", acceptors, nil, form.Into(r.knowledge.CaseRetire)},
		{"/knowledge/conflicts", signedIn, form.Into(r.knowledge.ConflictList), nil},
		{"/knowledge/conflicts/:id", signedIn, r.knowledge.ConflictShow, nil},
		{"/knowledge/conflicts/:id", acceptors, nil, form.Into(r.knowledge.ConflictSettle)},
		{"/knowledge/quarantine", signedIn, r.knowledge.QuarantineList, nil},
		{"/knowledge/rules/:id/edit", acceptors, r.knowledge.RuleEditForm, form.Into(r.knowledge.RuleEdit)},
		{"/knowledge/rules/:id/rollback", acceptors, nil, form.Into(r.knowledge.RuleGoBack)},
		{"/knowledge/history", signedIn, form.Into(r.knowledge.StateList), nil},
		{"/knowledge/history", acceptors, nil, form.Into(r.knowledge.StateSave)},
		{"/knowledge/history/:id", signedIn, r.knowledge.StateShow, nil},
		{"/knowledge/history/:id", acceptors, nil, form.Into(r.knowledge.StateGoBack)},
		{"/learning/:id/rollback", acceptors, nil, form.Into(r.knowledge.LearningRollBack)},
		{"/learning/:id/bring-back", acceptors, nil, form.Into(r.knowledge.LearningBringBack)},
		{"/interactions/:id", deskers, r.stats.ReviewRead, nil},
		{"/interactions/:id/recall", learners, r.knowledge.RecallShow, nil},
		{"/interactions/:id/evidence", exporters, r.stats.EvidenceShow, r.stats.EvidenceMake},
		{"/stats/packs", overview, r.stats.PackList, form.Into(r.stats.PackMake)},
		{packCheckPath, overview, r.stats.PackList, r.stats.PackCheck},
		{"/knowledge/rules/:id", signedIn, r.knowledge.RuleShow, nil},
		{"/knowledge/cases/:id", signedIn, r.knowledge.CaseShow, nil},

		// Gold sets.
		{"/datasets", curators, r.datasets.DatasetList, form.Into(r.datasets.DatasetAdd)},
		{"/datasets/new", curators, form.Into(r.datasets.DatasetNew), nil},
		{"/datasets/:id", curators, r.datasets.DatasetShow, nil},
		{"/datasets/:id/state", curators, nil, form.Into(r.datasets.DatasetState)},
		{"/datasets/:id/settings", curators, r.datasets.DatasetSettings, form.Into(r.datasets.DatasetSave)},
		{"/datasets/:id/order", curators, nil, form.Into(r.datasets.DatasetOrder)},
		{"/datasets/:id/people", curators, nil, form.Into(r.datasets.DatasetPeople)},
		{"/datasets/:id/agreement", curators, form.Into(r.datasets.DatasetAgreement), nil},
		{"/datasets/:id/items", keepers, form.Into(r.datasets.DatasetItems), nil},
		{"/datasets/:id/items", curators, nil, form.Into(r.datasets.DatasetItemAdd)},
		{"/datasets/:id/items/new", curators, r.datasets.DatasetItemNew, nil},
		{"/datasets/:id/items/:item", keepers, r.datasets.DatasetItem, nil},
		{"/datasets/:id/items/assign", keepers, nil, form.Into(r.datasets.DatasetAssign)},
		{"/datasets/:id/items/:item/exclude", keepers, nil, form.Into(r.datasets.DatasetItemExclude)},
		{"/datasets/:id/items/:item/include", keepers, nil, r.datasets.DatasetItemInclude},
		{"/datasets/:id/items/:item/check", keepers, nil, form.Into(r.datasets.DatasetItemCheck)},
		{"/datasets/:id/items/:item/erase", admins, nil, form.Into(r.datasets.DatasetItemErase)},
		{"/datasets/:id/label", labellers, form.Into(r.datasets.DatasetLabel), form.Into(r.datasets.DatasetAnswer)},
		{"/datasets/:id/label/draft", labellers, nil, form.Into(r.datasets.DatasetDraft)},
		{"/datasets/:id/label/skip", labellers, nil, form.Into(r.datasets.DatasetSkip)},
		{"/datasets/:id/label/unskip", labellers, nil, form.Into(r.datasets.DatasetUnskip)},
		{"/datasets/:id/label/flag", labellers, nil, form.Into(r.datasets.DatasetFlag)},
		{"/datasets/:id/label/undo", labellers, nil, form.Into(r.datasets.DatasetUndo)},
		{"/datasets/:id/adjudicate", curators, form.Into(r.datasets.DatasetWaiting), nil},
		{"/datasets/:id/adjudicate/:item", curators, form.Into(r.datasets.DatasetSides),
			form.Into(r.datasets.DatasetRule)},
		{"/datasets/:id/adjudicate/:item/undo", curators, nil, form.Into(r.datasets.DatasetUnrule)},
		{"/datasets/:id/versions", curators, r.datasets.DatasetVersions, form.Into(r.datasets.DatasetFreeze)},
		{"/datasets/:id/versions/:n", curators, form.Into(r.datasets.DatasetVersion), nil},
		{"/datasets/:id/versions/:n/verify", curators, nil, form.Into(r.datasets.DatasetVerify)},
		{"/datasets/:id/files", curators, form.Into(r.datasets.DatasetFiles), nil},
		{"/datasets/:id/gather", curators, nil, form.Into(r.datasets.DatasetGather)},
		{"/datasets/:id/export", curators, nil, form.Into(r.datasets.DatasetExport)},
		{"/datasets/:id/import/upload", curators, nil, r.datasets.DatasetUpload},
		{"/datasets/:id/import", curators, nil, form.Into(r.datasets.DatasetImport)},

		{"/datasets/:id/versions/:n/learn", acceptors, r.datasets.VersionLearn, form.Into(r.datasets.VersionTeach)},

		// Judges, measured.
		{"/compliance/judges", readers, form.Into(r.datasets.JudgesShow), nil},
		{"/compliance/judges/runs", acceptors, nil, form.Into(r.datasets.JudgesMeasure)},
		{"/compliance/judges/runs", readers, form.Into(r.datasets.JudgeRuns), nil},
		{"/compliance/judges/runs/:id", readers, r.datasets.JudgeRun, nil},
		{"/compliance/judges/runs/:id/stop", acceptors, nil, r.datasets.JudgeRunStop},
		{"/compliance/judges/runs/:id/who/:who", readers, r.datasets.JudgeWho, nil},
		{"/compliance/judges/runs/:id/threshold", acceptors, nil, form.Into(r.datasets.JudgeThresholdPropose)},
		{"/compliance/judges/thresholds", readers, form.Into(r.datasets.JudgeThresholds), nil},
		{"/compliance/judges/thresholds/:id", readers, r.datasets.JudgeThreshold, nil},
		{"/compliance/judges/thresholds/:id/on", acceptors, nil, form.Into(r.datasets.JudgeThresholdOn)},
		{"/compliance/judges/thresholds/:id/off", acceptors, nil, form.Into(r.datasets.JudgeThresholdOff)},
		{"/compliance/judges/thresholds/:id/refuse", acceptors, nil, form.Into(r.datasets.JudgeThresholdRefuse)},
		{"/compliance/judges/thresholds/:id/:answer", acceptors, nil, r.home.ApprovalMoved},

		{"/ask", signedIn, form.Into(r.home.AskForm), form.Into(r.home.Ask)},
		{"/ask/:id", signedIn, r.home.AskShow, nil},
		{"/stats", overview, form.Into(r.stats.StatsSummary), nil},
		{"/stats/satisfaction", overview, form.Into(r.stats.StatsSatisfaction), nil},
		{"/stats/review", overview, form.Into(r.stats.StatsReview), nil},
		{"/stats/compliance", overview, form.Into(r.stats.StatsCompliance), nil},
		{"/stats/learning", overview, form.Into(r.stats.StatsLearning), nil},
		{"/stats/changes", overview, form.Into(r.stats.StatsChanges), nil},
		{"/stats/rows", overview, form.Into(r.stats.StatsRows), nil},
		{"/stats/mine", supervisor, form.Into(r.stats.StatsMine), nil},
		{"/stats/mine/rows", supervisor, form.Into(r.stats.StatsMyRows), nil},
		{"/overview/desk", overview, form.Into(r.stats.DeskStats), nil},
		{"/overview/desk/hasty", overview, form.Into(r.stats.HastyList), nil},
		{"/overview/planted", overview, r.stats.PlantedList, form.Into(r.stats.PlantedAdd)},
		{"/overview/planted/new", overview, form.Into(r.stats.PlantedNew), nil},
		{"/overview/planted/results", overview, form.Into(r.stats.PlantedResults), nil},
		{"/overview/planted/:id", overview, form.Into(r.stats.PlantedShow), form.Into(r.stats.PlantedChange)},
		{"/overview/planted/:id/retire", overview, nil, r.stats.PlantedRetire},
		{"/overview/planted/:id/restore", overview, nil, r.stats.PlantedRestore},
		{"/reviews/planted", supervisor, form.Into(r.stats.PlantedMine), nil},

		// What users say: customers by a signed link or in the widget, without an account; staff who read it, follow up
		// and ask for more.
		{"/f/:token", anyone, form.Into(r.guest.FeedbackLink), form.Into(r.guest.FeedbackLinkSend)},
		{"/widget/:token", anyone, form.Into(r.guest.Widget), form.Into(r.guest.WidgetSend)},
		// Customers who ask an agent, on a page or in the widget, and come back by a private link.
		{"/talk/:agent", anyone, form.Into(r.guest.TalkStart), form.Into(r.guest.TalkBegin)},
		{"/c/:token", anyone, form.Into(r.guest.Talk), form.Into(r.guest.TalkSay)},
		{"/c/:token/events", anyone, r.guest.TalkEvents, nil},
		{"/widget/chat/:agent", anyone, form.Into(r.guest.TalkStart), form.Into(r.guest.TalkBegin)},
		{"/widget/c/:token", anyone, form.Into(r.guest.Talk), form.Into(r.guest.TalkSay)},
		{"/feedback/examples", learners, form.Into(r.stats.ExampleList), nil},
		{"/feedback/examples/:id/retire", acceptors, nil, form.Into(r.stats.ExampleRetire)},
		{"/feedback/nightly", learners, form.Into(r.stats.NightList), nil},
		{"/feedback", overview, form.Into(r.stats.CommentsOfUsers), nil},
		{"/feedback/:id", deskers, r.stats.SubjectShow, nil},
		{"/feedback/:id/outcome", supervisor, r.stats.SubjectBack, form.Into(r.stats.SubjectFollowUp)},
		{"/feedback/:id/link", deskers, r.stats.SubjectBack, form.Into(r.stats.SubjectLink)},
		{"/feedback/links/end", admins, nil, r.stats.LinksEnd},
		{"/chat", signedIn, r.home.ChatList, nil},
		{"/chat/:agent", signedIn, form.Into(r.home.ChatShow), form.Into(r.home.ChatAsk)},
		{"/chat/:agent/:id", signedIn, form.Into(r.home.ChatShow), form.Into(r.home.ChatVote)},

		{"/exports", exporters, r.stats.ExportForm, form.Into(r.stats.Export)},
		{"/overview", overview, form.Into(r.stats.Overview), nil},
		{"/search", signedIn, form.Into(r.home.Search), nil},
		// how to sign in is in it
		{"/help", anyone, r.home.HelpList, nil},
		{"/help/:page", anyone, r.home.HelpShow, nil},

		// Which of two answers is better, and whether a change makes them better.
		{"/preferences", learners, r.stats.PreferenceJudge, nil},
		{"/preferences/answer", learners, nil, form.Into(r.stats.PreferenceAnswer)},
		{"/preferences/skip", learners, nil, form.Into(r.stats.PreferenceSkip)},
		{"/preferences/unskip", learners, nil, form.Into(r.stats.PreferenceUnskip)},
		{"/preferences/undo", learners, nil, form.Into(r.stats.PreferenceUndo)},
		{"/preferences/ranking", overview, form.Into(r.stats.PreferenceRanking), nil},
		{"/preferences/pairs", overview, form.Into(r.stats.PreferencePairs), form.Into(r.stats.PreferenceAdd)},
		{"/preferences/pairs/new", overview, r.stats.PreferenceNew, nil},
		{"/preferences/pairs/:id/remove", overview, nil, r.stats.PreferenceRemove},
		{"/preferences/export", overview, nil, form.Into(r.stats.PreferenceExport)},
		{"/experiments", overview, r.stats.ExperimentList, form.Into(r.stats.ExperimentAdd)},
		{"/experiments/new", overview, r.stats.ExperimentNew, nil},
		{"/experiments/:id", overview, form.Into(r.stats.ExperimentShow), nil},
		{"/experiments/:id/start", overview, nil, r.stats.ExperimentStart},
		{"/experiments/:id/stop", overview, nil, form.Into(r.stats.ExperimentStop)},

		// Practice with virtual customers.
		{"/practice", readers, r.stats.PracticeList, form.Into(r.stats.PracticeBegin)},
		{"/practice/:id", readers, form.Into(r.stats.PracticeShow), nil},
		{"/practice/:id/resume", readers, nil, r.stats.PracticeResume},
		{"/practice/:id/stop", readers, nil, r.stats.PracticeStop},
		{"/practice/history", readers, form.Into(r.stats.PracticeHistory), nil},
		{"/practice/:id/propose", acceptors, nil, form.Into(r.stats.PracticePropose)},
		{"/practice/:id/adopt", acceptors, nil, form.Into(r.stats.PracticeAdopt)},
		{"/practice/:id/compare", acceptors, nil, form.Into(r.stats.PracticeCompare)},

		// My account.
		{"/account", signedIn, r.home.Account, nil},
		{"/account/password", signedIn, nil, form.Into(r.home.AccountPassword)},
		{"/account/preferences", signedIn, nil, form.Into(r.home.AccountPreferences)},
		{"/preferences", signedIn, nil, form.Into(r.home.Preferences)},
		{"/account/sessions/end", signedIn, nil, form.Into(r.home.AccountSessionsEnd)},

		// Administration.
		{"/admin", admins, r.admin.Admin, nil},
		{"/admin/steps/:step", admins, nil, form.Into(r.admin.StepDismiss)},
		{"/admin/people", admins, form.Into(r.admin.People), form.Into(r.admin.PeopleAdd)},
		{"/admin/people/:id", admins, r.admin.PersonShow, nil},
		{"/admin/people/:id/sign-out", admins, nil, r.admin.PeopleSignOut},
		{"/admin/people/:id/roles", admins, nil, form.Into(r.admin.PeopleRoles)},
		{"/admin/people/:id/name", admins, nil, form.Into(r.admin.PeopleName)},
		{"/admin/people/:id/email", admins, nil, form.Into(r.admin.PeopleEmail)},
		{"/admin/people/:id/disable", admins, nil, r.admin.PeopleDisable},
		{"/admin/people/:id/enable", admins, nil, r.admin.PeopleEnable},
		{"/admin/people/:id/link", admins, nil, r.admin.PeopleLink},
		{"/admin/teams", admins, r.admin.TeamList, form.Into(r.admin.TeamAdd)},
		{"/admin/teams/:id", admins, nil, form.Into(r.admin.TeamChange)},
		{"/admin/teams/:id/close", admins, nil, form.Into(r.admin.TeamClose)},
		{"/admin/agents", admins, r.admin.Agents, nil},
		{"/admin/agents/name", admins, nil, form.Into(r.admin.AgentName)},
		{"/admin/agents/away", admins, nil, form.Into(r.admin.AgentAway)},
		{"/admin/agents/domain", admins, nil, form.Into(r.admin.AgentMove)},
		{"/admin/agents/tokens", admins, nil, form.Into(r.admin.TokenCreate)},
		{"/admin/agents/tokens/:id/revoke", admins, nil, r.admin.TokenRevoke},
		{"/admin/policies", signedIn, form.Into(r.admin.PolicyList), nil},
		{"/admin/policies", admins, nil, r.admin.PolicyPropose},
		{"/admin/policies/propose", admins, form.Into(r.admin.PolicyForm), nil},
		{"/admin/policies/:id", signedIn, r.admin.PolicyShow, nil},
		{"/admin/policies/:id/:answer", admins, nil, r.home.ApprovalMoved},
		{"/admin/webhooks", admins, r.admin.WebhookList, nil},
		{"/admin/webhooks/:agent", admins, form.Into(r.admin.WebhookShow), form.Into(r.admin.WebhookSave)},
		{"/admin/webhooks/:agent/rotate", admins, nil, r.admin.WebhookRotate},
		{"/admin/webhooks/:agent/test", admins, nil, r.admin.WebhookTest},
		{"/admin/webhooks/:agent/enable", admins, nil, r.admin.WebhookEnable},
		{"/admin/webhooks/:agent/disable", admins, nil, r.admin.WebhookDisable},
		{"/admin/webhooks/:agent/hurry", admins, nil, r.admin.WebhookHurry},
		{"/admin/webhooks/:agent/replay", admins, nil, r.admin.WebhookReplay},
		{"/admin/events/:id", admins, r.admin.EventShow, nil},
		{"/admin/events/:id/replay", admins, nil, r.admin.EventReplay},
		{"/admin/import", admins, r.admin.ImportForm, form.Into(r.admin.ImportFolder)},
		{"/admin/import/pages", admins, nil, form.Into(r.admin.ImportPages)},
		{"/admin/import/domain", admins, nil, form.Into(r.admin.ImportDomain)},
		{uploadPath, admins, nil, r.admin.ImportUpload},
		{"/admin/erasure", admins, r.admin.ErasureForm, form.Into(r.admin.ErasureMake)},
		{"/admin/erasure/preview", admins, nil, form.Into(r.admin.ErasurePreview)},
		{"/admin/erasure/holds", admins, nil, form.Into(r.admin.HoldSet)},
		{"/admin/erasure/holds/:id/release", admins, nil, form.Into(r.admin.HoldRelease)},
		{"/admin/backup", admins, r.admin.BackupForm, r.admin.BackupMake},
		{"/admin/backup/schedule", admins, nil, form.Into(r.admin.BackupSchedule)},
		{"/admin/jobs", admins, form.Into(r.admin.JobList), nil},
		{"/admin/jobs/:id/retry", admins, nil, r.admin.JobRetry},
		{"/admin/jobs/retry", admins, nil, form.Into(r.admin.JobRetryKind)},
		{"/admin/jobs/loops", admins, nil, form.Into(r.admin.JobLoop)},
		{"/admin/audit", admins, form.Into(r.admin.AuditLog), nil},
		{"/admin/audit/verify", admins, nil, form.Into(r.admin.AuditVerify)},
		{"/admin/audit/export", admins, nil, form.Into(r.admin.AuditExport)},
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
		d.API(s.echo)
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
