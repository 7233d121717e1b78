package learning

import (
	"regexp"

	"preceptor/internal/pack"
)

// move is what the embedded reasoner knows of one of the domain's moves: how a rule demands it, of whom, and why.
type move struct {
	title     string   // of a lesson
	domain    string   // of a rule
	whom      []string // conditions that the move is for: the first that this customer meets narrows the rule down
	situation string   // where neither a fact nor a topic narrows it down; the task is said when this is empty
	short     string   // the action as reflected
	full      string   // the action as refined
	because   string   // the reason when nobody gave a better one
	problem   string   // what was wrong with a draft that lacked it
	cause     string   // why a drafter may have left it out
	factor    string   // what it does for a customer, for a case's success factors
	weight    float64  // which of several lessons comes first, 0 to 1
	codes     []string // flags and reason codes that speak for it
	said      *regexp.Regexp
}

func ci(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)(?:` + pattern + `)`) }

const anyDraft = "giving guidance"

// movebook holds the moves that a correction can teach. said is how reviewers speak of them.
var movebook = map[pack.Move]move{
	pack.WarnGuarantees: {
		title: "Warn about guarantees given up", domain: RiskDisclosure, whom: []string{CondDB}, weight: 1,
		short:   "warn that transferring it means giving up a guaranteed income for life",
		full:    "warn that transferring it means giving up a guaranteed income for life, before discussing any possible benefits",
		because: "the guarantees can't be had back and most people would be worse off without them",
		problem: "The draft spoke of a defined benefit pension without saying which guarantees would be given up.",
		cause:   "The pension was treated like a pot of money, and what it promises was not weighed.",
		factor:  "Clear about the guarantees that would be given up",
		codes:   []string{"MISSING_DB_WARNING"},
		said:    ci(`\bguarantees?\b|guaranteed (?:income|benefit|pension)|\bdb\b.{0,40}\bwarn|warn.{0,40}\bdb\b|defined[- ]benefit|final[- ]salary|safeguarded|giv(?:e|es|en|ing) up|worse off|can(?:'t|not) be (?:reversed|undone)|irreversible`),
	},
	pack.Depersonalise: {
		title: "Keep to guidance, not a recommendation", domain: RegulatoryCompliance, situation: anyDraft, weight: 0.95,
		short:   "use depersonalised wording instead of telling the customer what to do",
		full:    "use depersonalised wording such as “some people choose” or “options include” rather than telling the customer what to do",
		because: "a personal recommendation is regulated advice, which guidance must not give",
		problem: "The draft told this customer what to do.",
		cause:   "In trying to be helpful the wording crossed from general information to a personal recommendation.",
		factor:  "Kept to options, without a personal recommendation",
		codes:   []string{"PERSONAL_RECOMMENDATION", "personal_recommendation", "DISGUISED_RECOMMENDATION", "PRODUCT_NAMED_RECOMMENDATION"},
		said:    ci(`depersonal|personal(?:ised|ized)? (?:recommend|advice|wording|phras|language|tone)|recommend(?:s|ed|ing|ation)\b|directive|steer(?:s|ed|ing)?\b|t(?:ell(?:s|ing)?|old) (?:them|the customer|him|her|people) (?:what )?to\b|sounds? like advice|advice (?:boundary|territory|line)|crosse[sd]? (?:into|the)|guidance,? not advice|not advice|“?you should”?|"you should"|'you should'|boundary`),
	},
	pack.SignpostAdvice: {
		title: "Point to regulated advice", domain: RegulatoryCompliance, whom: []string{CondDB, CondChoice}, weight: 0.9,
		short:   "signpost regulated financial advice",
		full:    "signpost regulated financial advice",
		because: "guidance can't say which option is right for one person, and a regulated adviser can",
		problem: "The draft did not say where a personal recommendation can be had.",
		cause:   "The draft answered as if general guidance could settle the customer's choice.",
		factor:  "Pointed to regulated advice",
		codes:   []string{"MISSING_SIGNPOST"},
		said:    ci(`(?:regulated|financial|independent|professional|authorised|specialist) advi[cs]e|(?:regulated|financial|independent|authorised) advis[eo]r|\bifa\b|sign ?post`),
	},
	pack.SignpostGuidance: {
		title: "Point to free guidance", domain: PensionEducation, situation: anyDraft, weight: 0.6,
		short:   "mention the free help from MoneyHelper and Pension Wise",
		full:    "mention the free help from MoneyHelper and Pension Wise",
		because: "free and impartial help lets people check what they understood before they decide",
		problem: "The draft did not say where free and impartial help can be had.",
		cause:   "The draft was written as if it were the only help.",
		factor:  "Named free and impartial help",
		said:    ci(`pension ?wise|money ?helper|citizens advice|free (?:and impartial )?(?:help|guidance|appointment)`),
	},
	pack.NoPromise: {
		title: "Promise nothing that is uncertain", domain: RegulatoryCompliance, situation: anyDraft, weight: 0.85,
		short:   "avoid promising returns or outcomes",
		full:    "avoid promising returns or outcomes that nobody can know",
		because: "a promise that can't be kept misleads people about the risk they take",
		problem: "The draft promised an outcome that nobody can know.",
		cause:   "A likely outcome was worded as a certain one.",
		factor:  "Promised nothing uncertain",
		codes:   []string{"GUARANTEE_OR_PROMISE"},
		said:    ci(`promis(?:e|es|ed|ing)\b|guaranteed (?:return|growth|outcome)|too certain|overstat|nobody can know|no guarantee of`),
	},
	pack.Risk: {
		title: "Say what could go wrong", domain: RiskDisclosure, weight: 0.8,
		short:   "mention the risk that the pot falls in value or runs out",
		full:    "mention the risk that the pot falls in value or runs out, beside any benefit",
		because: "people can only weigh an option when they know what could go wrong with it",
		problem: "The draft described an option without its risk.",
		cause:   "The draft followed what the customer hoped for and left out what could go wrong.",
		factor:  "Balanced benefits with risks",
		codes:   []string{"missing_warning", "MISSING_RISK_DISCLOSURE"},
		said:    ci(`\brisks?\b|downside|drawback|could (?:fall|lose)|go down as well|run(?:s|ning)? out|investment loss`),
	},
	pack.ScamWarning: {
		title: "Warn about scams", domain: RiskDisclosure, whom: []string{CondScam}, weight: 0.78,
		short:   "warn about pension scams and point to the FCA register",
		full:    "warn about pension scams and point to the FCA register",
		because: "money that went to a scam is rarely got back",
		problem: "The draft passed over signs of a scam.",
		cause:   "The offer was answered as a question about pensions, and who made it was not asked.",
		factor:  "Warned about scams",
		codes:   []string{"scam_risk", "SCAM_RISK_UNFLAGGED"},
		said:    ci(`\bscam|\bfraud|cold[- ]?call|pressur(?:e|ed|ing)\b.{0,30}(?:sign|transfer|invest)|fca register|scamsmart`),
	},
	pack.CheckUnderstanding: {
		title: "Check understanding with an open question", domain: UnderstandingVerification, whom: []string{CondLow}, situation: anyDraft, weight: 0.7,
		short:   "check understanding with an open question",
		full:    "check understanding with an open question that asks the customer to say it in their own words",
		because: "people often say yes to a yes-or-no question even when they are unsure",
		problem: "The draft did not find out whether the customer understood.",
		cause:   "The draft took for granted that what was said was also understood.",
		factor:  "Checked understanding",
		codes:   []string{"UNDERSTANDING_NOT_CHECKED"},
		said:    ci(`check(?:s|ed|ing)? (?:\w+ ){0,4}underst(?:and|ood|anding)|underst(?:and|ood|anding) (?:\w+ ){0,2}check|explain (?:it |this |that )?back|own words|open(?:-ended)? question|ask(?:s|ed|ing)? (?:if|whether) (?:they|the customer|it|that|this) (?:\w+ ){0,2}(?:understand|understood|clear|makes sense)|paraphras|comprehension`),
	},
	pack.CheckFeatures: {
		title: "Check for special features", domain: RiskDisclosure, weight: 0.65,
		short:   "mention special features such as a guaranteed annuity rate or protected tax-free cash that would be lost",
		full:    "mention special features such as a guaranteed annuity rate or protected tax-free cash that would be lost",
		because: "such features are valuable and can't be had back once the pension has moved",
		problem: "The draft did not mention features that may be lost.",
		cause:   "The pension was taken for an ordinary pot.",
		factor:  "Checked for valuable features",
		said:    ci(`special features|protected (?:tax|pension|retirement)|guaranteed annuity|\bgars?\b|valuable (?:features|benefits)|loyalty bonus`),
	},
	pack.TaxNote: {
		title: "Say how it is taxed", domain: PensionEducation, weight: 0.6,
		short:   "explain how the money would be taxed",
		full:    "explain how the money would be taxed",
		because: "a tax bill that comes as a surprise can't be undone",
		problem: "The draft did not say how the money would be taxed.",
		cause:   "The draft stopped at how to get the money.",
		factor:  "Explained the tax",
		said:    ci(`\btax(?:ed|es|able|ation)?\b (?:bill|implication|consequence|treatment|position|warning|impact|due|rate)|\btaxed\b|\btaxable\b|(?:explain|mention|say|about|of|missing) (?:the |how |income |any )*tax\b`),
	},
	pack.CheckFees: {
		title: "Mention charges", domain: PensionEducation, weight: 0.5,
		short:   "mention that charges and exit fees should be checked with the provider",
		full:    "mention that charges and exit fees should be checked with the provider",
		because: "charges differ between providers and eat into what is left",
		problem: "The draft did not mention charges.",
		cause:   "The draft compared options without what they cost.",
		factor:  "Mentioned charges",
		said:    ci(`\bcharges?\b|\bfees?\b|exit penalt|\bcosts?\b`),
	},
	pack.BalanceOptions: {
		title: "Set out all the options", domain: RegulatoryCompliance, whom: []string{CondChoice}, situation: anyDraft, weight: 0.55,
		short:   "set out the other options as well",
		full:    "set out the other options as well, leaving things as they are among them",
		because: "naming one option alone reads as a recommendation",
		problem: "The draft spoke of one option only.",
		cause:   "The draft followed the way the customer asked, and other ways were left out.",
		factor:  "Set out several options",
		said:    ci(`one[- ]sided|balanc|both sides|other options|alternatives|pros and cons|all (?:the |their )?options|only (?:one|mentions one) option|leav(?:e|ing) (?:it|things|the pot) (?:as|where)`),
	},
	pack.PlainWords: {
		title: "Use plain words", domain: PensionEducation, whom: []string{CondLow}, situation: anyDraft, weight: 0.45,
		short:   "use plain words and short sentences instead of jargon",
		full:    "use plain words and short sentences, and explain any technical term that can't be avoided",
		because: "people can only decide on what they have understood",
		problem: "The draft was harder to read than it needed to be.",
		cause:   "The draft used the trade's words and long sentences.",
		factor:  "Plain words",
		codes:   []string{"not_understandable", "JARGON_FOR_LITERACY"},
		said:    ci(`jargon|plain(?:er)? (?:english|words|language)|simpl(?:er|ify|ified|e words|e language)|too (?:technical|complex|complicated|long|wordy)|shorter|easier to (?:read|understand|follow)|more concise|concise|readab|acronym|technical (?:term|word|language)|reading age`),
	},
	pack.Analogy: {
		title: "Explain with an everyday comparison", domain: PensionEducation, whom: []string{CondLow}, weight: 0.35,
		short:   "explain with an everyday analogy",
		full:    "explain with an everyday analogy, such as a salary that goes on after work",
		because: "people understand better what they can relate to something familiar",
		problem: "The draft explained by definition only.",
		cause:   "The draft took for granted that the terms mean something to the customer.",
		factor:  "Good use of an analogy",
		said:    ci(`analog|everyday (?:example|comparison)|compar(?:e|ison) (?:it |this )?(?:to|with) (?:something|a )`),
	},
	pack.Empathy: {
		title: "Acknowledge how the customer feels", domain: UnderstandingVerification, whom: []string{CondVulnerable}, weight: 0.5,
		short:   "acknowledge the customer's difficult situation with empathy before the facts",
		full:    "acknowledge the customer's difficult situation with empathy and offer support before going into the facts",
		because: "people in distress take in little until they feel heard",
		problem: "The draft went to the facts without a word about the customer's situation.",
		cause:   "The question was answered and the person was not.",
		factor:  "Acknowledged the customer's situation",
		codes:   []string{"vulnerable_customer"},
		said:    ci(`empath|sympath|\btone\b|compassion|condolence|acknowledg|\bcold\b.{0,20}(?:tone|sound)|insensitiv|bereave|kinder`),
	},
}

