package app

import (
	"context"

	"preceptor/internal/erase"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/signal"
)

// eraser makes the erasure, once every part that has texts stands. What is in memory follows the tables after it.
func (a *App) eraser() *erase.Service {
	return erase.New(a.DB, erase.Parts{
		Interactions: a.Interactions, Reviews: a.Reviews, Comments: a.Comments, Verdicts: a.Compliance,
		Judging: a.Judging, Borderline: a.Borderline,
		Judges: a.Judges, Datasets: a.Datasets, Learning: a.Learning, Knowledge: a.Knowledge, Delivery: a.Delivery,
		Jobs: a.Jobs, Privacy: a.Privacy,
		Also: []erase.Also{
			{Place: "What agents remember, and insights", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				return a.Stream.EraseTx(tx, g.Interaction, g.Known)
			}},
			{Place: "Votes, outcomes and examples", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				n, shown, err := a.Feedback.EraseTx(tx, g.Interaction)
				if n, err = a.erasePrompts(tx, n, shown, err); err != nil {
					return n, err
				}
				more, err := a.Learning.EraseDislikeTx(tx, g.Interaction)
				return n + more, err
			}},
			{Place: "Pairs of answers", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				return a.Preferences.EraseTx(tx, g.Interaction, g.Known)
			}},
			{Place: "Links to people in experiments", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				n, err := a.Experiments.EraseTx(tx, g.Interaction)
				if err != nil {
					return n, err
				}
				more, err := a.Experiments.EraseUsersTx(tx, lists.Map(g.Known, reference))
				return n + more, err
			}},
			{Place: "Steps of an agent, and what was noticed in them",
				EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
					n, err := a.Signals.EraseGuidanceTx(tx, g.Interaction)
					if err != nil || len(g.Known) == 0 {
						return n, err
					}
					more, err := a.Signals.EraseKnownTx(tx, g.Known)
					return n + more, err
				}},
			{Place: "Practice consultations that quoted them", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				return a.Practice.EraseTx(tx, g.Known, g.Texts)
			}},
			{Place: "Questions that nothing answers", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				return a.Unanswered.EraseTx(tx, g.Interaction)
			}},
			{Place: "Private links to conversations", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				return a.Room.EraseTx(tx, g.Thread)
			}},
			{Place: "Import reports that quote rows or fields, of all data sets", Once: true,
				EraseTx: func(tx *db.Tx, _ erase.Gone) (int, error) { return a.Imports.EraseTx(tx) }},
			{Place: "Statistics", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
				if g.Interaction == "" {
					return 0, nil
				}
				return 0, a.Counter.CaseTx(tx, g.Interaction) // there is no text; a case that waited does so no more
			}},
		},
		Others: append(a.erasedUsers(), a.erasedTurns()...),
		After:  []func(context.Context) error{a.Search.Follow, a.dropErased},
	}, a.Log)
}

var userPlaces = map[string]string{feedback.UserObserved: "Reported interactions", feedback.UserVote: "Votes of a user",
	feedback.UserOutcome: "Outcomes of a user"}

// erasedUsers are the places of users whom an agent names by ids of its own.
func (a *App) erasedUsers() []erase.Other {
	return lists.Map(feedback.UserKinds, func(kind string) erase.Other {
		return erase.Other{Place: userPlaces[kind],
			Walk: func(ctx context.Context, after string, n int, give func(id, reference string)) (string, error) {
				return a.Feedback.WalkUsers(ctx, kind, after, n, give)
			},
			EraseTx: func(tx *db.Tx, id string) (int, error) { return a.eraseUser(tx, kind, id) }}
	})
}

func (a *App) eraseUser(tx *db.Tx, kind, id string) (int, error) {
	n, shown, err := a.Feedback.EraseOfUserTx(tx, kind, id)
	if err == nil && kind == feedback.UserObserved { // what an agent sent to be compared about it
		var pairs int
		pairs, err = a.Preferences.EraseTx(tx, id, nil)
		n += pairs
	}
	if err == nil && kind != feedback.UserOutcome {
		var lessons int
		lessons, err = a.Learning.EraseDislikeTx(tx, id)
		n += lessons
	}
	return a.erasePrompts(tx, n, shown, err)
}

// erasePrompts takes an erased exemplar out of the prompts that it stood in, and adds them to the count.
func (a *App) erasePrompts(tx *db.Tx, n int, shown []string, err error) (int, error) {
	if err != nil {
		return n, err
	}
	for _, id := range shown {
		more, err := a.Knowledge.ErasePromptTx(tx, id)
		if err != nil {
			return n, err
		}
		n += more
	}
	return n, nil
}

// erasedTurns are the places of users in what agents report of their work.
func (a *App) erasedTurns() []erase.Other {
	walk := func(turns bool) func(context.Context, string, int, func(id, reference string)) (string, error) {
		return func(ctx context.Context, after string, n int, give func(id, reference string)) (string, error) {
			return a.Signals.WalkUsers(ctx, turns, after, n, give)
		}
	}
	return []erase.Other{{Place: "Turns of agents", Walk: walk(true), EraseTx: a.eraseTurn},
		{Place: "What was noticed in turns", Walk: walk(false), EraseTx: a.Signals.EraseSignalTx}}
}

// heldTurns reads the legal holds in force, once for all turns that are asked about.
func (a *App) heldTurns(tx *db.Tx) (signal.Holds, error) {
	standing, err := a.Erase.StandingTx(tx)
	h := signal.Holds{Last: standing.Last}
	if err != nil || !standing.Any() {
		return h, err
	}
	h.On = func(tx *db.Tx, user, ref string) (bool, error) {
		all := []interaction.Subject{interaction.SubjectOf(interaction.ByReference, user)}
		if ref == "" || standing.On(all) {
			return standing.On(all), nil
		}
		in, err := a.Interactions.GetTx(tx, ref)
		if fault.Is(err, fault.NotFound) {
			return false, nil
		}
		return err == nil && standing.On(append(in.Subjects(), in.Sent()...)), err
	}
	return h, nil
}

// eraseTurn empties a turn, and cuts what links its user to experiments.
func (a *App) eraseTurn(tx *db.Tx, turnID string) (int, error) {
	user, err := a.Signals.UserTx(tx, turnID)
	if err != nil {
		return 0, err
	}
	if _, err := a.Experiments.EraseUsersTx(tx, []string{reference(user)}); err != nil {
		return 0, err
	}
	return a.Signals.EraseTurnTx(tx, turnID)
}
