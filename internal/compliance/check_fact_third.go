package compliance

// thirdFacts are errors that several authors made each in their own words: how a payment is taxed beside wages, what a lump sum for
// deferring was, how long the lower allowance lasts, what becomes of a guarantee, and what may be taken back.
var thirdFacts = []factTopic{
	{about: `tax(?:ed|able)?\b|band\b|wages|salary`, rules: []factRule{
		{kind: denies, all: `pension|pot\b|withdraw\w*|lump|rest\b|other|remain\w*|taxable|payments?\b|draw\w*|£\d+ & taxed (?:separately|apart\b|on (?:its|their) own|by (?:itself|themselves)|independently)|(?:always |at )(?:a )?flat (?:rate of )?(?:20|40)%|(?:fixed|set|decided) by your (?:salary|wages|earnings) alone|not (?:be )?mixed with (?:a |your )?(?:salary|wages|earnings)`,
			none: `not (?:taxed )?(?:separately|apart|at a flat|a flat|flat)|isas?\b|savings|dividends?|interest|capital gain|emergency|scot|overseas|charge|own (?:personal )?allowance|rather than|instead of|husband|wife|spouse|each of you|partner|couple`, why: "Pension income is added to other income and taxed in the bands that the total reaches."},
		{kind: denies, all: `taxable|withdraw\w*|pension|pot & not (?:go|count|sit|come|added) on top of (?:your|the|any) (?:wages|salary|earnings|pay|income|other)`, none: tailFree, why: "The taxable part of a pension payment is added to other income."},
	}},
	{about: `state pension|defer|putting (?:it|this) off|delay|lump sum with interest|arrears|every 5 weeks`, rules: []factRule{
		{kind: denies, all: `lump sum (?:payment )?with interest|1 taxable lump sum|arrears as a lump|extra as a lump sum|arrears as (?:1|a single) (?:payment|sum) & choose|choice|can|may|will|instead|take`, none: `not|no\b|can not|neither|before (?:6 )?april 2016|old rules|used to|could`,
			why: "Whoever reached State Pension age from 6 April 2016 gets a higher pension for deferring, and no lump sum."},
		{kind: affirms, all: `1% (?:for )?(?:each|every) 5 weeks|10.4%`, none: `before|old|2016`, why: "Deferring the new State Pension adds 1% for every nine weeks, about 5.8% a year."},
	}},
	{about: `£60000|limit|allowance`, rules: []factRule{
		{kind: denies, all: `£60000 & (?:is |gets )?restored|(?:go|goes|comes?|get) back (?:to|up)|returns? to|back to (?:the |your )?(?:full|normal|usual|£60000)|reverts? & after (?:that|which|this)|then\b|from then|lasts? (?:for)?|automatically|\d+ (?:tax )?years?`, none: `not|never|no\b|if\b|carr(?:y|ied)|taper|unless|adjusted`,
			why: "The money purchase annual allowance, once triggered, applies for good."},
		{kind: figures, all: `from (?:that|this|the) (?:date|day|point)|once|after|flexib\w* & defined contribution|money purchase`, slot: `£(\d+) a year (?:may|can|could) (?:still |only )?be paid in`, right: `{mpaa}|{annual_allowance}|3600|2880`, none: `isa|lifetime|taper|no earnings`, why: "After flexible access the limit is £10,000 a year (the money purchase annual allowance)."},
		{kind: figures, slot: `(?:standard|normal|usual) (?:annual )?(?:figure|allowance|limit) (?:is|stands at|remains|of) £(\d+)`, right: `{annual_allowance}|{mpaa}|{personal_allowance}|325000|175000|20000|268275|1073100`, none: `isa|nil|personal|lump|gift|used to|until`, why: "The standard annual allowance is £60,000."},
	}},
	{about: `advice|advis|section 32|buy ?out|gmp`, rules: []factRule{
		{kind: figures, all: `advice|advis\w* & (?:only (?:where|if|when|to|for|above|over|applies|once)|applies only|threshold|starts? at|begins? at|kicks? in)`, slot: `(?:above|over|more than|of|exceeds?|exceeding|worth|at) £(\d+)`, right: `{db_advice}`, none: `£30000|fees?\b|costs?\b|charges?\b|pension wise|estate|compensation`,
			why: "Advice is required by law where safeguarded benefits are worth more than £30,000."},
		{kind: denies, all: `section 32|buy ?out polic|gmp|guaranteed minimum|guaranteed annuity & advice rule does not apply|rule does not apply|advice is not (?:needed|required)|without (?:seeing|taking|any|an) (?:\w+ )?advi|no advice|no adviser`, none: `under £|below £|less than £|£30000 or less|unless|if (?:it|they|the)|can not|must not`,
			why: "A section 32 policy with a GMP holds safeguarded benefits: above £30,000 advice is required by law."},
	}},
	{about: `guaranteed annuity|guaranteed rate|annuity rate|gar\b|gars\b|guarantee like|old rate|guarantees? (?:of|is|was)`, rules: []factRule{
		{kind: affirms, all: `stays? with you|follows? (?:you|it|the (?:money|pot))|(?:goes|go|moves?|travels?|comes?) (?:across )?with you|(?:moves?|travels?) (?:across )?with (?:it|the (?:money|pot))|(?:have|has|bound|must) (?:to )?honour|carr(?:y|ies) over|carried over|reinstat\w+|restored`, none: `scheme|stay where|if you stay|lose|lost|until|while it|as long as|may|might|some|ask`, why: "A guaranteed annuity rate is lost when the pot is moved."},
		{kind: affirms, all: `guarantee|rate & (?:follows you|reinstated|restored) & within|months|year|ask`, why: "A guaranteed annuity rate is lost when the pot is moved."},
	}},
	{about: `annuity|contract|polic|lump sum|commut|cash|scheme|transfer|gave up|gift`, rules: []factRule{
		{kind: denies, all: `hand (?:the \w+|it|that) back|return the (?:lump sum|money|cash)|hand the £\d+ back|give (?:it|the (?:cash|lump sum|money)) back & (?:12|18|24) months|first year|(?:within|for) (?:a|1|2) years? & purchase price|put back|full pension|no questions|fair price|refund\w*|returned|restored|undone`, none: `30 days|cooling|14 days|opt(?:ed|ing)? out|not\b|no longer|state pension|claim(?:s|ed|ing)?\b|tax|hmrc|beneficiar|if you (?:die|died)`,
			why: "An annuity can be cancelled within about 30 days and cash that was taken can't be handed back."},
		{kind: affirms, all: `insurer|provider|company|firm & (?:has to|must|have to|is bound to|obliged to) (?:buy|take) (?:the annuity|it|your annuity|an annuity|annuities) back`, why: "No insurer has to buy an annuity back."},
	}},
	{about: `opt(?:ing|ed|s)? out|enrol|22`, rules: []factRule{
		{kind: figures, all: `opt(?:ing|ed|s)? out & back|refund\w*|returned`, slot: `(?:within|in|during|first|up to|have) (?:the |your |a )?(?:first )?(\d+) (day|week|month|year)s?`, right: `1 month|30 day|6 week|28 day`, none: `enrol\w* again|re enrol|every 3|later|after`, why: "Contributions are refunded to those who opt out within one month."},
		{kind: denies, all: `(?:until|before) you (?:turn|reach|are)(?: age)? 22|(?:under|below|before) (?:age )?22 & (?:employer|boss|company|firm)s? (?:does|do|need|will|is|are) not (?:have |need |be |obliged |required )*(?:to )?(?:put|pay|contribut|add)`, none: `£6240|lower (?:limit|earnings)|enrol you|unless`, why: "Whoever earns over £6,240 and asks to join has the employer's contribution from 16 on."},
	}},
	{about: `estate|inheritance|2027|spouse|wife|husband|widow|civil partner|75\b|pension`, rules: []factRule{
		{kind: denies, all: `spouse|wife|husband|widow\w*|civil partner & (?:pays?|face[sd]?|owes?) (?:the |inheritance tax of |a )?(?:40%|inheritance tax) & £325000|over|above|everything|anything`, none: `unmarried|second death|when (?:she|he|they)|after (?:her|his|their)|income tax|exempt|children|no (?:inheritance )?tax|not (?:pay|face|owe)|without`, why: "What passes to a spouse or civil partner stays exempt from inheritance tax."},
		{kind: denies, all: `pensions?|pots? & outside (?:the|your|an|his|her) estate|free of inheritance tax|not part of (?:the|your) estate|exempt from inheritance tax & for good|always|whoever|permanently|however (?:large|big)|for ever|whatever the`, none: `until|2027|before|for now|spouse|wife|husband|death in service`, why: "Unused pension pots come into the estate for inheritance tax from 6 April 2027."},
		{kind: denies, all: `(?:at|after|over|past) (?:age )?75|75 or (?:over|later|older|more) & not (?:have to )?(?:pay|owe) (?:any )?income tax|no income tax|free of income tax`, none: `(?:would|will|may|must) pay income tax|isas? produce|before|under|unless|not only|serious|state|national insurance|how much|then taxed|personal allowance`, why: "After a death at 75 or later, beneficiaries pay Income Tax on what they draw."},
		{kind: denies, all: `(?:under|before|not yet) (?:age )?75 & (?:will|have to|must|would) (?:still )?pay income tax|taxed at (?:your|their|his|her) own|as (?:your|their) (?:earnings|income|wages)`, none: `over 75|after|75 or|not (?:pay|be|have)|no income tax|2 years|allowance|annuity|without|lived|unless|if you (?:take|draw)|withdraw|ill health|unlike`, why: "After a death before 75 the pot is usually free of Income Tax for those who inherit it."},
	}},
	{about: `lived together|living together|cohabit|unmarried|partner`, rules: []factRule{
		{kind: affirms, all: `lived together|living together|cohabit\w*|unmarried & treated (?:in )?(?:the same way as|like|the same as|as|as if)(?: they were)? (?:a )?(?:spouses?|married|husbands?|wives)|same (?:exemption|treatment|rights?) as (?:a )?(?:spouses?|married|husband)`, none: `scheme|some|may|might|unlike|universal credit|pension credit`, why: "An unmarried partner has no spouse exemption from inheritance tax."},
	}},
	{about: `australia|canada|new zealand|south africa`, rules: []factRule{
		{kind: denies, all: `(?:goes on|keeps?|continues? to|carr(?:y|ies) on|still|will) (?:be )?(?:ris\w+|uprated|increas\w+|going up)|rises? (?:each|every) (?:year|april)|goes up (?:each|every)|just as (?:it would |it does )?(?:at home|here|in the uk)`, none: `not|frozen|eea|eu\b|no\b|stop|private|personal pension|annuity|workplace|unless`, why: "The State Pension is not raised each year for people living in Australia, Canada, New Zealand or South Africa."},
	}},
	{about: `qualifying|carer's credit`, rules: []factRule{
		{kind: figures, slot: `takes? (\d+) qualifying years?`, right: `35|10|1`, none: `more|another|further|left|your`, why: "It takes 35 qualifying years for the full new State Pension, and 10 for any."},
		{kind: figures, all: `carer's credit`, slot: `(\d+) hours`, right: `20`, none: `allowance|your|spend|you care`, why: "Carer's Credit needs 20 hours of care a week."},
	}},
	{about: `court order|divorc|pension shar`, rules: []factRule{
		{kind: denies, all: `no court order (?:is )?(?:needed|required|necessary)|not need (?:a|any) court order|without (?:needing )?(?:a|any) court order & agree\w*|letter|split|shar\w+|sign\w*`, none: `can not|not (?:possible|be)|scot|offset`, why: "A pension is shared on divorce only by a court order (or in Scotland a registered agreement)."},
	}},
	{about: `unfunded|public service|nhs|teachers?'? pension|civil service|police|firefighter|armed forces`, rules: []factRule{
		{kind: affirms, all: `can (?:move|transfer|switch|take) (?:it|them|their \w+|this|that|the \w+) (?:out )?(?:to|into) (?:a |an |any )?(?:private|personal|sipp|drawdown|defined contribution|money purchase)`, why: "Benefits of unfunded public service schemes can't be transferred to a defined contribution pension."},
	}},
	{about: `recycl|lump sums?|tax free (?:cash|money)`, rules: []factRule{
		{kind: denies, all: `hmrc (?:has|have|sees?|raises?) no (?:objection|problem)|hmrc (?:does|do) not mind|no rule (?:against|stops?)|nothing (?:to )?stops? (?:you|anyone) & (?:paid|paying|pay|put|putting) (?:it |them |this |that )?(?:straight )?back into`, none: `£7500|30%|small`, why: "Tax-free lump sums that are paid back into pensions as planned are caught by the recycling rule."},
	}},
	{about: `sipp|self invested|pension`, rules: []factRule{
		{kind: denies, all: `dwelling|residential|house\b|flat\b|buy to let|holiday (?:home|let)|second home & sipps?|self invested|pension & (?:may|can) (?:be )?(?:held|hold|own|owned|bought|buy|put)\b|without (?:a|any) tax charge`, none: `not\b|commercial|reit|fund|heavy|penal|unless|charges? of|sell|downsiz|equity|live|rent (?:it|out) your|if you`, why: "Residential property held in a pension is taxable property, with heavy charges."},
	}},
	{about: `40%|higher rate|extra 20%|relief`, rules: []factRule{
		{kind: denies, all: `provider|scheme|plan|pension company & (?:re)?claims? (?:back )?(?:the )?(?:extra|other|further|additional|higher) (?:20%|rate|relief|tax)|adds? the (?:extra|other|further) 20% & automatic\w*|for you|no need|on your behalf`, none: `can not|does not|do not|only the basic|salary sacrifice|net pay|yourself`, why: "Relief above the basic rate must be claimed from HMRC by the saver."},
	}},
}

// tailFree are sentences that speak of the part without tax.
const tailFree = `tax free|quarter|25%|isas?\b`
