package pack

import (
	"hash/fnv"
	"strings"
)

// wordings are what a known move says, by literacy: plain for low, usual for the others; several, so that drafts do not all
// sound alike. {advice} is the £30,000 threshold of the table of facts.
var wordings = map[Move]struct{ plain, usual []string }{
	WarnGuarantees: {
		plain: []string{
			"One important thing first. A defined benefit pension (also called final salary) pays you a guaranteed income for life, like a wage that never stops. If you move it, you lose that guarantee and you cannot get it back. Most people would be worse off by moving it.",
			"Please read this part first. Your defined benefit pension is a promise: a guaranteed income for the rest of your life. If you transfer it, that guarantee is lost for good. For most people that means ending up worse off.",
		},
		usual: []string{
			"Before anything else: a defined benefit pension pays a guaranteed income for life, usually rising with prices and often with something for a partner. Transferring means giving up those guarantees, it cannot be reversed, and most people would be worse off.",
			"An important point first: a defined benefit (final salary) pension promises a guaranteed income for life. That guarantee is lost if the pension is transferred, there is no way back, and most people are better off keeping it.",
		},
	},
	SignpostAdvice: {
		plain: []string{
			"We can explain how things work, but we cannot tell you which choice is right for you. A regulated financial adviser can do that. You can find one on the MoneyHelper website, and check them on the FCA register.",
			"A regulated financial adviser can look at your own situation and recommend something. We cannot do that here. MoneyHelper has a list of advisers.",
		},
		usual: []string{
			"This is general guidance and can't say which choice is right for you. A regulated financial adviser can make a personal recommendation; MoneyHelper has a directory of them, and the FCA register shows who is authorised.",
			"For a recommendation based on your own circumstances, you can speak to a regulated financial adviser. The MoneyHelper directory lists advisers, and the FCA register shows whether a firm is authorised.",
		},
	},
	SignpostGuidance: {
		plain: []string{
			"You can get free help from MoneyHelper. If you are 50 or over, Pension Wise (part of MoneyHelper) offers a free appointment about your pension options.",
			"MoneyHelper is free and does not sell anything. If you are 50 or over you can book a free Pension Wise appointment there.",
		},
		usual: []string{
			"MoneyHelper offers free, impartial guidance, and anyone aged 50 or over with a defined contribution pot can book a free Pension Wise appointment.",
			"Free and impartial guidance is available from MoneyHelper, including Pension Wise appointments from the age of 50.",
		},
	},
	CheckUnderstanding: {
		plain: []string{
			"To check that we explained this clearly: can you tell us in your own words what would happen to your money?",
			"Before you decide anything, could you tell us in your own words what you think your choices are? If a part was not clear, we will explain it again.",
		},
		usual: []string{
			"To make sure this has been explained clearly, could you tell us in your own words what you see as the main points?",
			"Could you tell us, in your own words, what you understand your options and their consequences to be?",
		},
	},
	Risk: {
		plain: []string{
			"Money that is invested can go down as well as up. You could get back less than was paid in, and a pot can run out.",
			"There is a risk here: the value of an invested pot can fall, and the money may not last as long as you do.",
		},
		usual: []string{
			"The value of investments can go down as well as up, so the pot could be worth less than was paid in, and it could run out.",
			"There are risks to weigh: an invested pot can fall in value, and money taken early is not there later.",
		},
	},
	TaxNote: {
		plain: []string{
			"Usually a quarter of a pot is tax free. The rest counts as income, so you may pay Income Tax on it.",
			"Taking money out can mean a tax bill. Usually a quarter is tax free and the rest is taxed like a wage.",
		},
		usual: []string{
			"Usually a quarter of a pot can be taken free of tax; the rest is added to your other income for the year and taxed, which can push part of it into a higher band.",
			"What is taken beyond the tax-free part counts as income for that tax year, and a large withdrawal can mean a higher rate of tax.",
		},
	},
	ScamWarning: {
		plain: []string{
			"Please be careful. Nobody should call you out of the blue about your pension: it is against the law and is often a scam. Hang up, do not sign anything, and check any firm on the FCA register.",
			"This has signs of a scam. Do not send money or sign anything. You can check a firm on the FCA register, and report it to the police's fraud service.",
		},
		usual: []string{
			"Cold calls about pensions are illegal, and offers of early access, guaranteed returns or a quick decision are typical of scams. Check any firm on the FCA register and the FCA's ScamSmart pages before doing anything.",
			"Please treat an unexpected contact about a pension as a possible scam: don't be rushed, don't share personal details, and check the firm on the FCA register first.",
		},
	},
	CheckFeatures: {
		plain: []string{
			"Before moving a pension, ask the provider if it has special features you would lose, such as a guaranteed annuity rate or extra tax-free cash.",
		},
		usual: []string{
			"Before a pension is moved, it is worth asking the provider whether it has features that would be lost, such as a guaranteed annuity rate, protected tax-free cash or a protected pension age.",
		},
	},
	CheckFees: {
		plain: []string{
			"Ask your provider what fees it charges, and if there is an exit fee for leaving.",
			"Charges matter. Ask what you pay now, what you would pay elsewhere, and if there is a fee to leave.",
		},
		usual: []string{
			"It is worth comparing charges: ask each provider for its annual fees and whether there is an exit or transfer fee.",
			"Fees differ between providers, so ask what you pay now, what you would pay elsewhere and whether leaving costs anything.",
		},
	},
	BalanceOptions: {
		plain: []string{
			"There is more than one choice here, and each has good and bad points. Leaving things as they are is a choice too.",
		},
		usual: []string{
			"There are several options here, including leaving things as they are, and each has advantages and disadvantages.",
		},
	},
	Empathy: {
		plain: []string{
			"We know this is a hard time. There is no need to rush, and you can take things one step at a time.",
		},
		usual: []string{
			"We understand that this is a difficult time. There is no need to decide in a hurry, and we can take things one step at a time.",
		},
	},
	Analogy: {
		plain: []string{
			"One way to picture it: a defined benefit pension is like a wage that carries on after work, while a pot is like a savings account that can be emptied.",
		},
		usual: []string{
			"As a comparison: a defined benefit pension works like a salary that continues in retirement, while a defined contribution pot works like a savings account that is invested and can run out.",
		},
	},
}

