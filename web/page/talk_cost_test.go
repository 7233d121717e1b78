package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// The desk costs as many statements whether fifty drafts are of fifty conversations or of one.
func TestALongConversationCostsNoMore(t *testing.T) {
	const drafts = 50
	var cost [2]map[string]uint64
	for i, one := range []bool{false, true} {
		site := apptest.Open(t)
		ann := site.SignedIn(t, account.Supervisor)
		var ids []string
		for n := range drafts {
			c := dcCustomer()
			if c.Thread = "talk"; !one {
				c.Thread = fmt.Sprint("talk-", n)
			}
			ids = append(ids, bring(t, site, fmt.Sprint("You can usually take a quarter. ", n), c))
		}
		last := ids[drafts-1]
		form := seen(t, show(t, ann, last, ""), `form[action$="/approve"]`)
		if in, err := site.Interactions.Get(t.Context(), last); err != nil || (in.Consultation.Thread == "talk") != one {
			t.Fatal(err)
		}
		cost[i] = map[string]uint64{}
		for _, step := range []struct {
			name string
			do   func() apptest.Response
			want int
		}{
			{"queue", func() apptest.Response { return ann.Get(t, "/reviews") }, http.StatusOK},
			{"review", func() apptest.Response { return ann.Get(t, "/reviews/"+last) }, http.StatusOK},
			{"approve", func() apptest.Response { return ann.Post(t, "/reviews/"+last+"/approve", form) },
				http.StatusSeeOther},
			{"next", func() apptest.Response { return ann.Post(t, "/reviews/next", nil) }, http.StatusSeeOther},
		} {
			before := site.DB.Statements()
			if r := step.do(); r.Status != step.want {
				t.Fatalf("%s: %d %.200s", step.name, r.Status, r.Body)
			}
			cost[i][step.name] = uint64(site.DB.Statements() - before)
		}
	}
	t.Log(cost)
	for name, apart := range cost[0] {
		if together := cost[1][name]; together > apart+10 { // one for each draft would be 49 more
			t.Errorf("%s: %d statements with one conversation, %d with fifty", name, together, apart)
		}
	}
}
