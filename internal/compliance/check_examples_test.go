package compliance

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/pack"
)

// The registry's own examples are what experts see; they must hold.
func TestRegistryExamples(t *testing.T) {
	titled := map[string]string{}
	for _, info := range Registry() {
		if other := titled[info.Title]; other != "" {
			t.Errorf("%s and %s are both called %s", other, info.Code, info.Title)
		}
		titled[info.Title] = info.Code
		if info.Title == "" || info.Description == "" || info.Reference == "" {
			t.Errorf("%s is not described", info.Code)
		}
		if info.Read { // its judge's test holds its examples
			continue
		}
		if len(info.Finds) == 0 || len(info.Leaves) == 0 {
			t.Errorf("%s shows %d texts in which it finds something and %d that it leaves", info.Code, len(info.Finds),
				len(info.Leaves))
		}
		if (info.For != "") != (info.ExampleFor().Question != "") {
			t.Errorf("%s does not say to whom its examples are written", info.Code)
		}
		for want, texts := range map[bool][]string{true: info.Finds, false: info.Leaves} {
			for _, text := range texts {
				if got := severityOf(NewChecker(at).Check(text, info.ExampleFor().Situation()),
					info.Code) != ""; got != want {
					t.Errorf("%s in %q: %v, want %v", info.Code, text, got, want)
				}
			}
		}
	}
}

// four is what makes a text long enough for checks that look at whole letters.
const four = "Thank you for your letter. Here is what it says. It is about your pot. "

var (
	lowReader = pack.Situation{Question: "can i have my money", Literacy: "low", HasDC: true}
	called    = pack.Situation{Question: "A man rang me and says he can unlock my pension this week. What do I send?",
		HasDC: true}
)

// Customers by what they ask for.
var (
	deferring = pack.Situation{Question: "How does putting off my State Pension work?", HasState: true}
	onCredit  = pack.Situation{Question: "Can I have £10,000 from my pot?", Text: "benefits: Universal Credit",
		HasDC: true}
	bonus = pack.Situation{Question: "How do I move my old plan?", Features: []string{"with-profits, final bonus"},
		HasDC: true}
	leaving  = pack.Situation{Question: "Can I stop paying into the pension?", HasDC: true}
	wants    = pack.Situation{Question: "Can I use the tax-free cash for a new roof?", HasDC: true}
	commutes = pack.Situation{Question: "How do I get more lump sum?", HasDB: true, DBValue: 200_000}
	rated    = pack.Situation{Question: "Can I transfer my 1989 policy?",
		Features: []string{"guaranteed annuity rate 9%"}, HasDC: true, DCValue: 20_000}
	afraid = pack.Situation{Question: "I gave a man my log-in and I'm frightened. What do I do?", HasDC: true}
)

