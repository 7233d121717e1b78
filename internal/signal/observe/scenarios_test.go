package observe_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// seen is an observation as the tables write it: "action → reaction", with the context and the agent's own kind, if
// any.
func seen(t testing.TB, n int, line string, ctx map[string]any) observe.Observation {
	t.Helper()
	action, reaction, _ := strings.Cut(line, " → ")
	o, ok := observe.Observe(turn.Turn{ID: fmt.Sprintf("t%03d", n), Action: action, Reaction: reaction, Context: ctx,
		At: time.Unix(int64(n), 0)}, "")
	if !ok {
		t.Fatalf("%q is no observation", line)
	}
	return o
}

func allSeen(t testing.TB, ctx map[string]any, lines ...string) (out []observe.Observation) {
	for i, l := range lines {
		out = append(out, seen(t, i, l, ctx))
	}
	return out
}

// expected is a proposal but for its words.
type expected struct {
	category, scope string
	confidence      float64
	priority        int
}

var (
	corrected = map[string]any{observe.KindKey: observe.Failure}
	inHydra   = map[string]any{"project": "hydra", "file": "internal/auth.go"}
	hydra     = observe.Codebase{Project: "hydra", Patterns: []observe.ProjectPattern{
		{Name: "error_handling", Language: "go", Description: "Log errors before returning", Share: .95, Holds: 95,
			Of: 100},
		{Name: "testing", Language: "go", Description: "Use testify.Suite for tests", Share: 1, Holds: 12, Of: 12},
	}}
)

// TestScenarios are the seed's five scenarios, its eight examples of the four detectors, and two on negation. An
// example shows what one detector says, a scenario what all say together. The package comment lists where the seed
// contradicts itself.
func TestScenarios(t *testing.T) {
	all := []string{observe.Rule, observe.Correction, observe.Pattern, observe.Preference}
	for _, c := range []struct {
		name  string
		of    []string // categories that are looked at
		ctx   map[string]any
		base  observe.Codebase
		lines []string
		want  []expected
	}{
		{"scenario 1: success", all, nil, hydra, []string{
			"split proxy.go into 3 files → approved", "split cli.go into 2 files → approved",
			"split config.go into 4 files → approved",
			"wrote terse summary → approved", "wrote terse summary → approved", "wrote terse summary → approved",
			"wrote terse summary → approved",
		}, []expected{{observe.Rule, "universal", .4, 1}, {observe.Rule, "universal", .3, 1}}},
		{"scenario 2: failure", all, nil, hydra,
			[]string{"wrote verbose explanation → don't ramble", "wrote verbose explanation → stop, too long"},
			[]expected{{observe.Correction, "universal", .4, 2}}},
		{"scenario 3: project pattern", all, inHydra, hydra,
			[]string{"error_handling: ParseToken → ok", "error_handling: Refresh → next",
				"error_handling: Revoke → thanks"},
			[]expected{{observe.Pattern, "project:hydra", .6, 3}}},
		{"scenario 4: approach", all, nil, hydra, []string{"wrote test first → perfect, that's TDD"},
			[]expected{{observe.Preference, "universal", .9, 1}}},
		{"scenario 5: once and neutral", all, nil, hydra, []string{"did X once → ok, next"}, nil},

		{"success 1: splitting", []string{observe.Rule}, nil, hydra,
			[]string{"split proxy.go into 3 files → perfect", "split cli.go into 2 files → good",
				"planned split for config.go → exactly"}, []expected{{observe.Rule, "universal", .3, 1}}},
		{"success 2: summaries, one too long", []string{observe.Rule}, nil, hydra,
			[]string{"summary: 3 sentences → good", "summary: 2 sentences → perfect", "summary: 4 sentences → too long",
				"summary: 2 sentences → exactly"}, []expected{{observe.Rule, "universal", .4, 1}}},
		{"failure 1: verbose", all, corrected, hydra,
			[]string{"wrote 500-word explanation → keep it short", "wrote detailed steps → terse output"},
			[]expected{{observe.Correction, "universal", .4, 2}}},
		{"failure 2: large files", all, corrected, hydra,
			[]string{"wrote 350-line file → never exceed 200 lines", "wrote 280-line file → split this first"},
			[]expected{{observe.Correction, "universal", .4, 2}}},
		{"project 1: by meaning", all, inHydra, hydra,
			[]string{"logged the error before returning in ParseToken → ok", "added error log before return → next",
				"log errors before returning → fine"},
			[]expected{{observe.Pattern, "project:hydra", .6, 3}}},
		{"project 2: followed twice", all, inHydra, hydra,
			[]string{"testing: suite for auth → ok", "testing: suite for tokens → ok"},
			[]expected{{observe.Pattern, "project:hydra", .4, 3}}},
		{"project 2: followed once", all, inHydra, hydra, []string{"testing: suite for auth → ok"}, nil},
		{"project 2: followed three times", all, inHydra, hydra,
			[]string{"testing: suite for auth → ok", "testing: suite for tokens → ok", "testing: suite for keys → ok"},
			[]expected{{observe.Pattern, "project:hydra", .6, 3}}},
		{"approach 1: tests", []string{observe.Preference}, nil, hydra,
			[]string{"wrote test first → 'perfect, that's TDD'"}, []expected{{observe.Preference, "universal", .9, 1}}},
		{"approach 2: planning", []string{observe.Preference}, nil, hydra,
			[]string{"created plan doc before coding → exactly what I wanted"},
			[]expected{{observe.Preference, "universal", .9, 1}}},

		{"negation 1: what is denied approves nothing", all, nil, hydra,
			[]string{"joined the tables on the name → incorrect", "joined the tables on the name → not good",
				"joined the tables on the name → that isn't exactly correct"},
			[]expected{{observe.Correction, "universal", .6, 2}}},
		{"negation 2: not bad", all, map[string]any{"language": "Go"}, hydra,
			[]string{"ran the linter → not bad", "ran the linter → nothing wrong with that",
				"ran the linter → not only good, it found a bug"}, []expected{{observe.Rule, "language:go", .3, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := observe.Detect(t.Context(), embedded.New(), allSeen(t, c.ctx, c.lines...), c.base)
			if err != nil {
				t.Fatal(err)
			}
			ranked, tokens := observe.Rank(found, observe.Most, observe.Budget)
			if tokens > observe.Budget {
				t.Errorf("%d tokens", tokens)
			}
			var got []observe.Proposal
			for _, p := range ranked {
				for _, category := range c.of {
					if p.Category == category {
						got = append(got, p)
					}
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("%d proposals, want %d: %+v", len(got), len(c.want), got)
			}
			for i, p := range got {
				w := c.want[i]
				if p.Category != w.category || p.Scope != w.scope || math.Abs(p.Confidence-w.confidence) > 1e-9 ||
					p.Priority != w.priority {
					t.Errorf("%+v, want %+v", p, w)
				}
				if len(p.Evidence) == 0 || len(p.Evidence) > 3 || len(p.Observations) == 0 {
					t.Errorf("rests on %q, %v", p.Evidence, p.Observations)
				}
				refined, by := observe.Refine(t.Context(), llmtest.New(map[string]string{"rule": "Do it so"}), p)
				if refined.Content != "Do it so" || refined.ID != p.ID || by != "scripted (refine.v1)" {
					t.Errorf("refined to %q by %s", refined.Content, by)
				}
			}
		})
	}
}
