package borderline

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
)

// Window is how many of an agent's newest drafts the experts' share is counted over. Drafts and not days, so that a
// busy day brings experts no more than their share of it and a quiet one frees nothing; an agent and not a pack,
// because the policy is an agent's.
const Window = 100

// Allowance is how many of the newest drafts experts can be asked about: share of at most Window, one at least unless
// the share is 0. A share of 1 has no limit.
func Allowance(share float64, drafts int) int {
	switch {
	case share >= 1:
		return math.MaxInt
	case share <= 0 || drafts <= 0:
		return 0
	}
	return max(1, int(share*float64(min(drafts, Window))+1e-9))
}

func perMille(v compliance.Verdict) int { return int(math.Round(1000 * v.Uncertainty())) }

// countDraft gives a draft its number among its agent's.
func countDraft(tx *db.Tx, agentID string) (no int, err error) {
	return db.Value[int](tx, "borderline: count a draft", `INSERT INTO borderline_draft (agent_id, n) VALUES ($1, 1)
		ON CONFLICT (agent_id) DO UPDATE SET n = borderline_draft.n + 1 RETURNING n`, agentID)
}

func drafts(tx *db.Tx, agentID string) (n int, err error) {
	return db.Maybe[int](tx, "borderline: count the drafts of "+agentID, `SELECT n FROM borderline_draft
		WHERE agent_id = $1`, agentID)
}

// candidate is a case that may be with the experts or not, as the budget has it.
type candidate struct {
	id              string
	uncertainty, no int
	held            bool
}

// untouched is the condition of a case that the panel brought and no expert has begun: nobody answered, works on it
// now, or has typed something. $1 is lapsed.
const untouched = `c.state = 'waiting' AND c.sent_by = '' AND c.answered = 0
	AND NOT EXISTS (SELECT 1 FROM labelling_turn l WHERE l.item_id = c.id AND (l.state = 'open' AND l.at > $1 OR l.draft <> ''))`

// asked is the condition of a case that experts were asked about, as counter.AskedSQL.
const asked = `c.held = 0 AND (c.state <> 'overtaken' OR c.answered > 0 OR c.stood = 'erased')`

// takenSQL counts what of the budget can't be given to another draft any more.
const takenSQL = `SELECT count(*) FROM borderline_case c
	WHERE NOT (` + untouched + `) AND c.agent_id = $2 AND c.draft_no > $3
	AND ` + asked

// candidatesSQL lists the untouched cases however old, and the drafts of the window that were held back and wait for a
// supervisor.
const candidatesSQL = `SELECT c.id, c.uncertainty, c.draft_no, 0 FROM borderline_case c
	WHERE ` + untouched + ` AND c.agent_id = $2
	UNION ALL SELECT c.id, c.uncertainty, c.draft_no, 1 FROM borderline_case c
		WHERE c.held = 1 AND c.uncertainty > 0 AND c.text_hash <> ''
	AND c.agent_id = $2 AND c.draft_no > $3
	AND NOT EXISTS (SELECT 1 FROM borderline_case o
		WHERE o.interaction_id = c.interaction_id AND o.state <> 'overtaken')`

// balanceTx has experts asked about the most uncertain drafts of an agent, as many as the budget allows. What an expert
// has begun, or a supervisor sent, is counted first and stays.
func (s *Store) balanceTx(tx *db.Tx, agentID string) error {
	n, err := drafts(tx, agentID)
	if err != nil {
		return err
	}
	return s.balanceOf(tx, agentID, n)
}

// balanceOf is balanceTx of an agent with n drafts.
func (s *Store) balanceOf(tx *db.Tx, agentID string, n int) error {
	list, err := db.Rows(tx, "borderline: list what experts could be asked", func(c *candidate) []any {
		return []any{&c.id, &c.uncertainty, &c.no, &c.held}
	},
		candidatesSQL, db.Ms(lapsed(tx)), agentID, n-Window)
	if err != nil || len(list) == 0 {
		return err
	}
	ask, err := s.hooks.AskFor(tx, agentID)
	if err != nil {
		return err
	}
	taken, err := db.Value[int](tx, "borderline: what experts of "+agentID+" have taken", takenSQL, db.Ms(lapsed(tx)),
		agentID, n-Window)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.uncertainty, a.uncertainty), cmp.Compare(a.no, b.no), cmp.Compare(a.id, b.id))
	})
	room := min(max(Allowance(ask.Share, n)-taken, 0), len(list))
	for _, c := range list[room:] {
		if !c.held {
			err = errors.Join(err, s.hold(tx, c.id))
		}
	}
	for _, c := range list[:room] {
		if c.held {
			err = errors.Join(err, s.open(tx, c.id))
		}
	}
	return err
}

// hold gives a case that nobody has begun back to the supervisors.
func (s *Store) hold(tx *db.Tx, caseID string) error {
	return s.flip(tx, caseID, Overtaken, 1, "borderline.held_back")
}

