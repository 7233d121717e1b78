package planted

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/strict"
)

// openings are how conversations begin before anything is asked: what the customer says, and the agent.
var openings = [][][2]string{
	{{"Hello", "Hello. How can I help?"}, {"Hi there", "Hi. What can I do for you today?"},
		{"Good morning", "Hello, and thank you for getting in touch. How can I help?"}},
	{{"I have a question.", "Of course. What would you like to know?"},
		{"Can I ask you something?", "Yes, please go ahead."}, {"I'd like some help please", "I'm happy to help."}},
	{{"Bear with me a moment", "No problem, take your time."}, {"Are you still there?", "Yes, I'm here."},
		{"Sorry, I was away for a minute", "That's all right."}},
}

// talk gives a made case a conversation where its model has one, of at most so many turns: nothing that the customer of
// the model said. now is when it is placed.
func (m *made) talk(like *interaction.Interaction, lot *rand.Rand, now time.Time) {
	c, of := &m.consultation, like.Consultation
	c.Thread = otherwise(of.Thread, lot)
	if len(of.Messages) == 0 {
		return
	}
	said := []interaction.Message{{Role: pack.FromCustomer, Text: c.Question}}
	for i := min(of.Turn()-1, len(openings)) - 1; i >= 0; i-- {
		one := openings[i][lot.IntN(len(openings[i]))]
		said = slices.Insert(said, 0, interaction.Message{Role: pack.FromCustomer, Text: one[0]},
			interaction.Message{Role: pack.FromAgent, Text: one[1]})
	}
	if timed := func(m interaction.Message) bool { return !m.At.IsZero() }; slices.ContainsFunc(of.Messages, timed) {
		for i := range slices.Backward(said) {
			now = now.Add(-time.Duration(10+lot.IntN(50)) * time.Second).Truncate(time.Second)
			said[i].At = now
		}
	}
	c.Messages = said
}

// metadata are fields as those of the model, without what says who its customer is: numbers are others, and so are the
// digits of texts; texts of several words and names are left out.
func metadata(like *interaction.Interaction, lot *rand.Rand) json.RawMessage {
	var fields map[string]any
	if len(like.Metadata) == 0 || strict.Tree(like.Metadata, &fields) != nil {
		return nil
	}
	personal := interaction.Customer{Extra: fields}.Personal()
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch v := fields[name].(type) {
		case bool:
			out[name] = v
		case json.Number:
			out[name] = json.Number(digits(v.String(), lot))
		case string:
			other := digits(v, lot)
			if len(v) <= 40 && !strings.ContainsAny(v, " @\n") && (other != v || !slices.Contains(personal, v)) {
				out[name] = other
			}
		}
	}
	return json.RawMessage(written(out))
}

// otherwise is a reference in the form of another; "" where it would be the same.
func otherwise(s string, lot *rand.Rand) string {
	if other := digits(s, lot); other != s {
		return other
	}
	return ""
}

// digits is s with other digits; the first of a number isn't 0, and small numbers stay.
func digits(s string, lot *rand.Rand) string {
	if len(strings.TrimLeft(s, "-")) < 3 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c > '0' && c <= '9' {
			b[i] = '1' + byte(lot.IntN(9))
		}
	}
	return string(b)
}
