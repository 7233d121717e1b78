package pack

import (
	"slices"
	"strings"
)

// Task is what a consultation is about, in snake case.
type Task = string

// The tasks that the checks of the pension pack know; data/pension.json has their labels. Agents may send others.
const (
	General         Task = "general"
	RiskAssessment  Task = "risk_assessment"
	Consolidation   Task = "consolidation"
	Transfer        Task = "transfer"
	DBTransfer      Task = "db_transfer"
	Drawdown        Task = "drawdown"
	Annuity         Task = "annuity"
	TaxFreeCash     Task = "tax_free_cash"
	Tax             Task = "tax"
	Access          Task = "access"
	StatePension    Task = "state_pension"
	Scams           Task = "scams"
	Contributions   Task = "contributions"
	DeathBenefits   Task = "death_benefits"
	Divorce         Task = "divorce"
	IllHealth       Task = "ill_health"
	DebtAndBenefits Task = "debt_and_benefits"
	LostPensions    Task = "lost_pensions"
	Charges         Task = "charges"
	Complaints      Task = "complaints"
	LivingAbroad    Task = "living_abroad"
)

// Upper is s with a capital first letter, whatever the alphabet.
func Upper(s string) string { return upperFirst(s) }

// Lower is s as it stands within a sentence: with a small first letter, unless its first word is a name or an abbreviation, as in
// "State Pension" and "DB transfer".
func Lower(s string) string { return lowerFirst(s) }

// sign is a phrase that speaks for a task, with its weight.
type sign struct {
	task   Task
	weight float64
	re     *Pattern
}

func signs(task Task, weight float64, patterns ...string) sign {
	return sign{task, weight, ci(`(?:` + strings.Join(patterns, "|") + `)`)}
}

// dbWords are the names that customers and rules have for a pension with a promised income.
const dbWords = `\b(?:db|defined[- ]benefits?|final[- ]salary|career[- ]average|salary[- ]related|safeguarded)\b|\b(?:nhs|teachers?'?s?|civil service|police|army|armed forces|fire(?:fighters?)?|local government|council|lgps) pension`

