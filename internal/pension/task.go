package pension

// Task is what a consultation is about, in snake case.
type Task = string

// The tasks that the product knows. Agents may send others; they are kept as they are.
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

// Tasks lists them in the order in which they are offered.
func Tasks() []Task { return nil }

// Classify names the task of a question; General when nothing in it says more.
func Classify(question string) Task { return General }

// Label is the task in words, as "DB transfer".
func Label(t Task) string { return t }