// order lists the moves of the book, weightiest first, so that going through them is deterministic.
var order = []pack.Move{
	pack.WarnGuarantees, pack.Depersonalise, pack.SignpostAdvice, pack.NoPromise, pack.Risk, pack.ScamWarning,
	pack.CheckUnderstanding, pack.CheckFeatures, pack.SignpostGuidance, pack.TaxNote, pack.BalanceOptions,
	pack.CheckFees, pack.Empathy, pack.PlainWords, pack.Analogy,
}

// taskPhrases are what a rule calls the subject of a task after "the customer asks about".
var taskPhrases = map[string]string{
	pack.RiskAssessment: "investment risk", pack.Consolidation: "combining pensions", pack.Transfer: "transferring a pension",
	pack.DBTransfer: "transferring a defined benefit pension", pack.Drawdown: "drawdown", pack.Annuity: "an annuity",
	pack.TaxFreeCash: "tax-free cash", pack.Tax: "tax", pack.Access: "taking money out", pack.StatePension: "the State Pension",
	pack.Scams: "a possible scam", pack.Contributions: "contributions", pack.DeathBenefits: "death benefits",
	pack.Divorce: "divorce", pack.IllHealth: "ill health", pack.DebtAndBenefits: "debt and benefits",
	pack.LostPensions: "lost pensions", pack.Charges: "charges", pack.Complaints: "a complaint", pack.LivingAbroad: "living abroad",
}

// conditionPhrases are how a rule names a fact about the customer.
var conditionPhrases = map[string]string{
	CondDB: "the customer has a defined benefit pension", CondDC: "the customer has a defined contribution pension",
	CondState: "the customer has the State Pension", CondLow: "the customer has low financial literacy", CondVulnerable: "the customer is vulnerable",
	CondYoung: "the customer is under 55", CondChoice: "the customer asks which option is best", CondScam: "there are signs of a scam",
}
