package browsertest

import (
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/views/admin"
)

// erasures is the page of erasures after a look, with one of each state on record and a hold that stands and one that
// does not.
func erasures(w Words) admin.ErasureView {
	by := audit.Actor{Kind: audit.Person, ID: "a", Name: w.Name}
	counts := []erase.Count{{Place: "Questions, answers and customers", N: 6}, {Place: "Comments", N: 2}}
	return admin.ErasureView{
		Side: officeSide, How: interaction.ByName, Subject: w.Name, Why: w.Reason,
		Preview: &erase.Preview{People: 2, Counts: counts, Interactions: []erase.Match{
			{ID: "i1", Agent: w.Agent, Task: "db_transfer", Status: interaction.Released,
				CreatedAt: w.Now.AddDate(0, -1, 0)},
			{ID: "i2", Agent: w.Agent, Task: "scams", Status: interaction.Waiting, CreatedAt: w.Now}}},
		Past: []erase.Record{
			{ID: "e3", State: erase.Running, Why: w.Reason, Interactions: 3, Counts: counts, By: by, StartedAt: w.Now},
			{ID: "e2", State: erase.Stopped, Why: w.Reason, Problem: w.Reason, By: by, StartedAt: w.Now},
			{ID: "e1", State: erase.Done, Why: w.Reason, Interactions: 12, Counts: counts, By: by, StartedAt: w.Now,
				EndedAt: w.Now}},
		Holds: []erase.Hold{
			{ID: "h1", How: interaction.ByReference, Subject: w.Name, Reason: w.Reason, By: by, At: w.Now},
			{ID: "h2", How: interaction.ByName, Reason: w.Reason, By: by, At: w.Now, ReleasedAt: w.Now, ReleasedBy: by,
				ReleasedWhy: w.Reason}},
	}
}
