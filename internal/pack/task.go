package pack

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

// Lower is s as it stands within a sentence: with a small first letter, unless its first word is a name or an
// abbreviation, as in "State Pension" and "DB transfer".
func Lower(s string) string { return lowerFirst(s) }

// Classify names the task of a question that the words of the pension pack tell; General when nothing in it says more.
func Classify(question string) Task { return packs[Pension].TopicOf(question) }
