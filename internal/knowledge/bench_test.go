package knowledge_test

import (
	"fmt"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

var topics = []string{"an annuity for life", "final salary transfer", "tax on the whole pot",
	"divorce and pension sharing", "debt and creditors", "a pension scam",
	"State Pension deferral", "moving abroad", "care home costs", "ill health before 55", "combining small pots",
	"drawdown and investment risk"}

func benchmarkRecall(b *testing.B, cases, rules int) {
	s := setUp(b, knowledge.Options{})
	for from := 0; from < cases; from += 500 {
		s.write(func(tx *db.Tx) error {
			for i := from; i < min(from+500, cases); i++ {
				topic := topics[i%len(topics)]
				c := knowledge.Case{Source: knowledge.FromReview,
					CaseText: text("About "+topic, fmt.Sprintf("Customer %d asks about %s", i, topic),
						fmt.Sprintf(
							"Some people in situation %d consider %s. There are risks, and free guidance helps.", i,
							topic))}
				if _, err := s.AddCaseTx(tx, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for i := range rules {
		s.addRule(knowledge.Rule{Status: knowledge.Active, Domain: knowledge.Domains[i%4],
			RuleText: principle(fmt.Sprintf("When the customer asks about %s, mention point %d because it matters",
				topics[i%len(topics)], i))})
	}
	q := knowledge.Query{Text: "can i cash in the lot and what will the taxman take",
		Situation: pack.Situation{HasDC: true, Age: 58}}
	b.ResetTimer()
	for b.Loop() {
		if _, err := s.Recall(ctx, q); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecall1k(b *testing.B)  { benchmarkRecall(b, 1_000, 50) }
func BenchmarkRecall10k(b *testing.B) { benchmarkRecall(b, 10_000, 200) }
