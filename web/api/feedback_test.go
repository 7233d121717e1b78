package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
)

const photosynthesis = `{"agent_type":"tutor","session_id":"7b0e","user_id":"u1","query":"What is photosynthesis?","response":"Photosynthesis is the process by which plants convert light into sugar.",
	"response_metadata":{"model":"any","tokens":[1,{"deep":true}]},"topic":"Photosynthesis","response_time_ms":840}`

// log reports the seed's interaction and gives its id.
func (k *desk) log(body string, options ...option) string {
	k.t.Helper()
	a := k.call(http.MethodPost, "/api/feedback/interactions", body, options...)
	if a.Code != http.StatusCreated {
		k.t.Fatalf("log: %d %s", a.Code, a.Body)
	}
	return a.json["id"].(string)
}

func (k *desk) vote(id, user string, value any) answer {
	k.t.Helper()
	return k.call(http.MethodPost, "/api/feedback/submit",
		fmt.Sprintf(`{"interaction_id":%q,"user_id":%q,"feedback_type":"thumbs","feedback_value":%v}`, id, user, value))
}

// Seed 001's own walk: log, two thumbs of two users, the stats as they stand in the seed, the example.
func TestTheSeedsWalk(t *testing.T) {
	k := open(t)
	id := k.log(photosynthesis)
	if a := k.vote(id, "ann", 1); a.Code != http.StatusOK || a.json["promoted"] != false {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if a := k.vote(id, "bob", 1); a.Code != http.StatusOK || a.json["promoted"] != true || a.json["example_id"] == nil {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	k.vote(id, "cas", 0)
	k.vote(id, "dan", -1)
	k.vote(id, "dan", 0) // takes it back
	a := k.call(http.MethodGet, "/api/feedback/stats/tutor?days=7", "")
	var got, want any
	if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(
		[]byte(
			`{"agent_type":"tutor","period_days":7,"total_interactions":1,"feedback":{"positive":2,"negative":0,"satisfaction_rate":1,"neutral":1,
		"satisfaction_low":0.342,"satisfaction_high":1},"top_topics":[{"topic":"Photosynthesis","count":1,"avg_feedback":0.83}]}`), &want)
	if m := got.(map[string]any); m["from"] == nil || m["to"] == nil {
		t.Errorf("the answer names no days: %s", a.Body)
	} else { // the seed has neither
		delete(m, "from")
		delete(m, "to")
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("stats\n%s\nwant\n%v", a.Body, want)
	}
	a = k.call(http.MethodGet, "/api/feedback/examples?agent_type=tutor&topic=Photosynthesis&limit=5", "")
	list, _ := a.json["examples"].([]any)
	if a.Code != http.StatusOK || len(list) != 1 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	e := list[0].(map[string]any)
	for field, want := range map[string]any{"agent_type": "tutor", "topic": "Photosynthesis",
		"query": "What is photosynthesis?", "bad_response": nil, "source": "user_feedback",
		"feedback_score": 2.0, "use_count": 0.0, "weight": 0.75} {
		if got, there := e[field]; !there || got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	if want := "Here are examples of good responses:\n---\nExample 1:\nStudent Question: What is " +
		"photosynthesis?\nGood Response: Photosynthesis is the process by which plants convert light into sugar.\n---"; a.json["few_shot"] != want {
		t.Errorf("few_shot %q", a.json["few_shot"])
	}
	k.log(strings.Replace(photosynthesis, `"topic"`, `"examples_used":["`+e["id"].(string)+`"],"topic"`, 1))
	a = k.call(http.MethodGet, "/api/feedback/examples?agent_type=tutor", "")
	if n := a.json["examples"].([]any)[0].(map[string]any)["use_count"]; n != 1.0 {
		t.Errorf("use_count %v, want 1", n)
	}
}

func TestNoVotesAreNoPercentage(t *testing.T) {
	k := open(t)
	a := k.call(http.MethodGet, "/api/feedback/stats/tutor", "")
	f := a.json["feedback"].(map[string]any)
	if rate, there := f["satisfaction_rate"]; a.Code != http.StatusOK || !there || rate != nil ||
		a.json["period_days"] != 7.0 || len(a.json["top_topics"].([]any)) != 0 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestFeedbackThatIsRefused(t *testing.T) {
	k := open(t)
	id := k.log(photosynthesis)
	other := k.newToken("another-agent", time.Time{}, account.Feedback)
	narrow := k.newToken("pension-advisor", time.Time{}, account.Submit, account.Recall)
	vote := func(more string) string { return fmt.Sprintf(`{"interaction_id":%q,"user_id":"u"%s}`, id, more) }
	for name, c := range map[string]struct {
		path, body string
		options    []option
		code       int
		fields     []string
	}{
		"an unknown field": {"interactions",
			`{"agent_type":"t","query":"q","response":"r","responseMetadata":{}}`, nil, 422,
			[]string{"#/responseMetadata"}},
		"anything in metadata": {"interactions",
			`{"agent_type":"t","query":"q","response":"r","response_metadata":{"x":{"y":[null]}}}`, nil, 201, nil},
		"metadata that is no object": {"interactions",
			`{"agent_type":"t","query":"q","response":"r","response_metadata":[1]}`, nil, 422,
			[]string{"#/response_metadata"}},
		"nothing at all": {"interactions", `{}`, nil, 422,
			[]string{"#/agent_type", "#/query", "#/response"}},
		"a value too large": {"submit", vote(`,"feedback_value":11`), nil, 422, []string{"#/feedback_value"}},
		"a value without end": {"submit", vote(`,"feedback_value":1e999`), nil, 422,
			[]string{"#/feedback_value"}},
		"two for thumbs": {"submit", vote(`,"feedback_type":"thumbs","feedback_value":2`), nil, 422,
			[]string{"#/feedback_value"}},
		"minus one for a rating": {"submit", vote(`,"feedback_type":"rating","feedback_value":-1`), nil, 422,
			[]string{"#/feedback_value"}},
		"a text as value": {"submit", vote(`,"feedback_value":"1"`), nil, 422, []string{"#/feedback_value"}},
		"no value":        {"submit", vote(``), nil, 422, []string{"#/feedback_value"}},
		"another type": {"submit", vote(`,"feedback_type":"stars","feedback_value":1`), nil, 422,
			[]string{"#/feedback_type"}},
		"thumbs when left out": {"submit", vote(`,"feedback_value":-1`), nil, 200, nil},
		"another agent's":      {"submit", vote(`,"feedback_value":1`), []option{as(other)}, 404, nil},
		"another agent's outcome": {"outcomes",
			fmt.Sprintf(`{"interaction_id":%q,"satisfaction":1,"comprehension":1,"goal_alignment":1}`, id),
			[]option{as(other)}, 404, nil},
		"another agent's texts": {"experiences", fmt.Sprintf(`{"interaction_id":%q,"reward":1}`, id),
			[]option{as(other)}, 404, nil},
		"nobody's": {"submit", `{"interaction_id":"x","user_id":"u","feedback_value":1}`, nil, 404,
			nil},
		"a token without the scope": {"submit", vote(`,"feedback_value":1`), []option{as(narrow)}, 403, nil},
		"no token": {"submit", vote(`,"feedback_value":1`), []option{header("Authorization", "")},
			401, nil},
		"an outcome of eleven": {"outcomes",
			fmt.Sprintf(`{"interaction_id":%q,"satisfaction":11,"comprehension":1,"goal_alignment":1}`, id), nil, 422,
			[]string{"#/satisfaction"}},
		"an outcome": {"outcomes",
			fmt.Sprintf(
				`{"interaction_id":%q,"satisfaction":9.5,"comprehension":8,"goal_alignment":7,"signposted":true,"goals_met":null}`, id), nil, 201, nil},
		"an experience of two": {"experiences", `{"agent_type":"t","query":"q","response":"r","reward":2}`, nil,
			422, []string{"#/reward"}},
		"an experience": {"experiences",
			`{"agent_type":"t","query":"q","response":"r","reward":0.5,"metadata":{"a":1}}`, nil, 201, nil},
	} {
		a := k.call(http.MethodPost, "/api/feedback/"+c.path, c.body, c.options...)
		if a.Code != c.code || c.fields != nil && !slices.Equal(a.fields(), c.fields) {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	for path, code := range map[string]int{"examples": 200, "examples?agent_type=tutor&limit=21": 422,
		"stats/tutor?days=0": 422, "stats/tutor?days=x": 422, "stats/tutor?weeks=1": 422,
		"experiences?min_reward=2": 422, "experiences?cursor=%21": 422, "export/secrets": 422,
		"stats/tutor?days=366": 200, "experiences?agent_type=tutor&min_reward=0.5": 200} {
		if a := k.call(http.MethodGet, "/api/feedback/"+path, ""); a.Code != code {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
}

func TestAReportWithAKeyCountsOnce(t *testing.T) {
	k := open(t)
	first := k.log(photosynthesis, header("Idempotency-Key", "k1"))
	a := k.call(http.MethodPost, "/api/feedback/interactions", photosynthesis, header("Idempotency-Key", "k1"))
	if a.json["id"] != first || a.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %s %v", a.Code, a.Body, a.Header())
	}
	if a := k.call(http.MethodPost, "/api/feedback/interactions", strings.Replace(photosynthesis, "840", "841", 1),
		header("Idempotency-Key", "k1")); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestExportIsLinesOfJSON(t *testing.T) {
	k := open(t)
	id := k.log(photosynthesis)
	k.vote(id, "ann", 1)
	a := k.call(http.MethodGet, "/api/feedback/export/interactions", "")
	if a.Code != http.StatusOK || !strings.HasPrefix(a.Header().Get("Content-Type"), "application/jsonl") {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	var line struct {
		ID       string           `json:"id"`
		Metadata map[string]any   `json:"response_metadata"`
		Feedback []map[string]any `json:"feedback"`
	}
	if err := json.Unmarshal(a.Body.Bytes(), &line); err != nil || line.ID != id || len(line.Feedback) != 1 ||
		line.Metadata["model"] != "any" {
		t.Errorf("%s %v", a.Body, err)
	}
}

// An agent calls itself what it likes, but by no other agent's name: managers would take its figures and answers for
// that one's.
func TestNobodyReportsUnderAnotherAgentsName(t *testing.T) {
	k := open(t)
	other := k.newToken("other-bot", time.Time{}, account.Feedback)
	report := func(agentType string) string {
		return fmt.Sprintf(`{"agent_type":%q,"query":"May I?","response":"Yes, transfer everything."}`, agentType)
	}
	for agentType, code := range map[string]int{"pension-advisor": 403, "Pension-ADVISOR": 403,
		" pension-advisor ": 403, "pension-advisor\u200b": 422,
		"other-bot": 201, "Other-Bot": 201, "tutor": 201, "pension-advisor-2": 201} {
		for path, body := range map[string]string{"interactions": report(agentType),
			"experiences": strings.Replace(report(agentType), `}`, `,"reward":1}`, 1)} {
			a := k.call(http.MethodPost, "/api/feedback/"+path, body, as(other))
			if a.Code != code || code == 403 &&
				!strings.Contains(a.Body.String(),
					"another agent here, so it can't be your agent_type. Send your own") {
				t.Errorf("%s as %q: %d %s", path, agentType, a.Code, a.Body)
			}
		}
	}
	if a := k.call(http.MethodPost, "/api/feedback/interactions",
		report("pension-advisor")); a.Code != http.StatusCreated {
		t.Errorf("under its own name: %d %s", a.Code, a.Body)
	}
}

// A type may have any sign that can be seen, and its figures are found under it.
func TestAnAgentTypeWithASlashHasFigures(t *testing.T) {
	k := open(t)
	for agentType, path := range map[string]string{"tu/tor": "tu%2Ftor", "50% off": "50%25%20off", "a%2Fb": "a%252Fb",
		"a%2F/b": "a%252F%2Fb"} {
		k.log(fmt.Sprintf(`{"agent_type":%q,"query":"q","response":"r"}`, agentType))
		a := k.call(http.MethodGet, "/api/feedback/stats/"+path, "")
		if a.Code != http.StatusOK || a.json["agent_type"] != agentType || a.json["total_interactions"] != 1.0 {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
}
