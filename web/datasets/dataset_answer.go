package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/decimal"
	"preceptor/views/datasets"
	"preceptor/web/form"
)

// labelForm is the form of an answer about a text.
type labelForm struct {
	datasets.Answer `form:"answer"`
	Item            string   `form:"item"`
	As              string   `form:"as"`
	Version         int      `form:"version"`
	Revise          bool     `form:"revise"`
	Drop            string   `form:"drop"` // the mark whose button was pressed
	Marks           []string `form:"span"`
}

// read is what is meant, what stands on the page, and what can't be read.
func (in labelForm) read(s dataset.Settings, text string) (a dataset.Answer, f datasets.Answer, err error) {
	f = in.Answer
	a = dataset.Answer{Label: f.Label, Boundary: f.Boundary, Rationale: f.Rationale, Notes: f.Notes}
	var r form.Reading
	for _, code := range f.Codes {
		a.Issues = append(a.Issues, dataset.Issue{Code: code})
	}
	for _, one := range in.Marks {
		if one == in.Drop {
			continue
		}
		i, ok := parseSpan(one)
		if !ok || datasets.Words(text, i.Start, i.End) == "" {
			r.Wrong("issues", "Marked words are not in the text. Mark them again.")
			continue
		}
		a.Issues = append(a.Issues, i)
		f.Spans = append(f.Spans, datasets.Span{Code: i.Code, Start: i.Start, End: i.End,
			Words: datasets.Words(text, i.Start, i.End)})
	}
	quoted, wrong := quotes(f.Quotes, text, s.Codes)
	if wrong != "" {
		r.Wrong("quotes", wrong)
	}
	a.Issues = append(a.Issues, quoted...)
	if f.Confidence != "" {
		sure, ok := decimal.Data(f.Confidence)
		if !ok {
			r.Wrong("confidence", "Choose one from the list.")
		}
		a.Confidence = &sure
	}
	return a, f, r.Err("Some fields can't be read.")
}

// parseSpan reads "CODE 12 34"; a code may hold blanks.
func parseSpan(s string) (i dataset.Issue, ok bool) {
	parts := strings.Split(s, " ")
	n := len(parts)
	if n < 3 {
		return i, false
	}
	var err1, err2 error
	i.Code = strings.Join(parts[:n-2], " ")
	i.Start, err1 = strconv.Atoi(parts[n-2])
	i.End, err2 = strconv.Atoi(parts[n-1])
	return i, err1 == nil && err2 == nil && i.Start >= 0 && i.Start < i.End
}

// quotes reads issues with quoted words, "CODE: words" one a line, and finds the words in the text. The code may be
// written as the page shows it.
func quotes(typed, text string, codes []string) (list []dataset.Issue, wrong string) {
	for _, line := range form.Lines(typed) {
		name, words, ok := strings.Cut(line, ":")
		words = strings.Trim(strings.TrimSpace(words), `"“”`)
		code := codeNamed(strings.TrimSpace(name), codes)
		switch {
		case !ok || words == "":
			return nil, "Write the issue, a colon and the words, such as PRESSURE: before it is too late."
		case code == "":
			return nil, fmt.Sprintf("There is no issue called %.60q in this dataset.", strings.TrimSpace(name))
		}
		at := strings.Index(text, words)
		if at < 0 {
			return nil, fmt.Sprintf("The text does not say %.60q. Copy the words exactly.", words)
		}
		start := utf8.RuneCountInString(text[:at])
		list = append(list, dataset.Issue{Code: code, Start: start, End: start + utf8.RuneCountInString(words)})
	}
	return list, ""
}

func codeNamed(name string, codes []string) string {
	at := slices.IndexFunc(codes, func(c string) bool {
		return strings.EqualFold(c, name) || strings.EqualFold(datasets.Name(c), name)
	})
	if at >= 0 {
		return codes[at]
	}
	if len(codes) == 0 {
		return name
	}
	return ""
}
