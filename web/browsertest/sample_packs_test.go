package browsertest

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
	"preceptor/views/layout"
	"preceptor/views/packs"
)

func packSamples() []Sample {
	return []Sample{
		{"packs", "Consumer Duty packs, some on record", func(f layout.Frame, w Words) templ.Component {
			return packs.PeriodsPage(f, packPeriods(w))
		}},
		{"packs-none", "Consumer Duty packs, none yet, a wrong day", func(f layout.Frame, w Words) templ.Component {
			v := packPeriods(w)
			v.Past, v.From, v.To = nil, "2026-11-31", "2026-11-01"
			v.Error, v.Errors = "A date isn't valid.",
				map[string]string{"from": "Enter the date as 1/12/2026, 1 Dec 2026 or 2026-12-01."}
			return packs.PeriodsPage(f, v)
		}},
		{"packs-checked", "A pack that was checked, of texts that were erased since",
			func(f layout.Frame, w Words) templ.Component {
				v := packPeriods(w)
				v.File, v.Checked = w.Name+".html", packReport(w)
				return packs.PeriodsPage(f, v)
			}},
		{"packs-bad", "A pack that was changed", func(f layout.Frame, w Words) templ.Component {
			v := packPeriods(w)
			v.File, v.Checked = w.Name+".html", packReport(w)
			v.Checked.Bad = &evidence.Bad{What: "the part “" + w.Reason + "”", Why: "its words are not what was sealed"}
			return packs.PeriodsPage(f, v)
		}},
		{"packs-evidence", "The evidence of one piece of guidance", func(f layout.Frame, w Words) templ.Component {
			return packs.EvidencePage(f, packEvidence(w))
		}},
		{"packs-evidence-refused", "The evidence, not for this person", func(f layout.Frame, w Words) templ.Component {
			v := packEvidence(w)
			v.Packs, v.MayOpen = nil, true
			v.Refused = "Supervisors can open evidence for guidance they decided, once it is settled. For any other, " +
				"ask a manager."
			return packs.EvidencePage(f, v)
		}},
		{"review-read", "A review, for a manager to read", func(f layout.Frame, w Words) templ.Component {
			in := &interaction.Interaction{ID: "i1", AgentName: w.Agent, Status: interaction.Released,
				Guidance: w.Draft, FinalText: w.Revised, CreatedAt: w.Now.Add(-26 * time.Hour),
				Consultation: interaction.Consultation{Question: w.Question, TaskType: "drawdown"}}
			return packs.ReviewPage(f,
				packs.Review{In: in, MayRead: true, Now: w.Now,
					Votes: []feedback.Vote{{Norm: 0, Text: w.Reason}, {Norm: 1}},
					Decisions: []review.Decision{{Kind: review.Revise, State: review.Overruled,
						By: review.Person{Name: w.Name}, Reason: w.Reason, DecidedAt: w.Now.Add(-25 * time.Hour)},
						{Kind: review.Revise, By: review.Person{Name: w.Name}, Second: review.Person{Name: w.Agent},
							NeedsSecond: true, Reason: w.Reason, DecidedAt: w.Now.Add(-24 * time.Hour)}}})
		}},
		{"review-read-waiting", "A review that isn't decided, for a manager",
			func(f layout.Frame, w Words) templ.Component {
				in := &interaction.Interaction{ID: "i1", AgentName: w.Agent, Status: interaction.Waiting,
					CreatedAt: w.Now.Add(-time.Hour), Consultation: interaction.Consultation{TaskType: "scams"}}
				return packs.ReviewPage(f,
					packs.Review{In: in, Refused: "This guidance hasn't been decided yet.", Now: w.Now})
			}},
		{"packs-evidence-erased", "The evidence, once texts were erased",
			func(f layout.Frame, w Words) templ.Component {
				v := packEvidence(w)
				v.Erased = w.Now.Add(-time.Hour)
				v.Packs[0].By.Name, v.Packs[0].Hash = "", ""
				return packs.EvidencePage(f, v)
			}},
	}
}

var packHash = strings.Repeat("3fa9", 16)

func packPeriods(w Words) packs.Periods {
	by := audit.Actor{Kind: audit.Person, ID: me, Name: w.Name}
	v := packs.Periods{From: "2026-10-01", To: "2026-10-31", Past: []duty.Made{
		{Subject: "2026-10-01/2026-10-31", At: w.Now.Add(-time.Hour), By: by, Seal: audit.Head{Seq: 48_211},
			Hash: packHash},
		{Subject: "2026-07-01/2026-09-30", At: w.Now.AddDate(0, -1, 0), By: by, Seal: audit.Head{Seq: 31_902},
			Hash: packHash}}}
	month := time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC)
	for i := range 3 {
		first := month.AddDate(0, -i, 0)
		v.Offers = append(v.Offers, duty.Offer{Name: first.Format("January 2006"),
			Period: duty.Period{First: first, Last: first.AddDate(0, 1, -1)}})
	}
	return v
}

func packReport(w Words) *evidence.Report {
	return &evidence.Report{Kind: evidence.Interaction, Subject: "i1", Title: "Guidance i1",
		MadeAt: w.Now.AddDate(0, 0, -3), MadeBy: w.Name, Parts: 12, Texts: 4, Rows: 9,
		Seal: audit.Head{Seq: 48_211, Hash: packHash}, Log: &evidence.InLog{Rows: 51_002, ErasedSince: 9}}
}

func packEvidence(w Words) packs.Evidence {
	return packs.Evidence{Standing: history.Standing{ID: "i1", Agent: w.Agent, Task: "db_transfer",
		Status: interaction.Released, At: w.Now.AddDate(0, 0, -9), Packs: []history.Made{
			{At: w.Now.AddDate(0, 0, -3), By: audit.Actor{Kind: audit.Person, ID: me, Name: w.Name},
				Seal: audit.Head{Seq: 48_211}, Hash: packHash}}}}
}
