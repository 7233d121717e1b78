package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
	"preceptor/internal/review/export"
)

const payOut = `"actions":[{"name":"pay_out","arguments":{"amount":500,"to":"SAVINGS","note":"Canary-Otter"},` +
	`"description":"Pays money out of the customer's pot.","schema":{"type":"object","required":["amount","to"],` +
	`"additionalProperties":false,"properties":{"amount":{"type":"number","minimum":1,"maximum":1000},` +
	`"to":{"enum":["SAVINGS","CURRENT"]},"note":{"type":"string"},"now":{"type":"boolean"}}}}]`

// ask submits actions, with a text or without.
func (h *hook) ask(t *testing.T, more string) string {
	t.Helper()
	r := h.api.JSON(t, http.MethodPost, "/api/guidance", `{"consultation":{"question":"Pay me £500 please"},`+more+`}`)
	var receipt struct{ ID string }
	if err := json.Unmarshal([]byte(r.Body), &receipt); err != nil || r.Status != http.StatusAccepted {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return receipt.ID
}

// given are the calls that the API gives the agent.
func (h *hook) given(t *testing.T, id string) (got struct {
	Status  string
	Final   *string `json:"final_text"`
	Actions []struct {
		Name      string
		Arguments map[string]any
		Edited    bool
		Index     int
	}
	Refused []struct {
		Name, Reason string
		Index        int
	} `json:"refused_actions"`
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(h.api.Get(t, "/api/guidance/"+id).Body), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// form is what the page of a review sends when somebody revises, with some fields changed.
func (h *hook) form(t *testing.T, c *apptest.Client, id string, change map[string]string) url.Values {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(c.Get(t, "/reviews/"+id+"?mode=revise").Body))
	if err != nil {
		t.Fatal(err)
	}
	out := url.Values{}
	page.Find(`#decide input[name], #decide textarea[name], #decide select[name], [form="decide"][name]:not(button)`).
		Each(func(_ int, s *goquery.Selection) {
			value := s.AttrOr("value", strings.TrimPrefix(s.Text(), "\n"))
			if goquery.NodeName(s) == "select" {
				value = s.Find("option[selected]").AttrOr("value", "")
			}
			if kind := s.AttrOr("type", ""); kind != "checkbox" && kind != "radio" {
				out.Set(s.AttrOr("name", ""), value)
			}
		})
	for name, value := range change {
		if _, has := out[name]; !has {
			t.Fatalf("the form has no field %s: %v", name, out)
		}
		out.Set(name, value)
	}
	return out
}

// An action waits like a text, is shown in words, edited in a form made from its schema, and given to its agent only
// once it was released.
func TestAnActionIsApprovedEditedAndGiven(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	id := h.ask(t, payOut)
	said(t, sue.Get(t, "/reviews/"+id), 200, "What the agent wants to do", "pay_out", "Pays money out", "SAVINGS",
		"Nothing is sent to the customer")
	if got := h.given(t, id); got.Actions != nil || got.Status != "waiting" {
		t.Fatalf("given before anyone approved: %+v", got)
	}
	wrong := h.form(t, sue, id, map[string]string{"action.0.amount": "5000", "reason": "Too much."})
	said(t, sue.Post(t, "/reviews/"+id+"/revise", wrong), 422, "fit the schema", `value="5000"`)
	keepsArguments(t, h, sue, id)
	right := h.form(t, sue, id, map[string]string{"action.0.amount": "250", "action.0.to": `"CURRENT"`,
		"action.0.now": "true", "reason": "Half now."})
	if r := sue.Post(t, "/reviews/"+id+"/revise", right); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	e := h.last(t, "guidance.released")
	got := h.given(t, id)
	want := map[string]any{"amount": 250.0, "to": "CURRENT", "note": "Canary-Otter", "now": true}
	if len(got.Actions) != 1 || !got.Actions[0].Edited || cmp.Diff(want, got.Actions[0].Arguments) != "" ||
		got.Final != nil {
		t.Errorf("given %+v", got)
	}
	if e.Data["text"] != nil || !strings.Contains(e.raw, `"amount":250`) || strings.Contains(e.raw, "minimum") {
		t.Errorf("the event: %s", e.raw)
	}
	said(t, sue.Get(t, "/reviews/"+id), 200, "What changed in the actions")
	var b strings.Builder
	if _, err := h.Exports.Write(t.Context(), &b, export.Options{Set: export.Decisions,
		Format: export.CSV}); err != nil || !strings.Contains(b.String(), `""amount"":250`) {
		t.Errorf("%v: %s", err, b.String())
	}
	lessons, err := h.Learning.ForInteraction(t.Context(), id)
	if err != nil || len(lessons) != 0 {
		t.Errorf("what is done for one customer teaches: %v, %v", lessons, err)
	}
}

// keepsArguments fails unless what is typed into the fields of an action is there after a reload, whatever it is, and what
// is typed as it was is nothing typed.
func keepsArguments(t *testing.T, h *hook, c *apptest.Client, id string) {
	t.Helper()
	for amount, note := range map[string]string{"250": "Canary-Otter", "5,000?": "two\r\nlines"} {
		typed := h.form(t, c, id, map[string]string{"action.0.amount": amount, "action.0.note": note})
		typed.Set("mode", "revise")
		if r := c.Post(t, "/reviews/"+id+"/draft", typed); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		again := h.form(t, c, id, nil)
		if got := again.Get("action.0.amount"); got != amount {
			t.Errorf("%q is kept as %q", amount, got)
		}
		if got := strings.Fields(again.Get("action.0.note")); !slices.Equal(got, strings.Fields(note)) {
			t.Errorf("%q is kept as %q", note, got)
		}
	}
	typed := h.form(t, c, id, map[string]string{"action.0.amount": "500", "action.0.note": "Canary-Otter",
		"action.0.to": `"SAVINGS"`, "reason": ""})
	typed.Set("mode", "revise")
	c.Post(t, "/reviews/"+id+"/draft", typed)
	if list, err := h.Reviews.Drafts(t.Context(), id, review.Person{ID: c.Account.ID}); err != nil || len(list) != 0 {
		t.Errorf("nothing typed is kept: %+v %v", list, err)
	}
}

// Of several actions one is refused and the others are done: the agent gets those, and why not that one. What is
// refused goes nowhere, whatever was typed into it.
func TestOneActionOfSeveralIsRefused(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	two := strings.Replace(payOut, `"actions":[`, `"actions":[{"name":"close","arguments":{"pot":"Canary-Heron"}},`, 1)
	id := h.ask(t, two)
	said(t, sue.Get(t, "/reviews/"+id), 200, "To refuse one of them, choose Revise")
	form := func(change map[string]string) url.Values {
		change["reason"] = "One of them is too much."
		return h.form(t, sue, id, change)
	}
	none := form(map[string]string{"action.0": "Keep it.", "action.1": "Too much."})
	said(t, sue.Post(t, "/reviews/"+id+"/revise", none), 422, "No action would be left", "Keep it.")
	right := form(map[string]string{"action.0": "They asked to keep the pot.", "action.0.pot": "other", "action.1": ""})
	if r := sue.Post(t, "/reviews/"+id+"/revise", right); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if got := h.given(t, id); got.Actions != nil || got.Refused != nil {
		t.Errorf("told before it was released: %+v", got)
	}
	e := h.last(t, "guidance.released")
	got := h.given(t, id)
	if len(got.Actions) != 1 || got.Actions[0].Index != 1 || got.Actions[0].Edited ||
		got.Actions[0].Arguments["amount"] != 500.0 {
		t.Errorf("given %+v", got.Actions)
	}
	if len(got.Refused) != 1 || got.Refused[0].Name != "close" || got.Refused[0].Index != 0 ||
		got.Refused[0].Reason != "They asked to keep the pot." {
		t.Errorf("refused %+v", got.Refused)
	}
	if !strings.Contains(e.raw, "They asked to keep the pot.") || strings.Contains(e.raw, "Heron") {
		t.Errorf("the event: %s", e.raw)
	}
	said(t, sue.Get(t, "/reviews/"+id), 200, "What changed in the actions", "Not approved: ")
}

// As they came, beside a text; and a rejection gives nothing.
func TestActionsBesideATextAreGivenAsTheyCame(t *testing.T) {
	h := openHook(t, true)
	id, no := h.ask(t, payOut+`,"guidance":"`+goodText+`"`), h.ask(t, payOut)
	h.decide(t, id, review.Approve, "")
	h.last(t, "guidance.released")
	got := h.given(t, id)
	if len(got.Actions) != 1 || got.Actions[0].Edited || got.Actions[0].Arguments["amount"] != 500.0 ||
		got.Final == nil || *got.Final != goodText {
		t.Errorf("given %+v", got)
	}
	h.decide(t, no, review.Reject, "")
	if e := h.last(t, "guidance.escalated"); strings.Contains(e.raw, "pay_out") {
		t.Errorf("%s", e.raw)
	}
	if got := h.given(t, no); got.Actions != nil {
		t.Errorf("given after a rejection: %+v", got)
	}
	for _, body := range []string{`"actions":[]`, strings.Replace(payOut, "500", "5000", 1),
		strings.Replace(payOut, `"type":"number"`, `"$ref":"https://example.org/x.json"`, 1),
		`"actions":[{"name":"","arguments":{}}]`} {
		r := h.api.JSON(t, http.MethodPost, "/api/guidance", `{"consultation":{"question":"Pay"},`+body+`}`)
		if r.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", body, r.Status, r.Body)
		}
	}
}

// Two supervisors sign the same arguments; an erasure takes them everywhere.
func TestActionsTakeTwoSignaturesAndAreErased(t *testing.T) {
	h := openHook(t, true)
	r := h.api.JSON(t, http.MethodPost, "/api/guidance",
		`{"consultation":{"question":"Pay me £500 please","customer":{"vulnerable":true}},`+payOut+`}`)
	var receipt struct{ ID string }
	if err := json.Unmarshal([]byte(r.Body), &receipt); err != nil || receipt.ID == "" {
		t.Fatal(r.Body)
	}
	id, other := receipt.ID, h.ask(t, `"guidance":"x","actions":[{"name":"close","arguments":{"why":"Canary-Otter"}}]`)
	bo := h.Account(t, account.Supervisor)
	for i, in := range []review.Input{
		{Kind: review.Revise, By: review.Person{ID: h.sue.ID, Name: h.sue.Name}, Reason: "Less.",
			Arguments: []json.RawMessage{json.RawMessage(`{"amount":5,"to":"SAVINGS","note":"Canary-Otter"}`)}},
		{Kind: review.Approve, By: review.Person{ID: bo.ID, Name: bo.Name}},
	} {
		item, err := h.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		in.ID, in.Version, in.TextHash, in.Text = id, item.Version, item.TextHash, item.Text
		d, err := h.Reviews.Decide(t.Context(), in)
		if err != nil || d.Kind != review.Revise || !strings.Contains(string(d.Actions[0].Arguments), `"amount":5,`) {
			t.Fatalf("%+v, %v", d, err)
		}
		if got := h.given(t, id); i == 0 && (d.State != review.Pending || got.Actions != nil) {
			t.Errorf("given after one signature: %s, %+v", d.State, got)
		}
	}
	h.last(t, "guidance.released")
	if got := h.given(t, id); len(got.Actions) != 1 || got.Actions[0].Arguments["amount"] != 5.0 {
		t.Errorf("given %+v", got)
	}
	for _, id := range []string{id, other} {
		if err := h.DB.Write(t.Context(), func(tx *db.Tx) error {
			if _, err := h.Reviews.EraseTx(tx, id); err != nil {
				return err
			}
			if _, err := h.Interactions.EraseTx(tx, id, audit.System("test")); err != nil {
				return err
			}
			return h.Counter.CaseTx(tx, id)
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"interaction", "decision", "review"} {
		var n int
		if err := h.DB.Reader().QueryRow(`SELECT count(*) FROM ` + table + ` WHERE ` + map[string]string{
			"interaction": `guidance || actions || reasoning || question || final_text`,
			"decision":    `text || actions || reason || feedback`, "review": `opening || why`}[table] +
			` LIKE '%Otter%'`).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d rows keep a canary, %v", table, n, err)
		}
	}
	if got := h.given(t, id); got.Actions != nil {
		t.Errorf("given after an erasure: %+v", got)
	}
}

// What an agent would do beside its text is judged with it, when it comes and when somebody edits it, and asks for a
// second supervisor as the text would; what is found there points at no place of the text.
func TestActionsAreJudgedWithTheirText(t *testing.T) {
	h := openHook(t, true)
	mail := func(body string) string {
		return `"guidance":"` + goodText + `","actions":[{"name":"send_email","arguments":{"body":"` + body + `"}}]`
	}
	const harm = "You should transfer your final salary pension to us now and take the cash, it is guaranteed to grow."
	fine, bad := h.item(t, h.ask(t, mail("Thank you for your message."))), h.item(t, h.ask(t, mail(harm)))
	if !fine.Assessment.Clean() || fine.NeedsTwo || bad.Assessment.Passed || !bad.NeedsTwo {
		t.Errorf("%+v takes two: %v; %+v takes two: %v", fine.Assessment, fine.NeedsTwo, bad.Assessment, bad.NeedsTwo)
	}
	for _, f := range bad.Assessment.Flags {
		if f.End > len([]rune(goodText)) {
			t.Errorf("a flag beyond the text: %+v", f)
		}
	}
	d, err := h.Reviews.Decide(t.Context(), review.Input{ID: fine.ID, Kind: review.Revise, Version: fine.Version,
		By: review.Person{ID: h.sue.ID, Name: h.sue.Name}, TextHash: fine.TextHash, Text: fine.Text, Reason: "Shorter.",
		Arguments: []json.RawMessage{json.RawMessage(`{"body":"` + harm + `"}`)}})
	if err == nil && d.State != review.Pending {
		t.Errorf("edited into harm, and one signature sends it: %+v", d)
	}
}

func (h *hook) item(t *testing.T, id string) *review.Item {
	t.Helper()
	item, err := h.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// The evidence of an action says what was approved, and never that a customer got it.
func TestTheEvidenceOfAnAction(t *testing.T) {
	h := openHook(t, true)
	id := h.ask(t, payOut)
	h.decide(t, id, review.Approve, "")
	h.last(t, "guidance.released")
	boss := h.SignedIn(t, account.Manager)
	body := boss.Post(t, "/interactions/"+id+"/evidence", nil).Body
	for words, want := range map[string]bool{"Actions that were approved": true, "amount: 500": true,
		"No text went to the customer.": true, "Sent to the customer": false} {
		if strings.Contains(body, words) != want {
			t.Errorf("it says %q: %v", words, !want)
		}
	}
	if r := boss.Get(t, "/interactions/"+id).Body; !strings.Contains(r, "Nothing was sent to the customer") {
		t.Error("its page calls what was done sent")
	}
}

// What an agent may have done already is said at the recall, and before it is handed out again.
func TestARecallSaysThatAnActionMayBeDone(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	id, no := h.ask(t, payOut+`,"guidance":"`+goodText+`"`), h.ask(t, payOut)
	d := h.decide(t, id, review.Approve, "")
	h.last(t, "guidance.released")
	said(t, sue.Get(t, "/reviews/"+id), 200, "The agent may do this: it was approved and sent.")
	said(t, sue.Get(t, "/reviews/"+id+"?mode=recall"), 200, "The agent may already have done: pay_out.")
	if _, err := h.Reviews.Recall(t.Context(), d.ID, review.Person{ID: h.sue.ID, Name: h.sue.Name}, "Twice?"); err != nil {
		t.Fatal(err)
	}
	said(t, sue.Get(t, "/reviews/"+id), 200, "The agent may already have done: pay_out.",
		"The agent may do it a second time: pay_out. To prevent that, choose Revise and refuse it.",
		`hx-confirm="The agent may do it a second time: pay_out.`)
	h.decide(t, no, review.Reject, "")
	said(t, sue.Get(t, "/reviews/"+no), 200, "The agent may not do this.")
}

// What was approved or refused earlier in a conversation is seen where the next draft is decided, and that a person
// has the customer.
func TestADraftTellsWhatItsConversationDid(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	next := func(question, actions string) (id string) {
		r := h.api.JSON(t, http.MethodPost, "/api/guidance",
			`{"consultation":{"question":"`+question+`","thread":"talk-1"},`+actions+`}`)
		var receipt struct{ ID string }
		if err := json.Unmarshal([]byte(r.Body), &receipt); err != nil || r.Status != http.StatusAccepted {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return receipt.ID
	}
	const again = "The agent may do it a second time: pay_out (approved in the 1st turn)."
	h.decide(t, next("Pay me £500 please.", payOut), review.Approve, "")
	said(t, sue.Get(t, "/reviews/"+next("Please pay me £500.", payOut)), 200, again)
	h.last(t, "guidance.released")
	other := next("And £400?", strings.Replace(payOut, "500", "400", 1))
	if r := sue.Get(t, "/reviews/"+other); strings.Contains(r.Body, "a second time") ||
		!strings.Contains(r.Body, "pay_out: amount 500, note Canary-Otter, to SAVINGS. Approved.") {
		t.Errorf("another sum: %s", r.Body)
	}
	h.decide(t, other, review.Reject, "")
	h.last(t, "guidance.escalated")
	if r := sue.Get(t, "/reviews/"+other); strings.Contains(r.Body, "Customer wrote again") {
		t.Error("nobody wrote again")
	}
	third := next("Did you pay the £500?", strings.Replace(payOut, `"to":"SAVINGS","note":"Canary-Otter"`,
		`"note": "Canary-Otter", "to":"SAVINGS"`, 1))
	said(t, sue.Get(t, "/reviews/"+third), 200, again, `hx-confirm="`+again, "This customer waits for a person")
	said(t, sue.Get(t, "/reviews/"+other), 200, "Customer wrote again", "Did you pay the £500?")
	said(t, sue.Get(t, "/reviews/escalated"), 200, "Customer wrote again")
	sue.Post(t, "/reviews/"+other+"/take", url.Values{"seen": {""}})
	said(t, sue.Get(t, "/reviews/"+third), 200, "You have this customer")
}
