package observe

import (
	"cmp"
	"encoding/json"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/turn"
)

// ScannedTx keeps what preceptor scan wrote about a project of an agent's, and gives the project's name; what was kept
// before goes.
func ScannedTx(tx *db.Tx, agentID string, raw []byte) (project string, err error) {
	var base Codebase
	if err := json.Unmarshal(raw, &base); err != nil || base.Project == "" {
		return "", fault.Wrong("This analysis can't be used.", "/codebase",
			"Send what preceptor scan --json wrote, with the project's name.")
	}
	kept, err := json.Marshal(base)
	if err != nil {
		return "", err
	}
	return base.Project, db.Exec(tx, "observe: keep a code base", `INSERT INTO codebase (agent_id, project, patterns, updated_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (agent_id, project) DO UPDATE SET patterns = excluded.patterns,
			updated_at = excluded.updated_at`, agentID, base.Project, string(kept), tx.NowMs())
}

// CodebasesTx are the code bases that observations speak of, the most spoken of first. Those that name no project speak
// of the one with whose analysis their session ended.
func CodebasesTx(tx *db.Tx, agentID, ended string, list []Observation) (out []Codebase, err error) {
	times := map[string]int{}
	for _, o := range list {
		if p := cmp.Or(turn.Project(o.Context), ended); p != "" {
			times[p]++
		}
	}
	for project := range times {
		var base Codebase
		found, err := db.One(tx, "observe: read a code base", `SELECT patterns FROM codebase
			WHERE agent_id = $1 AND project = $2`, agentID, project).Find(db.JSON(&base))
		if err != nil {
			return nil, err
		}
		if found {
			out = append(out, base)
		}
	}
	slices.SortFunc(out, func(a, b Codebase) int { return times[b.Project] - times[a.Project] })
	return out, nil
}
