package seedtest

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
)

const photosynthesis = "Photosynthesis is the process by which plants convert light, water and carbon dioxide into sugar."

// liked reports an answer of a tutor and has two users like it.
func (a agent) liked(topic, query, response string) (id string) {
	a.Helper()
	id = text(a.post("/api/feedback/interactions", object{"agent_type": "tutor", "session_id": "s-1",
		"topic": topic, "query": query, "response": response}), "id")
	for _, user := range []string{"ann", "ben"} {
		a.post("/api/feedback/submit", object{"interaction_id": id, "user_id": user, "feedback_type": "thumbs_up"})
	}
	return id
}

func TestSeed001(t *testing.T) {
	t.Run("Automatic Example Creation", func(t *testing.T) {
		a := newAgent(t, "tutor")
		id := a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		a.liked("photo-synthesis of plants", "Which gas do plants give off?", "Oxygen, from the water that they split.")
		for _, topic := range []string{"Photosynthesis", "photosynthesis", "PHOTOSYNTHESIS "} {
			got := list(a.get("/api/feedback/examples?agent_type=tutor&topic="+strings.ReplaceAll(topic, " ", "%20")),
				"examples")
			if len(got) != 1 || text(got[0], "good_response") != photosynthesis {
				t.Errorf("topic %q: %v", topic, got)
			}
		}
		if got := list(a.get("/api/feedback/examples?agent_type=tutor&topic=Photo%20Synthesis%20of%20plants"),
			"examples"); len(got) != 1 {
			t.Errorf("another spelling of the topic: %v", got)
		}
		for _, body := range []object{
			{"query": "What is photosynthesis?"},
			{"query": "What is photosynthesis?", "task_type": "Photosynthesis"},
			{"query": "What is photosynthesis?", "task_type": "biology"},
			{"query": "Explain photosynthesis to me", "task_type": "general"},
		} {
			got := a.post("/api/recall", body)
			if items := list(got, "items"); len(items) == 0 || text(items[0], "text") != photosynthesis ||
				!strings.Contains(text(got, "prompt"), "Good Response: Photosynthesis is") || text(got, "note") != "" {
				t.Errorf("recall %v: %v", body, got)
			}
		}
		for _, query := range []string{"How do I reset my password?", "Who won the French Revolution?"} {
			if got := a.post("/api/recall", object{"query": query}); text(got, "note") == "" {
				t.Errorf("recall %q: %v", query, got)
			}
		}
		a.post("/api/feedback/submit", object{"interaction_id": id, "user_id": "ann", "feedback_type": "thumbs_down"})
		if got := list(a.get("/api/feedback/examples?agent_type=tutor&topic=Photosynthesis"), "examples"); len(got) != 0 {
			t.Errorf("a thumb turned, and still an example: %v", got)
		}
	})

	t.Run("Feedback API", func(t *testing.T) {
		a := newAgent(t, "tutor")
		for _, c := range []struct {
			about, vote object
			status      int
			value       float64
		}{
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_up"}, http.StatusOK, 1},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_down", "feedback_value": -1}, http.StatusOK, 0},
			{object{"user_id": "u"}, object{"feedback_value": 1}, http.StatusOK, 1},
			{object{"session_id": "s"}, object{"feedback_type": "thumbs_down"}, http.StatusOK, 0},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_up", "feedback_value": -1},
				http.StatusUnprocessableEntity, 0},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs"}, http.StatusUnprocessableEntity, 0},
			{object{}, object{"feedback_type": "thumbs_up"}, http.StatusUnprocessableEntity, 0},
		} {
			about := object{"agent_type": "tutor", "query": "q", "response": "r"}
			for k, v := range c.about {
				about[k] = v
			}
			c.vote["interaction_id"] = text(a.post("/api/feedback/interactions", about), "id")
			r := a.send("/api/feedback/submit", c.vote)
			if r.Status != c.status || r.Status == http.StatusOK && a.decode(r)["value"] != c.value {
				t.Errorf("%v about %v: %d %s", c.vote, c.about, r.Status, r.Body)
			}
		}
	})

	t.Run("Performance Monitoring", func(t *testing.T) {
		a := newAgent(t, "tutor")
		a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		a.liked("photosynthesis", "What do plants live on?", "Light, water and air.")
		got := a.get("/api/feedback/stats/tutor?days=7")
		topics := list(got, "top_topics")
		if got["total_interactions"] != 2.0 || len(topics) != 1 || topics[0]["topic"] != "Photosynthesis" ||
			topics[0]["count"] != 2.0 || topics[0]["avg_feedback"] != 1.0 {
			t.Errorf("%v", got)
		}
	})

	t.Run("Testing the Learning Loop, on the command line", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "desk.db")
		s := apptest.Open(t, func(c *config.Config) { c.DB = path })
		a := joined(t, s, "tutor")
		a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if out := command(t, "", "recall", "--db", path, "--agent", "tutor", "--query", "What is photosynthesis?"); !strings.
			Contains(out, photosynthesis[:60]) {
			t.Errorf("%s", out)
		}
	})
}
