package guest

import (
	"fmt"
	"strconv"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/text"
	views "preceptor/views/feedback"
)

// takenBack is the value of the button that takes an opinion back.
const takenBack = "0"

// read makes a vote of the form, and an outcome when how it went was said. The number counts where one was given, else
// the thumb; the two must not contradict each other, unless the thumb was pressed before, in the widget.
func (g guest) read(f views.Form) (vote feedback.Vote, outcome *feedback.Outcome, wrong map[string]string) {
	wrong = map[string]string{}
	vote = feedback.Vote{SubjectID: g.about.ID, UserID: g.link.UserID, Kind: feedback.Thumbs, Text: f.Comment,
		Channel: feedback.ChannelLink}
	if g.widget {
		vote.Channel = feedback.ChannelWidget
	}
	if f.Vote == takenBack {
		vote.Text = ""
		return vote, nil, wrong
	}
	thumb, chosen := map[string]float64{"1": 1, "-1": -1}[f.Vote]
	if !chosen && f.Vote != "" {
		wrong["vote"] = "Choose yes or no."
	}
	vote.Value = thumb
	if f.Rating != "" {
		n, err := strconv.Atoi(f.Rating)
		switch {
		case err != nil || n < 0 || n > 10:
			wrong["rating"] = "Choose a number from 0 to 10, or no answer."
		case !g.widget && (thumb > 0 && n <= 5 || thumb < 0 && n >= 5):
			wrong["rating"] = fmt.Sprintf("You said %s but gave %d out of 10, where 10 is best. Change one of them.",
				map[bool]string{true: "yes", false: "no"}[thumb > 0], n)
		default:
			vote.Kind, vote.Value = feedback.Rating, float64(n)
		}
	} else if !chosen {
		wrong["vote"] = "Choose yes or no, or choose a number below."
	}
	if len(f.Comment) > feedback.MaxText {
		wrong["comment"] = text.TooBig(f.Comment, feedback.MaxText)
	}
	if !g.widget {
		outcome = readOutcome(f, vote, wrong)
	}
	return vote, outcome, wrong
}

// degrees are what the answers to "how did it go" count for, of ten.
var degrees = map[string]float64{"yes": 10, "partly": 5, "no": 0}

// readOutcome makes an outcome of the two answers to how it went. Satisfaction is what the vote says, of ten: seed 000
// asks for all three.
func readOutcome(f views.Form, vote feedback.Vote, wrong map[string]string) *feedback.Outcome {
	understood, hasOne := degrees[f.Understood]
	goals, hasOther := degrees[f.Goals]
	for name, value := range map[string]string{"understood": f.Understood, "goals": f.Goals} {
		if _, ok := degrees[value]; !ok && value != "" {
			wrong[name] = "Choose one of the answers."
		}
	}
	switch {
	case len(wrong) > 0 || !hasOne && !hasOther:
		return nil
	case !hasOne:
		wrong["understood"] = "Answer both questions, or neither."
	case !hasOther:
		wrong["goals"] = "Answer both questions, or neither."
	}
	norm, _ := feedback.Norm(vote.Kind, vote.Value) // the vote was read above
	o := &feedback.Outcome{SubjectID: vote.SubjectID, By: vote.UserID, Channel: vote.Channel, Satisfaction: norm * 10,
		Comprehension: understood, GoalAlignment: goals}
	if f.Goals == "yes" || f.Goals == "no" {
		met := f.Goals == "yes"
		o.GoalsMet = &met
	}
	return o
}
