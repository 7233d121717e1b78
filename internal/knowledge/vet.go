package knowledge

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
)

// Untried is the confidence of a rule that was tried on nothing: learning's share of helpful trials, (helpful + 2) /
// (tried + 3).
const Untried = 2.0 / 3

// Untested reports whether no case spoke for the rule or against it, so that its confidence, which ranks it, is shown
// to nobody. The share of a tested one that comes to the same, as 2 of 3, has a case against it.
func (t RuleText) Untested() bool { return t.Confidence == Untried && len(t.Counter) == 0 }

// Made reports whether a case that speaks for the rule is one that it was made from, which tests nothing.
func (t RuleText) Made(caseID string) bool {
	return t.Untested() || slices.Contains(t.MadeFrom, caseID)
}

// Surely is the confidence as people and prompts read it.
func (t RuleText) Surely() string {
	if t.Untested() {
		return "not tested yet"
	}
	return strconv.FormatFloat(t.Confidence, 'f', 2, 64)
}

// OnTrial is how far a provisional rule was tested; "" of one that isn't provisional.
func (t RuleText) OnTrial() string {
	switch {
	case !t.Provisional:
		return ""
	case t.Untested():
		return "not tested yet"
	}
	return "tested on few cases so far"
}

// Vetting is a statement on its way in.
type Vetting struct {
	RuleID    string   // of the rule that gets it; "" for a new one
	Instead   []string // of rules that go when this one comes, which it is not compared with
	AgentID   string   // "" is shared
	Pack      string
	Domain    string
	Validity  // when it is to hold
	Statement rule.Statement
	Known     []string        // values of the customer's, which no rule may have
	Situation *pack.Situation // of whom it was stated for; nil when there is nobody
}

// Vetted is a statement that may come in.
type Vetted struct {
	Statement rule.Statement // tidied
	Same      *Rule          // a rule that says the same already; nil when none does
	Clashes   []Rule         // rules that can't be followed beside it, for some customers
	Notes     []string       // what a person should see; nothing that stops it
	Opposite  *Rule          // a rule in use that says the opposite for the same customers, and stops it
	// Undecided is a rule in use that says the opposite where one of the two is for all customers of the other:
	// somebody has to say which holds for these (rule.Statement.Except). Narrower: it is the one for fewer.
	Undecided *Rule
	Narrower  bool
	settled   []string // ids of rules that say the opposite, of which it is decided which holds
}

// Vet is the one gate for every way in: accept, edit, import, restore, API and migration. It refuses, as an Invalid
// fault with fields (as rule.Check names them), what can't be carried out, what the compliance check finds fault with,
// what names a customer, and the exact opposite of a rule in use for the same customers.
func (b *Base) Vet(ctx context.Context, v Vetting) (Vetted, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (Vetted, error) { return b.VetTx(tx, v) })
}

// VetTx is Vet inside a transaction.
func (b *Base) VetTx(tx *db.Tx, v Vetting) (Vetted, error) {
	out := Vetted{Statement: v.Statement.Tidy()}
	if err := out.Statement.Check(); err != nil {
		return out, err
	}
	said, err := json.Marshal(out.Statement)
	if err == nil {
		err = interaction.RefuseErasedTx(tx, string(said))
	}
	if err != nil {
		return out, err
	}
	if wrong := b.guard(v.Pack, out.Statement, v.Known); len(wrong) > 0 {
		return out, fault.WithFields("This rule can't be saved yet.", wrong...)
	}
	rules, err := b.LivingTx(tx)
	if err != nil {
		return out, err
	}
	for i := range rules {
		o := &rules[i]
		if o.ID == v.RuleID || slices.Contains(v.Instead, o.ID) ||
			o.AgentID != "" && v.AgentID != "" && o.AgentID != v.AgentID ||
			o.Statement.Empty() {
			continue
		}
		wordings, err := b.WordingsTx(tx, o)
		if err != nil {
			return out, err
		}
		for i := range wordings {
			from, ok := v.Together(wordings[i].Validity, tx.Now)
			if !ok {
				continue
			}
			settled := slices.Contains(wordings[i].Statement.Except, v.RuleID)
			if err := out.beside(&wordings[i], from.After(tx.Now) && from.After(v.ValidFrom), settled,
				b.Compare); err != nil {
				return out, err
			}
		}
	}
	if v.Situation != nil && rule.Match(out.Statement, b.subject(*v.Situation)).State == rule.NotMet {
		out.Notes = append(out.Notes, "The customer this comes from doesn't meet the conditions.")
	}
	return out, nil
}

