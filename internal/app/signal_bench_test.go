package app_test

import (
	"fmt"
	"testing"

	"preceptor/internal/app/apptest"
	"preceptor/internal/signal/turn"
)

// One turn with an action, a reaction and a step of SQL, recorded: acceptance asks for 200 a second on two cores.
func BenchmarkRecordTurn(b *testing.B) {
	s := apptest.Open(b)
	b.ResetTimer()
	for i := range b.N {
		_, err := s.Signals.Record(b.Context(),
			turn.Turn{AgentID: "a1", Agent: "spatial", Session: fmt.Sprint("s", i/50), User: "u1",
				Query:    "Which sites are near the pumping station, and who owns them?",
				Action:   fmt.Sprintf("split file%d.go into 3 files", i),
				Reaction: "perfect", Context: map[string]any{"file": "a.go"},
				Steps: []turn.Step{{Tool: "sql_db_query", Input: []byte(fmt.Sprintf(`{"query":%q}`, wrongSQL))}}})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
