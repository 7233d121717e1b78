package counter

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/policy"
)

// adds is what a case adds to the sums, in an order that depends on nothing but the case.
func (k *Keeper) adds(tx *db.Tx, c *kase) (out []entry, err error) {
	if c.planted {
		for _, one := range c.checks {
			out = append(out, part(Planted, k.day(one.at), one.caught))
			for _, p := range one.people {
				e := part(MyChecks, k.day(p.at), p.caught).by(p.by)
				e.Only = true
				out = append(out, e)
			}
		}
		return out, nil
	}
	out = append(out, entry{Measure: Arrived, Day: k.day(c.queued)})
	if c.decided > 0 {
		out = append(out, entry{Measure: Left, Day: k.day(c.decided)})
	}
	if c.ended != "" {
		out = append(out, entry{Measure: c.ended, Day: k.day(c.decided)})
	}
	for _, d := range c.decisions {
		some, err := k.decisionAdds(tx, c, d)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	out = append(out, k.verdictAdds(c)...)
	return append(out, k.expertAdds(c)...), nil
}

// found is a case that is in the list behind a figure.
type found struct {
	Kind string `json:"k"`
	At   int64  `json:"a"`
	Who  string `json:"w,omitempty"`
}

// finds are the lists that a case is in: one for each n of the figure, so that what is listed adds up to it.
func (c *kase) finds() (out []found) {
	if c.planted {
		return nil
	}
	add := func(kind string, at int64, who string) {
		if f := (found{kind, at, who}); !slices.Contains(out, f) { // a clock may stand still
			out = append(out, f)
		}
	}
	for _, d := range c.decisions {
		if at, _ := d.agreement(); at > 0 {
			add(Agreed, at, d.by)
		}
		if d.cared() && d.kind == "approve" {
			add(Hasty, d.at, d.by)
		}
		if d.cared() && d.second != "" {
			add(Hasty, d.secondAt, d.second)
		}
	}
	if c.label != "" {
		add(Draft, c.labelAt, "")
	}
	if kind, what, at := c.against(); at > 0 {
		add(kind, at, what)
	}
	return out
}

// What people made of a draft, as against says.
const (
	Passed  = "correctly passed"
	Flagged = "correctly flagged"
	Changed = "changed" // or not sent: whether the verdict was right isn't said
)

// against holds the verdict against what people made of the draft: which figure it is in, what they
// found, and when. at is 0 when nobody judged the draft, or it was neither passed nor flagged.
func (c *kase) against() (kind, what string, at int64) {
	standing, broke, fine := c.standing(), c.found(), c.fine()
	passed := c.label == Compliant && !c.flags
	switch {
	case c.label == "" || !passed && (c.unsure || standing == nil):
		return "", "", 0
	case passed && broke > 0:
		return Missed, Missed, broke
	case passed && fine > 0:
		return Missed, Passed, fine
	case standing == nil:
		return "", "", 0
	case passed:
		return Otherwise, Changed, standing.at
	case standing.kind == "approve":
		return FalseAlarm, FalseAlarm, standing.at
	case broke > 0:
		return FalseAlarm, Flagged, standing.at
	}
	return FalseAlarm, Changed, standing.at
}

// agreement is when a second supervisor agreed with a first signature, or decided otherwise; 0: neither, or it was
// undone.
func (d decision) agreement() (at int64, agreed bool) {
	switch {
	case !d.needsSecond:
	case d.second != "" && d.state != "undone":
		return d.secondAt, true
	case d.state == "overruled":
		return d.settled, false
	}
	return 0, false
}

// standing is the decision of a person that stands, if there is one.
func (c *kase) standing() *decision {
	for i := range c.decisions {
		if c.decisions[i].counts() {
			return &c.decisions[i]
		}
	}
	return nil
}

func (k *Keeper) decisionAdds(tx *db.Tx, c *kase, d decision) (out []entry, err error) {
	day := k.day(d.at)
	if d.rating > 0 { // of what went out, whatever became of it
		out = append(out, entry{Measure: Quality, Day: k.day(d.ratedAt), Sum: d.rating, Squares: true}.by(d.by))
	}
	if at, agreed := d.agreement(); at > 0 {
		out = append(out, part(Agreed, k.day(at), agreed).by(d.by))
	}
	if d.kind == "sampled" && d.state != "undone" && d.state != "recalled" {
		return append(out, entry{Measure: Sampled, Day: day}), nil
	}
	if !d.cared() {
		return out, nil
	}
	out = append(out, entry{Measure: OnCase, Day: day, Sum: d.seconds}.spread(Bucket(d.seconds)).by(d.by))
	if d.kind == "approve" {
		out = append(out, part(Hasty, day, d.hasty).by(d.by))
	}
	if d.second != "" {
		out = append(out, part(Hasty, k.day(d.secondAt), d.secondHasty).by(d.second))
	}
	if d.kind == "approve" || d.kind == "revise" {
		out = append(out, part(Recalled, day, d.state == "recalled").by(d.by))
	}
	if !d.counts() {
		return out, nil
	}
	target, err := k.target(tx, d.policy)
	if err != nil {
		return nil, err
	}
	waited := max(max(d.at, d.secondAt)-c.queued, 0) // until the signature that completes it
	out = append(out,
		entry{Measure: "decision." + d.kind, Day: day}.by(d.author),
		entry{Measure: Waited, Day: day, Sum: waited / 1000}.spread(Bucket(waited/1000)).by(d.by),
		part(SLA, day, waited <= target).by(d.by))
	if d.second != "" {
		out = append(out, entry{Measure: Second, Day: k.day(d.secondAt)}.by(d.second))
	}
	if d.kind == "revise" && d.words > 0 {
		out = append(out, entry{Measure: Edit, Day: day, Sum: d.changed * Unit / d.words, Squares: true}.by(d.author),
			part(Rewrote, day, 2*d.changed > d.words).by(d.author))
	}
	return out, nil
}

// verdictAdds holds the verdict on the draft against what people made of it.
func (k *Keeper) verdictAdds(c *kase) []entry {
	if c.label == "" {
		return nil
	}
	out := []entry{part(Draft, k.day(c.labelAt), c.label == Compliant)}
	if kind, what, at := c.against(); at > 0 {
		out = append(out, part(kind, k.day(at), what == kind))
	}
	return out
}

// found is when a person first found that the draft breaks the line; 0 when nobody did.
func (c *kase) found() (at int64) {
	first := func(ms int64) {
		if at == 0 || ms < at {
			at = ms
		}
	}
	for _, d := range c.decisions {
		switch {
		case d.state == "recalled":
			first(d.settled)
		case d.counts() && d.kind == "reject" && pack.ReasonOf(d.code).Broke:
			first(d.at)
		}
	}
	for _, r := range c.rulings {
		if r.label == "NON_COMPLIANT" {
			first(r.at)
		}
	}
	return at
}

// fine is when a person first said that the draft is right: they approved it unchanged, or ruled so; 0 when nobody did.
func (c *kase) fine() (at int64) {
	if d := c.standing(); d != nil && d.kind == "approve" {
		at = d.at
	}
	for _, r := range c.rulings {
		if r.label == Compliant && (at == 0 || r.at < at) {
			at = r.at
		}
	}
	return at
}

// expertAdds are the borderline cases and rulings. A judge who passes a text says that it is compliant; the experts'
// two other labels are both against it.
func (k *Keeper) expertAdds(c *kase) (out []entry) {
	for _, o := range c.opened {
		out = append(out, entry{Measure: Borderline + o.cause, Day: k.day(o.at)})
	}
	for _, r := range c.rulings {
		day := k.day(r.at)
		out = append(out, entry{Measure: Ruling + r.label, Day: day}, part(Panel, day, r.verdict.Label == r.label))
		for _, j := range r.verdict.Judges {
			if !j.Abstained && j.Judge != "" {
				e := part(Judge, day, j.Passed == (r.label == Compliant)).by(JudgeSet(j.Judge))
				e.Only = true
				out = append(out, e)
			}
		}
	}
	return out
}

// target is how old a case could become under a version of the policy, in milliseconds; under one that is not there, as
// under the built-in one.
func (k *Keeper) target(tx *db.Tx, version int) (int64, error) {
	if ms, ok := k.targets.Load(version); ok {
		return ms.(int64), nil
	}
	ms := policy.Default().TargetLate.Milliseconds()
	if version > 0 {
		content, err := db.Maybe[string](tx, fmt.Sprintf("stats: the target of policy %d", version), `SELECT payload
			FROM approval WHERE kind = 'policy' AND version = $1`, version)
		if err != nil || content == "" {
			return ms, err
		}
		var p struct {
			Late int64 `json:"target_late_minutes"`
		}
		if err := json.Unmarshal([]byte(content), &p); err != nil {
			return 0, fmt.Errorf("stats: the target of policy %d: %w", version, err)
		}
		if p.Late > 0 {
			ms = p.Late * 60_000
		}
	}
	k.targets.Store(version, ms)
	return ms, nil
}

// Within and Late are what became of a decision's target.
const Within, Late = "in_time", "late"

// InTime turns the version of the policy that a decision was made under into whether it was within the target, and the
// exact time into whole seconds.
func (k *Keeper) InTime(tx *db.Tx, what *string, seconds *float64) error {
	version, err := strconv.Atoi(*what)
	if err != nil {
		return err
	}
	target, err := k.target(tx, version)
	if *what = Late; *seconds*1000 <= float64(target) {
		*what = Within
	}
	*seconds = math.Floor(*seconds)
	return err
}

// CaseTx has a case counted anew (CatchUp): call it in the transaction of whatever changed about it. An id of no case
// of the desk changes nothing.
func (k *Keeper) CaseTx(tx *db.Tx, id string) error {
	return db.Exec(tx, "stats: note case "+id, `INSERT INTO stat_due (case_id) VALUES ($1) ON CONFLICT (case_id)
		DO NOTHING`, id)
}

// dueAtOnce is how many cases one transaction counts, while others wait to write.
const dueAtOnce = 64

// CatchUp counts the cases that are due: call it before the sums are read.
func (k *Keeper) CatchUp(ctx context.Context) error {
	for {
		due, err := db.Read(ctx, k.db, func(tx *db.Tx) (bool, error) {
			return db.Value[bool](tx, "stats: look for what is due", `SELECT EXISTS (SELECT 1 FROM stat_due)`)
		})
		if err != nil || !due {
			return err
		}
		if err := k.db.Write(ctx, k.catchUpTx); err != nil {
			return err
		}
	}
}

// catchUpTx counts some of what is due.
func (k *Keeper) catchUpTx(tx *db.Tx) error {
	ids, err := db.Column[string](tx, "stats: read what is due", `SELECT case_id FROM stat_due ORDER BY case_id LIMIT $1`,
		dueAtOnce)
	if err != nil {
		return err
	}
	s := newSheet()
	if err := inRows(ids, func(some []string) error {
		if err := k.casesTx(tx, some, s, true); err != nil {
			return err
		}
		return db.Exec(tx, "stats: end what was due", `DELETE FROM stat_due WHERE case_id IN (`+db.In(1, len(some))+`)`,
			db.Anys(some)...)
	}); err != nil {
		return err
	}
	return s.write(tx)
}

// stored is what stat_case keeps of a case.
type stored struct {
	Agent   string  `json:"a"`
	Topic   string  `json:"t"`
	Entries []entry `json:"e"`
	Found   []found `json:"f,omitempty"`
}

// casesTx puts what cases add into s, and takes what they added before out of it, if they did.
func (k *Keeper) casesTx(tx *db.Tx, ids []string, s *sheet, before bool) error {
	cases, err := k.read(tx, ids)
	if err != nil {
		return err
	}
	old := map[string]string{}
	if before {
		if err := db.Each(tx, "stats: what cases added", db.Pairs(old), `SELECT case_id, entries FROM stat_case
			WHERE case_id IN (`+db.In(1, len(ids))+`)`, db.Anys(ids)...); err != nil {
			return err
		}
	}
	var gone, come, kept [][]any
	for _, id := range ids {
		c := cases[id]
		if c == nil {
			continue
		}
		now := stored{Agent: c.agent, Topic: c.task, Found: c.finds()}
		if now.Entries, err = k.adds(tx, c); err != nil {
			return err
		}
		body, err := json.Marshal(now)
		if err != nil {
			return fmt.Errorf("stats: keep case %s: %w", id, err)
		}
		if old[id] == string(body) {
			continue
		}
		if old[id] != "" {
			var was stored
			if err := json.Unmarshal([]byte(old[id]), &was); err != nil {
				return fmt.Errorf("stats: what case %s added: %w", id, err)
			}
			s.addAll(was.Agent, was.Topic, was.Entries, -1)
			gone = was.rows(gone, id)
		}
		s.addAll(now.Agent, now.Topic, now.Entries, 1)
		come, kept = now.rows(come, id), append(kept, []any{id, string(body)})
	}
	if err := writeRows(tx, `DELETE FROM stat_found WHERE (kind, at, case_id, who) IN (VALUES `, gone, `)`); err != nil {
		return err
	}
	if err := writeRows(tx, `INSERT INTO stat_found (kind, at, case_id, who) VALUES `, come, ``); err != nil {
		return err
	}
	return writeRows(tx, `INSERT INTO stat_case (case_id, entries) VALUES `, kept,
		` ON CONFLICT (case_id) DO UPDATE SET entries = excluded.entries`)
}

// rows adds the rows of stat_found to a list.
func (s stored) rows(list [][]any, id string) [][]any {
	for _, one := range s.Found {
		list = append(list, []any{one.Kind, one.At, id, one.Who})
	}
	return list
}

// AnyAgents are measures of which any agent has one.
var AnyAgents = []string{Arrived, Planted, Logged, Positive, Negative, Neutral, Outcomes}

// WaitedSQL is how many seconds a decision took from its arrival, until the signature that completes it.
const WaitedSQL = `(CASE WHEN d.second_at > 0 THEN d.second_at ELSE d.decided_at END - r.created_at) / 1000`

// IsAgent asks in SQL whether a column is one of n names, which are arguments from the place at on; of none it asks
// nothing.
func IsAgent(column string, at, n int) string {
	if n == 0 {
		return ``
	}
	return ` AND ` + column + ` IN (` + db.In(at, n) + `)`
}