// lawSentence is added where the law demands advice and the amount makes it certain or possible.
func lawSentence(s Situation) string {
	f, ok := Facts(s.At).Get("db_advice")
	if !ok || !s.HoldsSafeguarded() || s.DBValue > 0 && s.DBValue <= f.Value {
		return ""
	}
	if s.Reads() == "low" {
		return "If it is worth more than " + Pounds(f.Value) + ", the law says you must get regulated financial advice before you can move it."
	}
	return "By law, regulated financial advice is required before safeguarded benefits worth more than " + Pounds(f.Value) + " can be transferred."
}

// pick chooses one of the wordings for a customer: the same one for the same question.
func pick(m Move, s Situation) string {
	w, ok := wordings[m]
	if !ok {
		return ""
	}
	list := w.usual
	if s.Reads() == "low" {
		list = w.plain
	}
	h := fnv.New32a()
	h.Write([]byte(s.Question + string(m)))
	return list[int(h.Sum32()%uint32(len(list)))]
}

var wordingCache = func() map[Move]map[string]bool {
	out := map[Move]map[string]bool{}
	for m, w := range wordings {
		out[m] = ContentStems(strings.Join(append(append([]string{}, w.plain...), w.usual...), " ") + " " + extraWords[m])
	}
	return out
}()

// extraWords are what rules call a move beyond the words of its wording.
var extraWords = map[Move]string{
	WarnGuarantees:   "db safeguarded benefits valuable protections warning warn lose losing out transferring emphasise special must preserved potential consolidation mandatory",
	SignpostAdvice:   "advice independent professional authorised specialist signpost speak seek qualified ifa recommendation before transferring transfer law",
	SignpostGuidance: "signpost guidance impartial free moneyhelper pension wise appointment website service",
	Risk:             "investment risks downside drawback warn value fall running out market",
	TaxNote:          "tax treatment consequences implications bill due higher band warn rates income withdrawal",
	ScamWarning:      "scam fraud warn warning signs register report fca scamsmart cold call unsolicited",
	CheckFees:        "exit transfer management annual fees charges costs compare mention provider",
	CheckFeatures:    "special valuable features guarantees protected check look",
	BalanceOptions:   "balance balanced pros cons alternatives range list present available",
}

func wordingStems(m Move) map[string]bool { return wordingCache[m] }
