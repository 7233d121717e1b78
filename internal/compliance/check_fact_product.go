package compliance

// productFacts are the rules on annuities, drawdown and what a pension can hold.
var productFacts = []factTopic{
	{about: `annuit`, rules: []factRule{
		{kind: affirms, all: `annuit|insurer|it\b & cancel|hand(?:ed)? (?:it )?back|pop it back|revers|undo|surrender|switch|swap(?:ped)?\b|changed?\b|cash(?:ed)? (?:it )?in|passed to another|moved?\b|return(?:ed)?|money back|get your (?:money|pot|fund) back|transferred|converted back|turn(?:ed)? back & any time|later|whenever|first year|\d+ (?:years|months)|every \d|within a year|in a year|(?:next|another) (?:insurer|provider|company)|like any other|if (?:it|you)|once (?:it|you)|to another|(?:6|9)\d days|1\d\d days`,
			none: `30 days?|before you|protected|drawdown|shop|compare|open market|health|fixed term|temporary|each year|escalat|payments? (?:change|switch|move)|inflation|14 days|cooling off|pot can|might|scheme\b|later buy|buy (?:an|one|it) later|rate|quote|begins|starts|rises later|move (?:in|to)|some|joint|bank|rates|used to buy|to buy|buying (?:an|one)|dies|death|spouse|enhanced`, why: "A lifetime annuity can't be changed or handed back once the cancellation period, usually 30 days, has passed."},
		{kind: figures, all: `cool(?:ing)? off|cancel|change (?:your|their) mind`, slot: `(\d+) (day|week|month|year)s?\b`, right: `30 day|14 day|1 month|4 week`, none: `guarantee|pension wise|after|old|later|payments|rate`, why: "The cancellation period of an annuity is usually 30 days."},
		{kind: affirms, all: `health|ill\b|diagnos & raise|increase|go up|rise|put up|improve|recalculat & after you|worsen|later|once (?:it|you|the)|since`, none: `before|apply|enhanced|shop|quote|disclos|declare|tell|if you buy`, why: "An annuity's rate is fixed when it is bought; later illness does not raise it."},
		{kind: affirms, all: `annuit & must|have to|has to|law|obliged|need to|required|compulsory|forced|turn & 75\b|75th`, none: `abolish|gone|lump|test|until|death`, why: "Nobody has to buy an annuity by 75."},
		{kind: affirms, all: `smok|long term illness|poor health & lower|less|worse|reduced`, none: `rather|more from|than (?:a )?smok|life expectancy|non smokers? get (?:a )?lower`, why: "Smokers and people in poor health often get higher annuity rates."},
		{kind: affirms, all: `wom[ae]n|sex\b|gender|female & annuit & lower|less|higher|different|worse`, none: `live|same`, why: "Annuity rates must not depend on sex."},
		{kind: affirms, all: `women & lower annuity rates`, why: "Annuity rates must not depend on sex."},
		{kind: affirms, all: `enhanced & only & terminal|dying`, why: "Many common conditions, and smoking, can lead to an enhanced annuity."},
		{kind: affirms, all: `insurer|provider & obliged|must|has to|bound & match & quote|rate|highest|best`, why: "No insurer has to match another's annuity rate."},
		{kind: denies, all: `annuity (?:income|payments?|is|are) & ` + saysFree, none: `purchased|isas?\b|lump|quarter|25%|` + deathWords + `|capital|not tax free|not|if|allowance|national`, why: "Income from an annuity bought with pension money is taxed as income."},
	}},
	{about: `guaranteed annuity rate|gar\b|guaranteed rate`, rules: []factRule{
		{kind: affirms, all: `carr(?:y|ies) (?:over|across)|stays? with you|moves? with|travels?|honour|transfers? (?:with|across|over)|follows|comes? with you|keeps? (?:the|your|its)|survives?|is preserved|remains? yours`, none: `if you stay|unless|lost|lose|lapse|only if|check|ask|leave it|existing provider|current provider|stay|same provider|where it is|wherever`, why: "A guaranteed annuity rate is lost when the policy is transferred."},
	}},
	{about: `drawdown|flexi`, rules: []factRule{
		{kind: affirms, all: `drawdown & guarantees?|guaranteed|promises|secure & income|for life|as long as you live|run out`, none: `annuity|rather|unlike|gar|lose|mix|both|combine|part|rest|guaranteed income,|or move|buy|options?|ways|things|choices|essential|basic bills|keep`, why: "Drawdown income is not guaranteed: the pot can fall and run out."},
		{kind: affirms, all: `flexi|drawdown & maximum|capped|cap on|upper limit & government actuary|gad|each year|yearly|annual income|a year`, none: `capped drawdown|2015|contribut|mpaa|£10000|pay in|money purchase|charge|fee|cost`, why: "Flexi-access drawdown has no maximum income."},
		{kind: affirms, all: `drawdown & £\d+ & by law|legally|law requires|legal minimum|only (?:allowed|open|available)`, none: `advice|allowance|provider|£30000|tax`, why: "No law sets a minimum fund for drawdown."},
	}},
	{about: `sipp|pension`, rules: []factRule{
		{kind: affirms, all: `(?:own|hold|buy|purchase|invest in) (?:\w+ ){0,3}(?:house|flat\b|residential|buy to let|holiday (?:home|cottage|let)) & (?:sipp|it|pension|plan) (?:may|can)\b`, none: `charge|commercial|reit|funds?|unauthorised|mortgage|sell|cash|lump|care|deposit`, why: "A pension that holds residential property directly faces heavy tax charges."},
	}},
}
