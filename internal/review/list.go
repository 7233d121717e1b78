package review

import (
	"cmp"
	"context"
	"slices"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

const (
	// MaxPosition is where counting how deep a case stands, and how long a filtered list is, ends: nobody pages
	// further.
	MaxPosition = 1_000
	// maxHits is how many of the newest cases with the words of a search a list is made of.
	maxHits = 1_000
)

// The ages that a list can be asked for; what they mean is Filter.Targets.
const (
	Fresh = "fresh" // younger than the target's soon; decided: within it
	Aging = "soon"  // from soon to late
	Late  = "late"
)

// Whom a case is assigned to, beside an account's id and a team's key.
const (
	ToMe     = "me"   // the viewer
	ToMyTeam = "team" // a team of the viewer
	ToNobody = "nobody"
)

// How many signatures a case needs or has.
const (
	TwoEyes = "two"    // needs two supervisors
	Once    = "signed" // signed once; a second signature is awaited
)

// Target is when a waiting case turns amber and red.
type Target struct{ Soon, Late time.Duration }

// Targets are those of each agent; "" is for agents that are not named.
type Targets map[string]Target

// Of is the target of an agent.
func (t Targets) Of(agentID string) Target {
	if own, ok := t[agentID]; ok {
		return own
	}
	return t[""]
}

// Filter chooses cases. The zero value is what needs review, by anybody.
type Filter struct {
	State   string  `form:"state"` // Needs, Others, Signed, All, Done or Ended; Needs when empty
	AgentID string  `form:"agent"`
	Task    string  `form:"task"`
	Flag    string  `form:"flag"` // a flag's code
	Age     string  `form:"age"`  // Fresh, Aging or Late
	Targets Targets // what Age means; nil: what the policies say
	// account: who decided it, first or second (Done), or has it open
	Reviewer string `form:"reviewer"`
	Assigned string `form:"assigned"` // ToMe, ToMyTeam, ToNobody, an account, or a team's key
	Eyes     string `form:"eyes"`     // TwoEyes or Once
	Skips    string `form:"skips"`    // ToMe: what the viewer skipped
	Urgency  string `form:"urgency"`  // of interaction.Urgencies
	Channel  string `form:"channel"`  // of interaction.Channels
	Search   string `form:"q"`        // words that must all be in the case
	Viewer   string // account; whose claims, signatures and skips count as theirs
	Cursor   string `form:"cursor"` // Page.Next of the page before
	Limit    int    // 1 to 100; 25 when 0
	// AllPlanted lists closed planted checks that the viewer did not sign, too: for managers and administrators.
	AllPlanted bool
	// WithSkipped has ClaimNext hand out what the person skipped, too.
	WithSkipped bool
	// Behind is the Place of the case on the screen, which ClaimNext passes over: it goes on behind it, and then from
	// the start.
	Behind string

	teams []string // keys of the viewer's teams
}

// over reports whether the list is of what waits no longer.
func (f Filter) over() bool { return f.State == Done || f.State == Ended }

// Narrowed reports whether anything beyond the state chooses.
func (f Filter) Narrowed() bool {
	return f.AgentID != "" || f.Task != "" || f.Flag != "" || f.Age != "" || f.Reviewer != "" || f.Assigned != "" ||
		f.Eyes != "" || f.Skips != "" || f.Search != "" || f.Urgency != "" || f.Channel != ""
}

// Page is a part of the queue.
type Page struct {
	Items    []Row
	Next     string             // cursor of the next page; empty on the last
	TooMany  bool               // more cases have the words than the newest maxHits, which are all that was looked at
	Oldest   time.Time          // when the oldest of all its pages arrived; of Needs alone
	Matches  int                // of a first page with a filter: how many it chooses, at most MaxPosition
	Outcomes map[string]Outcome // of decided cases, by case
	SentBack map[string]bool    // cases that answer anew what was sent back
	// Overruled are the checks that the standing decision overruled, or the first approval of two, by case.
	Overruled map[string][]Overruling
}

// Outcome is a standing decision as a list shows it.
type Outcome struct {
	Kind, State string
	By, Second  string // names
	SecondID    string
	HeldUntil   time.Time
}

// Targets reads what the policies of all agents with cases ask for; under "" is the policy for agents without their
// own.
func (q *Queue) Targets(ctx context.Context) (Targets, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (Targets, error) { return q.targetsTx(tx) })
}