// taskSigns are weighed and summed; the heaviest task wins, and the earlier one on a tie.
var taskSigns = []sign{
	signs(Scams, 3, `\bscam`, `\bfraud`, `cold[- ]?call`, `out of the blue`, `too good to be true`, `\bdouble (?:my|your)`, `\bback by (?:mon|tues|wednes|thurs|fri|satur|sun|tomorrow)`, `(?:nice|lovely|friendly) (?:man|lady|chap|woman|bloke)`, `pension liberation`, `\bloophole`, `\bdodgy\b`, `\bcon(?:ned|man|men)\b`, `free (?:pension )?review`, `rang me|phoned me|knocked on`, `(?:called|contacted|messaged|texted|emailed) me`, `bloke .{0,30}\b(?:rang|called|phoned|says|promis)`, `guy .{0,30}\b(?:rang|called|phoned|promis)`),
	signs(Scams, 2, `guaranteed? (?:\d+ ?%|returns?)`, `\d+ ?% (?:guaranteed )?(?:return|a year guaranteed)`, `before (?:i'?m|i am|you'?re|age|turning)? ?55.{0,40}(?:company|firm|help|someone)`, `(?:company|firm|someone) .{0,50}before (?:i'?m |age )?55`, `\blegit\b`, `(?:company|firm|they|it|this|offer|caller|adviser)(?:'s| is| are) (?:real|genuine|kosher|dodgy)`, `courier`, `overseas (?:invest|property|hotel)`, `sign (?:today|by)`),
	signs(DBTransfer, 4, `(?:`+dbWords+`)[^.?!]{0,80}(?:transfer|move|moving|switch|cash|out of|swap|give up|giving up|leave|\bcetv\b|into)`, `(?:transfer|move|moving|switch|cash|come out|get out|swap|give up|giving up|leav)[^.?!]{0,80}(?:`+dbWords+`)`, `\bcetv\b`, `cash equivalent`),
	signs(DBTransfer, 1, `(?:`+dbWords+`)`),
	signs(DBTransfer, 3, `transfer value`, `deferred (?:benefits?|pension|member)`, `guaranteed pension`, `old works? (?:pension|scheme) .{0,40}(?:offer|quoted)`, `£ ?[\d,.]+ ?k? (?:that )?(?:they|the scheme|the trustees?|my (?:old )?(?:scheme|employer|company))(?:'ve|'re| have| has| are| is)? offer`, `(?:they|the scheme|the trustees?|my (?:old )?(?:scheme|employer|company))(?:'ve|'re| have| has| are| is)? offer(?:ed|ing|s)? me £`),
	signs(Consolidation, 4, `\bjoin (?:all |both |up )?(?:of )?(?:my |our |the |these |those )?(?:\w+ )?(?:pensions|pots|plans)\b`, `consolidat`, `\b(?:combin|merg|amalgamat)(?:e|es|ed|ing)\b`, `(?:put(?:ting)?|bring(?:ing)?|bung|stick(?:ing)?|lump|roll(?:ing)?|mov(?:e|ing)|pull(?:ing)?|get(?:ting)?) .{0,40}\b(?:together|into one|in one (?:place|pot|pension|plan)|all in one (?:place|pot|pension)|one (?:place|pot|pension))`, `all (?:in|into) (?:one|the same)`, `one big pot`, `(?:everything|all|lot) .{0,12}in(?:to)? one\b(?: (?:pot|place|pension|plan)|[.?! ]*$)`, `(?:several|few|two|three|four|five|six|seven|lots of|loads of|bunch of|\d) (?:\w+ ){0,3}(?:pensions|pots).{0,60}(?:together|one|simpl|single)`),
	signs(Consolidation, 1.5, `(?:several|few|two|three|four|five|six|seven|lots of|loads of|bunch of|[2-9]) (?:\w+ ){0,3}(?:pensions|pots)`),
	signs(Transfer, 2.5, `\btransfer`, `\bswitch(?:ing)?\b.{0,40}(?:provider|pension|pot|company)`, `mov(?:e|ing) (?:my |our |the |this |an? )?(?:\w+ ){0,3}(?:pension|pot|money|it|them|sipp).{0,30}\b(?:to|from|into|over|elsewhere|somewhere)\b`, `(?:another|different|new|other) provider`, `\bsipp\b`, `change (?:my )?(?:pension )?provider`),
	signs(Drawdown, 4, `draw ?-?down`, `flexi[- ]?access`, `adjustable income`, `keep (?:it|the rest|my (?:pot|money)) invested`, `leave (?:the rest|it|my (?:pot|money)) invested`, `draw (?:money|cash|an? income|income|bits|down)`, `dip into`, `(?:will|would|make) .{0,25}\b(?:pot|money|pension|savings)\b.{0,15}\blast\b`, `run out of money`, `flexible income`),
	signs(Annuity, 4, `annuit`, `income for life`, `guaranteed income`, `income (?:that|which) (?:never|lasts|won'?t)`, `regular income .{0,25}(?:rest of my life|until i die|forever)`, `(?:paid|payment|money) (?:every month )?(?:for|the rest of) (?:my )?life`, `wage for life`),
	signs(TaxFreeCash, 4, `tax[- ]?free`, `25 ?(?:%|per ?cent|pc)`, `\bpcls\b`, `quarter of (?:my|the|it)`, `without paying (?:any )?tax`),
	signs(TaxFreeCash, 2, `lump sum`),
	signs(Access, 3, `cash(?:ing)? (?:it |them |my (?:pension|pot) |the lot |everything )?(?:all )?in\b`, `(?:take|get|have|withdraw|pull|draw|want) (?:out )?(?:all|everything|the (?:lot|whole|entire)|it all|my whole|my entire)`, `whole (?:pot|pension|lot|amount|thing)`, `(?:all|everything) (?:out|at once|in one go)`, `get (?:at|to|hold of|into) (?:my|the) (?:pension|pot|money|cash)`, `(?:when|what age|how old|how soon|how early) .{0,40}(?:can|could|may|do|able|have to|be) .{0,30}(?:take|get|access|touch|draw|start|use|claim)`, `access (?:to )?(?:my|the|it|money)`, `take (?:some |any )?(?:money|cash|chunks|bits)`, `\b(?:early|before 5[57]|at 5[0-7])\b.{0,30}(?:access|retire|take|release)`, `(?:release|unlock|withdraw)`, `what (?:can|could) i do with (?:my|the) (?:pot|pension)`, `start (?:taking|drawing|using) (?:it|my|the)`, `leave (?:it|my \w+) where it is`, `options .{0,20}(?:pot|pension)`),
	signs(Tax, 3, `how much tax`, `what tax`, `tax (?:will|would|do|do|bill|rate|band|code|man)`, `(?:pay|paying|owe|charged) .{0,15}\btax\b`, `\bhmrc\b`, `emergency tax`, `\btaxed\b`, `\bin tax\b`, `tax .{0,25}back\b`, `(?:took|take|taken|grab).{0,30}\btax\b`, `personal allowance`, `tax ?(?:code|back|refund|reclaim)`, `higher[- ]rate`),
	signs(StatePension, 5, `state pension`, `\bni (?:contributions?|years?|record|stamps?|credits?)`, `national insurance`, `old age pension`, `government pension`, `pension (?:from|off) the (?:government|state)`, `\bstamps?\b`, `qualifying years`, `triple lock`, `gov(?:ernment|t) .{0,20}pension`, `pension age`),
	signs(Contributions, 3.5, `contribut`, `pay(?:ing)? (?:more |extra |money |less |anything |a bit |\S+ )?(?:in|into)\b`, `put(?:ting)? (?:more|extra|money|a bit more|\S+) (?:in|into|away)\b`, `annual allowance`, `\bmpaa\b`, `salary sacrifice`, `auto[- ]?enrol`, `opt(?:ed|ing)? (?:out|in)\b`, `\bavcs?\b`, `employer (?:match|pay|put)`, `boss (?:pay|put|match)`, `tax relief`, `top(?:ping)? up`, `carry forward`, `saving enough`, `work(?:place)? scheme .{0,30}join`, `join .{0,30}(?:workplace|company|work) (?:pension|scheme)`),
	signs(DeathBenefits, 4, `when i(?:'m gone| die| pass| go)`, `if i (?:die|pass|pop|drop|kick|get hit)`, `\b(?:die|died|death|dies|dead|dying)\b`, `pass(?:ed|ing|es)? (?:away|on|it on)`, `inherit`, `beneficiar`, `expression of wish`, `make sure (?:my |our )?\w+ gets`, `\blate (?:mum|dad|mother|father|husband|wife|partner|brother|sister)`, `nominat`, `leave (?:it|my (?:pension|pot|money)|something|what'?s left|anything) (?:to|for|behind)`, `\bwidow`, `(?:kids|children|wife|husband|partner|family|son|daughter) (?:get|inherit|receive|have) `, `\bestate\b`, `\bwill\b and testament`, `in my will`),
	signs(Divorce, 5, `divorc`, `separat(?:ed|ing|ion)\b`, `\bex[- ](?:wife|husband|partner)`, `my ex\b`, `split(?:ting)? (?:up|from|with)`, `pension sharing`, `(?:wife|husband) .{0,25}(?:entitled|half|share of)`, `dissolution`, `decree`),
	signs(IllHealth, 4, `\bill[- ]?health`, `terminal(?:ly)?\b`, `\bcancer`, `seriously ill`, `too (?:ill|sick|poorly)`, `\bill\b`, `\billness`, `\bpoorly\b`, `\bsick\b`, `diagnos`, `life expectancy`, `months to live`, `\bdisab`, `\bstroke\b`, `heart attack`, `can'?t work (?:any ?more|because)`, `medical(?:ly)?`, `\bms\b`, `parkinson`, `dementia`, `bad back`),
	signs(DebtAndBenefits, 4, `\bdebts?\b`, `\bowe\b`, `\bloans?\b`, `credit cards?`, `bailiff`, `bankrupt`, `\biva\b`, `arrears`, `universal credit`, `housing benefit`, `\bbenefits?\b(?: office| claim| stop| affect| cut)`, `(?:affect|lose|keep|stop) (?:my |any )?benefits`, `pension credit`, `means[- ]tested`, `council tax reduction`, `\bdwp\b`, `\besa\b`, `\bpip\b`, `on benefits`, `pay off (?:my|the)`, `behind (?:on|with)`, `\bskint\b`),
	signs(LostPensions, 5, `lost (?:track|touch|pension|my|a|an old|the)`, `(?:track|hunt|trace|tracing|find|finding|locate|chase)(?: down)? (?:\w+ ){0,3}(?:old|lost|missing|pensions?|pots?)\b`, `no idea (?:who|where)`, `don'?t know (?:who|where) .{0,40}(?:pension|it|with|scheme)`, `forgotten`, `pension tracing`, `went bust`, `can'?t remember (?:who|where|the name)`, `missing pension`, `paperwork .{0,20}(?:lost|gone|missing)`, `dashboard`),
	signs(Charges, 4, `\b(?:fees?|charges?|charging|charged)\b`, `how much .{0,30}(?:cost|charge)`, `expensive`, `\brip(?:s|ped|ping)?[- ]?(?:me |us |you |people )?off`, `exit (?:fee|penalt|charge)`, `\bamc\b`, `what .{0,15}(?:costs?|cost me)`, `creaming off`),
	signs(Complaints, 5, `complain`, `ombudsman`, `mis-?sold`, `compensation`, `bad advice`, `wrongly advised`, `(?:provider|they|company) .{0,40}(?:won'?t (?:reply|answer|pay|release|send)|ignor|messed|cocked|mistake|error|delay|dragging)`, `not happy with`, `kick up`),
	signs(LivingAbroad, 5, `\babroad\b`, `overseas`, `\b(?:spain|france|portugal|australia|new zealand|canada|usa|america|florida|cyprus|italy|greece|ireland|thailand|dubai|germany|india|poland)\b`, `emigrat`, `\bexpat`, `qrops`, `\brops\b`, `another country`, `leav(?:e|ing) the uk`, `outside the uk`, `non-?resident`),
	signs(RiskAssessment, 4, `\brisk(?:s|y|ier)?\b`, `(?:stock ?market|markets?|shares) .{0,30}(?:crash|fall|drop|down|dip|tank)`, `how safe`, `\bis (?:it|my (?:pension|pot|money)) safe`, `lose (?:my )?(?:money|everything|it all|the lot)`, `volatil`, `attitude to risk`, `cautious`, `(?:gone|going|went|go|value) down`, `lost value`, `protected if`, `\bfscs\b`, `invest(?:ed|ment|ments|ing)\b`, `which funds?`, `default fund`),
}

