package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/review"
	"preceptor/internal/review/reply"
	"preceptor/views/layout"
	"preceptor/views/reviews"
	"preceptor/views/statement"
)

// caseSamples are a case in every state that it can be in.
func caseSamples() []Sample {
	return []Sample{
		{"case", "Case", caseIn(func(*reviews.Case) {})},
		{"case-clean", "Case that passes", caseIn(clean)},
		{"case-free", "Case that nobody holds", caseIn(func(v *reviews.Case) {
			clean(v)
			v.Item.Claim = review.Claim{}
		})},
		{"case-revise", "Case, revising", caseIn(revising)},
		{"case-replies", "Saved replies", func(f layout.Frame, w Words) templ.Component {
			list := []reply.Reply{{ID: "r1", OwnerID: me, Shared: true, Name: "Charges",
				Text: "The charge of {{scheme}} is {{charge}}."},
				{ID: "r2", OwnerID: other, OwnerName: w.Name, Shared: true, Name: w.Goal, Text: w.Revised}}
			return reviews.RepliesPage(f,
				reviews.Replies{Items: list, Viewer: me, Admin: true, Form: reply.Reply{Text: w.Draft},
					Errors: map[string]string{"name": "Give it a name."}, Message: "The reply isn't saved."})
		}},
		{"case-reject", "Case, rejecting, with an error", caseIn(rejecting)},
		{"case-return", "Case, sending back", caseIn(func(v *reviews.Case) {
			v.Mode, v.Form.Reason, v.Saved = reviews.ModeReturn,
				"Say what she gives up, and where advice is to be had.", v.Now.Add(-2*time.Second)
			w := Plain(v.Now)
			v.Questions = []credit.Question{{Token: "a1", Kind: "rule", Text: w.Principle},
				{Token: "b2", Kind: "case", Title: w.Goal, Text: w.Revised}}
			v.Form.Misled = []string{"b2"}
			v.Form.Teach, v.Preview = statement.New(chipsFor()), &statement.Preview{None: "Nothing is stated yet."}
		})},
		{"case-notes", "Case with rules to check", caseIn(func(v *reviews.Case) {
			clean(v)
			first := strings.Index(v.In.Guidance, ".") + 1
			v.In.Provenance.Marks = []interaction.Mark{{End: first, Kind: interaction.MarkRule, Label: "R-71"},
				{Start: first + 1, End: len(v.In.Guidance), Kind: interaction.MarkRule, Label: "R-12"}}
			v.Notes = []string{"R-12 applies, please check: " + Plain(v.Now).Feedback,
				"The draft could not be made: what answers the question has words that R-7 says never to say."}
		})},
		{"case-skip", "Case, skipping", caseIn(func(v *reviews.Case) { v.Mode = reviews.ModeSkip })},
		{"case-taken", "Case with somebody else", caseIn(taken)},
		{"case-expired", "Case whose claim ran out", caseIn(func(v *reviews.Case) {
			v.Item.Claim.Until = v.Now.Add(-time.Minute)
		})},
		{"case-two", "Case that needs two supervisors", caseIn(func(v *reviews.Case) {
			clean(v)
			v.Item.NeedsTwo, v.Item.TwoEyes, v.Item.AskedBy = true, "db_transfer,vulnerable", me
		})},
		{"case-first", "Case signed by me, waiting for a second",
			caseIn(func(v *reviews.Case) { pending(v, me, "Ann Archer") })},
		{"case-second", "Case to be confirmed by a second",
			caseIn(func(v *reviews.Case) { pending(v, other, "Ben Carter") })},
		{"case-correction", "Case recalled after delivery", caseIn(correcting)},
		{"case-new-version", "Case that answers anew", caseIn(func(v *reviews.Case) {
			clean(v)
			v.Older = &reviews.Version{ID: "i0", By: "Ben Carter", At: v.Now.Add(-3 * time.Hour),
				Note: Plain(v.Now).Reason}
		})},
		{"case-conflict", "Case decided by somebody else meanwhile", caseIn(conflict)},
		{"case-typed", "Case with something typed and not sent", caseIn(typedEarlier)},
		{"case-typed-late", "Case decided before what was typed was sent",
			caseIn(func(v *reviews.Case) { decided(v); typedEarlier(v); v.Typed = v.Typed[1:] })},
		{"case-decided", "Case, decided", caseIn(decided)},
		{"case-held", "Case, decided by me and held", caseIn(func(v *reviews.Case) { held(v, me, "Ann Archer") })},
		{"case-stop", "Case, stopping what somebody else decided",
			caseIn(func(v *reviews.Case) { held(v, other, "Ben Carter"); v.Mode = reviews.ModeStop })},
		{"case-recall", "Case, recalling what was delivered",
			caseIn(func(v *reviews.Case) { decided(v); v.Mode = reviews.ModeRecall })},
		{"case-rejected", "Case, rejected", caseIn(func(v *reviews.Case) {
			decided(v)
			d := v.Item.Decision
			d.Kind, d.State, d.Text, d.ReasonCode, v.Lesson = review.Reject, review.Escalated, "",
				"vulnerable_customer", nil
		})},
		{"case-returned", "Case, sent back and answered anew", caseIn(returned)},
		{"case-sampled", "Case, sent without review", caseIn(sampled)},
		{"case-planted", "Case, a seeded check, decided", caseIn(plantedSample)},
		{"case-long", "Case with a very long text", caseIn(longText)},
		{"case-rtl", "Case in a script from right to left", caseIn(rightToLeft)},
		{"case-bare", "Case of which little is known", caseIn(bare)},
	}
}