// open has experts asked about a draft that was held back.
func (s *Store) open(tx *db.Tx, caseID string) error {
	return s.flip(tx, caseID, Waiting, 0, "borderline.enrolled")
}

func (s *Store) flip(tx *db.Tx, caseID, to string, held int, action string) error {
	c, err := one(tx, ` WHERE id = $1`, caseID)
	if err != nil {
		return err
	}
	ask, err := s.hooks.AskFor(tx, c.AgentID)
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "borderline: "+action+" "+c.ID, `UPDATE borderline_case SET state = $1, held = $2,
		created_at = $3, target_at = $4, reminded_at = 0
		WHERE id = $5`,
		to, held, tx.NowMs(), db.Ms(tx.Now.Add(ask.Target)), c.ID); err != nil {
		return err
	}
	if err := labelling.Clear(tx, set, c.ID); err != nil {
		return err
	}
	touch(tx)
	if err := record(tx, preceptor, action, c,
		map[string]any{"cause": c.cause, "text_hash": c.TextHash, "experts": c.Wanted}); err != nil {
		return err
	}
	return s.hooks.OnOpened(tx, c)
}

// RetargetTx gives the open cases the target that the review policy has now. One that has time again is no longer
// late; it reports whether any is.
func (s *Store) RetargetTx(tx *db.Tx) (late bool, err error) {
	agents, err := db.Column[string](tx, "borderline: agents with open cases", `SELECT DISTINCT agent_id
		FROM borderline_case WHERE state IN ('waiting', 'adjudication')`)
	if err != nil {
		return false, err
	}
	touch(tx)
	for _, agentID := range agents {
		ask, err := s.hooks.AskFor(tx, agentID)
		if err != nil {
			return false, err
		}
		if err := db.Exec(tx, "borderline: another target for "+agentID, `UPDATE borderline_case
			SET target_at = created_at + $1,
			reminded_at = CASE WHEN created_at + $1 > $2 THEN 0 ELSE reminded_at END
				WHERE agent_id = $3 AND state IN ('waiting', 'adjudication')`,
			ask.Target.Milliseconds(), tx.NowMs(), agentID); err != nil {
			return false, err
		}
	}
	return db.Value[bool](tx, "borderline: is a case late", `SELECT
		EXISTS (SELECT 1 FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND reminded_at > 0)`)
}

// settleHeld notes that a supervisor settled what was held back of an interaction, or that it waits again.
func settleHeld(tx *db.Tx, interactionID string, from, to int) (int, error) {
	return db.Change(tx, "borderline: settle what was held back of "+interactionID, `UPDATE borderline_case
		SET held = $1
		WHERE interaction_id = $2 AND held = $3`, to, interactionID, from)
}

// Budget is what experts can take of an agent's newest drafts, and what they have.
type Budget struct {
	AgentID string
	Share   float64 // of drafts
	Drafts  int     // newest drafts that are looked at, at most Window
	With    int     // of them with the experts, or taken by them
	Held    int     // unsettled, and waiting for supervisors with their line
	Target  time.Duration
}

// countedSQL are the budgets of agents, by a condition; $1 is Window.
const countedSQL = `SELECT d.agent_id, d.n,
	coalesce(sum(CASE WHEN ` + asked + ` THEN 1 ELSE 0 END), 0) AS taken,
	coalesce(sum(CASE WHEN c.held = 1 THEN 1 ELSE 0 END), 0) AS held
	FROM borderline_draft d LEFT JOIN borderline_case c ON c.agent_id = d.agent_id AND c.draft_no > d.n - $1`

// Budgets are those of all agents of whose newest drafts some are unsettled.
func (s *Store) Budgets(ctx context.Context) ([]Budget, error) {
	return s.budgets(ctx, countedSQL+` GROUP BY d.agent_id, d.n HAVING count(c.id) > 0 ORDER BY d.agent_id`, Window)
}

// Budget is that of one agent.
func (s *Store) Budget(ctx context.Context, agentID string) (b Budget, err error) {
	list, err := s.budgets(ctx, countedSQL+` WHERE d.agent_id = $2 GROUP BY d.agent_id, d.n`, Window, agentID)
	if len(list) > 0 {
		b = list[0]
	}
	return b, err
}

func (s *Store) budgets(ctx context.Context, query string, args ...any) (list []Budget, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "borderline: read budgets", func(row db.Row) (b Budget, err error) {
			err = row.Scan(&b.AgentID, &b.Drafts, &b.With, &b.Held)
			b.Drafts = min(b.Drafts, Window)
			return b, err
		}, query, args...)
		for i := 0; i < len(list) && err == nil; i++ {
			var ask Asked
			ask, err = s.hooks.AskFor(tx, list[i].AgentID)
			list[i].Share, list[i].Target = ask.Share, ask.Target
		}
		return err
	})
	return list, err
}
