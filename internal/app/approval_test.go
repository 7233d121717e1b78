package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/policy"
)

// proposers propose a change of each kind that takes two people.
var proposers = map[string]func(t *testing.T, s *apptest.Site, by audit.Actor) error{
	"policy": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		p := policy.Default()
		p.Share = 0.5
		_, err := s.Policies.Propose(t.Context(), p, 0, "It is time.", by)
		return err
	},
	"check": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		_, err := s.Checklist.Switch(t.Context(),
			checklist.SwitchInput{CheckID: compliance.MissingDBWarning, Reason: "It is time.", By: by})
		return err
	},
	"threshold": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		return s.Judges.AskOn(t.Context(), measured(t, s, "threshold", "", evaluate.PanelID(s.Validator.Panel())),
			"It was measured.", by)
	},
	"rubric": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		return s.Borderline.Propose(t.Context(), rubric.RubricKind, pack.Pension, "Nobody is steered.",
			"Shorter.", 1, by)
	},
	"taxonomy": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		return s.Borderline.Propose(t.Context(), rubric.TaxonomyKind, pack.Pension,
			`[{"code":"A","label":"x","what":"y"}]`, "Shorter.", 1, by)
	},
	"judge": func(t *testing.T, s *apptest.Site, by audit.Actor) error {
		base := ""
		for _, j := range s.Validator.Panel().Judges {
			if r, ok := j.(interface{ Base() string }); ok {
				base = r.Base()
			}
		}
		return s.Judges.AskOn(t.Context(), measured(t, s, "judge", "general", base), "It was measured.", by)
	},
}

// measured stores what was measured and nobody asked for yet.
func measured(t *testing.T, s *apptest.Site, kind, pack, on string) string {
	t.Helper()
	if err := direct(t, s, `INSERT INTO judge_threshold (id, version, run_id, panel, content, state, proposed_at,
			asked_by, asked_name, kind, pack)
		VALUES ('t', 1, 'r', '`+on+`', '{}', 'proposed', 1, '', '', '`+kind+`', '`+pack+`')`); err != nil {
		t.Fatal(err)
	}
	return "t"
}