func pending(v *reviews.Case, by, name string) {
	w := Plain(v.Now)
	clean(v)
	p := review.Person{ID: by, Name: name}
	v.Item.Base = &review.Decision{ID: "d7", InteractionID: "i1", Kind: review.Revise, State: review.Pending, By: p,
		Text: w.Revised, Reason: w.Reason, Feedback: w.Feedback, DecidedAt: v.Now.Add(-5 * time.Minute)}
	v.Item.First, v.Item.NeedsTwo, v.Item.TwoEyes, v.Item.Text, v.Form.Text = p, true, "db_transfer,vulnerable",
		w.Revised, w.Revised
	if by == me {
		v.Item.Claim = review.Claim{}
	}
}

func correcting(v *reviews.Case) {
	w := Plain(v.Now)
	clean(v)
	sent := review.Decision{ID: "d7", InteractionID: "i1", Kind: review.Revise, State: review.Recalled,
		By: review.Person{ID: other, Name: "Ben Carter"}, Text: w.Revised,
		DecidedAt: v.Now.Add(-26 * time.Hour), HeldUntil: v.Now.Add(-26 * time.Hour),
		SettledAt: v.Now.Add(-2 * time.Minute), SettledBy: review.Person{ID: me, Name: "Ann Archer"},
		SettledWhy: "The limit of £30,000 is about the transfer value and not about the pot."}
	v.Item.Correcting, v.Item.Base, v.Item.Text, v.Form.Text, v.Sent = true, &sent, w.Revised, w.Revised, &sent
	v.Out = []review.Decision{sent}
}

func typedEarlier(v *reviews.Case) {
	w := Plain(v.Now)
	v.Item.Version = 3
	v.Typed = []review.Draft{
		{CaseID: "i1", Version: 3, Mode: reviews.ModeReject, Reason: "She needs", SavedAt: v.Now.Add(-4 * time.Minute)},
		{CaseID: "i1", Version: 1, Mode: reviews.ModeRevise, Text: w.Revised, Reason: w.Reason,
			SavedAt: v.Now.Add(-2 * time.Hour)},
	}
}

func held(v *reviews.Case, by, name string) {
	decided(v)
	d := v.Item.Decision
	d.State, d.By, d.DecidedAt, d.HeldUntil = review.Held, review.Person{ID: by, Name: name}, v.Now.Add(-8*time.Second),
		v.Now.Add(22*time.Second)
	d.Second, d.SecondAt = review.Person{ID: "p3", Name: "Cara Doyle"}, v.Now.Add(-8*time.Second)
	v.Lesson = nil
}

func returned(v *reviews.Case) {
	decided(v)
	d := v.Item.Decision
	d.Kind, d.State, d.Text, v.Lesson = review.Return, review.Returned, "", nil
	v.Newer = &reviews.Version{ID: "i9"}
}

