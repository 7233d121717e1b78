package review

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// Overruling is a check that stops a text, and why a person says that it is wrong about that one text.
type Overruling struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// OverrulesCheck stands beside the policy's conditions in Row.TwoEyes: the text goes out against a check.
const OverrulesCheck = "overrules_check"

// Stopping are the codes of what keeps a text from being approved, once each. None: the text is clean, or nothing can
// be named.
func (a Assessment) Stopping() (codes []string) {
	if a.Clean() {
		return nil
	}
	marked := slices.ContainsFunc(a.Flags, func(f Flag) bool { return f.Stops })
	for _, f := range a.Flags {
		if (f.Stops || !marked && f.Severity != Minor) && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// Final are those codes that nobody may overrule in a pack, because the law asks for what they miss.
func Final(codes []string, packName string) []string {
	never := pack.Of(packName).NeverOverruled
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return !slices.Contains(never, code) })
}

// Covers reports whether what the decision overruled is all that stops a text.
func (d *Decision) Covers(stopping []string) bool { return len(d.missing(stopping)) == 0 }

func (d *Decision) missing(stopping []string) []string { return without(stopping, d.Overrulings) }

func without(codes []string, list []Overruling) []string {
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		return slices.ContainsFunc(list, func(o Overruling) bool { return o.Code == code })
	})
}

// tidyOverrulings trims what came and leaves out what is said twice.
func tidyOverrulings(list []Overruling) (out []Overruling) {
	for _, o := range list {
		o = Overruling{strings.TrimSpace(o.Code), text.Typed(o.Reason)}
		if !slices.ContainsFunc(out, func(p Overruling) bool { return p.Code == o.Code }) {
			out = append(out, o)
		}
	}
	return out
}

// checkOverrulings says what is missing of each, once for each field.
func checkOverrulings(list []Overruling) (wrong []fault.Field) {
	for _, o := range list {
		if o.Code == "" {
			wrong = append(wrong, fault.Field{Name: "overrule", Msg: "Select each check that you want to overrule."})
		}
		if f := checkReason("overrule_reason", o.Reason, "Say why the check is wrong about this text."); f != nil &&
			!slices.Contains(wrong, *f) {
			wrong = append(wrong, *f)
		}
	}
	return wrong
}

// overrule is what in overrules of what stops the text that would go out, or what the first signature under that very
// text overruled. It is all that stops it, or a fault; nothing where nothing stops it.
func (in *Input) overrule(a Assessment, x Expert, base *Decision, packName, msg string) ([]Overruling, error) {
	const closed = " Revise it, reject it, or get an expert's ruling."
	stopping := a.Stopping()
	signed := in.Kind == Approve && len(in.Overrule) == 0 && base != nil && base.State == Pending &&
		len(base.Overrulings) > 0
	switch missing := without(stopping, in.Overrule); {
	case (a.Clean() || x.Releases) && len(in.Overrule) > 0:
		return nil, wrongOverruling("Nothing blocks this text, so there is nothing to overrule. Approve it.")
	case a.Clean() || x.Releases:
		return nil, nil
	case len(stopping) == 0: // there is no finding that a person could disagree with
		return nil, refusal(a, msg+closed)
	case len(Final(stopping, packName)) > 0 && (signed || len(in.Overrule) > 0):
		return nil,
			wrongOverruling(fmt.Sprintf("%s can't be overruled. Revise the text, or reject it.",
				names(Final(stopping, packName))))
	case signed && !base.Covers(stopping):
		return nil,
			refusal(a,
				fmt.Sprintf("Since %s overruled the checks, %s blocks this text too. Revise it, reject it, or "+
					"overrule everything that blocks it; %[1]s can then confirm.",
					base.By.Name, names(base.missing(stopping))))
	case signed:
		return base.Overrulings, nil
	case len(in.Overrule) == 0 && len(Final(stopping, packName)) > 0:
		return nil, refusal(a, msg+closed)
	case len(in.Overrule) == 0:
		return nil, refusal(a, msg+" Revise it, reject it, overrule what blocks it, or get an expert's ruling.")
	case len(missing) > 0:
		return nil,
			wrongOverruling(fmt.Sprintf("%s also blocks this text. Overrule it too, or revise the text.",
				names(missing)))
	}
	for _, o := range in.Overrule {
		if !slices.Contains(stopping, o.Code) {
			return nil,
				wrongOverruling(
					fmt.Sprintf("%s doesn't block this text, so there is nothing to overrule. Look at its flags again.",
						pack.IssueName(o.Code)))
		}
	}
	return in.Overrule, nil
}

// names are codes as people read them.
func names(codes []string) string {
	out := lists.Map(codes, pack.IssueName)
	return strings.Join(out, ", ")
}

func wrongOverruling(msg string) error {
	return fault.Wrong(msg, "overrule", msg)
}

// insertOverrulings stores what a decision overrules, for the one text that was signed.
func insertOverrulings(tx *db.Tx, d *Decision, a Assessment) error {
	for _, o := range d.Overrulings {
		severity := ""
		if i := slices.IndexFunc(a.Flags, func(f Flag) bool { return f.Code == o.Code }); i >= 0 {
			severity = a.Flags[i].Severity
		}
		if err := db.Exec(tx, "review: store what decision "+d.ID+" overrules", `INSERT INTO overruling (decision_id,
				code, severity, reason, text_hash, rules, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, d.ID, o.Code, severity, o.Reason, d.FinalHash, a.Rules,
			db.Ms(d.DecidedAt)); err != nil {
			return err
		}
	}
	return nil
}

// readOverrulings adds to decisions what they overruled.
func readOverrulings(tx *db.Tx, list []Decision) error {
	by, err := overruledBy(tx, lists.Map(list, func(d Decision) string { return d.ID }))
	for i := range list {
		list[i].Overrulings = by[list[i].ID]
	}
	return err
}

// overruledBy is what decisions overruled, by decision.
func overruledBy(tx *db.Tx, decisions []string) (map[string][]Overruling, error) {
	by := map[string][]Overruling{}
	for _, batch := range db.Batches(decisions) {
		if err := db.Each(tx, "review: what was overruled", func(row db.Row) error {
			var id string
			var o Overruling
			err := row.Scan(&id, &o.Code, &o.Reason)
			by[id] = append(by[id], o)
			return err
		}, `SELECT decision_id, code, reason FROM overruling
			WHERE decision_id IN (`+db.In(1, len(batch))+`) ORDER BY decision_id, code`, db.Anys(batch)...); err !=
			nil {
			return nil, err
		}
	}
	return by, nil
}