// Every check has texts in which it finds something and texts, much alike, in which it must not.
func TestChecksByExample(t *testing.T) {
	for _, c := range []struct {
		code string
		s    pack.Situation
		text string
		want string
	}{
		{DisguisedRecommendation, nobody, "You may want to consider moving your pension.", Major},
		{DisguisedRecommendation, nobody, "People in your position usually choose drawdown.", Major},
		{DisguisedRecommendation, nobody, "Some people consider moving; others don't.", ""},
		{DisguisedRecommendation, nobody, "You may want to consider speaking to a regulated adviser.", ""},

		{ProductNamed, nobody, "Move it to Vanguard, whose charges are the lowest.", Critical},
		{ProductNamed, nobody, "You could look at providers such as Aviva.", Major},
		{ProductNamed, nobody, "Your pot is with Aviva, who can tell you its charges.", ""},
		{ProductNamed, pack.Situation{Question: "Is Nest any good?"}, "Nest was set up by the government.", ""},
		{ProductNamed, nobody, "We don't recommend Aviva or any other provider.", ""},

		{MissingRiskDisclosure, nobody,
			"In drawdown you draw what you like. Drawdown is flexible, and the pot stays yours.", Major},
		{MissingRiskDisclosure, nobody,
			"In drawdown you draw what you like. Drawdown is flexible, but the pot can fall and may run out.", ""},
		{MissingRiskDisclosure, pack.Situation{Question: "Would a Lifetime ISA do?"},
			"A Lifetime ISA adds 25% to what you pay in.", Major},
		{MissingRiskDisclosure, pack.Situation{Question: "Would a Lifetime ISA do?"},
			"A Lifetime ISA adds 25%, and there is a charge for taking it out early.", ""},
		{MissingRiskDisclosure, nobody, "Equity release pays you a lump sum from your home.", Major},
		{MissingRiskDisclosure, nobody, "Equity release pays you a lump sum, and interest builds up.", ""},

		{MissingRiskDisclosure, deferring,
			"For each nine weeks that you wait it rises by 1%. After a year's wait it is 5.8% more.", Major},
		{MissingRiskDisclosure, deferring,
			"For each nine weeks that you wait it rises by 1%. After a year's wait it is 5.8% more, and takes many " +
				"years to make up.", ""},
		{MissingRiskDisclosure, onCredit, "You can take £10,000. A quarter is tax free.", Major},
		{MissingRiskDisclosure, onCredit, "You can take £10,000, and your Universal Credit may stop.", ""},
		{MissingRiskDisclosure, bonus, "To move, send the form. The new plan asks for the money.", Major},
		{MissingRiskDisclosure, bonus, "To move, send the form. The final bonus would be lost by leaving.", ""},
		{MissingRiskDisclosure, leaving, "Tell payroll, and your contributions stop with the next pay run.", Major},
		{MissingRiskDisclosure, leaving,
			"Tell payroll, and it will stop with the next pay run. Your employer's contribution stops too.", ""},
		{MissingRiskDisclosure, wants, "Up to a quarter is tax free. It takes eight days.", Major},
		{MissingRiskDisclosure, wants, "Up to a quarter is tax free. It leaves less for later.", ""},
		{MissingRiskDisclosure, wants,
			"Up to a quarter is tax free. As with anything, there are some ups and downs to consider.", Major},

		{MissingDBWarning, commutes, "You get £12 in cash for each £1. It is paid within a month.", Critical},
		{MissingDBWarning, commutes, "You get £12 in cash for each £1, and the yearly pension is lower for life.", ""},
		{MissingDBWarning, dbAsks, "Ask for a transfer value. Once the form is in it can't be changed.", Critical},
		{MissingDBWarning, dbAsks, "A transfer value takes a month. You'd swap a certain income for an uncertain one.",
			""},
		{MissingDBWarning, dbAsks, "Since April 2015 the law has not let members of your scheme transfer.", ""},
		{MissingDBWarning, dbAsks,
			"The PPF, the Pension Protection Fund, has taken over the scheme. A transfer is not possible.", ""},
		{MissingDBWarning, mixed, "Bringing pensions together takes some weeks. Features of a pot are usually lost " +
			"for good when it is moved.", Critical},
		{MissingDBWarning, mixed, "Bringing pensions together takes some weeks. A scheme's promised income is lost " +
			"for good when it is moved.", ""},
		{GuaranteeOrPromise, dbAsks, "It is a myth that a transfer gives up the guaranteed income.", Critical},
		{GuaranteeOrPromise, dbAsks, "You can transfer. It does not give up a guaranteed income for life.", Critical},
		{GuaranteeOrPromise, dbAsks, "A transfer means that your income would no longer be guaranteed for life.", ""},
		{GuaranteeOrPromise, dbAsks, "Asking for a transfer value does not give up your guaranteed income.", ""},
		{MissingDBWarning, dbAsks, "You can't get the guaranteed income back once you transfer.", ""},
		{MissingDBWarning, rated, "Send the transfer form, and the money arrives in three weeks.", Major},
		{MissingDBWarning, rated, "Send the transfer form. The guaranteed rate would be lost.", ""},

		{MissingSignpost, chooses, "There are several ways. Talk to somebody who knows about these things.", Major},
		{MissingSignpost, chooses,
			"There are several ways. For an impartial view, there's MoneyHelper at no charge or a regulated adviser.",
			""},
		{MissingSignpost, chooses, "There are several ways. This isn't advice, and MoneyHelper's calculators are free.",
			""},
		{MissingSignpost, afraid, "Change your password.", Major},
		{MissingSignpost, afraid, "Change your password, and ring Citizens Advice.", ""},

		{PersonalRecommendation, nobody, "Take £18,000, and the other £54,000 has to be moved into drawdown.", ""},
		{PersonalRecommendation, nobody, "Put like that, a few months in the fund seem short.", ""},
		{PersonalRecommendation, nobody, "You should never pay someone to get it out for you.", ""},
		{PersonalRecommendation, nobody, "What can you do? Leave it. Take all of it. Or swap it for an income.", ""},
		{PersonalRecommendation, nobody, "We aren't saying that you should use it.", ""},
		{PersonalRecommendation, nobody, "You should transfer your pension to the new plan within 30 days.", Critical},
		{PersonalRecommendation, nobody, "Your health has been poor and you should transfer your pension.", Critical},
		{PersonalRecommendation, nobody, "To answer your question, you should transfer your pension.", Critical},
		{PersonalRecommendation, nobody, "If you want my view, you should transfer your pension.", Critical},
		{PersonalRecommendation, nobody, "Beware of high fees. You should transfer your pension to the new plan.",
			Critical},
		{PersonalRecommendation, nobody, "You should take all of it today.", Critical},
		{GuaranteeOrPromise, nobody, "Whatever the markets do, your fund will double in ten years.", Critical},
		{Pressure, nobody, "The deadline is Friday, so act now before it is too late.", Critical},
		{PersonalRecommendation, nobody, "So leave the pot and pay the debt.", Critical},

		{GuaranteeOrPromise, dbAsks, "You can transfer, and you won't lose any guarantees.", Critical},
		{GuaranteeOrPromise, nobody, "Your pot will grow to £200,000.", Critical},
		{GuaranteeOrPromise, nobody, "The fund is bound to recover.", Critical},
		{GuaranteeOrPromise, nobody, "It is completely risk-free.", Critical},
		{GuaranteeOrPromise, nobody, "Nobody can say that your pot will grow to £200,000.", ""},
		{GuaranteeOrPromise, nobody, "If it grew by 5%, your pot would come to £200,000.", ""},
		{GuaranteeOrPromise, nobody, "Be wary of anyone who offers guaranteed returns: that is a sign of a scam.", ""},
		{GuaranteeOrPromise, nobody, "No investment comes without risk.", ""},

		{ScamRiskUnflagged, called, "He will need your National Insurance number.", Critical},
		{ScamRiskUnflagged, called, "Be careful and check them on the FCA register.", Critical},
		{ScamRiskUnflagged, called, "This has the marks of a scam. Hang up if he rings again.", ""},
		{ScamRiskUnflagged, called, "No, it is not a scam. Fill in their form.", Critical},
		{ScamRiskUnflagged, called, "They are not scammers. Send your details.", Critical},
		{ScamRiskUnflagged, called, "Please don't reply to him.", ""},
		{ScamRiskUnflagged, called, "This is not genuine.", ""},
		{ScamRiskUnflagged, called, "Do not fall for this scam.", ""},
		{ScamRiskUnflagged, called, "A real firm would never cold call you.", ""},
		{ScamRiskUnflagged, called, "You don't want to lose your pension to a scam.", ""},
		{ScamRiskUnflagged, called, "He isn't from the government and this is a scam.", ""},
		{ScamRiskUnflagged, called, "The trustees make their scam checks, and tax of 55% may be due.", Critical},
		{ScamRiskUnflagged, dcAsks, "Drawdown means leaving it invested.", ""},

		{GuaranteeOrPromise, nobody, "An annuity pays until you die. It won't run out.", ""},
		{GuaranteeOrPromise, nobody, "Draw £500 a month from the pot. It won't run out.", Critical},

		{Pressure, nobody, "Don't wait: rates like these won't last.", Critical},
		{Pressure, nobody, "You have only days left to act.", Critical},
		{Pressure, nobody, "Hurry, the window is closing.", Critical},
		{Pressure, nobody, "There is no need to act now.", ""},
		{Pressure, nobody, "If anyone tells you to act now, it may be a scam.", ""},
		{Pressure, nobody, "The deadline for your tax return is 31 January.", ""},

		{InaccurateFact, nobody, "The money purchase annual allowance is £4,000.", Critical},
		{InaccurateFact, nobody, "The annual allowance is £ 40,000.", Critical},
		{InaccurateFact, nobody, "The lump sum and death benefit allowance is £1.0731 million.", ""},
		{InaccurateFact, dbAsks, "For a transfer of this size seeing an adviser is voluntary.", Major},
		{InaccurateFact, nobody, "A SIPP may lend to its member.", Critical},
		{InaccurateFact, nobody, "You need 30 qualifying years for the full new State Pension.", Major},
		{InaccurateFact, nobody, "The money purchase annual allowance is £10,000.", ""},
		{InaccurateFact, dbAsks, "For a transfer of this size seeing an adviser is not voluntary.", ""},
		{InaccurateFact, nobody, "You need 35 qualifying years for the full new State Pension.", ""},

		{UnderstandingNotChecked, lowReader, four + "If you take the cash, it can't be put back.", Major},
		{UnderstandingNotChecked, pack.Situation{Vulnerable: true}, four + "An annuity can't be changed.", Major},
		{UnderstandingNotChecked, lowReader, four + "If you take the cash, it can't be put back. Does that make sense?",
			""},
		{UnderstandingNotChecked, lowReader,
			four + "If you take the cash, it can't be put back. Ring us and we can go through it.", ""},
		{UnderstandingNotChecked, lowReader,
			four + "If you take the cash, it can't be put back. MoneyHelper can talk it through.", Major},
		{UnderstandingNotChecked, lowReader,
			four + "If you take the cash, it can't be put back. Could you say back to me what that means?", ""},
		{UnderstandingNotChecked, dcAsks, four + "If you take the cash, it can't be put back.", ""},

		{JargonForLiteracy, lowReader, four + "Crystallisation triggers the MPAA, and the PCLS is paid before " +
			"commutation under PAYE at your marginal rate.", Major},
		{JargonForLiteracy, lowReader, four + "You can take a quarter with no tax. The rest is taxed like pay.", ""},
		{JargonForLiteracy, dcAsks, four + "Crystallisation triggers the MPAA, and the PCLS is paid before " +
			"commutation under PAYE at your marginal rate.", ""},
	} {
		v := NewChecker(at).Check(c.text, c.s)
		if got := severityOf(v, c.code); got != c.want {
			t.Errorf("%s in %q for %q: %q, want %q (%+v)", c.code, c.text, c.s.Question, got, c.want, v.Issues)
		}
	}
}

func TestGradeRisesWithHardness(t *testing.T) {
	plain := Grade(Read("You can take the money. It is up to you. Ask us if you like."))
	hard := Grade(Read("Notwithstanding the aforementioned considerations, crystallisation of uncrystallised " +
		"entitlements necessitates authorisation."))
	if plain > 4 || hard < 15 || Grade(Read("")) != 0 {
		t.Errorf("plain %.1f, hard %.1f", plain, hard)
	}
}

// A warning at the end of a long text is told from one that is not there.
func TestAWarningThatComesTooLateIsSaid(t *testing.T) {
	steps := "You can ask for a transfer of your pension. " + strings.Repeat("The form takes a week. ", 12)
	for text, late := range map[string]bool{steps: false, steps + "The guaranteed income is lost for good.": true} {
		v := NewChecker(at).Check(text, dbAsks)
		i := slices.IndexFunc(v.Issues, func(i Issue) bool { return i.Code == MissingDBWarning })
		if i < 0 || strings.Contains(v.Issues[i].Why, "say it earlier") != late {
			t.Errorf("late %v: %+v", late, v.Issues)
		}
	}
}
