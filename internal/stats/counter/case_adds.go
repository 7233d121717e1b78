package counter

import (
	"encoding/json"
	"fmt"
	"slices"

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
	if kind, at, _ := c.against(); at > 0 {
		add(kind, at, "")
	}
	return out
}

// against holds the verdict against what people made of the draft: which figure it is in, when, and whether the verdict
// was wrong. at is 0 when nobody judged the draft.
func (c *kase) against() (kind string, at int64, wrong bool) {
	standing := c.standing()
	if c.label == "" || c.label != Compliant && standing == nil {
		return "", 0, false
	}
	if c.label != Compliant {
		return FalseAlarm, standing.at, standing.kind == "approve"
	}
	if at = c.found(); at > 0 {
		return Missed, at, true
	}
	if standing != nil {
		at = standing.at
	}
	for _, r := range c.rulings {
		if at == 0 || r.at < at {
			at = r.at
		}
	}
	return Missed, at, false
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
	waited := max(d.at-c.queued, 0)
	out = append(out,
		entry{Measure: "decision." + d.kind, Day: day}.by(d.by),
		entry{Measure: Waited, Day: day, Sum: waited / 1000}.spread(Bucket(waited/1000)).by(d.by),
		part(SLA, day, waited <= target).by(d.by))
	if d.second != "" {
		out = append(out, entry{Measure: Second, Day: k.day(d.secondAt)}.by(d.second))
	}
	if d.kind == "revise" && d.words > 0 {
		out = append(out, entry{Measure: Edit, Day: day, Sum: d.changed * Unit / d.words, Squares: true}.by(d.by),
			part(Rewrote, day, 2*d.changed > d.words).by(d.by))
	}
	return out, nil
}

// verdictAdds holds the verdict on the draft against what people made of it.
func (k *Keeper) verdictAdds(c *kase) []entry {
	if c.label == "" {
		return nil
	}
	out := []entry{part(Draft, k.day(c.labelAt), c.label == Compliant)}
	if kind, at, wrong := c.against(); at > 0 {
		out = append(out, part(kind, k.day(at), wrong))
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
		case d.counts() && d.kind == "reject" && slices.Contains(Violations, d.code):
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

// CaseTx counts a case anew: call it in the transaction of whatever changed about it. An id of no case of the desk
// changes nothing.
func (k *Keeper) CaseTx(tx *db.Tx, id string) error {
	s := newSheet()
	if err := k.casesTx(tx, []string{id}, s, true); err != nil {
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
		if before {
			if same, err := takeOut(tx, id, string(body), s); same || err != nil {
				if err != nil {
					return err
				}
				continue
			}
		}
		if err := putIn(tx, id, string(body), now, s); err != nil {
			return fmt.Errorf("stats: keep case %s: %w", id, err)
		}
	}
	return nil
}

// putIn adds what a case adds, and remembers it.
func putIn(tx *db.Tx, id, body string, now stored, s *sheet) error {
	s.addAll(now.Agent, now.Topic, now.Entries, 1)
	for _, one := range now.Found {
		if _, err := tx.Exec(`INSERT INTO stat_found (kind, at, case_id, who) VALUES ($1, $2, $3, $4)`, one.Kind,
			one.At, id, one.Who); err != nil {
			return err
		}
	}
	_, err := tx.Exec(`INSERT INTO stat_case (case_id, entries) VALUES ($1, $2)
		ON CONFLICT (case_id) DO UPDATE SET entries = excluded.entries`, id, body)
	return err
}

// takeOut takes what a case added before out of the sums; same: it adds just that again, and nothing was done.
func takeOut(tx *db.Tx, id, now string, s *sheet) (same bool, err error) {
	body, err := db.Maybe[string](tx, fmt.Sprintf("stats: what case %s added", id), `SELECT entries
		FROM stat_case WHERE case_id = $1`, id)
	if err != nil || body == "" {
		return false, err
	}
	if body == now {
		return true, nil
	}
	var was stored
	if err := json.Unmarshal([]byte(body), &was); err != nil {
		return false, fmt.Errorf("stats: what case %s added: %w", id, err)
	}
	s.addAll(was.Agent, was.Topic, was.Entries, -1)
	for _, one := range was.Found {
		if err := db.Exec(tx, "stats: what case "+id+" added", `DELETE FROM stat_found
			WHERE kind = $1 AND at = $2 AND case_id = $3 AND who = $4`, one.Kind, one.At, id, one.Who); err != nil {
			return false, err
		}
	}
	return false, nil
}
