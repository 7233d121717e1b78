package planted

import (
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
)

// placeArgs is the job that puts a drawn check on the desk.
type placeArgs struct {
	CheckID string `json:"check_id"`
}

// Kind is the job's name.
func (placeArgs) Kind() string { return "review.place" }

// ArrivedTx draws, for a real draft that arrived, whether a known-bad one follows it. It runs in the transaction of the
// arrival; the second arrival of the same draft draws nothing.
func (s *Store) ArrivedTx(tx *db.Tx, in *interaction.Interaction) error {
	if in.Planted {
		return nil
	}
	p, err := s.hooks.PolicyFor(tx, in.AgentID)
	if err != nil {
		return fmt.Errorf("planted: policy of %s: %w", in.AgentID, err)
	}
	if p.Planted <= 0 || s.lot() >= p.Planted {
		return nil
	}
	due := tx.Now.Add(soonest + time.Duration(s.lot()*float64(latest-soonest)))
	_, err = s.drawTx(tx, in, due)
	return err
}

// drawTx notes a check; the job follows at due.
func (s *Store) drawTx(tx *db.Tx, in *interaction.Interaction, due time.Time) (string, error) {
	checkID := id.New()
	if n, err := db.Change(tx, "planted: draw", `INSERT INTO planted_check (id, agent_id, trigger_id, state, due_at)
		VALUES ($1, $2, $3, 'due', $4) ON CONFLICT (trigger_id) DO NOTHING`,
		checkID, in.AgentID, in.ID, db.Ms(due)); err != nil || n == 0 {
		return "", err
	}
	return checkID, s.jobs.InsertTx(tx, placeArgs{checkID}, job.At(due))
}

// Plant mixes one in at once, beside the draft trigger, and tells its case; "" when trigger drew one before. It is for
// the demo and for trying out.
func (s *Store) Plant(ctx context.Context, trigger string) (caseID string, err error) {
	var checkID string
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		in, err := s.interactions.GetTx(tx, trigger)
		if err != nil {
			return err
		}
		checkID, err = s.drawTx(tx, in, tx.Now)
		return err
	})
	if err != nil || checkID == "" {
		return "", err
	}
	if err := s.place(ctx, placeArgs{checkID}); err != nil {
		return "", err
	}
	c, err := s.check(ctx, checkID)
	return c.interactionID, err
}

