package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"preceptor/internal/app/apptest"
	"preceptor/internal/signal"
)

// Who asks once more for what the agent was given has asked again, in whatever words and wherever it is said, and it is
// no learning of its own. What asks for something else isn't counted.
func TestAskedAgainInOtherWords(t *testing.T) {
	const bullets, headings = "Never use bullet points in reports", "Always add headings to long reports"
	for _, c := range []struct {
		said string
		of   string // the one that it asks for again; "" for none
	}{
		{bullets, bullets}, {bullets + "!", bullets}, {"You used bullet points again", bullets},
		{"no bullet points!", bullets}, {"No bullet points, please.", bullets},
		{"I asked you never to use bullet points", bullets}, {"I told you: never use bullet points in reports", bullets},
		{"You left out the headings again", headings}, {"Where are the headings?", headings},
		{"Always use bullet points in reports", ""}, {"Never use emojis in reports", ""}, {"Thanks, that was fast", ""},
		{"Where are the reports?", ""}, {"The bullet points look nice", ""}, {"What is a bullet point?", ""},
	} {
		for _, where := range []string{"query", "reaction"} {
			s := apptest.Open(t)
			agent := maker(t, s, "writer")
			agentSet(t, s, "writer", signal.Settings{Learn: signal.LearnKeep})
			end := func() { // at once, before anything was looked for in the turns
				agent.JSON(t, http.MethodPost, "/api/sessions/end", `{"session_id":"s","user_id":"ann"}`)
				s.Drain(t)
			}
			recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":%q}`, bullets))
			recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":%q}`, headings))
			end()
			recalled(t, agent, "Write the report", `,"user_id":"ann"`)
			if where == "query" {
				recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":%q,"response":"Done."}`, c.said))
			} else {
				recorded(t, agent, fmt.Sprintf(
					`{"session_id":"s","user_id":"ann","query":"Write the report on sales","response":"Sales rose.","action":"wrote the report","reaction":%q}`,
					c.said))
			}
			end()
			got := read[struct {
				Items []struct {
					Content, State string
					Effect         *struct {
						Shown, Followed int
						Again           int `json:"corrected_again"`
					}
				}
			}](t, agent.Get(t, "/api/learnings")).Items
			for _, wish := range []string{bullets, headings} {
				i := slices.IndexFunc(got, func(l struct {
					Content, State string
					Effect         *struct {
						Shown, Followed int
						Again           int `json:"corrected_again"`
					}
				}) bool {
					return l.Content == wish
				})
				if i < 0 || got[i].Effect == nil {
					if c.said != "Always use bullet points in reports" {
						t.Errorf("%s %q: %q is gone: %+v", where, c.said, wish, got)
					}
					continue
				}
				e, again := got[i].Effect, 0
				if wish == c.of {
					again = 1
				}
				if e.Shown != 1 || e.Again != again || e.Followed != 1-again {
					t.Errorf("%s %q: %q has %+v", where, c.said, wish, *e)
				}
			}
			if c.of != "" && len(got) != 2 {
				t.Errorf("%s %q is a learning of its own: %+v", where, c.said, got)
			}
		}
	}
}