// definedContribution is a kind of pension, and no question about contributions.
var definedContribution = ci(`\bdefined[- ]contributions?\b`)

// plainly is a question as the signs read it.
func plainly(question string) string {
	return definedContribution.ReplaceAllString(strings.ReplaceAll(question, "’", "'"), "dc")
}

// IsAbout tells whether Classify names this task. Most questions show no sign of it, and are not weighed.
func IsAbout(question string, t Task) bool {
	if t == General {
		return Classify(question) == General
	}
	return isAboutAny(question, t)
}

// isAboutAny is IsAbout of several tasks, none of them General.
func isAboutAny(question string, tasks ...Task) bool {
	q := plainly(question)
	for _, s := range taskSigns {
		if slices.Contains(tasks, s.task) && s.re.MatchString(q) {
			return slices.Contains(tasks, Classify(question))
		}
	}
	return false
}

// Classify names the task of a question; General when nothing in it says more.
func Classify(question string) Task {
	q := plainly(question)
	score := map[Task]float64{}
	for _, s := range taskSigns {
		if n := len(s.re.FindAllStringIndex(q, 3)); n > 0 {
			score[s.task] += s.weight * (1 + 0.4*float64(n-1))
		}
	}
	best, top := General, 0.0
	for _, s := range taskSigns {
		if score[s.task] > top {
			best, top = s.task, score[s.task]
		}
	}
	if top < 1.5 {
		return General
	}
	return best
}
