package preference

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// NoChoice takes a user's choice back.
const NoChoice = "none"

// userOf is a user of an agent's as a judge of one pair: nobody can tell from it who that is, or what else they judged.
func userOf(pairID, user string) Person {
	return Person{ID: "user:" + hash(pairID+"\x00"+user), Name: "A user"}
}

// askedTx reads a pair that a user can be asked about: an agent's own, with its texts. agentID "" is for a signed link.
func askedTx(tx *db.Tx, pairID, agentID string) (*Pair, error) {
	p, err := getTx(tx, pairID)
	if err == nil && (p.Origin != API || p.State != Open || agentID != "" && p.AgentID != agentID) {
		err = fault.New(fault.NotFound, "There is no such pair, or it was withdrawn.")
	}
	return p, err
}

// Ask is a pair as a user is asked about it, blind as any judge, and what they chose: one of a judge's answers, or "".
// It goes before every link to a pair, and before every opening.
func (s *Store) Ask(ctx context.Context, pairID, agentID, user string) (t *Task, chose string, err error) {
	judge := userOf(pairID, user)
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		p, err := askedTx(tx, pairID, agentID)
		if err == nil {
			err = s.hooks.MayAsk(tx, *p)
		}
		if err != nil {
			return err
		}
		t = p.task(judge.ID)
		said, err := labelling.At(set, pairID, judge).Answers(tx)
		for _, a := range said {
			for _, c := range []string{ABetter, BBetter, Tie, BothBad} {
				if side, _ := sides(c, Order(pairID, judge.ID)); side == a.Label {
					chose = c
				}
			}
		}
		return err
	})
	return t, chose, err
}

// Choose stores what a user thinks of a pair, in place of what they said before: a judge's answer, of A and B as Ask
// gave them; first or second, as the agent sent them; or NoChoice.
func (s *Store) Choose(ctx context.Context, pairID, agentID, choice, user string) (*Pair, error) {
	judge := userOf(pairID, user)
	side, ok := map[string]string{"first": "left", "second": "right"}[choice]
	if !ok {
		side, ok = sides(choice, Order(pairID, judge.ID))
	}
	if !ok && choice != NoChoice || user == "" || len(user) > maxMaker {
		return nil, fault.Wrong("Choose one of the answers.", "choice", "Send a user, and first, second, tie or bad.")
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Pair, error) {
		p, err := askedTx(tx, pairID, agentID)
		if err == nil && choice != NoChoice {
			err = s.hooks.MayAsk(tx, *p)
		}
		if err != nil {
			return nil, err
		}
		at := labelling.At(set, pairID, judge)
		said, err := at.TakeBack(tx)
		if err == nil && len(said) > 0 {
			err = s.countTx(tx, p, said[len(said)-1].Label, -1)
		}
		if err == nil && ok {
			err = at.Answer(tx, &labelling.Answer{Label: side, Body: Order(pairID, judge.ID)})
		}
		if err == nil && ok {
			err = s.countTx(tx, p, side, 1)
		}
		if err == nil {
			err = audit.Note(tx, audit.System("feedback"), "preference.chosen", "preference_pair", pairID, nil)
		}
		if err != nil {
			return nil, err
		}
		return getTx(tx, pairID)
	})
}
