package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Kinds of what two people switch on.
const (
	ForPanel = "threshold"
	ForJudge = "judge" // what a pack's labels taught the judge in the program
)

const (
	goldMost     = 600 // texts of the gold sets of a pack that teach
	changedLeast = 10  // labels that came or went before a pack's are fitted again: each fit is a chance to be lucky
)

// Labelled is a text that people judged, as it teaches.
type Labelled struct {
	ID        string // of the ruling or the item
	Subject   compliance.Subject
	Violation bool
	Keys      []string // who and what it hangs together with
}

// Refitted is what a version of a judge says.
type Refitted struct {
	Head    refit.Head   `json:"head"`
	Report  refit.Report `json:"report"`
	Learned []string     `json:"learned"` // ends of the ids of what it was fitted on
}

// Refit is what the labels of a pack came to when they were last fitted.
type Refit struct {
	Pack     string
	Report   refit.Report
	At       time.Time
	Active   *Threshold // the version that is switched on; nil: the judge as it came
	Stale    bool       // it was fitted beside another judge in the program, and doesn't count any more
	Proposed *Threshold // nil: none
	base     string     // what it was measured beside
	taught   []string   // ends of the ids
}

// reader is the judge that can be taught.
type reader interface {
	Base() string // the judge as it came
	Features(ctx context.Context, s compliance.Subject) (x []float64, odds float64, err error)
}

// reader is nil for a panel without such a judge.
func (s *Store) reader() reader {
	for _, j := range s.validator.Panel().Judges {
		if r, ok := j.(reader); ok {
			return r
		}
	}
	return nil
}

// basis is what a threshold or a version must have been measured on to be switched on, by kind.
func (s *Store) basis() map[string]string {
	out := map[string]string{ForPanel: PanelID(s.validator.Panel())}
	if r := s.reader(); r != nil {
		out[ForJudge] = r.Base()
	}
	return out
}

// Same reports whether a threshold or a version was measured on the judges that there are.
func (s *Store) Same(t Threshold) bool { return t.PanelID == s.basis()[t.Kind] }

// Taught is the version that counts of what a pack's labels taught the judge in the program; nil and 0 where none does.
// It is for every verdict, so it is kept in memory until somebody switches.
func (s *Store) Taught(packName string) (*refit.Head, int) {
	s.watch.Look()
	s.muTaught.Lock()
	defer s.muTaught.Unlock()
	if s.taughtNow == nil {
		list, err := s.activeJudges(context.Background())
		if err != nil {
			s.log.Error("what the firm taught the judge can't be read; it doesn't count", "error", err)
			return nil, 0 // and it is read again the next time
		}
		s.taughtNow = map[string]Threshold{}
		for _, t := range list {
			if r := s.reader(); r != nil && t.PanelID == r.Base() {
				s.taughtNow[t.Pack] = t
			}
		}
	}
	if t, ok := s.taughtNow[packName]; ok {
		return &t.Refitted.Head, t.Version
	}
	return nil, 0
}

func (s *Store) activeJudges(ctx context.Context) ([]Threshold, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Threshold, error) {
		return db.List(tx, "evaluate: read what was taught", scanThreshold,
			thresholdColumns+`WHERE t.state = 'active' AND t.kind = 'judge'`)
	})
}

// learned is the version that counts for a pack; nil for none.
func (s *Store) learned(packName string) *Refitted {
	if _, v := s.Taught(packName); v == 0 {
		return nil
	}
	s.muTaught.Lock()
	defer s.muTaught.Unlock()
	return s.taughtNow[packName].Refitted
}

// end is enough of an id to tell it from others: its last characters are random.
func end(id string) string { return id[max(0, len(id)-12):] }

