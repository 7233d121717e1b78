package archtest

// A layer is a floor of the house. Packages are placed by the longest prefix of their path.
type layer string

const (
	floor     layer = "floor"     // knows nothing of the product
	machinery layer = "machinery" // serves the product and knows none of it
	domain    layer = "domain"    // the product
	wiring    layer = "wiring"    // sees everything
	web       layer = "web"
	views     layer = "views"
	asset     layer = "asset"   // embedded files
	support   layer = "support" // for tests only
)

var places = map[string]layer{
	"internal/platform/db": floor, "internal/platform/fault": floor, "internal/platform/config": floor,
	"internal/platform/id":    floor,
	"internal/platform/lists": floor, "internal/platform/table": floor, "internal/platform/decimal": floor,
	"internal/platform/text":   floor,
	"internal/platform/strict": floor, "internal/platform/estimate": floor, "internal/platform/hook": floor,
	"internal/platform/limiter": floor, "internal/platform/document": floor, "internal/platform/ttlcache": floor,
	// pure: the domains' data, rules as data, and pseudonyms
	"internal/pack": floor, "internal/phrase": floor, "internal/rule": floor, "internal/privacy": floor,

	"internal/llm": machinery, "internal/search": machinery, "internal/platform/job": machinery,
	"internal/platform/table/imports": machinery,
	"internal/delivery":               machinery, "internal/audit": machinery, "internal/person": machinery,
	"internal/platform/terminal": machinery,
	"internal/platform/backup":   machinery,

	"internal/interaction": domain, "internal/compliance": domain, "internal/review": domain,
	"internal/learning":  domain,
	"internal/knowledge": domain, "internal/feedback": domain, "internal/dataset": domain, "internal/advisor": domain,
	"internal/practice": domain, "internal/stats": domain, "internal/account": domain,
	"internal/approval": domain, "internal/policy": domain, "internal/comment": domain, "internal/labelling": domain,
	"internal/erase": domain, "internal/evidence": domain, "internal/signal": domain,

	"internal/app": wiring, "internal/demo": wiring, "internal/trial": wiring, "cmd": wiring, "tools": wiring,
	"client": asset, // for other programs: it stands on nothing of ours
	"web":    web, "views": views,
	"migrations": asset, "static": asset, "help": asset,

	"internal/archtest": support, "internal/platform/db/dbtest": support, "internal/platform/hook/hooktest": support,
	"internal/llm/llmtest":       support,
	"internal/search/searchtest": support, "internal/app/apptest": support, "web/browsertest": support,
	"internal/seedtest": support,
}

// below says which floors a floor may stand on. Between domains, and within the floor and the machinery, only arrows.
var below = map[layer][]layer{
	asset:     {},
	floor:     {},
	machinery: {floor},
	domain:    {floor, machinery},
	views:     {floor, machinery, domain, views, asset},
	web:       {floor, machinery, domain, views, web, asset},
	wiring:    {floor, machinery, domain, web, wiring, asset},
	support:   {floor, machinery, domain, web, wiring, asset, support},
}

