package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// foreign are words of the pension pack, which a desk without an agent of it shows nobody.
var foreign = regexp.MustCompile(
	`(?i)\w*pension\w*|annuit\w*|drawdown|money ?helper|\bfca\b|(?-i:\bDB\b|\bDC\b)|\bsipp\w*|tax[- ]free|retirement|final salary|defined benefit|regulated (?:financial )?advi\w+|targeted[- ]support|lost guarantee|human advi\w+|table of facts`)

var helpdeskDocuments = map[string]string{
	"printing.md": "# Printing\n\n## The printer isn't found\n\nOpen Settings, then Printers and scanners, and " +
		"choose Add device. The office printers are named after their floor. If nothing appears, restart the print " +
		"spooler service.\n\n## Paper jams\n\nOpen the side door of the printer and pull the paper out in the " +
		"direction of the arrows.\n",
	"vpn.md": "# VPN\n\n## Connecting from home\n\nStart the VPN client and sign in with your work address. " +
		"Approve the request on your phone within a minute. A new phone has to be registered first, which the " +
		"helpdesk does.\n",
}

// helpdesk is a desk whose only agent is an IT helpdesk, with work in every state.
type helpdesk struct {
	*apptest.Site
	sam, edie, boss *apptest.Client
	robot           *apptest.Client
	agent           account.Agent
}