// targetsTx takes one step along an index for each agent and state.
func (q *Queue) targetsTx(tx *db.Tx) (Targets, error) {
	t := Targets{}
	add := func(agentID string) error {
		p, err := q.policyTx(tx, agentID)
		if own := (Target{p.TargetSoon, p.TargetLate}); agentID == "" || own != t[""] {
			t[agentID] = own
		}
		return err
	}
	if err := add(""); err != nil {
		return nil, err
	}
	for _, state := range []string{"waiting", "decided"} {
		for agentID := ""; ; {
			if err := db.One(tx, "review: list agents", `SELECT COALESCE(MIN(agent_id), '') FROM review
				WHERE state = '`+state+`' AND agent_id > $1`, agentID).Scan(&agentID); err != nil {
				return nil, err
			}
			if agentID == "" {
				break
			}
			if err := add(agentID); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// List reads one page: what waits in the order of the queue, what is decided newest first.
func (q *Queue) List(ctx context.Context, f Filter) (page Page, err error) {
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return page, err
	}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		l, err := q.prepare(tx, f)
		if err != nil {
			return err
		}
		from, err := parseCursor(f.Cursor)
		if err != nil {
			return err
		}
		found, err := l.read(tx, from, false, f.Limit+1)
		if err != nil {
			return err
		}
		found, page.Next = keyset.Cut(found, f.Limit, func(p *place) string { return p.cursor() })
		page.TooMany = l.tooMany
		if len(found) > 0 && l.State == Needs {
			if page.Oldest, err = l.oldest(tx); err != nil {
				return err
			}
		}
		if err := page.read(tx, found, f.Viewer); err != nil || !f.Narrowed() || f.Cursor != "" {
			return err
		}
		page.Matches, err = l.count(tx, place{})
		return err
	})
	return page, err
}

// prepare checks a filter and finds out what only the database knows: the viewer's teams, what the search finds.
func (q *Queue) prepare(tx *db.Tx, f Filter) (l *listing, err error) {
	if f.State == "" {
		f.State = Needs
	}
	for _, c := range []struct {
		name, value string
		known       []string
	}{
		{"state", f.State, []string{Needs, Others, Signed, Done, All, Ended}},
		{"age", f.Age, []string{"", Fresh, Aging, Late}}, {"eyes", f.Eyes, []string{"", TwoEyes, Once}},
		{"urgency", f.Urgency, append([]string{""}, interaction.Urgencies...)},
		{"channel", f.Channel, append([]string{""}, interaction.Channels...)},
	} {
		if !slices.Contains(c.known, c.value) {
			return nil, fault.Wrong("There is no such list.", c.name, "Choose one of the list's filters.")
		}
	}
	if f.teams, err = q.teamsOf(tx, f.Viewer); err != nil {
		return nil, err
	}
	if f.Targets == nil {
		if f.Targets, err = q.targetsTx(tx); err != nil {
			return nil, err
		}
	}
	l = &listing{Filter: f, now: tx.NowMs()}
	l.asks = append(f.stateAsks(l.now), f.narrowing(l.now)...)
	if f.Search != "" {
		var ids []string
		ids, l.tooMany, err = foundTx(tx, f.Search, maxHits)
		l.asks = append(l.asks, in(`review.id`, append(ids, ""))) // an IN list can't be empty
	}
	return l, err
}

func (q *Queue) teamsOf(tx *db.Tx, viewer string) ([]string, error) {
	if viewer == "" {
		return nil, nil
	}
	return q.hooks.TeamsOf(tx, viewer)
}

// place is where a row stands in its list.
type place struct {
	group    Group
	priority int
	ms       int64
	id       string
}

// placeOf is where a row stands in the list that f chooses.
func (f Filter) placeOf(r *Row, now int64) place {
	if r.State == "decided" {
		return place{ms: db.Ms(r.DecidedAt), id: r.ID}
	}
	return place{f.groupOf(r, now), r.Priority, db.Ms(r.CreatedAt), r.ID}
}

func (p place) cursor() string { return keyset.Cursor(int(p.group), p.priority, p.ms, p.id) }

func parseCursor(c string) (p place, err error) {
	if c == "" {
		return p, nil
	}
	group := 0
	if err := keyset.Read(c, &group, &p.priority, &p.ms, &p.id); err != nil {
		return place{}, err
	}
	p.group = Group(group)
	return p, nil
}