// arrows are the imports that the floors alone do not allow. Each is a decision.
var arrows = map[string][]string{
	"internal/platform/config":    {"internal/platform/fault", "internal/platform/strict"},
	"internal/platform/db":        {"internal/platform/fault", "migrations"},
	"internal/platform/db/keyset": {"internal/platform/db", "internal/platform/fault"},
	// its rules are written in phrases, and a question is read
	"internal/pack": {"internal/platform/fault", "internal/llm/tuned", "internal/phrase", "internal/platform/strict"},
	"internal/rule": {"internal/platform/fault", "internal/pack", "internal/phrase", "internal/platform/text",
		"internal/platform/text/compare"},
	"internal/platform/text/compare": {"internal/pack", "internal/phrase"}, // words as packs cut them

	"internal/search":     {"internal/llm"}, // vectors as tables keep them
	"internal/llm/openai": {"internal/llm"}, "internal/llm/anthropic": {"internal/llm"},
	"internal/llm/embedded": {"internal/llm", "internal/llm/encoder"}, "internal/llm/tuned": {"internal/llm/encoder"},

	"internal/person": {"internal/audit"},
	"internal/platform/table": {"internal/platform/fault", "internal/platform/text",
		"internal/platform/text/charset"},
	"internal/platform/document": {"internal/platform/text/charset", "internal/platform/text/sign",
		"internal/platform/document/word", "internal/platform/document/pdf"},
	"internal/platform/document/pdf":  {"internal/platform/text/sign"},
	"internal/platform/document/word": {"internal/platform/text/sign"},
	"internal/platform/limiter":       {"internal/platform/fault"},
	"internal/platform/text":          {"internal/platform/fault"},
	"internal/platform/terminal":      {"internal/audit"}, // who the record names for a command
	"internal/platform/table/imports": {"internal/platform/job"},
	"internal/platform/backup":        {"internal/audit"}, // who changed the plan
	// an event's job, and who disabled what
	"internal/delivery": {"internal/platform/job", "internal/audit"},

	// two administrators make a policy
	"internal/policy": {"internal/approval"},
	// policy: what must be seen, and by how many
	"internal/review": {"internal/interaction", "internal/policy"},
	// the lines of its history
	"internal/review/escalation": {"internal/interaction"},
	"internal/review/planted":    {"internal/review", "internal/interaction", "internal/policy"}, // it tests the desk
	"internal/compliance":        {"internal/interaction", "internal/dataset"},
	"internal/dataset":           {"internal/labelling"},
	"internal/dataset/version":   {"internal/dataset"},
	"internal/dataset/transfer":  {"internal/dataset", "internal/dataset/version"},

	"internal/knowledge":          {"internal/interaction"},
	"internal/knowledge/conflict": {"internal/knowledge"}, // pairs of its rules for a person to settle
	"internal/knowledge/credit":   {"internal/knowledge"}, // what became of what its ledger says was shown
	"internal/knowledge/transfer": {"internal/knowledge"}, // carries the whole base from file to file
	"internal/feedback":           {"internal/interaction"},
	"internal/feedback/link":      {"internal/feedback"}, // who may be asked is the book's to say
	// a question and its answer are an observation, or a consultation where the agent is reviewed
	"internal/feedback/chat":       {"internal/feedback", "internal/interaction"},
	"internal/feedback/preference": {"internal/labelling"},
	// what a day of it comes to
	"internal/feedback/nightly": {"internal/feedback", "internal/approval"}, // a person approves prompt files
	// turn finds the days that a fall is about
	"internal/stats":      {"internal/stats/desk", "internal/stats/counter", "internal/stats/turn"},
	"internal/stats/desk": {"internal/stats/counter"},
	// the target of the built-in policy; votes and outcomes as they come
	"internal/stats/counter": {"internal/policy", "internal/feedback"},
	"internal/learning":      {"internal/knowledge", "internal/compliance"},
	// compliance: what a verdict's confidence says
	"internal/learning/stream": {"internal/learning", "internal/compliance"},
	// interaction: the draft arrives there
	"internal/advisor": {"internal/knowledge", "internal/interaction"},
	// its producers are pure; proposals become lessons
	"internal/signal": {"internal/signal/turn", "internal/signal/observe", "internal/signal/evaluator",
		"internal/signal/learned", "internal/signal/trend", "internal/learning", "internal/knowledge",
		"internal/knowledge/conflict"},
	"internal/signal/observe":   {"internal/signal/turn", "internal/signal/learned"}, // what a wish is
	"internal/signal/learned":   {"internal/signal/turn"},
	"internal/signal/evaluator": {"internal/signal/turn", "internal/signal/evaluator/sqlcheck"},
	// its patterns feed a detector
	"internal/signal/scan": {"internal/signal/observe"},
	// feedback says what a success is
	"internal/practice": {"internal/advisor", "internal/learning", "internal/compliance", "internal/knowledge",
		"internal/feedback"},
	// an answer is a decision on a made-up case
	"internal/practice/drill": {"internal/labelling", "internal/review", "internal/interaction"},

	// erase orders what each does with its own tables
	"internal/erase": {"internal/interaction", "internal/review", "internal/comment", "internal/compliance",
		"internal/compliance/borderline", "internal/compliance/judging",
		"internal/compliance/evaluate", "internal/dataset", "internal/learning", "internal/knowledge"},

	// who was left without, and who may say so
	"internal/knowledge/unanswered": {"internal/knowledge", "internal/interaction"},

	// evidence seals files in the audit log; story and duty ask everybody what to put into them
	"internal/evidence/history": {"internal/evidence", "internal/interaction", "internal/compliance",
		"internal/compliance/borderline", "internal/review", "internal/review/export", "internal/knowledge",
		"internal/learning", "internal/comment", "internal/feedback"},
	"internal/evidence/duty": {"internal/evidence", "internal/knowledge", "internal/interaction", "internal/review",
		"internal/feedback", "internal/stats"},

	"internal/compliance/prompted": {"internal/compliance"},
	// evaluate measures on gold sets
	"internal/compliance/evaluate": {"internal/approval", "internal/compliance", "internal/compliance/measure",
		"internal/compliance/refit", "internal/dataset", "internal/dataset/agreement", "internal/dataset/version",
		"internal/interaction"},
	"internal/compliance/judging": {"internal/compliance", "internal/interaction"},
	"internal/compliance/rubric":  {"internal/approval", "internal/compliance"},
	// experts settle what the panel could not
	"internal/compliance/borderline": {"internal/approval", "internal/labelling", "internal/compliance",
		"internal/compliance/rubric",
		"internal/compliance/ruled", "internal/interaction"},
	// what they say of findings
	"internal/compliance/ruled": {"internal/compliance"},
	// checks are tried on labelled texts and on drafts
	"internal/compliance/checklist": {"internal/approval", "internal/compliance", "internal/interaction",
		"internal/dataset", "internal/dataset/version"},
	// the judge that needs no network
	"internal/compliance/embedded": {"internal/compliance", "internal/compliance/refit", "internal/llm/encoder"},
	// one reading for the command and the API
	"internal/compliance/intake": {"internal/compliance", "internal/interaction"},
	// both pure: judges are set beside experts
	"internal/compliance/measure": {"internal/dataset/agreement"},
}

