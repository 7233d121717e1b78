package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/table"
)

// decisionHead are the columns of the decisions' export, in the order in which decisionCells writes them.
var decisionHead = []string{"case_id", "decision_id", "agent_id", "agent", "task", "question", "customer", "kind",
	"state", "received_at", "decided_at", "by_id", "by",
	"seconds_on_case", "characters_to_read", "hasty", "draft", "final_text", "diff", "reason_code", "reason",
	"feedback", "flags", "confirmation", "base_decision_id",
	"needs_second", "second_by_id", "second_by", "second_at", "second_seconds", "second_confirmation", "policy_version",
	"held_until", "settled_at", "settled_by_id",
	"settled_by", "settled_why", "planted", "skips", "comments", "overruled", "thread", "messages", "metadata",
	"actions", "sent_again", "words_by_id", "words_by", "second_hasty"}

func decisionCells(b *bytes.Buffer, list []*decision) {
	w := csv.NewWriter(b)
	cells := make([]string, 0, len(decisionHead))
	for _, d := range list {
		if ops := d.changes(); ops != nil {
			d.unified = unified(ops)
		}
		cells = append(cells[:0], d.CaseID, d.DecisionID, d.AgentID, table.Guard(d.Agent), table.Guard(d.Task),
			table.Guard(d.Question), string(d.Customer), d.Kind, d.State,
			stamp(d.ReceivedAt), stamp(d.DecidedAt), d.ByID, table.Guard(d.By), strconv.Itoa(d.Seconds),
			strconv.Itoa(d.Characters), flag(d.Hasty),
			table.Guard(d.Draft), table.Guard(d.Final), table.Guard(d.unified), d.ReasonCode, table.Guard(d.Reason),
			table.Guard(d.Feedback), codes(d.Flags), table.Guard(d.Confirmation), d.BaseID,
			flag(d.NeedsSecond), d.SecondID, table.Guard(d.Second), stamp(d.SecondAt), strconv.Itoa(d.SecondSeconds),
			table.Guard(d.SecondSentence), strconv.Itoa(d.PolicyVersion),
			stamp(d.HeldUntil), stamp(d.SettledAt), d.SettledID, table.Guard(d.Settled), table.Guard(d.SettledWhy),
			flag(d.Planted), skipText(d.Skips), commentText(d.Comments), overruledText(d.Overruled),
			table.Guard(d.Thread), string(d.Messages), string(d.Metadata), string(d.Actions),
			flag(d.Again), d.WordsID, table.Guard(d.Words), flag(d.SecondHasty))
		_ = w.Write(cells) // a buffer takes everything
	}
	w.Flush()
}

// overruledText is a line for each check that was overruled.
func overruledText(list []overruled) string {
	lines := lists.Map(list, func(o overruled) string { return o.Code + ": " + o.Reason })
	return table.Guard(strings.Join(lines, "\n"))
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02T15:04:05.000Z07:00") // the desk's time, with its distance from UTC
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// codes are the codes of the flags, once each.
func codes(flags json.RawMessage) string {
	if len(flags) <= 2 {
		return ""
	}
	var list []struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(flags, &list) != nil {
		return ""
	}
	var out []string
	for i, f := range list {
		if i == 0 || f.Code != list[i-1].Code {
			out = append(out, f.Code)
		}
	}
	return table.Guard(strings.Join(out, " "))
}

func skipText(list []skipped) string {
	lines := lists.Map(list, func(k skipped) string { return stamp(k.At) + " " + k.By + ": " + k.Reason })
	return strings.Join(lines, "\n")
}

func commentText(list []Comment) string {
	lines := lists.Map(list, func(c Comment) string { return stamp(c.At) + " " + c.By + ": " + c.Text })
	return strings.Join(lines, "\n")
}