func openHelpdesk(t *testing.T) *helpdesk {
	t.Helper()
	h := &helpdesk{Site: apptest.Open(t)}
	h.sam, h.edie = h.SignedIn(t, account.Supervisor), h.SignedIn(t, account.Expert)
	h.boss = h.SignedIn(t, account.Supervisor, account.Expert, account.Manager, account.Admin)
	plain, token, err := h.Accounts.CreateToken(t.Context(), "it-helpdesk", "", account.Scopes, time.Time{},
		audit.System("test"))
	if err != nil || token.Pack != pack.GeneralName {
		t.Fatalf("a new agent has pack %q, %v", token.Pack, err)
	}
	if h.agent, err = h.Accounts.AgentByName(t.Context(), "it-helpdesk"); err != nil {
		t.Fatal(err)
	}
	h.robot = h.Nobody(t)
	h.robot.Header.Set("Authorization", "Bearer "+plain)
	dir := t.TempDir()
	for name, text := range helpdeskDocuments {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Knowledge.Import(t.Context(), os.DirFS(dir),
		knowledge.ImportOptions{Source: dir, AgentID: h.agent.ID, Pack: h.agent.Pack,
			By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	return h
}

// call sends JSON to the API, holds the answer free of foreign words and returns it.
func (h *helpdesk) call(t *testing.T, method, path, body string) (out map[string]any) {
	t.Helper()
	r := h.robot.JSON(t, method, path, body)
	if r.Status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, r.Status, r.Body)
	}
	h.clean(t, method+" "+path, r.Body)
	if err := json.Unmarshal([]byte(r.Body), &out); err != nil {
		t.Fatalf("%s: %v in %.200s", path, err, r.Body)
	}
	return out
}

func (h *helpdesk) clean(t *testing.T, where, text string) {
	t.Helper()
	for _, m := range foreign.FindAllStringIndex(text, 5) {
		t.Errorf("%s says %q: …%s…", where, text[m[0]:m[1]],
			strings.Join(strings.Fields(text[max(0, m[0]-60):min(len(text), m[1]+60)]), " "))
	}
}

// draft has our own advisor answer, and returns what waits for review.
func (h *helpdesk) draft(t *testing.T, question string) *interaction.Interaction {
	t.Helper()
	got := h.call(t, http.MethodPost, "/api/advise",
		fmt.Sprintf(`{"consultation":{"question":%q,"customer":{"os":"Windows 11","floor":3}}}`, question))
	h.Drain(t)
	in, err := h.Interactions.Get(t.Context(), got["id"].(string))
	if err != nil || in.Status != interaction.Waiting || in.Consultation.Pack != pack.GeneralName {
		t.Fatalf("asked %q: %+v, %v", question, in, err)
	}
	h.clean(t, "the draft", in.Guidance+in.Reasoning)
	return in
}

// work fills the desk: drafts of the agent's own and of our advisor's, each kind of decision, a rule, what customers
// said.
func (h *helpdesk) work(t *testing.T) {
	t.Helper()
	submit := func(question, text string) string {
		got := h.call(t, http.MethodPost, "/api/guidance",
			fmt.Sprintf(
				`{"agent":"it-helpdesk","consultation":{"question":%q,"task_type":"printing","customer":{"os":"Windows 11","name":"Priya Shah"}},"guidance":%q}`, question, text))
		return got["id"].(string)
	}
	recommended := submit("Which laptop should I order?",
		"You should order the X1. I recommend it for your team, and you should transfer your files before Friday.")
	item, err := h.Reviews.Get(t.Context(), recommended)
	if err != nil || item.Assessment.Blocked {
		t.Fatalf("a recommendation of the helpdesk's: %+v, %v", item, err)
	}
	reasons := show(t, h.sam, recommended, "?mode=reject")
	offered := "#decide input[value=promise][data-key='2'], #decide input[value=other][data-key='0']"
	if reasons.Find(offered).Length() != 2 {
		t.Error("a helpdesk isn't offered the reasons that any firm has, each with a digit")
	}
	hasNot(t, reasons, "#decide input[value=personal_recommendation]")
	decide(t, h.Site, recommended, h.sam.Account, review.Input{Kind: review.Approve})
	own := h.draft(t, "My laptop doesn't find the printer. What do I do?")
	st := rule.Statement{When: []rule.Condition{
		{Kind: rule.Field, Name: "os", Op: rule.Is, Values: []string{"Windows 11"}},
		{Kind: rule.Mentions, Values: []string{"printer"}}},
		Do:      rule.Act{Kind: rule.Include, Text: "Restart the laptop once after adding the printer."},
		Because: "the driver loads at start"}
	decide(t, h.Site, own.ID, h.sam.Account,
		review.Input{Kind: review.Revise, Text: own.Guidance + "\n\nRestart the laptop once after adding the printer.",
			Reason: "The driver loads at start.", Statements: []rule.Statement{st}})
	decide(t, h.Site, submit("Can I have admin rights?", "Yes."), h.sam.Account,
		review.Input{Kind: review.Reject, ReasonCode: "against_policy", Reason: "Nobody gets them."})
	decide(t, h.Site, submit("How do I clear a paper jam?", "Pull the paper."), h.sam.Account,
		review.Input{Kind: review.Return, Reason: "Say which door to open."})
	submit("My screen is black.", "Press the power button for ten seconds.")
	h.Clock.Advance(time.Hour)
	h.Drain(t)
	h.accept(t)
	later := h.draft(t, "The printer on my floor is not found")
	if !strings.Contains(later.Guidance, st.Do.Text) {
		t.Errorf("the rule has no effect on %q", later.Guidance)
	}
	h.call(t, http.MethodPost, "/api/recall", `{"query":"printer not found","customer":{"os":"Windows 11"}}`)
	h.call(t, http.MethodPost, "/api/check",
		`{"question":"Which one?","guidance":"You should buy the X1, it is guaranteed to be the best."}`)
	h.call(t, http.MethodGet, "/api/guidance/"+recommended, "")
	h.call(t, http.MethodPost, "/api/feedback/outcomes",
		fmt.Sprintf(`{"interaction_id":%q,"satisfaction":8,"comprehension":9,"goal_alignment":8}`, recommended))
	h.call(t, http.MethodGet, "/api/feedback/stats/it-helpdesk", "")
}

// accept accepts every lesson that waits for an expert.
func (h *helpdesk) accept(t *testing.T) {
	t.Helper()
	list, err := h.Learning.List(t.Context(), learning.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for _, l := range list.Items {
		if l.State == learning.Waiting && l.Stage == learning.StageAccept {
			if _, err := h.Learning.Accept(t.Context(), l.ID, nil, l.Version,
				knowledge.Person{ID: h.edie.Account.ID, Name: h.edie.Account.Name,
					Roles: []string{"expert"}}); err != nil {
				t.Fatal(err)
			}
			accepted++
		}
	}
	if accepted == 0 {
		t.Fatalf("no lesson waits for an expert: %+v", list.Items)
	}
	h.Drain(t)
}

// ask asks on the page, which offers the desk's one agent and fields for any facts.
func (h *helpdesk) ask(t *testing.T) {
	t.Helper()
	form := url.Values{"agent": {"it-helpdesk"}, "question": {"Paper is stuck in the printer"},
		"facts": {"os Windows 11"}}
	has(t, page(t, h.boss.Post(t, "/ask", form), http.StatusUnprocessableEntity), "#facts-error", "a colon")
	form.Set("facts", "OS: Windows 11\nHome office: yes\n")
	r := h.boss.Post(t, "/ask", form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("asked: %d %.300s", r.Status, r.Body)
	}
	in, err := h.Interactions.Get(t.Context(), strings.TrimPrefix(r.Header.Get("Location"), "/ask/"))
	if err != nil || in.AgentID != h.agent.ID || in.Consultation.Customer.Extra["os"] != "Windows 11" ||
		in.Consultation.Customer.Extra["home_office"] != "yes" {
		t.Errorf("asked %+v, %v", in, err)
	}
	h.Drain(t)
}

// elsewhere are pages that speak of every pack, and why.
var elsewhere = []string{
	"/help", "/api/docs", "/api/openapi", // help for every domain
}

// TestHelpdeskSeesItsOwnDomain walks every page of a desk whose only agent is an IT helpdesk, and reads what its agent
// is answered: no word of another domain, but where packs are offered to choose from.
func TestHelpdeskSeesItsOwnDomain(t *testing.T) {
	h := openHelpdesk(t)
	h.work(t)
	h.boss = h.Enter(t, h.boss.Account) // the session was idle meanwhile
	h.ask(t)
	queue, seen, read := []string{"/"}, map[string]bool{"/": true}, 0
	kinds := map[string]int{}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		r := h.boss.Get(t, path)
		if r.Status >= 300 && r.Status < 400 {
			if to := r.Header.Get("Location"); !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
			continue
		}
		if r.Status != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			if r.Status >= 400 {
				t.Errorf("%s: %d", path, r.Status)
			}
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "image/") {
				// any letters stand in the bytes of a picture
				h.clean(t, path, r.Body)
			}
			continue
		}
		read++
		doc := page(t, r, http.StatusOK)
		for _, link := range linksOf(doc) {
			if kind := kindOfPage(link); !seen[link] && kinds[kind] < 3 &&
				!slices.ContainsFunc(elsewhere, func(p string) bool { return strings.HasPrefix(link, p) }) {
				seen[link] = true
				kinds[kind]++
				queue = append(queue, link)
			}
		}
		doc.Find(`select[name=pack], select[name=owner], script, style`).Remove()
		body, err := doc.Html()
		if err != nil {
			t.Fatal(err)
		}
		h.clean(t, path, body)
	}
	if read < 60 {
		t.Errorf("only %d pages were read", read)
	}
}