// beside compares the statement with a rule that stands beside it. What that one will say later only gets a note: until
// its day both can be followed, and a contradiction waits among the conflicts. settled: it is decided which holds where
// one of the two is for all customers of the other.
func (v *Vetted) beside(o *Rule, later, settled bool, c compare.Func) error {
	where := rule.Overlaps(v.Statement.When, o.Statement.When)
	if where.Apart {
		return nil
	}
	why := rule.Clash(v.Statement.Do, o.Statement.Do, c)
	narrower := (where.LeftNarrower || where.RightNarrower) && !where.Equal()
	settled = narrower && (settled || slices.Contains(v.Statement.Except, o.ID))
	switch from := "From " + o.ValidFrom.In(UK).Format("2 January 2006") + " on " + o.Label(); {
	case why != "" && later:
		v.Clashes = append(v.Clashes, *o)
		v.Notes = append(v.Notes, from+" is to contradict it: "+why)
	case later && where.Equal() && rule.Within(v.Statement.Do, o.Statement.Do):
		v.Notes = append(v.Notes, from+" is to say the same.")
	case later:
	case why != "" && where.Equal() && o.Status == Active:
		v.Opposite = o
		return fault.Wrong("This rule can't be saved yet.", "do",
			fmt.Sprintf(
				"%s says the opposite for the same customers: %s Change that rule, or one of the two conditions.",
				o.Label(), why))
	case why != "" && settled:
		narrow, wide := "this rule", o.Label()
		if where.RightNarrower {
			narrow, wide = wide, narrow
		}
		v.settled = append(v.settled, o.ID)
		v.Notes = append(v.Notes, "For the customers of both "+narrow+" holds, as an exception to "+wide+".")
	case why != "":
		if narrower && o.Status == Active && v.Undecided == nil {
			v.Undecided, v.Narrower = o, where.RightNarrower
		}
		v.Clashes = append(v.Clashes, *o)
		v.Notes = append(v.Notes, o.Label()+": "+why)
	case where.Equal() && rule.Within(v.Statement.Do, o.Statement.Do):
		if v.Same == nil || v.Same.Status != Active {
			v.Same = o
		}
	case where.LeftNarrower && rule.Within(v.Statement.Do, o.Statement.Do):
		v.Notes = append(v.Notes, o.Label()+" already asks for this, for these customers and more.")
	}
	return nil
}

// guard says what is wrong with the words of a statement.
func (b *Base) guard(packName string, st rule.Statement, known []string) (wrong []fault.Field) {
	texts := wordsIn(st)
	for _, t := range texts {
		if words := b.personal(t.Msg, known); len(words) > 0 {
			wrong = append(wrong,
				fault.Field{Name: t.Name, Msg: "Remove what is about one person, or make it general: “" +
					strings.Join(words, "”, “") + "”."})
		}
	}
	say := append(st.Do.Texts(), st.Because, strings.TrimSuffix(strings.Join(st.Do.Texts(), " "), ".")+" because "+
		st.Because)
	for i, text := range say {
		why := b.compliant(packName, text)
		if why == "" {
			continue
		}
		name := texts[0].Name
		if i == len(say)-2 {
			name = "because"
		}
		return append(wrong, fault.Field{Name: name, Msg: "It would not pass the compliance check: " + why})
	}
	return wrong
}

// wordsIn are all free words of a statement by their fields, those of its act first.
func wordsIn(st rule.Statement) (out []fault.Field) {
	name := map[string]string{rule.Never: "phrases", rule.Replace: "swaps"}[st.Do.Kind]
	if name == "" {
		name = "text"
	}
	for _, t := range append(st.Do.Texts(), st.Do.Phrases...) {
		out = append(out, fault.Field{Name: name, Msg: t})
	}
	for _, s := range st.Do.Swaps {
		out = append(out, fault.Field{Name: name, Msg: s.Avoid})
	}
	out = append(out, fault.Field{Name: "because", Msg: st.Because})
	for _, c := range st.When {
		if c.Kind == rule.Mentions || c.Kind == rule.Like || c.Kind == rule.Field &&
			(c.Op == rule.Is || c.Op == rule.Has) {
			out = append(out, fault.Field{Name: "when", Msg: strings.Join(c.Values, "\n")})
		}
	}
	return out
}

func (b *Base) personal(text string, known []string) []string {
	if b.opts.Personal == nil || text == "" {
		return nil
	}
	return b.opts.Personal(text, known...)
}

func (b *Base) compliant(packName, text string) string {
	if b.opts.Compliant == nil || strings.TrimSpace(text) == "" {
		return ""
	}
	return b.opts.Compliant(packName, text)
}

// PackOf is the name of an agent's pack; "" where nobody knows it.
func (b *Base) PackOf(ctx context.Context, agentID string) (string, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (string, error) { return b.packOf(tx, agentID) })
}

