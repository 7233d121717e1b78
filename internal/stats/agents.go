package stats

import (
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// called are the names that agents have and had. A row keeps the name that it was written with, and is counted under
// it; a name is never another agent's later (account.RenameAgent), so what one agent did under any of them is read
// together, under the name of now.
type called struct {
	now   map[string]string   // by a name in lower case
	names map[string][]string // as they were spelt, by the name of now
}

func readCalled(tx *db.Tx) (called, error) {
	c := called{map[string]string{}, map[string][]string{}}
	err := db.Each(tx, "stats: names of agents", func(row db.Row) error {
		var key, name, now string
		err := row.Scan(&key, &name, &now)
		c.now[key], c.names[now] = now, append(c.names[now], name)
		return err
	}, `SELECT name_key, name, name AS now FROM agent
		UNION ALL SELECT f.name_key, f.name, a.name FROM agent_former f JOIN agent a ON a.id = f.agent_id`)
	return c, err
}

// of is what the agent of a name is called now; a name of no agent here is its own.
func (c called) of(name string) string {
	if now := c.now[strings.ToLower(name)]; now != "" {
		return now
	}
	return name
}

// only narrows a scope to the sets of one agent, under whatever name.
func (s *scope) only(tx *db.Tx, agent string) error {
	all, err := s.names(tx, byAgent, counter.AnyAgents...)
	agent = s.called.of(agent)
	s.agents = []string{counter.One(agent)}
	for _, name := range s.called.names[agent] {
		s.agents = append(s.agents, counter.One(name))
	}
	for _, set := range all {
		if s.called.of(counter.Name(set)) == agent {
			s.agents = append(s.agents, set)
		}
	}
	slices.Sort(s.agents)
	s.agents = slices.Compact(s.agents)
	return err
}

// agentNames are the names that rows of the scope's agent have; none when it is all agents.
func (s scope) agentNames() (out []string) {
	if s.agents[0] == counter.All {
		return nil
	}
	for _, set := range s.agents {
		out = append(out, counter.Name(set))
	}
	return out
}