// Whatever is changed: nobody agrees to their own, what was overtaken or can't be read is not agreed to, an agreement
// has one effect, and direct SQL can't do what the program doesn't.
func TestEveryKindOfChangeTakesTwoPeople(t *testing.T) {
	for kind, propose := range proposers {
		t.Run(kind, func(t *testing.T) {
			s := apptest.Open(t)
			ann := s.Account(t, account.Admin, account.Expert).Actor()
			bob := s.Account(t, account.Admin, account.Expert).Actor()
			sue := s.Account(t, account.Supervisor).Actor()
			if err := propose(t, s, ann); err != nil {
				t.Fatal(err)
			}
			list, err := s.Approvals.Waiting(t.Context(), bob.ID)
			if err != nil || len(list) != 1 || list[0].Kind != kind || !list[0].ForMe() || list[0].Title == "" ||
				list[0].Href == "" {
				t.Fatalf("%+v, %v", list, err)
			}
			c := list[0].Change
			for who, by := range map[string]audit.Actor{"the proposer": ann, "a supervisor": sue, "nobody": {}} {
				if _, err := s.Approvals.Agree(t.Context(), c.ID, by); !fault.Is(err, fault.Denied) {
					t.Errorf("%s agrees: %v", who, err)
				}
			}
			if _, err := s.Approvals.Refuse(t.Context(), c.ID, "No.", ann); !fault.Is(err, fault.Denied) {
				t.Errorf("the proposer refuses: %v", err)
			}
			if _, err := s.Approvals.Withdraw(t.Context(), c.ID, bob); !fault.Is(err, fault.Denied) {
				t.Errorf("another withdraws: %v", err)
			}
			if n := told(t, s, bob.ID, comment.Proposal, c.ID); n != 1 {
				t.Errorf("who can agree is told %d times", n)
			}
			again := func(id, base, payload string) string {
				return `INSERT INTO approval (id, kind, subject, version, base, payload, reason, state, proposed_by,
					proposed_name, proposed_at)
					SELECT '` + id + `', kind, subject, 0, ` + base + `, ` + payload +
					`, reason, state, proposed_by, proposed_name, proposed_at FROM approval WHERE id = '` + c.ID + `'`
			}
			for _, q := range []string{again("stale", "base + 7", "payload"),
				again("unreadable", "base", "'"+map[bool]string{true: "", false: "{"}[kind == "rubric"]+"'")} {
				if err := direct(t, s, q); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Approvals.Agree(t.Context(), "stale", bob); !fault.Is(err, fault.Conflict) {
				t.Errorf("on an old version: %v", err)
			}
			if _, err := s.Approvals.Agree(t.Context(), "unreadable", bob); !fault.Is(err, fault.Invalid) {
				t.Errorf("what can't be read: %v", err)
			}
			if list, err := s.Approvals.Waiting(t.Context(), bob.ID); err != nil || len(list) != 3 {
				t.Errorf("the list with what can't be read: %d, %v", len(list), err)
			}
			if _, err := s.Approvals.Refuse(t.Context(), "unreadable", "It can't be.", bob); err != nil {
				t.Errorf("refuse what can't be read: %v", err)
			}
			if _, err := s.Approvals.Withdraw(t.Context(), "stale", ann); err != nil {
				t.Errorf("withdraw what was overtaken: %v", err)
			}
			roundTheGuard(t, s, c, map[string]string{"the proposer": ann.ID, "a supervisor": sue.ID, "nobody": "",
				"no account": "x"})
			before := rows(t, s)
			if _, err := s.Approvals.Agree(t.Context(), c.ID, bob); err != nil {
				t.Fatal(err)
			}
			once := rows(t, s)
			if told(t, s, bob.ID, comment.Proposal, c.ID) != 0 || told(t, s, ann.ID, comment.Agreed, c.ID) != 1 {
				t.Error("the notice stays, or the proposer doesn't hear")
			}
			if _, err := s.Approvals.Agree(t.Context(), c.ID, bob); !fault.Is(err, fault.Conflict) {
				t.Errorf("agreed twice: %v", err)
			}
			if n := rows(t, s); once != before+1 || n != once {
				t.Errorf("%d audit rows, then %d, then %d", before, once, n)
			}
			// what was proposed and agreed, and the refusal with its reason and the withdrawal from above
			if said := notedOf(t, s, ann.ID, bob.ID); len(said) != 4 || !strings.Contains(said[1], "It can't be.") {
				t.Errorf("on record: %q", said)
			}
			roundTheGuard(t, s, c, map[string]string{"another": bob.ID})
		})
	}
}

// notedOf are the actions and contents of the audit rows of people, the oldest first.
func notedOf(t *testing.T, s *apptest.Site, who ...string) (list []string) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		list, err = db.List(tx, "test: read the log", func(r db.Row) (said string, err error) {
			var actor, content string
			err = r.Scan(&said, &actor, &content)
			return said + " " + content, err
		}, `SELECT a.action, a.actor_id, c.content FROM audit a JOIN audit_content c ON c.seq = a.seq
			WHERE a.actor_id IN (`+db.In(1, len(who))+`) ORDER BY a.seq`, lists.Map(who, func(w string) any { return w })...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A prompt file takes one person, who is on record with what they decided and why, and so is the program that proposed
// it; the file says who approved it.
func TestWhoDecidedOnAPromptFileIsOnRecord(t *testing.T) {
	s := apptest.Open(t)
	ada := s.Account(t, account.Admin).Actor()
	program := audit.System("feedback nightly")
	propose := func(example string, base int) string {
		c, err := s.Approvals.Propose(t.Context(), approval.PromptFile, approval.Change{Subject: "a", Base: base,
			Payload: `{"rules":[],"examples":["` + example + `"]}`, Reason: "What people accepted for advisor"}, program)
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	if _, err := s.Approvals.Refuse(t.Context(), propose("one", 0), "It misses the scam warning.", ada); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approvals.Agree(t.Context(), propose("two", 0), ada); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approvals.Withdraw(t.Context(), propose("three", 1), program); err != nil {
		t.Fatal(err)
	}
	mine, its := notedOf(t, s, ada.ID), notedOf(t, s, program.ID)
	if len(mine) != 2 || !strings.HasPrefix(mine[0], "prompt.refused ") || !strings.Contains(mine[0], "scam warning") ||
		!strings.HasPrefix(mine[1], "prompt.agreed ") || len(its) != 4 || !strings.HasPrefix(its[3], "prompt.withdrawn ") {
		t.Errorf("on record: %q of the person, %q of the program", mine, its)
	}
	if p, err := s.Nightly.PromptOf(t.Context(), "a"); err != nil || p.ApprovedBy != ada.Name || p.ApprovedAt == nil {
		t.Errorf("in force: %+v, %v", p, err)
	}
	list, err := s.Nightly.Prompts(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("history: %+v, %v", list, err)
	}
	slices.SortFunc(list, func(x, y nightly.PromptChange) int { return y.Version - x.Version })
	if list[0].Decided.Name != ada.Name || list[0].Version != 1 || list[1].Agent != "advisor" ||
		list[1].Answer != "It misses the scam warning." {
		t.Errorf("history: %+v", list)
	}
	doc := s.SignedIn(t, account.Expert).Get(t, "/feedback/nightly")
	for _, said := range []string{"in force, approved by " + ada.Name, "Why not: It misses the scam warning."} {
		if !strings.Contains(doc.Body, said) {
			t.Errorf("the page lacks %q", said)
		}
	}
}

// told counts the unread notices of a kind about a change.
func told(t *testing.T, s *apptest.Site, who, kind, changeID string) int {
	t.Helper()
	n, err := db.Read(t.Context(), s.DB, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "test: count notices", `SELECT count(*) FROM notice
			WHERE account_id = $1 AND kind = $2 AND object_id = $3 AND read_at = 0`, who, kind, changeID)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// One answer ends the notices of its own change, whatever else waits.
func TestOneAnswerEndsOneNotice(t *testing.T) {
	s := apptest.Open(t)
	ann := s.Account(t, account.Admin, account.Expert).Actor()
	bob := s.Account(t, account.Admin, account.Expert).Actor()
	for _, kind := range []string{"policy", "check"} {
		if err := proposers[kind](t, s, ann); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Approvals.Waiting(t.Context(), bob.ID)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d, %v", len(list), err)
	}
	if _, err := s.Approvals.Withdraw(t.Context(), list[1].ID, ann); err != nil {
		t.Fatal(err)
	}
	left, gone := told(t, s, bob.ID, comment.Proposal, list[0].ID), told(t, s, bob.ID, comment.Proposal, list[1].ID)
	if left != 1 || gone != 0 {
		t.Errorf("%d notices of what waits, %d of what was withdrawn", left, gone)
	}
}

// What was asked for before something else was switched on and off again is out of date, says so, and can be asked for
// anew after it is refused.
func TestWhatWasOvertakenInBetweenSaysSo(t *testing.T) {
	s := apptest.Open(t)
	ann := s.Account(t, account.Admin, account.Expert).Actor()
	bob := s.Account(t, account.Admin, account.Expert).Actor()
	first := measured(t, s, "threshold", "", evaluate.PanelID(s.Validator.Panel()))
	if err := direct(t, s, `INSERT INTO judge_threshold (id, version, run_id, panel, content, state, proposed_at,
			asked_by, asked_name, kind, pack)
		SELECT 'u', 2, run_id, panel, content, state, proposed_at, asked_by, asked_name, kind, pack
		FROM judge_threshold WHERE id = 't'`); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first, "u"} {
		if err := s.Judges.AskOn(t.Context(), id, "It was measured.", ann); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Minute)
	}
	asks := map[string]string{}
	list, err := s.Approvals.Waiting(t.Context(), bob.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		asks[w.Payload] = w.ID
	}
	if _, err := s.Approvals.Agree(t.Context(), asks["u"], bob); err != nil {
		t.Fatal(err)
	}
	if err := s.Judges.SwitchOff(t.Context(), "u", "It lets too much pass.", bob); err != nil {
		t.Fatal(err)
	}
	if n := told(t, s, ann.ID, comment.SwitchedOff, "u"); n != 1 {
		t.Errorf("who asked for it was told %d times that it is off", n)
	}
	if w, err := s.Approvals.Of(t.Context(), asks[first], bob.ID); err != nil || !w.Overtaken {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := s.Approvals.Agree(t.Context(), asks[first], bob); !fault.Is(err, fault.Conflict) {
		t.Errorf("agreed to what was overtaken: %v", err)
	}
	if _, err := s.Approvals.Refuse(t.Context(), asks[first], "It is old.", bob); err != nil {
		t.Fatal(err)
	}
	if err := s.Judges.AskOn(t.Context(), first, "It still holds.", ann); err != nil {
		t.Errorf("ask again: %v", err)
	}
}

// A change of something that is gone stands on the list, to be refused.
func TestAChangeOfWhatIsGoneCanBeRefused(t *testing.T) {
	s := apptest.Open(t)
	ann := s.Account(t, account.Admin, account.Expert).Actor()
	bob := s.Account(t, account.Admin, account.Expert).Actor()
	if err := direct(t, s, `INSERT INTO approval (id, kind, subject, version, base, payload, reason, state, proposed_by,
			proposed_name, proposed_at)
		VALUES ('gone', 'check', 'NO_SUCH_CHECK', 0, 0, '{"version":0,"on":false,"trial":""}', 'why', 'proposed', '`+
		ann.ID+`', 'Ann', 1)`); err != nil {
		t.Fatal(err)
	}
	list, err := s.Approvals.Waiting(t.Context(), bob.ID)
	if err != nil || len(list) != 1 || !list[0].Unread {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := s.Approvals.Refuse(t.Context(), "gone", "There is no such check.", bob); err != nil {
		t.Error(err)
	}
}

// roundTheGuard tries with direct SQL what the program refuses.
func roundTheGuard(t *testing.T, s *apptest.Site, c approval.Change, who map[string]string) {
	t.Helper()
	at := ` WHERE id = '` + c.ID + `'`
	tries := map[string]string{
		"another text":     `UPDATE approval SET payload = '{}'` + at,
		"another proposer": `UPDATE approval SET proposed_by = 'x'` + at,
		"another base":     `UPDATE approval SET base = base + 1` + at,
		"another number":   `UPDATE approval SET version = 77` + at,
		"gone":             `DELETE FROM approval` + at, "made": `UPDATE approval SET state = 'made',
			decided_at = 1` + at,
		"all": `DELETE FROM approval`, "replaced": `INSERT OR REPLACE INTO approval SELECT * FROM approval` + at,
		"at once": `INSERT INTO approval SELECT 'y', kind, subject, 99, base, payload, reason, 'agreed', 'p', '', 1,
			'q', '', 2, ''
			FROM approval` + at,
	}
	for name, id := range who {
		tries["agreed by "+name] = `UPDATE approval SET state = 'agreed', decided_by = '` + id +
			`', decided_name = 'X', decided_at = 9` + at
	}
	for name, q := range tries {
		if err := direct(t, s, q); err == nil {
			t.Errorf("direct SQL: %s", name)
		} else if strings.Contains(err.Error(), "syntax") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func direct(t *testing.T, s *apptest.Site, query string) error {
	return s.DB.Write(t.Context(), func(tx *db.Tx) error { return db.Exec(tx, "test: direct SQL", query) })
}

func rows(t *testing.T, s *apptest.Site) int {
	t.Helper()
	n, err := db.Read(t.Context(), s.DB, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "test: count", `SELECT count(*) FROM audit`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