func linksOf(doc *goquery.Document) (links []string) {
	doc.Find("a[href], [hx-get]").Each(func(_ int, s *goquery.Selection) {
		for _, name := range []string{"href", "hx-get"} {
			link, _, _ := strings.Cut(s.AttrOr(name, ""), "#")
			if strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "/static") &&
				!strings.HasPrefix(link, "/events") {
				links = append(links, link)
			}
		}
	})
	return links
}

var oneID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{20,}|/\d+`)

// kindOfPage is what pages that differ by an id or a filter have in common.
func kindOfPage(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	kind := oneID.ReplaceAllString(u.Path, "/ID")
	for _, name := range []string{"mode", "state", "kind", "tab", "view"} {
		kind += "?" + u.Query().Get(name)
	}
	return kind
}

// The form that rejects a draft of another trade sends it to no adviser and speaks of no guarantee that is lost.
func TestARejectionInAnotherTradeIsInItsWords(t *testing.T) {
	h := openHelpdesk(t)
	for question, answer := range map[string]string{
		"How do I add the printer on floor 3?": "Your password has 12 characters at least and is changed once a year.",
		"Can I return a sofa that was made to order?": "Oak tables are oiled by hand, and the legs come off for " +
			"moving. " +
			"They are waxed before they leave the workshop.",
	} {
		got := h.call(t, http.MethodPost, "/api/guidance",
			fmt.Sprintf(`{"guidance":%q,"consultation":{"question":%q}}`, answer, question))
		h.Drain(t)
		id := got["id"].(string)
		said := h.sam.Get(t, "/reviews/"+id)
		h.clean(t, "the review", said.Body)
		form := h.sam.Get(t, "/reviews/"+id+"?mode=reject")
		has(t, page(t, form, http.StatusOK), "#decide", "It goes to a person with your reason")
		h.clean(t, "the form", form.Body)
	}
}
