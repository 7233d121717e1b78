package rubric_test

import (
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"testing"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
)

var (
	eva = person.Person{ID: "eva", Name: "Eva"}
	fay = person.Person{ID: "fay", Name: "Fay"}
)

func open(t *testing.T) (*rubric.Store, *approval.Store) {
	t.Helper()
	s, changes, _ := openOn(t)
	return s, changes
}

func openOn(t *testing.T) (*rubric.Store, *approval.Store, *db.DB) {
	t.Helper()
	anybody := func(*db.Tx, string) error { return nil }
	d := dbtest.New(t)
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		if err := db.Exec(tx, "test", `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ($1, 'e', 'e', 'E', '', 1), ($2, 'f', 'f', 'F', '', 1)`, eva.ID, fay.ID); err != nil {
			return err
		}
		return db.Exec(tx, "test", `INSERT INTO account_role (account_id, role)
			VALUES ($1, 'expert'), ($2, 'expert')`, eva.ID, fay.ID)
	}); err != nil {
		t.Fatal(err)
	}
	changes := approval.New(d, hooktest.Late(&approval.Hooks{}))
	s := rubric.New(d, changes, rubric.Guards{MayPropose: anybody, MayAgree: anybody},
		slog.New(slog.DiscardHandler))
	if err := s.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, changes, d
}

// agree has Fay agree to the newest version of a pack.
func agree(t *testing.T, s *rubric.Store, changes *approval.Store, kind, packName string) error {
	t.Helper()
	list, err := s.Editions(t.Context(), kind, packName)
	if err != nil {
		t.Fatal(err)
	}
	_, err = changes.Agree(t.Context(), list[0].ID, fay.Actor())
	return err
}

func propose(t *testing.T, s *rubric.Store, kind, packName, text string, base int) (version int) {
	t.Helper()
	if err := s.Propose(t.Context(), kind, packName, text, "Clearer.", base, eva.Actor()); err != nil {
		t.Fatal(err)
	}
	list, err := s.Editions(t.Context(), kind, packName)
	if err != nil || list[0].Payload != text || list[0].Subject != packName {
		t.Fatalf("%+v, %v", list, err)
	}
	return list[0].Version
}

// Two packs' rubrics, and their issues, change without each other: neither a proposal nor an agreement for one waits
// for or overtakes another's.
func TestPacksChangeWithoutEachOther(t *testing.T) {
	for kind, text := range map[string]string{rubric.RubricKind: "Say what the shop sells.",
		rubric.TaxonomyKind: `[{"code": "LATE", "label": "Late", "what": "Too late."}]`} {
		s, changes := open(t)
		base := func(name string) int {
			if kind == rubric.RubricKind {
				return s.Rubric(name).Version
			}
			return s.Taxonomy(name).Version
		}
		shop, pensions := base(pack.GeneralName), base(pack.Pension)
		if shop == pensions {
			t.Fatalf("%s: both packs are at %d", kind, shop)
		}
		of := propose(t, s, kind, pack.GeneralName, text, shop)
		other := `[{"code": "SLOW", "label": "Slow", "what": "Too slow."}]`
		if kind == rubric.RubricKind {
			other = "Say what a pension pays."
		}
		waits := propose(t, s, kind, pack.Pension, other, pensions)
		if err := s.Propose(t.Context(), kind, pack.GeneralName, other, "Again.", shop,
			fay.Actor()); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: a second proposal for one pack: %v", kind, err)
		}
		if err := agree(t, s, changes, kind, pack.GeneralName); err != nil {
			t.Fatal(err)
		}
		if base(pack.GeneralName) != of || base(pack.Pension) != pensions {
			t.Errorf("%s: agreed to %d: general has %d, pensions %d", kind, of, base(pack.GeneralName),
				base(pack.Pension))
		}
		if err := agree(t, s, changes, kind, pack.Pension); err != nil || base(pack.Pension) != waits ||
			base(pack.GeneralName) != of {
			t.Errorf("%s: pensions' proposal after general's: %v", kind, err)
		}
		if err := s.Sync(t.Context()); err != nil || base(pack.Pension) != waits || base(pack.GeneralName) != of {
			t.Errorf("%s: a start takes the people's versions back: %v", kind, err)
		}
		for _, name := range []string{pack.Pension, pack.GeneralName} {
			list, err := s.Editions(t.Context(), kind, name)
			if err != nil || len(list) != 2 || list[0].Subject != name || list[1].Subject != name {
				t.Errorf("%s: %+v, %v", kind, list, err)
			}
		}
	}
}

