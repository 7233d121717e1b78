package pack

// Move is one thing that guidance does, as warning about guaranteed benefits.
type Move string

// The moves that are known without being told; Say, Ask, Replace and Avoid carry what a rule brings.
const (
	WarnGuarantees     Move = "warn_guarantees"
	SignpostAdvice     Move = "signpost_advice"
	SignpostGuidance   Move = "signpost_guidance" // Pension Wise or MoneyHelper
	CheckUnderstanding Move = "check_understanding"
	Depersonalise      Move = "depersonalise"
	PlainWords         Move = "plain_words"
	Risk               Move = "risk"
	TaxNote            Move = "tax_note"
	ScamWarning        Move = "scam_warning"
	CheckFeatures      Move = "check_features"
	CheckFees          Move = "check_fees"
	BalanceOptions     Move = "balance_options"
	Empathy            Move = "empathy"
	Analogy            Move = "analogy"
	NoPromise          Move = "no_promise"
	Figures            Move = "figure"
	Say                Move = "say"
	Ask                Move = "ask"
	Replace            Move = "replace"
	Avoid              Move = "avoid"
)

// Found is a move seen in a text.
type Found struct {
	Move       Move
	Start, End int
}