// Refit fits what the labels of each pack teach, where enough of them are new, keeps what they come to, and proposes a
// version where it is better for certain. What somebody asked to switch on is left to its answer.
func (s *Store) Refit(ctx context.Context) error {
	r := s.reader()
	if r == nil {
		return nil
	}
	rulings, err := s.hooks.Rulings(ctx)
	if err != nil {
		return err
	}
	gold, err := s.goldLabels(ctx)
	if err != nil {
		return err
	}
	before, err := s.Refits(ctx)
	if err != nil {
		return err
	}
	byPack := map[string][]Labelled{}
	for _, b := range before {
		byPack[b.Pack] = nil // whose labels may all be gone
	}
	for _, l := range append(rulings, gold...) {
		name := pack.Of(l.Subject.Situation.Pack).Name
		byPack[name] = append(byPack[name], l)
	}
	for _, name := range slices.Sorted(maps.Keys(byPack)) {
		if err := s.refitPack(ctx, r, name, byPack[name]); err != nil {
			return err
		}
	}
	return nil
}

// goldLabels are the training texts of the newest version of every set: what is measured on the other splits must not
// be what was taught.
func (s *Store) goldLabels(ctx context.Context) (out []Labelled, err error) {
	sets, err := s.sets.List(ctx)
	if err != nil {
		return nil, err
	}
	many := map[string]int{}
	for _, d := range sets {
		v, err := s.versions.Get(ctx, d.ID, 0)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		name := pack.Of(d.Pack).Name
		err = s.versions.Each(ctx, v.ID, version.Train, func(row *version.Row) error {
			if row.Erased || many[name] == goldMost || !slices.Contains(measure.Labels(), row.Label) {
				return nil
			}
			it, err := itemOfRow(row, d.Pack)
			if err != nil {
				return err
			}
			many[name]++
			in := interaction.Interaction{ID: row.ItemID, Consultation: it.Consultation}
			keys := append(HeldBy(&in, it.Guidance), "cluster "+d.ID+row.Cluster)
			out = append(out, Labelled{row.ItemID, it.subject(), it.Truth != measure.Compliant, keys})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// HeldBy are what hangs together with a text: its customer, as far as they are named, and the same text elsewhere.
func HeldBy(in *interaction.Interaction, text string) []string {
	keys := []string{"text " + interaction.TextHash(text)}
	for _, c := range in.Subjects() {
		keys = append(keys, c.How+" "+c.Value)
	}
	return keys
}

// refitPack fits what the labels of one pack teach.
func (s *Store) refitPack(ctx context.Context, r reader, name string, list []Labelled) error {
	last, now, waits, err := s.refitted(ctx, name)
	if err != nil || waits {
		return err
	}
	base := r.Base()
	var head *refit.Head
	known := func(string) bool { return false }
	if now != nil && now.PanelID == base {
		base, head, known = fmt.Sprintf("%s version %d", base, now.Version), &now.Refitted.Head, now.Refitted.knows
	}
	examples, ids := make([]refit.Example, len(list)), make([]string, len(list))
	for i, l := range list {
		examples[i], ids[i] = refit.Example{Violation: l.Violation, Keys: l.Keys, Known: known(l.ID)}, end(l.ID)
	}
	out := Refitted{Report: refit.Count(examples), Learned: ids}
	if out.Report.Lacking == "" {
		if last.base == base && last.Report.Lacking == "" && apart(last.taught, ids) < changedLeast {
			return nil
		}
		for i := range list {
			e := &examples[i]
			if e.X, e.Odds, err = r.Features(ctx, list[i].Subject); err != nil {
				return err
			}
			e.Now = e.Odds + head.Add(e.X)
		}
		if out.Report = refit.Measure(examples); out.Report.Better() {
			out.Head = refit.Fit(examples)
		}
	}
	return s.keepRefit(ctx, name, r.Base(), base, out)
}

// apart is how many entries are in one of two lists alone.
func apart(a, b []string) (n int) {
	in := map[string]int{}
	for _, x := range a {
		in[x] |= 1
	}
	for _, x := range b {
		in[x] |= 2
	}
	for _, both := range in {
		if both != 3 {
			n++
		}
	}
	return n
}

// keepRefit keeps what was measured, and proposes it where it is better. An older proposal that nobody asked for ends
// either way.
func (s *Store) keepRefit(ctx context.Context, name, judge, base string, out Refitted) error {
	report, err := json.Marshal(out.Report)
	if err != nil {
		return fmt.Errorf("evaluate: encode a report: %w", err)
	}
	taught, err := json.Marshal(out.Learned)
	if err != nil {
		return fmt.Errorf("evaluate: encode what teaches: %w", err)
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "evaluate: keep what labels come to", `INSERT INTO judge_refit (pack, report, base,
				taught, at)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT (pack) DO UPDATE
			SET report = excluded.report, base = excluded.base, taught = excluded.taught, at = excluded.at`,
			name, string(report), base, string(taught), tx.NowMs()); err != nil {
			return err
		}
		tx.Touch("judges")
		asked, err := db.Value[bool](tx, "evaluate: does anybody wait", `SELECT EXISTS (
			SELECT 1 FROM approval WHERE kind = 'judge' AND subject = $1 AND state = 'proposed')`, name)
		if err != nil || asked {
			return err
		}
		newer, why := "", "Measured again, it is no longer better for certain."
		if out.Report.Better() {
			t, err := s.insertTx(tx, Threshold{Kind: ForJudge, Pack: name, PanelID: judge, Refitted: &out,
				AskedBy: compliancePanel})
			if err != nil {
				return err
			}
			newer, why = t.ID, fmt.Sprintf("Version %d took its place.", t.Version)
		}
		return db.Exec(tx, "evaluate: end what was measured before", `UPDATE judge_threshold
			SET state = 'refused', ended_name = $1, ended_at = $2, ended_why = $3
			WHERE kind = 'judge' AND pack = $4 AND state = 'proposed' AND id <> $5`,
			compliancePanel.Name, tx.NowMs(), why, name, newer)
	})
}

// refitted reads how a pack's labels were fitted last, the version that is switched on, and whether somebody asked for
// another.
func (s *Store) refitted(ctx context.Context, name string) (last Refit, now *Threshold, waits bool, err error) {
	list, err := s.refits(ctx, `WHERE pack = $1`, name)
	if err != nil {
		return last, nil, false, err
	}
	if len(list) > 0 {
		last = list[0]
	}
	return last, last.Active, last.Proposed != nil && last.Proposed.Waits(), nil
}

// Refits are the packs that have labels, by name, with what these come to.
func (s *Store) Refits(ctx context.Context) ([]Refit, error) { return s.refits(ctx, `ORDER BY pack`) }

func (s *Store) refits(ctx context.Context, where string, args ...any) (list []Refit, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "evaluate: read what labels come to", func(row db.Row) (r Refit, err error) {
			var report, taught string
			if err := row.Scan(&r.Pack, &report, &r.base, &taught, db.At(&r.At)); err != nil {
				return r, err
			}
			err = errors.Join(json.Unmarshal([]byte(report), &r.Report), json.Unmarshal([]byte(taught), &r.taught))
			if err != nil {
				return r, fmt.Errorf("evaluate: read what labels come to: %w", err)
			}
			return r, nil
		}, `SELECT pack, report, base, taught, at FROM judge_refit `+where, args...)
		if err != nil {
			return err
		}
		judges, err := db.List(tx, "evaluate: read versions of a judge", scanThreshold,
			thresholdColumns+`WHERE t.kind = 'judge' AND t.state IN ('proposed', 'active') ORDER BY t.version`)
		for i := range list {
			r := &list[i]
			for _, t := range judges {
				if t.Pack == r.Pack && t.State == Active {
					r.Active, r.Stale = &t, s.reader() == nil || t.PanelID != s.reader().Base()
				} else if t.Pack == r.Pack {
					r.Proposed = &t
				}
			}
		}
		return err
	})
	return list, err
}

// knows reports whether a version was fitted on a label.
func (r *Refitted) knows(id string) bool { return slices.Contains(r.Learned, end(id)) }

// reinstateTx has the version count again that counted before one that was taken back, which two people accepted then.
func reinstateTx(tx *db.Tx, t Threshold) error {
	return db.Exec(tx, "evaluate: go back to the version before", `UPDATE judge_threshold
		SET state = 'active', ended_by = '', ended_name = '', ended_at = 0, ended_why = ''
		WHERE version = (SELECT max(version) FROM judge_threshold
			WHERE kind = 'judge' AND pack = $1 AND panel = $2 AND state = 'superseded' AND version < $3)`,
		t.Pack, t.PanelID, t.Version)
}
