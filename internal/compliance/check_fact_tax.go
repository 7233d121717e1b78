package compliance

// taxFacts are the rules on income tax and National Insurance on pensions, and on what creditors can reach.
var taxFacts = []factTopic{
	{about: `tax|allowance|withdraw|rate\b|£12570|£50270`, rules: []factRule{
		{kind: affirms, all: `pension|withdraw|taxable|lump sums?|rest\b|drawdown|payment & flat & 20%|40%|25%|45%|30%|10%`, none: `fee\b|overseas|trust|allowance charge|transfer charge|charge of|relief|fixed|emergency|surcharge|dividend`, why: "Pension income is taxed at one's own rates of Income Tax, which rise with income."},
		{kind: figures, slot: `personal allowance (?:[a-z]+ ){0,6}£(\d+)`, right: `{personal_allowance}|100000|125140|1|2|1260`, none: `blind|marriage|used|left|example|remaining|unused|your|state pension|income|rest|if|each £|minus|scot`, why: "The Personal Allowance is £12,570."},
		{kind: figures, slot: `personal allowance (?:is|of|for \w+ (?:over|aged) \d\d is|stands at|rises to|goes up to|becomes) £(\d+)`, right: `{personal_allowance}|0`, none: `blind|marriage|used|left|example|remaining|unused|if|over £100000`, why: "The Personal Allowance is £12,570, whatever one's age."},
		{kind: figures, slot: `(?:higher rate|40%)(?: [a-z]+){0,5}? (?:starts?|begins?|kicks in|above|over|from|applies|threshold is|threshold of)(?: [a-z]+){0,4}? £(\d+)`, right: `{higher_rate_threshold}|37700|{additional_rate_threshold}|43662`, none: `scot|your|pot|worth|charge|estate|inherit|unauthor|total income|income of £|relief`, why: "Higher-rate tax begins above £50,270 of income (outside Scotland)."},
		{kind: figures, all: `total income|of income`, slot: `higher rate[^£]{0,40}(?:starts?|begins?)[^£]{0,20}£(\d+)`, right: `{higher_rate_threshold}`, none: `scot|taxable income`, why: "Higher-rate tax begins above £50,270 of income (outside Scotland)."},
		{kind: figures, slot: `(?:additional rate|45%)(?: [a-z]+){0,5}? (?:starts?|begins?|kicks in|above|over|from|applies|threshold is|threshold of)(?: [a-z]+){0,4}? £(\d+)`, right: `{additional_rate_threshold}`, none: `scot|your|inherit|trust`, why: "The additional rate begins above £125,140."},
		{kind: denies, all: `personal allowance & everybody|everyone|always|whatever|however|no matter & keeps?|gets?|has\b|have & million|£\d{6}|income|high|earn`, none: `not|no longer|loses?|reduc|shrink|age|up to|over £100000|except|£100000`, why: "The Personal Allowance shrinks above £100,000 of income and is gone at £125,140."},
		{kind: denies, all: `£12570|£50270 & withdraw|uncrystallised|pension & (?:fully|completely|wholly|entirely) tax free|first £50270`, none: `quarter|25%|other income|personal allowance (?:covers|is)|no other|only income`, why: "A quarter of each uncrystallised withdrawal is free of tax; the rest counts as income."},
		{kind: figures, all: `redundancy`, slot: `tax free (?:up to|to|on) £(\d+)`, right: `30000`, none: `pension`, why: "Redundancy pay is free of tax up to £30,000."},
		{kind: affirms, all: `statutory redundancy & taxed & full|always`, why: "Statutory redundancy pay is free of tax up to £30,000."},
	}},
	{about: `national insurance`, rules: []factRule{
		{kind: affirms, all: `pension income|withdraw|drawdown|annuit|pension payments?|(?:private|company|workplace|your) pension (?:also |is |bears?) & bears?|pays?|paying|charged|due|deducted|attracts?|subject|taken & national insurance`, none: `salary|work\b|job|wages|record|years|qualifying|sacrifice|state pension|voluntary|employee|employer|self employed|gaps?|credits?|contributions (?:to|from)|relief|redundan|earnings|instead`, why: "Pension income bears no National Insurance."},
		{kind: affirms, all: `employees?|work|working|job & 70|after state pension age|as long as|past state pension age|over state pension age|beyond & carry on|keep|still|continue|go on|must & pay`, none: `stop|self employed|class 4|until|up to|right up|before|reaching 35|credit|employer|voluntary`, why: "Employees stop paying National Insurance at State Pension age."},
	}},
	{about: `scot`, rules: []factRule{
		{kind: affirms, all: `annual allowance|lump sum allowance|minimum pension age|lifetime isa & own|different|£30000|£40000|lower|separate`, none: `same|across|uk wide|whole`, why: "Pension allowances are the same across the United Kingdom; Scotland sets only rates and bands of Income Tax."},
	}},
	{about: `bankrupt|creditor|insolven|debt`, rules: []factRule{
		{kind: affirms, all: `pension|pot|sipp|undrawn & goes to|handed|take\b|takes\b|claim|seize|sell|surrender|can be (?:taken|used)|available to|reach|demand|paid over|have an? & creditors?|trustee|bankrupt|official receiver|lenders? & undrawn|whatever|unused|untouched|must|on demand|excess|pension goes|pot|any pension|your pension|all of`, none: `income payments|drawn|taken out|once (?:it is|you)|excessive|out of reach|safe|protected|may be able|might|before|cash|in your (?:bank|account)|outside|lump`, why: "Undrawn money in a registered pension is normally out of the reach of creditors."},
	}},
}
