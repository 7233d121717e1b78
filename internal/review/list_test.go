package review_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

// all reads a list page by page.
func (k *desk) all(t testing.TB, f review.Filter) (got []review.Row) {
	t.Helper()
	for range 10_000 {
		page, err := k.List(ctx, f)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		got = append(got, page.Items...)
		if f.Cursor = page.Next; f.Cursor == "" {
			return got
		}
	}
	t.Fatalf("%+v never ends", f)
	return nil
}

func flagged(codes ...string) review.Assessment {
	a := good
	for _, c := range codes {
		a.Flags = append(a.Flags, review.Flag{Code: c, Severity: review.Minor, Why: "why"})
	}
	return a
}

var targets = review.Targets{"": {Soon: 4 * time.Hour, Late: 24 * time.Hour},
	"b": {Soon: time.Hour, Late: 2 * time.Hour}}

// chosen says whether a filter chooses a row, by the words of Filter alone.
func chosen(f review.Filter, r review.Row, now time.Time, teams []string) bool {
	held := r.Claim.Active(now)
	switch f.State {
	case review.Needs:
		if r.State != "waiting" || r.Claim.HeldByOther(f.Viewer, now) || r.First.ID == f.Viewer {
			return false
		}
	case review.Others:
		if !r.Claim.HeldByOther(f.Viewer, now) {
			return false
		}
	case review.Signed:
		if r.State != "waiting" || r.First.ID != f.Viewer {
			return false
		}
	case review.Done:
		if r.State != "decided" {
			return false
		}
	}
	if f.AgentID != "" && f.AgentID != r.AgentID || f.Task != "" && f.Task != r.Task {
		return false
	}
	if f.Flag != "" && !slices.ContainsFunc(r.Assessment.Flags, func(g review.Flag) bool { return g.Code == f.Flag }) {
		return false
	}
	if f.Reviewer != "" {
		ok := held && r.Claim.By.ID == f.Reviewer
		if f.State == review.Done {
			ok = r.DecidedBy == f.Reviewer
		}
		if !ok {
			return false
		}
	}
	switch f.Assigned {
	case review.ToNobody:
		if r.AssignedTo.ID != "" {
			return false
		}
	case review.ToMe:
		if r.AssignedTo.ID != f.Viewer {
			return false
		}
	case review.ToMyTeam:
		if !slices.Contains(teams, r.AssignedTo.ID) {
			return false
		}
	case "":
	default:
		if r.AssignedTo.ID != f.Assigned {
			return false
		}
	}
	if f.Eyes == review.TwoEyes && !r.NeedsTwo || f.Eyes == review.Once && r.First.ID == "" {
		return false
	}
	age, target := now.Sub(r.CreatedAt), f.Targets.Of(r.AgentID)
	if r.State == "decided" {
		age = r.DecidedAt.Sub(r.CreatedAt)
	}
	switch f.Age {
	case review.Fresh:
		return age < target.Soon
	case review.Aging:
		return age >= target.Soon && age < target.Late
	case review.Late:
		return age >= target.Late
	}
	return true
}

// group is where a review stands in the viewer's queue, by the words of the groups alone.
func group(f review.Filter, r review.Row, now time.Time, teams []string) review.Group {
	switch {
	case f.State != review.Needs || f.Assigned != "" || f.Reviewer != "" || f.Eyes != "" || f.Age != "":
		return review.Ungrouped
	case r.AssignedTo.ID == f.Viewer || slices.Contains(teams, r.AssignedTo.ID):
		return review.GroupMine
	case r.First.ID != "":
		return review.GroupSecond
	case r.Priority == 0:
		return review.GroupBlocked
	case r.Priority < 3:
		return review.GroupCare
	case now.Sub(r.CreatedAt) >= f.Targets.Of(r.AgentID).Late:
		return review.GroupOverdue
	}
	return review.GroupRest
}

