package admin

// jobWords are what each kind of job does, as people read it: those that come of something, and those that come again by themselves. The
// kind itself stands beside it, as logs and metrics have it. A kind without words is shown as it is; a test finds it.
var jobWords = map[string]string{
	"advisor.draft":           "Draft guidance",
	"compliance.judge":        "Judge a draft",
	"compliance.measure":      "Measure the judges on a gold set",
	"delivery.send":           "Send an event to a webhook",
	"import.run":              "Bring a file in",
	"knowledge.conflicts":     "Compare a rule with the others",
	"knowledge.conflicts.all": "Find the rules that have to be compared",
	"knowledge.reembed":       "Give knowledge its vectors anew",
	"knowledge.reindex":       "Bring the search index up to date",
	"learning.case":           "Keep a case",
	"learning.judge":          "Judge a lesson",
	"learning.reflect":        "Reflect on a correction",
	"learning.refine":         "Put a lesson into words",
	"learning.retest":         "Try a rule on cases that came since",
	"learning.validate":       "Try a lesson on earlier cases",
	"practice.run":            "Practise with virtual customers",
	"review.place":            "Put a seeded check on the desk",
	"review.release":          "Release what the hold is over for",
	"signal.behind":           "Evaluate a turn and look for learnings",
	"signal.summarise":        "Look through a session",
	"stream.score":            "Weigh what an agent remembers",

	"account.sweep":         "Remove sessions that have ended",
	"borderline.remind":     "Remind experts of late borderline cases",
	"comment.sweep":         "Remove old notices",
	"credit.reckon":         "Recalculate rule effects",
	"delivery.sweep":        "Remove old deliveries",
	"erase.resume":          "Continue erasures",
	"expert.missing":        "Tell administrators where no expert is left to decide",
	"feedback.nightly":      "Sum up each day of feedback",
	"feedback.prune":        "Forget old keys of reports",
	"interaction.prune":     "Forget old request keys",
	"knowledge.consolidate": "Propose what to merge or retire",
	"knowledge.turn":        "Put rules into use and out of it on their days",
	"judges.precedents":     "Learn precedents from rulings and gold sets",
	"learning.reflection":   "Reflect on agents' last 24 hours",
	"learning.revalidate":   "Try rules on trial again",
	"practice.prune":        "Delete old results of practice cases",
	"practice.nightly":      "Practise at night, with 50 virtual customers for each agent",
	"review.drafts":         "Forget what was typed and not sent",
	"review.remind":         "Remind supervisors of late cases",
	"stats.fall":            "Tell managers when satisfaction fell",
	"signal.idle":           "End sessions without a turn for half an hour",
}

// jobName is a kind in words, or as it is.
func jobName(kind string) string {
	if w := jobWords[kind]; w != "" {
		return w
	}
	return kind
}
