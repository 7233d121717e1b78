package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// What labels have to agree in for a final label.
const (
	AgreeLabel = "label" // in the label; the final codes are those that all of them name
	AgreeCodes = "codes" // in the label, the boundary class and the codes
)

// Settings are what people decide about a set.
type Settings struct {
	Name        string `json:"-"`              // unique, whatever the case
	Description string `json:"description"`    // what is in it
	Purpose     string `json:"purpose"`        // what it is for
	Guidelines  string `json:"guidelines"`     // Markdown, shown beside the labelling
	Rubric      string `json:"rubric"`         // which version of the rubric the labels are made under, in words
	Licence     string `json:"licence"`        // as an SPDX id, or in words; for the data card
	Pack        string `json:"pack,omitempty"` // whose drafts its texts are; "" is pension

	Labels     []string `json:"labels"`     // in order, for the weighted figures
	Boundaries []string `json:"boundaries"` // in order; may be empty
	Codes      []string `json:"codes"`      // of issues; may be empty: then any code is taken

	Overlap    int    `json:"-"`          // independent labels per item, 1 to MaxOverlap
	MaxLabels  int    `json:"-"`          // at most, when the labels disagree; Overlap when 0
	CheckShare int    `json:"-"`          // per cent of the work, 0 to MaxCheckShare
	Invited    bool   `json:"invited"`    // only those who were invited may label
	AgreeOn    string `json:"agree_on"`   // AgreeLabel or AgreeCodes
	Reveal     bool   `json:"reveal"`     // who answered an item may see the other answers once it is closed
	Adjudicate bool   `json:"adjudicate"` // also what agreed waits for a ruling; without it agreement is final
}

// Bounds of the settings.
const (
	MaxOverlap    = 20
	MaxCheckShare = 50
	maxName       = 120    // characters
	maxText       = 20_000 // characters of description and purpose
	maxGuidelines = 200_000
	maxSet        = 100 // labels, boundaries, codes
	maxWord       = 64  // characters of one
)

// DefaultSettings is a set for the guidance line, without a name.
func DefaultSettings() Settings {
	return Settings{
		Labels:     []string{"COMPLIANT_GUIDANCE", "BORDERLINE", "NON_COMPLIANT"},
		Boundaries: []string{"GUIDANCE", "BORDERLINE", "ADVICE"},
		Codes: []string{"MISSING_DB_WARNING", "PERSONAL_RECOMMENDATION", "DISGUISED_RECOMMENDATION",
			"PRODUCT_NAMED_RECOMMENDATION",
			"MISSING_RISK_DISCLOSURE", "MISSING_SIGNPOST", "GUARANTEE_OR_PROMISE", "SCAM_RISK_UNFLAGGED", "PRESSURE",
			"INACCURATE_FACT",
			"UNDERSTANDING_NOT_CHECKED", "JARGON_FOR_LITERACY", "OFF_TOPIC"},
		Rubric: "guidance line 1", Overlap: 2, CheckShare: 5, AgreeOn: AgreeLabel,
	}
}

// decisive are the settings that decide who sees answers when, and what becomes final.
type decisive struct {
	overlap, maxLabels, checkShare int
	agreeOn                        string
	invited, reveal, adjudicate    bool
}

func (s Settings) decides() decisive {
	return decisive{s.Overlap, s.MaxLabels, s.CheckShare, s.AgreeOn, s.Invited, s.Reveal, s.Adjudicate}
}

// check brings the settings into their stored form, or says what is wrong; the fields have the names of the JSON form.
func (s *Settings) check() error {
	var wrong []fault.Field
	bad := func(name, format string, args ...any) {
		wrong = append(wrong, fault.Field{Name: name, Msg: fmt.Sprintf(format, args...)})
	}
	if s.Name = strings.Join(strings.Fields(s.Name), " "); s.Name == "" {
		bad("name", "Give it a name.")
	}
	tidy("name", &s.Name, maxName, bad)
	tidy("description", &s.Description, maxText, bad)
	tidy("purpose", &s.Purpose, maxText, bad)
	tidy("guidelines", &s.Guidelines, maxGuidelines, bad)
	tidy("rubric", &s.Rubric, maxName, bad)
	tidy("licence", &s.Licence, maxName, bad)
	s.Labels, s.Boundaries, s.Codes = words(s.Labels), words(s.Boundaries), words(s.Codes)
	if len(s.Labels) < 2 {
		bad("labels", "A set needs at least two labels.")
	}
	for name, list := range map[string][]string{"labels": s.Labels, "boundaries": s.Boundaries, "codes": s.Codes} {
		if len(list) > maxSet || slices.ContainsFunc(list, func(w string) bool {
			return utf8.RuneCountInString(w) > maxWord || !utf8.ValidString(w)
		}) {
			bad(name, "At most %d of them, each at most %d characters.", maxSet, maxWord)
		}
		for i, w := range list {
			if j := slices.IndexFunc(list[:i], func(o string) bool { return strings.EqualFold(o, w) }); j >= 0 {
				bad(name, "“%s” and “%s” differ only in case. Keep one of them.", list[j], w)
			}
		}
	}
	if s.Overlap < 1 || s.Overlap > MaxOverlap {
		bad("overlap", "Choose 1 to %d labels per item.", MaxOverlap)
	}
	if s.MaxLabels == 0 {
		s.MaxLabels = s.Overlap
	}
	if least := min(max(s.Overlap, 1), MaxOverlap); s.MaxLabels < least || s.MaxLabels > MaxOverlap {
		bad("max_labels", "Choose %d to %d: at least as many as the labels per item.", least, MaxOverlap)
	}
	if s.CheckShare < 0 || s.CheckShare > MaxCheckShare {
		bad("check_share", "Choose 0 to %d per cent.", MaxCheckShare)
	}
	if _, ok := pack.Named(s.Pack); !ok {
		bad("pack", "Choose one of the packs.")
	}
	switch s.AgreeOn {
	case "":
		s.AgreeOn = AgreeLabel
	case AgreeLabel, AgreeCodes:
	default:
		bad("agree_on", "Choose label or codes.")
	}
	if len(wrong) > 0 {
		slices.SortFunc(wrong, func(a, b fault.Field) int { return strings.Compare(a.Name, b.Name) })
		return fault.WithFields("The dataset can't be saved yet.", wrong...)
	}
	return nil
}

// tidy brings a typed text into its stored form, or says what is wrong.
func tidy(name string, s *string, most int, bad func(name, format string, args ...any)) {
	*s = strings.TrimSpace(strings.ReplaceAll(*s, "\r\n", "\n"))
	if long := text.TooLong(*s, most); long != "" {
		bad(name, "%s", long)
	}
	if !utf8.ValidString(*s) || strings.ContainsRune(*s, 0) {
		bad(name, "It contains an invalid character. Type it again.")
	}
}

// words are the entries of a list, trimmed, once each, in order.
func words(list []string) []string {
	out := make([]string, 0, len(list))
	for _, w := range list {
		if w = strings.TrimSpace(w); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