func inOrder(f review.Filter, now time.Time, teams []string) func(a, b review.Row) int {
	if f.State == review.Done {
		return func(a, b review.Row) int {
			return cmp.Or(b.DecidedAt.Compare(a.DecidedAt), strings.Compare(b.ID, a.ID))
		}
	}
	return func(a, b review.Row) int {
		return cmp.Or(int(group(f, a, now, teams)-group(f, b, now, teams)), a.Priority-b.Priority,
			a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	}
}

// Whatever is filtered, by however many filters at once, page by page: the list has exactly what the filter says, in
// order; and the neighbours of a case are those beside it in that list.
func TestEveryFilterGivesExactlyWhatItSays(t *testing.T) {
	k := open(t)
	teams := map[string][]string{"ann": {review.TeamKey("t1")}}
	k.TeamsOf = func(_ *db.Tx, who string) ([]string, error) { return teams[who], nil }
	ids := k.mixed(t)
	var all []review.Row
	for _, id := range ids {
		all = append(all, k.get(t, id).Row)
	}
	now := k.clock.Now()
	matched := 0
	rapid.Check(t, func(rt *rapid.T) {
		any := func(label string, values ...string) string {
			return rapid.SampledFrom(append([]string{"", "", ""}, values...)).Draw(rt, label)
		}
		f := review.Filter{
			State: rapid.SampledFrom([]string{review.Needs, review.Needs, review.Others, review.Signed, review.Done}).
				Draw(rt, "state"),
			AgentID: any("agent", "a", "b"), Task: any("task", "scams", "annuity"), Flag: any("flag", "X", "Y", "NONE"),
			Age: any("age", review.Fresh, review.Aging, review.Late), Reviewer: any("reviewer", "ann", "bob"),
			Assigned: any("assigned", review.ToMe, review.ToMyTeam, review.ToNobody, "bob"),
			Eyes:     any("eyes", review.TwoEyes, review.Once),
			Viewer:   rapid.SampledFrom([]string{"ann", "bob"}).Draw(rt, "viewer"),
			Limit:    rapid.IntRange(1, 7).Draw(rt, "limit"), Targets: targets,
		}
		var want []review.Row
		for _, r := range all {
			if chosen(f, r, now, teams[f.Viewer]) {
				want = append(want, r)
			}
		}
		slices.SortFunc(want, inOrder(f, now, teams[f.Viewer]))
		got := k.all(t, f)
		if diff := gocmp.Diff(ids2(want), ids2(got)); diff != "" {
			rt.Fatalf("%+v: %s", f, diff)
		}
		matched += len(got)
		for _, r := range got {
			if r.Group != group(f, r, now, teams[f.Viewer]) {
				rt.Fatalf("%+v: %s stands under %d, want %d", f, r.ID, r.Group, group(f, r, now, teams[f.Viewer]))
			}
		}
		f.Limit = 1
		var oldest time.Time
		for _, r := range want {
			if f.State == review.Needs && (oldest.IsZero() || r.CreatedAt.Before(oldest)) {
				oldest = r.CreatedAt
			}
		}
		if page, err := k.List(ctx, f); err != nil || f.Narrowed() && (page.Matches != len(want)) ||
			!page.Oldest.Equal(oldest) {
			rt.Fatalf("%+v: said to choose %d, want %d, %v; the oldest of %s, want %s", f, page.Matches, len(want), err,
				page.Oldest, oldest)
		}
		if len(want) == 0 || f.State == review.Others {
			return // what others work on stands among all that wait
		}
		i := rapid.IntRange(0, len(want)-1).Draw(rt, "which")
		n, err := k.Neighbours(ctx, want[i].ID, f)
		if err != nil {
			rt.Fatal(err)
		}
		exp := review.Neighbours{Pos: i + 1, Total: len(want)}
		if i > 0 {
			exp.Prev = want[i-1].ID
		}
		if i < len(want)-1 {
			exp.Next = want[i+1].ID
		}
		if n != exp {
			rt.Fatalf("%+v: neighbours of %s are %+v, want %+v", f, want[i].ID, n, exp)
		}
	})
	if matched == 0 {
		t.Error("nothing ever matched; the property says nothing")
	}
}

func ids2(rows []review.Row) []string {
	if len(rows) == 0 {
		return nil
	}
	return ids(rows)
}

// mixed is a desk with some of everything: flags, ages, agents, assignments, claims, signatures, decisions.
func (k *desk) mixed(t testing.TB) (all []string) {
	t.Helper()
	for i := range 48 {
		k.assess = [...]review.Assessment{good, flagged("X"), flagged("X", "Y", "X"), flagged("Y")}[i%4]
		changes := []change{agent([]string{"a", "b"}[i%2]), task([]string{"scams", "annuity", "tax_free_cash"}[i%3])}
		if i%5 == 0 {
			changes = append(changes, vulnerable)
		}
		all = append(all, k.submit(t, changes...))
		k.clock.Advance(time.Duration(i%7) * 13 * time.Minute)
	}
	k.assess = good
	for i, id := range all {
		switch {
		case i%6 == 1:
			k.decide(t, id, []review.Person{ann, bob}[i%2], review.Reject)
		case i%10 == 0:
			k.decide(t, id, []review.Person{ann, bob}[i/10%2], review.Approve) // vulnerable: awaits a second
		}
		if i%8 == 2 {
			k.assign(t, id, []string{"ann", "bob", review.TeamKey("t1")}[i/8%3])
		}
	}
	for i, id := range all {
		if i%12 == 3 {
			if err := k.Claim(ctx, id, []review.Person{ann, bob}[i/12%2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

func (k *desk) assign(t testing.TB, id, to string) {
	t.Helper()
	res, err := k.Assign(ctx, review.Assignment{IDs: []string{id}, To: to, By: review.Person{ID: "meg", Name: "Meg"},
		Lead: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.LeftOut) > 0 && res.LeftOut[0].Why != "already decided" {
		t.Logf("%s not to %s: %s", id, to, res.LeftOut[0].Why)
	}
}

// However rare what a filter chooses, a page finds it, and so does whoever asks for the next.
func TestARareMatchIsFound(t *testing.T) {
	k := open(t)
	k.fill(t, 15_000)
	f := review.Filter{Flag: "RARE", Eyes: review.TwoEyes, Assigned: "bob", AgentID: "agent-1", Task: "task-2",
		Viewer: "ann"}
	want := k.count(t, `SELECT COUNT(*) FROM review JOIN review_flag f ON f.review_id = review.id AND f.code = 'RARE'
		WHERE review.agent_id = 'agent-1' AND review.task = 'task-2' AND assigned_to = 'bob' AND two_eyes = 1
			AND first_by <> 'ann'`)
	if got := len(k.all(t, f)); got != want {
		t.Errorf("%d found, there are %d", got, want)
	}
	f = review.Filter{Assigned: review.ToNobody, Viewer: "ann"}
	if _, err := k.db.Writer().Exec(`UPDATE review SET assigned_to = 'bob'
		WHERE id <> (SELECT MAX(id) FROM review WHERE priority = 4)`); err != nil {
		t.Fatal(err)
	}
	page, err := k.List(ctx, f)
	if err != nil || len(page.Items) != 1 || page.Next != "" || page.Matches != 1 {
		t.Fatalf("%d rows of %d, next %q, %v; want the last of the queue", len(page.Items), page.Matches, page.Next,
			err)
	}
	if id, ok, err := k.ClaimNext(ctx, ann, f); err != nil || !ok || id != page.Items[0].ID {
		t.Errorf("next = %q, %v, %v: the only one that nobody was assigned", id, ok, err)
	}
}

func TestSearchFindsCasesByEveryWordOfThem(t *testing.T) {
	k := open(t)
	fish := k.submit(t, func(s *interaction.Submission) {
		s.Consultation.Question = "May I buy a trawler with my pension?"
		s.Consultation.Customer.Name = "Zebedee Ögilvie"
	})
	other := k.submit(t, func(s *interaction.Submission) { s.Guidance = "Boats are not what a lump sum is for." })
	find := func(words string, f review.Filter) []string {
		t.Helper()
		f.Search = words
		return ids2(k.all(t, f))
	}
	for words, want := range map[string][]string{
		"trawler": {fish}, "trawlers": {fish}, "TRAW": {fish}, "zebedee": {fish}, "ogilvie trawler": {fish},
		"lump boat": {other}, "trawler lump": nil,
		`"; DROP TABLE review; --`: nil, `NEAR( * OR`: nil, "😀": nil, "the of": nil,
	} {
		got := find(words, review.Filter{})
		slices.Sort(got)
		if diff := gocmp.Diff(want, got); diff != "" && words != `"; DROP TABLE review; --` {
			t.Errorf("%q: %s", words, diff)
		}
	}
	in := k.input(t, other, ann, review.Revise)
	in.Reason = "Haberdashery is off topic."
	if _, err := k.Decide(ctx, in); err != nil {
		t.Fatal(err)
	}
	if got := find("haberdash", review.Filter{State: review.Done}); !slices.Equal(got, []string{other}) {
		t.Errorf("by the reason of its decision: %v", got)
	}
	if got := find("haberdash", review.Filter{}); got != nil {
		t.Errorf("what is decided needs no review: %v", got)
	}
	if err := k.Skip(ctx, fish, bob, 1, "Kippers tomorrow."); err != nil {
		t.Fatal(err)
	}
	if got := find("kipper", review.Filter{Task: "tax_free_cash"}); !slices.Equal(got, []string{fish}) {
		t.Errorf("by the reason of a skip, with a task: %v", got)
	}
	if n, err := k.Neighbours(ctx, fish, review.Filter{Search: "trawler"}); err != nil ||
		n != (review.Neighbours{Pos: 1, Total: 1}) {
		t.Errorf("neighbours in a search: %+v, %v", n, err)
	}
}

// Fields of the metadata are found by name and value, exactly and with words beside them; those that are chosen are
// shown; an erasure takes them.
func TestFieldsOfTheMetadata(t *testing.T) {
	k := open(t)
	with := func(meta string) string {
		return k.submit(t, func(s *interaction.Submission) { s.Metadata = json.RawMessage(meta) })
	}
	long := strings.Repeat("x", 99)
	one := with(`{"Case_Ref":"AB-1","queue":"retail","priority":2,"vip":true,"deep":{"queue":"wholesale"},"note":"a b"}`)
	two := with(`{"case_ref":"AB-12","queue":"Retail","priority":20,"long":"` + long + `","longer":"x` + long + `x"}`)
	k.submit(t)
	for words, want := range map[string][]string{
		"case_ref=AB-1": {one}, "CASE_REF=ab-12": {two}, "queue=retail": {one, two}, "queue=retail priority=2": {one},
		"queue=wholesale": nil, "vip=yes": {one}, "queue=retail tax": {one, two}, "queue=retail mackerel": nil,
		"long=" + long: {two}, "longer=x" + long + "x": nil, "queue=": nil, "' OR 1=1": nil,
	} {
		got := ids2(k.all(t, review.Filter{Search: words}))
		slices.Sort(got)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", words, diff)
		}
	}
	shown := func() (out []string) {
		for _, r := range k.all(t, review.Filter{Search: "case_ref=ab-12"}) {
			for _, f := range r.Fields {
				out = append(out, f.Short())
			}
		}
		return out
	}
	if got := shown(); got != nil {
		t.Errorf("nobody chose %q", got)
	}
	if err := k.SetColumns(ctx, ann, "Queue, long case_ref queue"); err != nil {
		t.Fatal(err)
	}
	got := shown()
	if len(got) != 3 || got[0] != "queue Retail" || got[2] != "case_ref AB-12" || len(got[1]) > 40 {
		t.Errorf("%q", got)
	}
	if err := k.SetColumns(ctx, ann, "a, b, c, d"); !fault.Is(err, fault.Invalid) {
		t.Errorf("four columns: %v", err)
	}
	if columns, err := k.Columns(ctx); err != nil || !slices.Equal(columns, []string{"queue", "long", "case_ref"}) {
		t.Errorf("%q %v", columns, err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, two); return err }); err != nil {
		t.Fatal(err)
	}
	if n, err := db.Read(ctx, k.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "count", `SELECT COUNT(*) FROM review_field WHERE review_id = $1`, two)
	}); err != nil || n != 0 {
		t.Errorf("%d fields are left: %v", n, err)
	}
}

func TestASearchWithTooManyHitsSaysSo(t *testing.T) {
	k := open(t)
	k.fill(t, 2500)
	page, err := k.List(ctx, review.Filter{Search: "pension"})
	if err != nil || !page.TooMany || len(page.Items) != 25 {
		t.Errorf("%d rows, too many %v, %v", len(page.Items), page.TooMany, err)
	}
	if page, err = k.List(ctx, review.Filter{Search: "pension mackerel"}); err != nil || page.TooMany ||
		len(page.Items) != 5 {
		t.Errorf("%d rows, too many %v, %v", len(page.Items), page.TooMany, err)
	}
}

func TestFiltersThatDoNotExistAreRefusedAndUnknownValuesFindNothing(t *testing.T) {
	k := open(t)
	k.submit(t)
	for _, f := range []review.Filter{{Age: "old"}, {Eyes: "four"}, {State: "mine"}} {
		if _, err := k.List(ctx, f); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	for _, f := range []review.Filter{{AgentID: "gone"}, {Task: "gone"}, {Flag: "GONE"}, {Reviewer: "gone"},
		{Assigned: "team:gone"}, {Assigned: review.ToMyTeam, Viewer: "ann"}} {
		if page, err := k.List(ctx, f); err != nil || len(page.Items) != 0 {
			t.Errorf("%+v: %d rows, %v", f, len(page.Items), err)
		}
		if _, ok, err := k.ClaimNext(ctx, ann, f); err != nil || ok {
			t.Errorf("%+v: handed out %v, %v", f, ok, err)
		}
	}
}

func TestFlagCodes(t *testing.T) {
	k := open(t)
	if codes, err := k.FlagCodes(ctx); err != nil || len(codes) != 0 {
		t.Errorf("%v, %v", codes, err)
	}
	for _, a := range []review.Assessment{flagged("B"), flagged("A", "B"), flagged()} {
		k.assess = a
		k.submit(t)
	}
	if codes, err := k.FlagCodes(ctx); err != nil || fmt.Sprint(codes) != "[A B]" {
		t.Errorf("%v, %v", codes, err)
	}
}

func TestAPageOfWhatIsDoneSaysWhatWasDecided(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	k.decide(t, id, ann, review.Approve)
	page, err := k.List(ctx, review.Filter{State: review.Signed, Viewer: "ann"})
	if err != nil || len(page.Items) != 1 || page.Items[0].First != ann {
		t.Fatalf("%+v, %v", page.Items, err)
	}
	k.decide(t, id, bob, review.Approve)
	page, err = k.List(ctx, review.Filter{State: review.Done})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v, %v", page.Items, err)
	}
	if diff := gocmp.Diff(review.Outcome{Kind: review.Approve, State: review.Held, By: "Ann", Second: "Bob",
		SecondID:  "bob",
		HeldUntil: page.Outcomes[id].HeldUntil}, page.Outcomes[id]); diff != "" {
		t.Error(diff)
	}
}

// What somebody may see is found however many newer cases have the words, which others asked or nobody decided.
func TestFindLooksPastWhatIsNotTheirs(t *testing.T) {
	k := open(t)
	early, decided := k.submit(t), k.submit(t)
	k.decide(t, decided, ann, review.Reject)
	for range 2*keyset.Most + 5 {
		k.submit(t)
	}
	for _, c := range []struct {
		whose review.Whose
		want  string
	}{{review.Whose{Decided: true}, decided}, {review.Whose{AskedBy: "me"}, ""}} {
		list, more, err := k.Find(ctx, "tax free", c.whose, 5)
		got := ""
		for _, r := range list {
			got += r.ID
		}
		if err != nil || got != c.want || more {
			t.Errorf("%+v: %q, more %v, %v", c.whose, got, more, err)
		}
	}
	k.decide(t, early, ann, review.Reject)
	if list, more, err := k.Find(ctx, "tax free", review.Whose{Decided: true}, 1); err != nil || len(list) != 1 ||
		list[0].ID != decided || !more {
		t.Errorf("%d of two, more %v, %v", len(list), more, err)
	}
	if list, more, err := k.Find(ctx, "tax free", review.Whose{}, 5); err != nil || len(list) != 5 || !more {
		t.Errorf("%d of all, more %v, %v", len(list), more, err)
	}
}

// A field finds its cases however many others have the words; what isn't shown is told.
func TestAFieldAndAWordFindEveryCase(t *testing.T) {
	k := open(t)
	k.fill(t, 15_000)
	if _, err := k.db.Writer().Exec(`INSERT INTO review_field (review_id, name, value, folded)
		SELECT id, 'team', 'a', 'a' FROM review UNION ALL SELECT id, 'desk', 'b', 'b' FROM review UNION ALL
		SELECT id, 'ref', CAST(CAST(id AS INTEGER) AS TEXT), CAST(CAST(id AS INTEGER) AS TEXT) FROM review UNION ALL
		SELECT id, 'half', CAST(CAST(id AS INTEGER) % 2 AS TEXT), CAST(CAST(id AS INTEGER) % 2 AS TEXT)
			FROM review`); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]int{"ref=1 pension": 1, "team=a ref=2 pension tax": 1, "ref=3 team=a": 1,
		"ref=2 half=1 pension": 0, "team=a mackerel": 30, "team=a half=1 mackerel": 0, "team=a pension": 1_000,
		"team=a desk=b half=0": 1_000, "desk=b team=a half=1 pension": 1_000} {
		page, err := k.List(ctx, review.Filter{State: review.All, Search: words})
		if err != nil || page.Matches != want || page.TooMany != (want == 1_000) {
			t.Errorf("%q: %d, more %t, %v", words, page.Matches, page.TooMany, err)
		}
	}
	if _, err := k.List(ctx, review.Filter{Search: "a=1 b=2 c=3 d=4"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("four fields: %v", err)
	}
}

// A search for fields that many cases have looks at the newest of them, and says so.
func TestASearchForCommonFieldsLooksAtTheNewest(t *testing.T) {
	k := open(t)
	k.fill(t, 200)
	defer review.LookAtMostForTest(50)()
	for _, q := range []string{
		`INSERT INTO review_field (review_id, name, value, folded) SELECT id, 'team', 'A', 'a' FROM review
			WHERE CAST(id AS INTEGER) <= 100`,
		`INSERT INTO review_field (review_id, name, value, folded) SELECT id, 'office', 'B', 'b' FROM review
			WHERE CAST(id AS INTEGER) > 100 OR CAST(id AS INTEGER) IN (1, 90)`} {
		if _, err := k.db.Writer().Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	for search, want := range map[string]int{"team=a office=b": 1, "team=a office=b pension": 1, "office=b": 50} {
		page, err := k.List(ctx, review.Filter{State: review.All, Search: search})
		if err != nil || page.Matches != want || !page.TooMany {
			t.Errorf("%s: %d, more %v, %v", search, page.Matches, page.TooMany, err)
		}
	}
}
