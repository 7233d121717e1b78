package pack

import "slices"

// Reason is why a draft of the domain may be rejected.
type Reason struct {
	Code  string `json:"code"`  // one label for each, whichever pack has it
	Label string `json:"label"` // on the form
	Help  string `json:"help"`  // when to choose it
	// Broke: a draft rejected for it broke the rules or misled, and counts as missed where the check passed it.
	Broke  bool     `json:"broke,omitempty"`
	Issues []string `json:"issues,omitempty"` // the codes of checks and judges that it names
}

// ReasonOther wants the reason in words. Every pack has it.
const ReasonOther = "other"

// Reason is the pack's reason with a code, else another pack's: decisions keep the code they were made with. Zero where
// none has it.
func (p *Pack) Reason(code string) Reason {
	for _, of := range append([]*Pack{p}, ordered...) {
		if i := slices.IndexFunc(of.Reasons, func(r Reason) bool { return r.Code == code }); i >= 0 {
			return of.Reasons[i]
		}
	}
	return Reason{}
}

// ReasonOf is the reason with a code, whichever pack has it.
func ReasonOf(code string) Reason { return Of(GeneralName).Reason(code) }

// ReasonsWith are the pack's reasons, and the one chosen before, where that is another pack's.
func (p *Pack) ReasonsWith(chosen string) []Reason {
	if r := p.Reason(chosen); r.Code != "" && !slices.ContainsFunc(p.Reasons, func(o Reason) bool {
		return o.Code == chosen
	}) {
		return append(slices.Clip(p.Reasons), r)
	}
	return p.Reasons
}
