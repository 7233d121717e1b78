package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// What is not there is said to be not there, at once and not after a redirect.
func TestAddressesOfACaseThatIsNotThere(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for _, act := range []string{"approve", "revise", "reject", "skip", "check"} {
		if r := ann.Get(t, "/reviews/01900000-0000-7000-8000-000000000000/"+act); r.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d", act, r.Status)
		}
	}
	for _, act := range []string{"unclaim", "claim", "renew"} {
		if r := ann.Post(t, "/reviews/01900000-0000-7000-8000-000000000000/"+act,
			nil); r.Status != http.StatusNotFound {
			t.Errorf("POST %s: %d", act, r.Status)
		}
	}
	id := bring(t, site, passing, dcCustomer())
	if r := ann.Get(t, "/reviews/"+id+"/approve"); r.Status != http.StatusSeeOther {
		t.Errorf("of one that is there: %d", r.Status)
	}
}
