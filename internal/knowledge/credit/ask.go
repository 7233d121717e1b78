package credit

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// Asking which of the shown items misled a draft. Everything that decides about it stands here.
//
// Nothing on the list says which item is planted: all go out under names that only the key makes, in an order that only
// the key makes, without number, score or credit; a planted item stands in the place of one that was shown, so that the
// list is no longer than what was shown. It is a rule of the base that the draft was never shown (harmless), or such a
// rule with its action turned round (misleading). Who compares the list with what the case's page says the advisor
// knew, text by text, can find it out; the page does not show both at once.
const (
	plantedShare = 0.05 // of the items that people are asked about
	plantedHarm  = 0.4  // of the planted ones, how many mislead
	mostAnswers  = 64   // names in an answer
)

// None is the answer that none of the items misled. Without it, and without a tick, nothing was answered.
const None = "none"

// Question is one item on the list.
type Question struct {
	Token string // under which the answer names it; says nothing
	Kind  string // search.KindCase or search.KindRule
	Title string // of a case
	Text  string // as the draft was shown it
}

// Answer is what came back: the names that were on the list, and those that were ticked, or None.
type Answer struct {
	Asked  []string `json:"asked"`
	Ticked []string `json:"ticked"`
}

// String is the answer as it is stored beside a decision; "" for none.
func (a Answer) String() string {
	if len(a.Asked) == 0 || len(a.Ticked) == 0 || len(a.Asked) > mostAnswers || len(a.Ticked) > mostAnswers+1 {
		return ""
	}
	for _, t := range slices.Concat(a.Asked, a.Ticked) {
		if len(t) > tokenLength {
			return ""
		}
	}
	b, err := json.Marshal(a)
	if err != nil {
		return ""
	}
	return string(b)
}

// Questions lists what an interaction's draft was shown, for the person who does not approve it; empty when it was
// shown nothing. The same interaction has the same list as long as the base stands still.
func (l *Ledger) Questions(ctx context.Context, interactionID, agentID string) ([]Question, error) {
	used, err := l.kb.Usage(ctx, interactionID)
	if err != nil || len(used) == 0 {
		return nil, err
	}
	key, err := l.secret(ctx)
	if err != nil {
		return nil, err
	}
	n := namer{key, interactionID}
	list := lists.Map(used, func(u knowledge.UsedItem) Question {
		return Question{Token: n.name(u.ID), Kind: u.Kind, Title: u.Title, Text: cmp.Or(u.Text, u.Title)}
	})
	if slices.ContainsFunc(used, isRule) && n.share("planted") < plantedShare*float64(len(used)) {
		planted, ok, err := l.planted(ctx, n, agentID, used)
		if err != nil {
			return nil, err
		}
		switch {
		case ok && len(list) > 2:
			list[len(list)-1] = planted // the least of what was shown
		case ok:
			list = append(list, planted)
		}
	}
	slices.SortFunc(list, func(a, b Question) int {
		return cmp.Compare(n.name("order "+a.Token), n.name("order "+b.Token))
	})
	return list, nil
}

// isRule tells rules from cases: a planted item is a rule, and the only one on a list would stand out.
func isRule(u knowledge.UsedItem) bool { return u.Kind == search.KindRule }

// planted makes the item of which it is known whether it misleads; false when the base has no rule for it.
func (l *Ledger) planted(ctx context.Context, n namer, agentID string,
	used []knowledge.UsedItem) (Question, bool, error) {
	rules, _, err := l.kb.Rules(ctx, knowledge.Filter{AgentID: agentID, Status: knowledge.Active, Limit: 200})
	if err != nil {
		return Question{}, false, err
	}
	rules = slices.DeleteFunc(rules, func(r knowledge.Rule) bool {
		return slices.ContainsFunc(used, func(u knowledge.UsedItem) bool { return u.ID == r.ID })
	})
	slices.SortFunc(rules, func(a, b knowledge.Rule) int {
		return cmp.Compare(n.name("pick "+a.ID), n.name("pick "+b.ID))
	})
	misleads := n.share("harm") < plantedHarm
	for _, r := range rules {
		if !misleads {
			return Question{Token: n.name(checkName(false)), Kind: search.KindRule, Title: r.Title, Text: r.Principle},
				true, nil
		}
		if text, ok := turned(r, n.share("why")); ok {
			return Question{Token: n.name(checkName(true)), Kind: search.KindRule, Title: r.Title, Text: text}, true,
				nil
		}
	}
	return Question{}, false, nil
}

