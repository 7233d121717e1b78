package advisor

import (
	"strings"

	"preceptor/internal/pack"
)

// topics are what a task is called in an answer's first line, and words that speak of it.
var topics = map[pack.Task]struct{ phrase, words string }{
	pack.General:         {"your pension", ""},
	pack.RiskAssessment:  {"risk and how pension money is invested", "risk invest fall value market"},
	pack.Consolidation:   {"bringing pensions together", "combine together one provider charges features"},
	pack.Transfer:        {"moving a pension to another provider", "transfer provider move charges features"},
	pack.DBTransfer:      {"moving a final salary pension", "transfer guaranteed income scheme defined benefit final salary"},
	pack.Drawdown:        {"drawdown", "drawdown invested income flexible"},
	pack.Annuity:         {"annuities and guaranteed income", "annuity guaranteed income life shop around"},
	pack.TaxFreeCash:     {"tax-free cash", "tax free lump sum quarter"},
	pack.Tax:             {"tax on pension money", "tax income taxed allowance"},
	pack.Access:          {"taking money out of a pension", "take cash pot age whole"},
	pack.StatePension:    {"the State Pension", "state pension national insurance years age forecast"},
	pack.Scams:           {"an offer or a call about your pension", "scam call register offer unexpected"},
	pack.Contributions:   {"paying into a pension", "contribution pay in allowance employer relief"},
	pack.DeathBenefits:   {"what happens to a pension when somebody dies", "die beneficiary nominate inherit"},
	pack.Divorce:         {"pensions and divorce", "divorce share order court"},
	pack.IllHealth:       {"pensions and ill health", "ill health early serious scheme"},
	pack.DebtAndBenefits: {"pensions, debt and benefits", "debt benefit means creditor"},
	pack.LostPensions:    {"finding a lost pension", "trace lost find service"},
	pack.Charges:         {"pension charges", "charge fee cost statement"},
	pack.Complaints:      {"complaining about a pension", "complain ombudsman provider"},
	pack.LivingAbroad:    {"pensions and living abroad", "abroad country overseas"},
}

// taskOf is the consultation's task, read from the question when none was given.
func taskOf(s pack.Situation) pack.Task {
	if s.Task == "" || s.Task == pack.General {
		return pack.Classify(s.Question)
	}
	return s.Task
}

func topicStems(s pack.Situation) map[string]bool {
	return pack.ContentStems(topics[taskOf(s)].words)
}

// opening greets the customer and says what the question is about.
func opening(r Request) string {
	phrase := topics[taskOf(r.Situation)].phrase
	if phrase == "" {
		phrase = pack.Lower(pack.Label(r.Situation.Task))
	}
	hello := "Hello,"
	if first, _, _ := strings.Cut(strings.TrimSpace(r.Name), " "); first != "" && !honorific(first) {
		hello = "Hello " + first + ","
	} else if first != "" {
		hello = "Dear " + strings.TrimSpace(r.Name) + ","
	}
	if r.Situation.Reads() == "low" {
		return hello + "\n\nThank you for asking about " + phrase + "."
	}
	return hello + "\n\nThank you for your question about " + phrase + "."
}

// bridge leads from the opening to the answer, when nothing stands between them.
func bridge(s pack.Situation) string {
	if s.Reads() == "low" {
		return " Here is how it works."
	}
	return " This is how it generally works."
}

func honorific(w string) bool {
	switch strings.ToLower(strings.TrimRight(w, ".")) {
	case "mr", "mrs", "ms", "miss", "dr", "prof", "sir", "lady", "mx", "rev":
		return true
	}
	return false
}

// closing is said where the customer asks to be told what to do, because nobody here may: it points to those who can.
func closing(s pack.Situation, text string) string {
	if !s.AsksForChoice() && !s.Crisis() {
		return ""
	}
	for _, m := range pack.DetectMoves(text) {
		if m.Move == pack.SignpostAdvice || m.Move == pack.SignpostGuidance {
			if s.Crisis() && m.Move == pack.SignpostAdvice {
				continue
			}
			return ""
		}
	}
	if s.Crisis() {
		return "You do not have to sort this out alone. MoneyHelper can help free of charge, and it can put you in touch with free debt advice."
	}
	if s.Reads() == "low" {
		return "We cannot tell you which choice is right for you. MoneyHelper can talk it through with you for free, and a regulated financial adviser can recommend what to do."
	}
	return "We can't say which choice is right for you. MoneyHelper offers free guidance on weighing it up, and a regulated financial adviser can make a recommendation."
}