const rowColumns = `review.id, review.agent_id,
	coalesce((SELECT name FROM agent WHERE id = review.agent_id), review.agent_name), review.task,
	review.state, review.priority, review.why, review.who, review.opening,
	review.label, review.passed, review.blocked, review.borderline, review.confidence, review.flags, review.source,
		review.text_hash,
	review.claimed_by, review.claimed_name, review.claimed_at, review.claimed_until, review.decision_id,
		review.decided_at, review.created_at, review.version,
	review.two_eyes, review.two_eyes_why, review.base_id, review.first_by, review.first_name, review.asked_by,
		review.correcting, review.planted,
	review.assigned_to, review.assigned_name, review.decided_by, review.rules, review.facts, review.because,
		review.left_out,
	review.urgency, review.channel, review.expires_at, review.ended, review.ended_why, review.thread, review.turn`

// read fills the page with the rows at the places found, in their order.
func (p *Page) read(tx *db.Tx, found []place, viewer string) error {
	if len(found) == 0 {
		return nil
	}
	b := &query{}
	ids := placeIDs(found)
	b.Add(`SELECT `+rowColumns+
		`, EXISTS (SELECT 1 FROM review_skip s WHERE s.review_id = review.id AND s.by_id = ?
			AND s.version = review.version AND s.over_at = 0),
		EXISTS (SELECT 1 FROM review n WHERE n.agent_id = review.agent_id AND n.thread = review.thread
			AND n.thread <> '' AND n.turn > review.turn),
		COALESCE(`+didSQL+`, ''), COALESCE(d.state, ''), COALESCE(d.by_name, ''), COALESCE(d.second_name, ''),
		COALESCE(d.second_by, ''), COALESCE(d.held_until, 0)
		FROM review LEFT JOIN decision d ON d.id = review.decision_id AND review.decision_id <> '' WHERE `, viewer)
	b.where(in(`review.id`, ids))
	byID := make(map[string]Row, len(found))
	p.Outcomes = map[string]Outcome{}
	err := db.Each(tx, "review: list", func(row db.Row) error {
		var skipped, overtaken bool
		var o Outcome
		r, err := scanRow(db.More(row, &skipped, &overtaken, &o.Kind, &o.State, &o.By, &o.Second, &o.SecondID,
			db.At(&o.HeldUntil)))
		r.Skipped, r.Overtaken = skipped, overtaken
		byID[r.ID] = r
		if o.Kind != "" {
			p.Outcomes[r.ID] = o
		}
		return err
	}, b.SQL, b.Args...)
	if err != nil {
		return err
	}
	for _, at := range found {
		if r, ok := byID[at.id]; ok {
			r.Group = at.group
			p.Items = append(p.Items, r)
		}
	}
	if err := fieldsTx(tx, p.Items); err != nil {
		return err
	}
	signed := func(r Row) string { return cmp.Or(r.DecisionID, r.BaseID) }
	by, err := overruledBy(tx, lists.Map(p.Items, signed))
	if err != nil {
		return err
	}
	p.Overruled = map[string][]Overruling{}
	for _, r := range p.Items {
		p.Overruled[r.ID] = by[signed(r)]
	}
	p.SentBack, err = interaction.RevisingTx(tx, ids)
	return err
}

func placeIDs(list []place) []string {
	return lists.Map(list, func(p place) string { return p.id })
}

func scanRow(row db.Row) (r Row, err error) {
	a := &r.Assessment
	err = row.Scan(&r.ID, &r.AgentID, &r.AgentName, &r.Task, &r.State, &r.Priority, &r.Why, &r.Who, &r.Opening,
		&a.Label, &a.Passed, &a.Blocked, &a.Borderline, &a.Confidence, db.JSON(&a.Flags), &a.Source, &r.TextHash,
		&r.Claim.By.ID, &r.Claim.By.Name, db.At(&r.Claim.Since), db.At(&r.Claim.Until), &r.DecisionID,
		db.At(&r.DecidedAt), db.At(&r.CreatedAt), &r.Version,
		&r.NeedsTwo, &r.TwoEyes, &r.BaseID, &r.First.ID, &r.First.Name, &r.AskedBy, &r.Correcting, &r.Planted,
		&r.AssignedTo.ID, &r.AssignedTo.Name, &r.DecidedBy, &a.Rules, db.JSON(&a.Facts), db.JSON(&a.Because),
		db.JSON(&a.LeftOut), &r.Urgency, &r.Channel, db.At(&r.ExpiresAt), &r.Ended, &r.EndedWhy, &r.Thread, &r.Turn)
	return r, err
}