func sampled(v *reviews.Case) {
	clean(v)
	v.Item.State, v.Item.Claim = "decided", review.Claim{}
	v.Item.Decision = &review.Decision{ID: "d1", InteractionID: "i1", Kind: review.Sampled, State: review.Released,
		By: review.Person{Name: "Sampling"}, Text: v.In.Guidance,
		PolicyVersion: 3, DecidedAt: v.Now.Add(-2 * time.Hour), HeldUntil: v.Now.Add(-2 * time.Hour)}
}

func plantedSample(v *reviews.Case) {
	decided(v)
	v.Item.Planted = true
	v.Item.Decision.State, v.Lesson = review.Closed, nil
	v.Planted = "It tells the customer to transfer, and never mentions the guaranteed income. You found it: the " +
		"revision says both."
}

func longText(v *reviews.Case) {
	w := Plain(v.Now)
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "%d. %s\n\n", i+1, strings.ReplaceAll(w.Draft, "\n\n", " "))
	}
	b.WriteString("https://example.org/" + strings.Repeat("a-very-long-address-without-a-blank/", 12))
	set(v, b.String(), sampleFlags(Words{Draft: b.String()}))
	extra := map[string]any{}
	for i := range 14 {
		extra[fmt.Sprintf("fact_%02d", i+1)] = strings.Repeat("unbroken", 1+i)
	}
	v.In.Consultation.Customer.Extra = extra
	v.In.Consultation.Question = strings.Repeat(w.Question+" ", 12)
}

func rightToLeft(v *reviews.Case) {
	const text = "لديك معاش تقاعدي محدد المزايا بقيمة تحويل قدرها £310,000.\n\nإذا تم التحويل، يمكنك أخذ £77,500 " +
		"معفاة من الضرائب على الفور واستثمار الباقي. يجب عليك التحويل قريبًا.\n\nA sentence in English.\n\nHidden: " +
		"\u202eabc\u202c and \u200b here."
	at := strings.Index(text, "يجب عليك التحويل قريبًا")
	start := len([]rune(text[:at]))
	set(v, text,
		[]review.Flag{{Code: "PERSONAL_RECOMMENDATION", Severity: review.Critical,
			Why: "It tells this customer what to do.", Reference: "PERG 12.6", Start: start,
			End: start + len([]rune("يجب عليك التحويل قريبًا"))}})
	v.In.Consultation.Question = "ماذا يمكنني أن أفعل بمبلغ £310,000 المعروض علي؟"
	v.In.Consultation.Customer.Name = "مريم العلي"
}

func set(v *reviews.Case, text string, flags []review.Flag) {
	v.In.Guidance, v.Item.Text, v.Form.Text, v.Flags, v.Assessment.Flags = text, text, text, flags, flags
}

func bare(v *reviews.Case) {
	set(v, "It depends.", nil)
	v.Assessment = review.Assessment{}
	v.Item.Who, v.Item.CreatedAt = "", v.Now.Add(-10*time.Second)
	v.In.Consultation = interaction.Consultation{TaskType: "general", Question: "Help?",
		Customer: interaction.Customer{Extra: map[string]any{"n": json.Number("1")}}}
	v.In.Reasoning, v.In.Drafter, v.In.Model, v.Knowledge, v.Pos, v.Total, v.Prev, v.Next, v.Similar = "", "", "", nil,
		1, 1, "", "", &reviews.SimilarView{}
}

func sampleSimilar(w Words) *reviews.SimilarView {
	d := func(id, kind, code, reason string, ago time.Duration) review.Decision {
		return review.Decision{ID: "s" + id, InteractionID: id, Kind: kind, State: review.Released,
			By: review.Person{ID: other, Name: "Ben Carter"}, Reason: reason, ReasonCode: code,
			DecidedAt: w.Now.Add(-ago), Opening: w.Question}
	}
	return &reviews.SimilarView{Items: []review.Similar{
		{Decision: d("i21", review.Revise, "", w.Reason, 3*time.Hour),
			Why: []string{"says “mortgage”, “transfer”, “daughter”", "DB pension too",
				"same flag: MISSING_DB_WARNING"}},
		{Decision: d("i22", review.Reject, "vulnerable_customer", "", 30*time.Hour), Why: []string{"vulnerable too"}},
	}}
}