// place puts a drawn check on the desk. It may run twice and has one effect: what it made is noted with it.
func (s *Store) place(ctx context.Context, a placeArgs) error {
	c, err := s.check(ctx, a.CheckID)
	if err != nil || c.state != Due {
		return err
	}
	like, err := s.interactions.Get(ctx, c.triggerID)
	if err != nil {
		return err
	}
	asked := like.Drafter != ""
	if c.interactionID == "" {
		if c.interactionID, c.guidance, err = s.begin(ctx, a.CheckID, like, asked); err != nil ||
			c.interactionID == "" {
			return err
		}
	}
	if !asked {
		return nil
	}
	in, err := s.interactions.Get(ctx, c.interactionID)
	if err != nil {
		return err
	}
	if in.Status == interaction.Drafting || in.Status == interaction.Failed {
		d, err := s.hooks.Compose(ctx, in)
		if err != nil {
			return err
		}
		if err := s.interactions.DraftArrived(ctx, in.ID, dress(d, c.guidance)); err != nil {
			return err
		}
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE planted_check SET state = 'open' WHERE id = $1 AND state = 'due'`, a.CheckID)
		return err
	})
}

// begin chooses a draft and stores its case, in the shape of the case like.
func (s *Store) begin(ctx context.Context, checkID string, like *interaction.Interaction,
	asked bool) (iid, guidance string, err error) {
	by, err := s.actor(ctx, like)
	if err != nil {
		return "", "", err
	}
	drafts, err := s.choose(ctx, checkID, like)
	if err != nil {
		return "", "", err
	}
	var d Draft
	var m made
	lot, fits := source(checkID), false
	for _, d = range drafts {
		m = d.fill(lot, like.Consultation.Customer.Name != "")
		m.talk(like, lot, s.db.Now())
		if fits = !asked; asked { // a frame of nothing found would tell the check from what our own advisor answers
			if fits, err = s.hooks.Answers(ctx,
				&interaction.Interaction{AgentID: like.AgentID, Consultation: m.consultation}); err != nil {
				return "", "", err
			}
		}
		if fits {
			break
		}
	}
	if !fits {
		s.log.Warn("a planted check was due and the library has no draft that fits, is in use and wasn't met lately")
		return "", "", nil
	}
	sub := interaction.Submission{AgentID: like.AgentID, AgentName: like.AgentName, Origin: like.Origin, By: by,
		Consultation: m.consultation,
		Guidance:     m.guidance, Model: like.Model, Metadata: metadata(like, lot),
		Handling: interaction.Handling{Urgency: like.Urgency, Channel: like.Channel}}
	if sub.Origin == interaction.OriginAsk {
		sub.Origin = interaction.OriginAdvise // no person asked this
	}
	if like.Reasoning != "" {
		sub.Reasoning = m.reasoning
	}
	if n := len(like.KnowledgeUsed); n > 0 && !asked {
		if sub.KnowledgeUsed, err = s.hooks.Recall(ctx, like.AgentID, m.consultation, n); err != nil {
			return "", "", err
		}
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if iid, err = s.interactions.PlantTx(tx, sub, asked); err != nil {
			return err
		}
		return noteBegun(tx, checkID, iid, d, m, asked)
	})
	return iid, m.guidance, err
}

func noteBegun(tx *db.Tx, checkID, iid string, d Draft, m made, asked bool) error {
	state := Open
	if asked {
		state = Due // until its text has arrived
	}
	if err := db.Exec(tx, "planted: note check "+checkID, `UPDATE planted_check SET interaction_id = $1, draft_id = $2,
		draft_version = $3, task = $4, problem = $5, expected = $6, title = $7, what = $8,
			guidance = $9, absent = $10, present = $11, placed_at = $12, state = $13 WHERE id = $14`,
		iid, d.ID, d.Version, d.Task, d.Problem, d.Expected, d.Title, d.What, m.guidance, written(m.absent),
		written(m.present), tx.NowMs(), state, checkID); err != nil {
		return err
	}
	return db.Exec(tx, fmt.Sprintf("planted: note the use of %s", d.ID), `UPDATE planted_draft SET used = used + 1,
		used_at = $1
		WHERE id = $2`, tx.NowMs(), d.ID)
}

// actor is who handed in the case like, as long as it was a program.
func (s *Store) actor(ctx context.Context, like *interaction.Interaction) (audit.Actor, error) {
	history, err := s.interactions.History(ctx, like.ID)
	if err != nil {
		return audit.Actor{}, err
	}
	if len(history) > 0 && history[0].Actor.Kind == audit.Agent {
		return history[0].Actor, nil
	}
	return audit.Actor{Kind: audit.Agent, ID: like.AgentID, Name: like.AgentName}, nil
}

// The choice is among the drafts that were not used for longest, so that nobody meets one twice within a short time,
// and among the tasks that the agent had lately, if there is any. None is met while it waits, nor the same text within
// Rest, even if nothing is left to choose from: who knows a draft again learns what it is.
const (
	among      = 5
	latelyDone = 200
	Rest       = 30 * 24 * time.Hour
)

func (s *Store) choose(ctx context.Context, checkID string,
	like *interaction.Interaction) (drafts []Draft, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if drafts, err = readDrafts(tx, `WHERE retired = 0 ORDER BY used_at, id`); err != nil {
			return err
		}
		met, err := db.Column[string](tx, "planted: what was met lately", `SELECT guidance FROM planted_check
			WHERE placed_at > $1 UNION SELECT draft_id FROM planted_check
			WHERE placed_at > $1 AND state IN ('due', 'open')`, db.Ms(tx.Now.Add(-Rest)))
		if err != nil {
			return err
		}
		drafts = slices.DeleteFunc(drafts, func(d Draft) bool {
			return !d.For(pack.Of(like.Consultation.Pack).Name) || slices.Contains(met, d.ID) ||
				slices.Contains(met, d.fill(source(checkID), false).guidance)
		})
		tasks, err := tasksOf(tx, like.AgentID)
		if err != nil {
			return err
		}
		fits := func(d Draft) bool { return !slices.Contains(tasks, d.Task) }
		if fitting := slices.DeleteFunc(slices.Clone(drafts), fits); len(fitting) > 0 {
			drafts = fitting
		}
		drafts = drafts[:min(among, len(drafts))]
		if n := len(drafts); n > 0 {
			first := source(checkID).IntN(n)
			drafts = slices.Concat(drafts[first:], drafts[:first])
		}
		return nil
	})
	return drafts, err
}

// tasksOf are the tasks of an agent's last cases.
func tasksOf(tx *db.Tx, agentID string) (tasks []string, err error) {
	return db.Column[string](tx, fmt.Sprintf("planted: tasks of %s", agentID),
		`SELECT DISTINCT task
			FROM (SELECT task FROM interaction WHERE agent_id = $1 AND planted = 0 ORDER BY created_at DESC, id DESC
				LIMIT $2) AS lately`,
		agentID, latelyDone)
}

// check is what place needs of a check.
type check struct {
	state, triggerID, interactionID, guidance string
}

func (s *Store) check(ctx context.Context, checkID string) (c check, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		// Where its case was taken out with a restore, there is nothing to do.
		_, err := db.One(tx, "planted: read a check", `SELECT state, trigger_id, interaction_id, guidance
			FROM planted_check WHERE id = $1`, checkID).
			Find(&c.state, &c.triggerID, &c.interactionID, &c.guidance)
		return err
	})
	return c, err
}