// never are imports that a floor may not have although the floors would allow them. A trailing /... covers what is
// below.
var never = map[layer][]string{
	floor:     {"github.com/labstack/echo/..."},
	machinery: {"github.com/labstack/echo/...", "github.com/a-h/templ/..."},
	domain:    {"net/http", "github.com/labstack/echo/...", "github.com/a-h/templ/..."},
	views: {"preceptor/internal/platform/db", "preceptor/internal/llm/...", "preceptor/internal/search", "database/sql",
		"net/http", "github.com/labstack/echo/..."},
	web: {"preceptor/internal/platform/db", "preceptor/internal/llm/...", "preceptor/internal/search", "database/sql"},
}

// interfaces earn their place by having two real implementations today.
var interfaces = map[string]bool{
	"internal/llm.Generator": true, "internal/llm.Embedder": true, "internal/knowledge.Reader": true,
	"internal/search.Index":     true,
	"internal/compliance.Judge": true, "internal/learning.Reasoner": true, "internal/advisor.Drafter": true,
	"internal/practice.Customer": true, "internal/knowledge/conflict.Detector": true,
	"internal/learning/stream.Reflector": true, "internal/signal/learned.Extractor": true,
}

// forbiddenNames say nothing about what a package is for.
var forbiddenNames = []string{"models", "model", "services", "service", "utils", "util", "helpers", "helper", "common",
	"types", "pkg"}

// houseBytes is the most bytes of code that the whole may have: Go without comments, tests, what is for tests only,
// tools and generated files. Lines are no measure: wide ones would be cheaper.
const houseBytes = 4_618_000
