package demo

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

func TestConsultationsAreVariedAndReadable(t *testing.T) {
	list, err := readConsultations()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[plan]int{}
	literacy := map[string]int{}
	db, dbWaiting, vulnerable, ages := 0, 0, 0, map[bool]int{}
	for i, a := range list {
		c := a.Consultation
		if faults := c.Customer.Check(); len(faults) > 0 || strings.TrimSpace(c.Question) == "" {
			t.Errorf("consultation %d: %v", i+1, faults)
		}
		_, revises := revisions[a.Plan]
		_, rejects := rejections[a.Plan]
		if !revises && !rejects && a.Plan != approve && a.Plan != wait && a.Plan != later {
			t.Errorf("consultation %d has the unknown plan %q", i+1, a.Plan)
		}
		counts[a.Plan]++
		literacy[c.Customer.Literacy]++
		if hasDB(c) {
			db++
			if a.Plan == wait {
				dbWaiting++
			}
		}
		if c.Customer.Vulnerable != nil && *c.Customer.Vulnerable {
			vulnerable++
		}
		if c.Customer.Age != nil {
			ages[*c.Customer.Age < 50]++
		}
	}
	if len(list) < 60 || db < 12 || dbWaiting < 5 || vulnerable < 6 || ages[true] < 5 {
		t.Errorf("%d consultations, %d with a DB pension (%d of them waiting), %d vulnerable, %d under 50", len(list),
			db, dbWaiting, vulnerable, ages[true])
	}
	if counts[approve] < 15 || counts[wait] < 15 || counts[later] < 8 {
		t.Errorf("plans are %v", counts)
	}
	for _, l := range []string{"low", "medium", "high"} {
		if literacy[l] < 8 {
			t.Errorf("only %d customers of literacy %s", literacy[l], l)
		}
	}
}

func hasDB(c interaction.Consultation) bool { return c.Situation().HasDB }

func TestGuidanceHasFortySections(t *testing.T) {
	sections := 0
	files, err := fs.Glob(Guidance(), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(Guidance(), name)
		if err != nil {
			t.Fatal(err)
		}
		sections += strings.Count(string(text), "\n## ")
	}
	if sections < 40 {
		t.Errorf("there are %d sections in %d files", sections, len(files))
	}
}

// Drafts for people with a defined benefit pension can only lack the warning if the guidance about other things does
// not carry it.
func TestOnlyTheDBPagesWarnAboutGuarantees(t *testing.T) {
	files, err := fs.Glob(Guidance(), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if name == "final-salary.md" {
			continue
		}
		text, err := fs.ReadFile(Guidance(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"final salary", "defined benefit"} {
			if strings.Contains(strings.ToLower(string(text)), words) {
				t.Errorf("%s speaks of %q", name, words)
			}
		}
	}
}

func TestRevisionsChangeADraftOnce(t *testing.T) {
	draft := "You should look at the charges in drawdown. The provider may limit withdrawals."
	for name, r := range revisions {
		once := r.edit(draft)
		if once == draft {
			t.Errorf("%s changes nothing", name)
		}
		if again := r.edit(once); again != once {
			t.Errorf("%s changes its own result: %q", name, again)
		}
		if r.reason == "" || r.statements()[0].Check() != nil {
			t.Errorf("%s gives no reason or feedback", name)
		}
		for _, words := range []string{"guarantee", "final salary", "defined benefit"} {
			if strings.Contains(strings.ToLower(once+r.reason+rule.Sentence(r.statements()[0], pack.Of(pack.Pension))),
				words) {
				t.Errorf("%s speaks of %q; that is the newcomer's lesson", name, words)
			}
		}
	}
	for name, r := range rejections {
		if pack.ReasonOf(r.ReasonCode).Code == "" {
			t.Errorf("%s has the unknown reason %q", name, r.ReasonCode)
		}
	}
}

func TestClockNeverGoesBack(t *testing.T) {
	start := time.Now().Add(-time.Hour)
	c := NewClock(start)
	c.Set(start.Add(time.Minute))
	c.Set(start)
	if got := c.Now(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("the clock shows %s", got)
	}
	c.Live()
	if time.Since(c.Now()) > time.Minute {
		t.Error("a live clock does not follow the machine's")
	}
}
