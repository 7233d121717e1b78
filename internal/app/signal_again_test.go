package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal"
)

// Who asks once more for what the agent was given has asked again, in whatever words and wherever it is said, and it is
// no learning of its own. What asks for something else isn't counted.
func TestAskedAgainInOtherWords(t *testing.T) {
	s, n := apptest.Open(t), 0
	const opposite = "Always use bullet points in reports"
	const bullets, headings = "Never use bullet points in reports", "Always add headings to long reports"
	for _, c := range []struct {
		said string
		of   string // the one that it asks for again; "" for none
	}{
		{bullets, bullets}, {bullets + "!", bullets}, {"You used bullet points again", bullets},
		{"no bullet points!", bullets}, {"No bullet points, please.", bullets},
		{"I asked you never to use bullet points", bullets}, {"I told you: never use bullet points in reports", bullets},
		{"You left out the headings again", headings}, {"Where are the headings?", headings},
		{opposite, ""}, {"Never use emojis in reports", ""}, {"Thanks, that was fast", ""},
		{"Where are the reports?", ""}, {"The bullet points look nice", ""}, {"What is a bullet point?", ""},
	} {
		for _, where := range []string{"query", "reaction"} {
			n++
			name := fmt.Sprint("writer", n)
			agent := maker(t, s, name)
			agentSet(t, s, name, signal.Settings{Learn: signal.LearnKeep})
			end := func() { // at once, before anything was looked for in the turns
				agent.JSON(t, http.MethodPost, "/api/sessions/end", `{"session_id":"s","user_id":"ann"}`)
				s.Drain(t)
			}
			for _, wish := range []string{bullets, headings} {
				recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":%q}`, wish))
			}
			end()
			recalled(t, agent, "Write the report", `,"user_id":"ann"`)
			if where == "query" {
				recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":%q,"response":"Done."}`, c.said))
			} else {
				recorded(t, agent, fmt.Sprintf(`{"session_id":"s","user_id":"ann","query":"Write the report on sales",
					"response":"Sales rose.","action":"wrote the report","reaction":%q}`, c.said))
			}
			end()
			got := read[struct{ Items []inUse }](t, agent.Get(t, "/api/learnings")).Items
			for _, wish := range []string{bullets, headings} {
				i := slices.IndexFunc(got, func(l inUse) bool { return l.Content == wish })
				if i < 0 {
					if c.said != opposite {
						t.Errorf("%s %q: %q is gone: %+v", where, c.said, wish, got)
					}
					continue
				}
				e, again := got[i].Effect, 0
				if wish == c.of {
					again = 1
				}
				if e.Shown != 1 || e.Again != again || e.Followed != 1-again {
					t.Errorf("%s %q: %q has %+v", where, c.said, wish, e)
				}
			}
			if c.of != "" && len(got) != 2 {
				t.Errorf("%s %q is a learning of its own: %+v", where, c.said, got)
			}
		}
	}
}

type inUse struct {
	Content string
	Effect  struct {
		Shown, Followed int
		Again           int `json:"corrected_again"`
	}
}

// The same words of three users are one proposal; the others say where it is, and rejecting it is enough.
func TestOneProposalStandsForAll(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	id := agentSet(t, s, "coder", signal.Settings{Learn: signal.LearnPropose})
	says := func(user, wish string) {
		recorded(t, c, fmt.Sprintf(`{"session_id":%q,"user_id":%q,"query":%q}`, user, user, wish))
		c.JSON(t, http.MethodPost, "/api/sessions/end", fmt.Sprintf(`{"session_id":%q,"user_id":%q}`, user, user))
		s.Drain(t)
	}
	for _, user := range []string{"ann", "ben", "cat"} {
		says(user, "Always sign your commits with GPG")
	}
	says("dan", "Always sign the commits with GPG keys")
	says("eve", "Always use emojis")
	says("eve", "Always write tests first.")
	sessions, open, _, err := s.Signals.Sessions(t.Context(), signal.Filter{AgentID: id})
	if err != nil {
		t.Fatal(err)
	}
	expert, forms, total, sum := s.SignedIn(t, account.Expert), 0, 0, ""
	for _, one := range sessions {
		total += open[one.ID]
		page := expert.Get(t, "/learning/sessions/"+one.ID).Body
		if strings.Contains(page, "Which of these holds?") {
			t.Errorf("%s: two that go together are rivals", one.User)
		}
		if strings.Contains(page, `value="Always sign your commits with GPG"`) {
			forms++
		}
		if one.User == "dan" && strings.Count(page, `name="with"`) > 1 {
			t.Errorf("what is said by three is listed %d times", strings.Count(page, `name="with"`))
		}
		all, err := s.Signals.Summary(t.Context(), one.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range all.Proposals() {
			if len(g.Sums()) > 0 {
				sum = g.ID
			}
		}
	}
	if n, err := s.Signals.Waiting(t.Context()); err != nil || n != 4 || total != 4 || forms != 1 {
		t.Errorf("%d wait, %d by session, %d forms, %v", n, total, forms, err)
	}
	if err := s.Signals.Reject(t.Context(), sum, eva); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Signals.Waiting(t.Context()); err != nil || n != 3 {
		t.Errorf("after it was rejected %d wait, %v", n, err)
	}
}

var eva = knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}}

// Of two that say the opposite, approved one right after the other, the second is refused with the reason. What was
// approved of a session's detectors is in the file.
func TestApprovedAtOnceAndInTheFile(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	agentSet(t, s, "coder", signal.Settings{Learn: signal.LearnPropose})
	file := func(id, rule, category string) string {
		got := read[summary](t, c.JSON(t, http.MethodPost, "/api/observations", fmt.Sprintf(
			`{"file":{"session_id":%q,"observations":[],"proposals":[{"id":"agent-1","cat":%q,"scope":"universal","rule":%q,
				"evidence":["x"],"conf":0.9,"pri":1}]}}`, id, category, rule)))
		return got.Proposals[0].ID
	}
	always := file("1", "Always cite the source table", "rule")
	never := file("2", "Never cite the source table", "preference")
	if _, err := s.Signals.Approve(t.Context(), always, signal.Edit{}, eva); err != nil {
		t.Fatal(err)
	}
	_, err := s.Signals.Approve(t.Context(), never, signal.Edit{}, eva)
	if fields := fault.Fields(err); len(fields) != 1 || !strings.Contains(fields[0].Msg, "being accepted") {
		t.Errorf("%v %v", err, fields)
	}
	s.Drain(t)
	_, err = s.Signals.Approve(t.Context(), never, signal.Edit{}, eva)
	if fields := fault.Fields(err); len(fields) != 1 || !strings.Contains(fields[0].Msg, "says the opposite") {
		t.Errorf("%v %v", err, fields)
	}
	if got := c.Get(t, "/api/learnings.md").Body; !strings.Contains(got, "## Successful Patterns\n\n- [") ||
		!strings.Contains(got, "] Always cite the source table\n") || strings.Contains(got, "Never") {
		t.Errorf("%s", got)
	}
}