// A judge is shown the rubric of the text's own pack, and a change of it alone gives verdicts another name.
func TestJudgesReadTheRubricOfTheTextsPack(t *testing.T) {
	s, changes := open(t)
	v := compliance.New(compliance.NewChecker(nil), compliance.Panel{})
	v.Rubric = s.Rubric
	shown := func(name string) compliance.Rubric {
		return v.Subject("It comes on Friday.", interaction.Consultation{Pack: name, Question: "When?"}).Rubric
	}
	before := map[string]compliance.Rubric{}
	for _, name := range []string{"", pack.Pension, pack.GeneralName, "furniture"} {
		before[name] = shown(name)
	}
	if before[""] != before[pack.Pension] || before["furniture"] != before[pack.GeneralName] ||
		before[pack.Pension].Text == before[pack.GeneralName].Text {
		t.Errorf("%+v", before)
	}
	rules := v.Rules()
	n := propose(t, s, rubric.RubricKind, pack.GeneralName, "Promise no dates.", before[pack.GeneralName].Version)
	if shown(pack.GeneralName) != before[pack.GeneralName] || v.Rules() != rules {
		t.Error("a judge reads a proposal")
	}
	if err := agree(t, s, changes, rubric.RubricKind, pack.GeneralName); err != nil {
		t.Fatal(err)
	}
	if got := shown(pack.GeneralName); got.Version != n || got.Text != "Promise no dates." || v.Rules() == rules {
		t.Errorf("general: %+v, named %s", got, v.Rules())
	}
	if shown("") != before[""] {
		t.Errorf("pensions: %+v", shown(""))
	}
}

// What comes with a pack is in its own words, and names every issue that its judge reads for.
func TestAPackComesWithItsOwnWords(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)pension|defined benefit|moneyhelper|annuit|drawdown|adviser|scam|\bDB\b`)
	// before Sync
	var none *rubric.Store = rubric.New(nil, approval.New(nil, hooktest.Late(&approval.Hooks{})), rubric.Guards{},
		slog.New(slog.DiscardHandler))
	synced, _ := open(t)
	for _, s := range []*rubric.Store{none, synced} {
		for _, name := range []string{pack.GeneralName, "furniture"} {
			texts := []string{s.Rubric(name).Text}
			for _, k := range s.Taxonomy(name).Issues {
				texts = append(texts, k.Code+" "+k.Label+" "+k.What)
			}
			for _, text := range texts {
				if m := foreign.FindString(text); text == "" || m != "" {
					t.Errorf("%s says %q: %s", name, m, text)
				}
			}
		}
	}
	for _, p := range pack.All() {
		codes := synced.Taxonomy(p.Name).Codes()
		for _, info := range compliance.Registry() {
			if pack.Of(info.Pack).Name == p.Name && !slices.Contains(codes, info.Code) {
				t.Errorf("%s has no %s", p.Name, info.Code)
			}
		}
	}
}

// What two people agreed on stays in force although the file has a later version that came with a program.
func TestWhatPeopleAgreedOnStays(t *testing.T) {
	s, _, d := openOn(t)
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		return errors.Join(
			db.Exec(tx, "test", `INSERT INTO approval (id, kind, subject, version, base, payload, reason, state,
					proposed_by, proposed_name, proposed_at, decided_at)
				VALUES ('later', 'rubric', 'pension', 99, 0, 'It came later.', 'why', 'made', '', 'Preceptor', 9, 9),
					('ours', 'rubric', 'pension', 50, 0, 'Nobody is steered.', 'why', 'proposed', $1, 'Eva',
						$2, 0)`, eva.ID, tx.NowMs()),
			db.Exec(tx, "test", `UPDATE approval SET state = 'agreed', decided_by = $1, decided_name = 'Fay',
				decided_at = $2 WHERE id = 'ours'`, fay.ID, tx.NowMs()))
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Rubric(pack.Pension); got.Version != 50 || got.Text != "Nobody is steered." {
		t.Errorf("%+v", got)
	}
	if list, err := s.Editions(t.Context(), rubric.RubricKind, pack.Pension); err != nil || len(list) != 3 {
		t.Errorf("%d versions, %v", len(list), err)
	}
}
