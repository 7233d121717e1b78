package admin

// jobWords are what each kind of job does, as people read it: those that come of something, and those that come again
// by themselves. The kind itself stands beside it, as logs and metrics have it. A kind without words is shown as it is;
// a test finds it.
var jobWords = map[string]string{
	"advisor.draft":           "Draft guidance",
	"compliance.judge":        "Judge a draft",
	"compliance.measure":      "Measure the judges on a gold set",
	"datasets.order":          "Put a dataset's items in order",
	"delivery.send":           "Send an event to a webhook",
	"import.run":              "Import a file",
	"knowledge.conflicts":     "Compare a rule with the others",
	"knowledge.conflicts.all": "Find rules to compare",
	"knowledge.reembed":       "Recompute knowledge vectors",
	"knowledge.reindex":       "Update the search index",
	"learning.again":          "Ask the model again about a lesson",
	"learning.case":           "Store a case",
	"learning.judge":          "Judge a lesson",
	"learning.reflect":        "Reflect on a correction",
	"learning.refine":         "Put a lesson into words",
	"learning.retest":         "Test a rule on newer cases",
	"learning.validate":       "Test a lesson on earlier cases",
	"practice.run":            "Practise with virtual customers",
	"review.place":            "Add a seeded check to the queue",
	"review.release":          "Send decisions whose hold has ended",
	"signal.behind":           "Evaluate a turn and look for learnings",
	"signal.summarise":        "Summarise a session",
	"stream.score":            "Score what an agent remembers",
	"unanswered.again":        "Ask a group's questions once more",
	"unanswered.count":        "Count a question that nothing answers",

	"account.sweep":         "Remove ended sessions",
	"borderline.remind":     "Remind experts of overdue borderline cases",
	"comment.sweep":         "Remove old notices",
	"credit.reckon":         "Recalculate rule effects",
	"delivery.sweep":        "Remove old deliveries",
	"erase.resume":          "Continue erasures",
	"backup.make":           "Make scheduled backups",
	"unanswered.reread":     "Ask again what nothing answered",
	"expert.missing":        "Tell administrators when no expert is left to decide, or a backup failed",
	"feedback.nightly":      "Summarise each day's feedback and propose prompt files",
	"feedback.prune":        "Delete old report keys",
	"interaction.prune":     "Delete old request keys",
	"knowledge.consolidate": "Propose what to merge or retire",
	"knowledge.sources":     "Read the sources of documents again",
	"knowledge.turn":        "Start and end scheduled rules",
	"judges.refit":          "Fit the judge to your labels",
	"judges.sentences":      "Follow what experts ruled on sentences",
	"learning.missed":       "Ask the model what it missed while it was down",
	"learning.reflection":   "Reflect on agents' last 24 hours",
	"learning.revalidate":   "Retest rules on trial",
	"practice.prune":        "Delete old results of practice cases",
	"practice.nightly":      "Practise at night, with 50 virtual customers for each agent",
	"review.drafts":         "Delete unsent drafts",
	"review.expire":         "Close drafts whose deadline has passed",
	"review.remind":         "Remind supervisors of overdue reviews",
	"stats.count":           "Count what changed for the statistics",
	"stats.fall":            "Tell managers when satisfaction fell",
	"signal.idle":           "End sessions without a turn for half an hour",
	"signal.prune":          "Delete turns that are past an agent's days",
}

// jobName is a kind in words, or as it is.
func jobName(kind string) string {
	if w := jobWords[kind]; w != "" {
		return w
	}
	return kind
}
