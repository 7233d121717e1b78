package reviews

import (
	"cmp"
	"strconv"
)

// Settles reports whether a mode is open on this case as it stands: forms that decide while it waits, Stop while
// somebody else's decision is held, Recall after delivery.
func (v Case) Settles(mode string) bool {
	switch mode {
	case ModeStop:
		return v.undoable() && !v.signed(v.decision())
	case ModeRecall:
		return v.recallable()
	case ModeAssign:
		return !v.Decided() && len(v.To) > 0
	case ModeReturn:
		return v.mayDecide() && !v.OneWay
	case ModeOverrule:
		return v.mayDecide() && !v.expertsHave() && !v.approvable() && v.overrulable(v.Assessment)
	case "":
		return true
	default:
		return v.mayDecide()
	}
}

// WroteAgain reports whether the customer wrote again after what the case answers.
func (v Case) WroteAgain() bool { return v.turn() > v.Item.Turn }

// turn is the customer's last message that the page tells of.
func (v Case) turn() int { return v.Item.LastTurn(v.Thread) }

// seenTurn is the customer's last message that the page told of when it was opened.
func (v Case) seenTurn() int { return cmp.Or(v.SeenTurn, v.turn()) }

// Standing is how far the viewer may go with the case, where experts stand and what the customer wrote last; where it
// changes, StandingView does.
func (v Case) Standing() string {
	experts := "." + v.Expert.CaseID + "." + string(v.Expert.Ruled)
	if v.WroteAgain() {
		experts += "." + strconv.Itoa(v.turn())
	}
	if v.Expert.Unresolved {
		experts += "unresolved"
	}
	switch {
	case v.Decided() && v.decision() == nil: // closed without one, as by an erasure
		return "closed"
	case v.Decided():
		return v.Item.DecisionID + "." + v.decision().State
	case v.HeldByOther():
		return v.Item.Claim.By.ID + experts
	case v.signedByMe():
		return "signed" + experts
	}
	return "open." + strconv.Itoa(v.Item.Version) + experts
}

func (v Case) in(mode string) bool { return v.Mode == mode && v.Settles(mode) }