// packOf is the name of an agent's pack; "" where nobody knows it.
func (b *Base) packOf(tx *db.Tx, agentID string) (string, error) {
	if b.opts.PackOf == nil || agentID == "" {
		return "", nil
	}
	return b.opts.PackOf(tx, agentID)
}

// gateTx is Vet for a version that comes into use, whoever writes it.
func (b *Base) gateTx(tx *db.Tx, r *Rule) error {
	packName, err := b.packOf(tx, r.AgentID)
	if err != nil {
		return err
	}
	if r.Statement.Empty() {
		return b.vetText(packName, r.RuleText)
	}
	_, err = b.VetTx(tx, Vetting{RuleID: r.ID, AgentID: r.AgentID, Pack: packName, Domain: r.Domain,
		Validity: r.Validity, Statement: r.Statement})
	return err
}

// vetText is Vet for what a version says by itself, without the rules beside it. One from before rules were data is
// vetted as the text it is.
func (b *Base) vetText(packName string, r RuleText) error {
	if !r.Statement.Empty() {
		st := r.Statement.Tidy()
		if err := st.Check(); err != nil {
			return err
		}
		if wrong := b.guard(packName, st, nil); len(wrong) > 0 {
			return fault.WithFields("This rule can't be saved yet.", wrong...)
		}
		return nil
	}
	if words := b.personal(r.Principle, nil); len(words) > 0 {
		return fault.Wrong("This rule can't be saved yet.", "principle",
			"Remove what is about one person: “"+strings.Join(words, "”, “")+"”.")
	}
	for _, text := range []string{r.Principle, r.Action} {
		if why := b.compliant(packName, text); why != "" {
			return fault.Wrong("This rule can't be saved yet.", "principle",
				"It would not pass the compliance check: "+why)
		}
	}
	return nil
}

// comesIn reports whether r is a text in use that was not in use as old.
func comesIn(old, r *Rule) bool {
	return r.Status == Active && (old == nil || old.Status != Active || !sameStatement(old.Statement, r.Statement) ||
		old.Principle != r.Principle)
}

// sameStatement reports whether two statements ask for the same of the same customers, to the letter; the reason is no
// part of it.
func sameStatement(x, y rule.Statement) bool {
	return reflect.DeepEqual(x.Do, y.Do) && slices.EqualFunc(x.When, y.When, func(a, b rule.Condition) bool {
		return reflect.DeepEqual(a, b)
	})
}

// Restate gives the rule a vetted statement. When that asks for something else, or of somebody else, its validation,
// confidence and compliance mark begin again.
func (r Rule) Restate(v Vetted, p *pack.Pack) Rule {
	old := r.RuleText
	r.RuleText = RuleOf(v.Statement, p)
	r.CreatedFrom = old.CreatedFrom
	if len(r.Statement.Except) == 0 { // who edits says nothing of them
		r.Statement.Except = old.Statement.Except
	}
	if sameStatement(old.Statement, v.Statement) {
		r.Confidence, r.Provisional, r.FCACompliant, r.Noticed = old.Confidence, old.Provisional, old.FCACompliant,
			old.Noticed
		r.Supporting, r.MadeFrom, r.Counter = old.Supporting, old.MadeFrom, old.Counter
	} else {
		r.Confidence, r.Provisional, r.FCACompliant = Untried, true, p.Checks
	}
	return r
}

// Waiting is a rule from another file as it may come in: one that was in use or on its way there gets a version that
// waits for a person, with its evidence cleared, because that was gathered at another desk. Why it can't be accepted as
// it stands is a fault, and the rule is given beside it.
func (b *Base) Waiting(tx *db.Tx, r Stored, ch Change) (Stored, error) {
	last := r.Last()
	if !last.ErasedAt.IsZero() || last.Status != Active && last.Status != Candidate && last.Status != Quarantined {
		return r, nil
	}
	packName, err := b.packOf(tx, r.AgentID)
	if err != nil {
		return r, err
	}
	p := pack.Of(packName)
	text := carried(*last.Rule, p)
	why := b.vetText(packName, text)
	text.Confidence, text.Provisional = Untried, true
	text.Supporting, text.MadeFrom, text.Counter = nil, nil, nil
	text.FCACompliant = why == nil && p.Checks
	if last.Status == Active {
		last.Status = Candidate
	}
	last.Version, last.Rule, last.By, last.Reason, last.At = last.Version+1, &text, Author{ch.By.Kind, ch.By.ID},
		ch.Reason, tx.Now
	r.Versions = append(slices.Clone(r.Versions), last)
	return r, why
}
