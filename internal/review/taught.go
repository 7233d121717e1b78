package review

import (
	"encoding/json"
	"fmt"
	"strings"

	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// mostStatements bounds what one decision states.
const mostStatements = 12

// taughtText is what column decision.taught holds.
type taughtText struct {
	Statements   []rule.Statement `json:"statements,omitempty"`
	OnlyCustomer bool             `json:"only_customer,omitempty"`
}

func (d *Decision) taught() string {
	if len(d.Statements) == 0 && !d.OnlyCustomer {
		return ""
	}
	b, _ := json.Marshal(taughtText{d.Statements, d.OnlyCustomer}) // strings and booleans only
	return string(b)
}

func (d *Decision) readTaught(text string) error {
	if text == "" {
		return nil
	}
	var t taughtText
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return fmt.Errorf("read what decision %s states: %w", d.ID, err)
	}
	d.Statements, d.OnlyCustomer = t.Statements, t.OnlyCustomer
	return nil
}

// checkStatements names the first statement that can't become a rule, and what it lacks; nil when there is none.
func checkStatements(list []rule.Statement) *fault.Field {
	if len(list) > mostStatements {
		return &fault.Field{Name: "statements",
			Msg: fmt.Sprintf("At most %d changes can be stated at once.", mostStatements)}
	}
	for i, st := range list {
		var lacks []string
		for _, f := range fault.Fields(st.Check()) {
			lacks = append(lacks, f.Msg)
		}
		if len(lacks) > 0 {
			return &fault.Field{Name: "statements", Msg: fmt.Sprintf("Change %d: %s", i+1, strings.Join(lacks, " "))}
		}
	}
	return nil
}
