package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/views/datasets"
)

// labelTyped reads a form for an answer about a text: what is meant, what stands on the page, and what can't be read.
func labelTyped(c echo.Context, s dataset.Settings, text string) (a dataset.Answer, f datasets.Answer, err error) {
	v := func(name string) string { return strings.ReplaceAll(c.FormValue(name), "\r\n", "\n") }
	form := c.Request().PostForm
	f = datasets.Answer{Label: v("label"), Boundary: v("boundary"), Confidence: v("confidence"), Rationale: v("rationale"), Notes: v("notes"), Quotes: v("quotes"),
		SpentMs: v("spent_ms"), Codes: form["code"]}
	a = dataset.Answer{Label: f.Label, Boundary: f.Boundary, Rationale: f.Rationale, Notes: f.Notes}
	var wrong []fault.Field
	for _, code := range f.Codes {
		a.Issues = append(a.Issues, dataset.Issue{Code: code})
	}
	for _, one := range form["span"] {
		if one == v("drop") {
			continue // its button was pressed
		}
		i, ok := parseSpan(one)
		if !ok || datasets.Words(text, i.Start, i.End) == "" {
			wrong = append(wrong, fault.Field{Name: "issues", Msg: "Marked words are not in the text. Mark them again."})
			continue
		}
		a.Issues = append(a.Issues, i)
		f.Spans = append(f.Spans, datasets.Span{Code: i.Code, Start: i.Start, End: i.End, Words: datasets.Words(text, i.Start, i.End)})
	}
	quoted, qerr := quotes(f.Quotes, text, s.Codes)
	if qerr != "" {
		wrong = append(wrong, fault.Field{Name: "quotes", Msg: qerr})
	}
	a.Issues = append(a.Issues, quoted...)
	if f.Confidence != "" {
		sure, ok := decimal.Data(f.Confidence)
		if !ok {
			wrong = append(wrong, fault.Field{Name: "confidence", Msg: "Choose one of the list."})
		}
		a.Confidence = &sure
	}
	if len(wrong) > 0 {
		return a, f, fault.WithFields("Something can't be read: "+wrong[0].Msg, wrong...)
	}
	return a, f, nil
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

// quotes reads issues with quoted words, "CODE: words" one a line, and finds the words in the text. The code may be written as
// the page shows it.
func quotes(typed, text string, codes []string) (list []dataset.Issue, wrong string) {
	for _, line := range lines(typed) {
		name, words, ok := strings.Cut(line, ":")
		words = strings.Trim(strings.TrimSpace(words), `"“”`)
		code := codeNamed(strings.TrimSpace(name), codes)
		switch {
		case !ok || words == "":
			return nil, "Write the issue, a colon, and the words, as PRESSURE: before it is too late."
		case code == "":
			return nil, fmt.Sprintf("There is no issue called %.60q in this dataset.", strings.TrimSpace(name))
		}
		at := strings.Index(text, words)
		if at < 0 {
			return nil, fmt.Sprintf("The text does not say %.60q. Copy the words as they stand there.", words)
		}
		start := utf8.RuneCountInString(text[:at])
		list = append(list, dataset.Issue{Code: code, Start: start, End: start + utf8.RuneCountInString(words)})
	}
	return list, ""
}

func codeNamed(name string, codes []string) string {
	at := slices.IndexFunc(codes, func(c string) bool { return strings.EqualFold(c, name) || strings.EqualFold(datasets.Name(c), name) })
	if at >= 0 {
		return codes[at]
	}
	if len(codes) == 0 {
		return name
	}
	return ""
}