func checkName(misleads bool) string { return fmt.Sprint("check ", misleads) }

// reasons are why a turned rule claims to be followed.
var reasons = []string{"it makes the answer longer than people read", "customers who want to know will ask",
	"it worries people without need", "it is the provider's part to say so", "most customers know it already"}

// turned is a rule with its action turned round; false for one whose words don't lend themselves to it.
func turned(r knowledge.Rule, at float64) (string, bool) {
	action := strings.TrimSpace(r.Action)
	lower := strings.ToLower(action)
	if r.Situation == "" || action == "" || strings.Contains(lower, " instead") ||
		strings.Contains(lower, " rather than ") {
		return "", false
	}
	for _, no := range []string{"avoid ", "never ", "do not ", "don't ", "leave out ", "stop ", "without "} {
		if strings.HasPrefix(lower, no) {
			return "", false
		}
	}
	why := reasons[int(at*float64(len(reasons)))%len(reasons)]
	return "When " + r.Situation + ", do not " + pack.Lower(action) + " because " + why, true
}

// Answered is an answer to questions about a draft that was not approved.
type Answered struct {
	OutcomeID     string // of the decision, which RecordTx has counted
	InteractionID string
	By            string // account
	Answer        string // as Answer.String gave it
}

// AnswerTx keeps what a person ticked, in the transaction of the decision: of what was shown as ticks, of a planted
// item as a check. It tells how many shown items they were asked about and how many they ticked. What can't be read,
// and names that stand for nothing here, change nothing: an answer never holds up a decision.
func (l *Ledger) AnswerTx(tx *db.Tx, in Answered) (asked, ticked int, err error) {
	var a Answer
	if in.Answer == "" || json.Unmarshal([]byte(in.Answer), &a) != nil || len(a.Asked) == 0 || len(a.Ticked) == 0 {
		return 0, 0, nil
	}
	key, err := keyTx(tx)
	if err != nil || key == "" {
		return 0, 0, err
	}
	n := namer{key, in.InteractionID}
	t := Ticks{OutcomeID: in.OutcomeID, By: in.By}
	shown, err := l.kb.ShownTx(tx, in.InteractionID)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range shown {
		name := n.name(s.ID)
		if !slices.Contains(a.Asked, name) {
			continue
		}
		t.Asked = append(t.Asked, s.ID)
		if slices.Contains(a.Ticked, name) {
			t.Misled = append(t.Misled, s.ID)
		}
	}
	for _, misleads := range []bool{true, false} {
		if name := n.name(checkName(misleads)); slices.Contains(a.Asked, name) {
			c := Check{ID: in.InteractionID + "/" + in.By, By: in.By, Misleads: misleads,
				Ticked: slices.Contains(a.Ticked, name)}
			if err := l.CheckTx(tx, c); err != nil {
				return 0, 0, err
			}
		}
	}
	if len(t.Asked) == 0 {
		return 0, 0, nil
	}
	return len(t.Asked), len(t.Misled), l.TickTx(tx, t)
}

// namer makes names and lots for one interaction that only the key can make.
type namer struct{ key, interaction string }

const tokenLength = 24

func (n namer) sum(what string) []byte {
	mac := hmac.New(sha256.New, []byte(n.key))
	mac.Write([]byte(n.interaction + "\x00" + what))
	return mac.Sum(nil)
}

func (n namer) name(what string) string { return hex.EncodeToString(n.sum(what))[:tokenLength] }

// share is a lot from 0 to 1, 1 excluded.
func (n namer) share(what string) float64 {
	return float64(binary.BigEndian.Uint64(n.sum("lot "+what))>>11) / (1 << 53)
}

// secret is the key, made when it is first needed.
func (l *Ledger) secret(ctx context.Context) (key string, err error) {
	key, err = db.Read(ctx, l.d, keyTx)
	if err != nil || key != "" {
		return key, err
	}
	return db.Write(ctx, l.d, func(tx *db.Tx) (string, error) {
		if err := db.Exec(tx, "credit: make the key", `INSERT INTO credit_key (id, key) VALUES (1, $1)
			ON CONFLICT (id) DO NOTHING`, id.Secret(32)); err != nil {
			return "", err
		}
		return keyTx(tx)
	})
}

func keyTx(tx *db.Tx) (key string, err error) {
	return db.Maybe[string](tx, "credit: read the key", `SELECT key FROM credit_key WHERE id = 1`)
}
