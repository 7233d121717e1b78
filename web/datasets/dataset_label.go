package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// mineShown is how many of my last answers stand under the item.
const mineShown = 6

// DatasetLabel is the labelling screen: what I do next, or with ?item= one that I had before.
func (p *Pages) DatasetLabel(c echo.Context, in struct {
	Item   string `form:"item"`
	Others bool   `form:"others"`
}) error {
	h, err := p.datasetHead(c, "label")
	if err != nil {
		return err
	}
	v := datasets.Label{Head: h}
	if in.Item != "" {
		if v.Task, err = p.Datasets.Task(c.Request().Context(), in.Item, labeller(c)); err != nil {
			return err
		}
		v.Answer = drafted(v.Task)
		if in.Others {
			if v.Others, err = p.Datasets.Answers(c.Request().Context(), in.Item, labeller(c)); err != nil {
				return err
			}
		}
	}
	return p.labelPage(c, http.StatusOK, v, nil)
}

// labelPage draws the screen around v.Task, or around what comes next when there is none.
func (p *Pages) labelPage(c echo.Context, status int, v datasets.Label, wrong error) error {
	ctx, who := c.Request().Context(), labeller(c)
	v.Me = who.ID
	if v.Task == nil {
		w, err := p.Datasets.Next(ctx, v.Set.ID, who)
		if err != nil {
			return err
		}
		v.Task, v.Then, v.Empty, v.Answer = w.Now, w.Then, w.Empty, drafted(w.Now)
	} else if v.Task.Mine == nil {
		then, err := p.Datasets.Peek(ctx, v.Set.ID, v.Task.ItemID, who)
		if err != nil {
			return err
		}
		v.Then = then
	}
	switch {
	case wrong != nil:
		v.Answer.Message, v.Answer.Errors = fault.Message(wrong), form.Errors(wrong)
	case v.Task != nil && v.Task.Mine != nil:
		v.Answer = datasets.AnswerOf(v.Task.Mine.Answer, v.Task.Guidance)
	}
	var err error
	if v.Progress, err = p.Datasets.Progress(ctx, v.Set.ID, who); err != nil {
		return err
	}
	if v.Mine, err = p.Datasets.Mine(ctx, v.Set.ID, who, mineShown); err != nil {
		return err
	}
	return render.Status(c, status, datasets.LabelPage(p.Frame(c, "Label "+v.Set.Name).Broad(), v))
}

// DatasetAnswer takes a label and shows what comes next. With a script the next item is the answer to the form: one
// round trip for each item.
func (p *Pages) DatasetAnswer(c echo.Context, in labelForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	h, err := p.datasetHead(c, "label")
	if err != nil {
		return err
	}
	t, err := p.Datasets.Task(c.Request().Context(), in.Item, labeller(c))
	if err != nil {
		return p.labelElse(c, h, err)
	}
	answer, typed, err := in.read(h.Set.Settings, t.Guidance)
	v := datasets.Label{Head: h, Task: t, Answer: typed}
	if err == nil && in.Drop != "" { // a mark was taken off without a script
		return p.labelPage(c, http.StatusOK, v, nil)
	}
	if err == nil {
		label := dataset.LabelInput{ItemID: t.ItemID, By: labeller(c), Answer: answer, Revise: in.Revise}
		label.SpentMs, _ = strconv.ParseInt(typed.SpentMs, 10, 64) // 0: not measured
		_, err = p.Datasets.Label(context.WithoutCancel(c.Request().Context()), label)
	}
	switch {
	case fault.Is(err, fault.Invalid):
		return p.labelPage(c, http.StatusUnprocessableEntity, v, err)
	case fault.Is(err, fault.Conflict):
		return p.labelElse(c, h, err)
	case err != nil:
		return err
	}
	return p.labelNext(c, h)
}

// DatasetDraft keeps what somebody has typed of an answer so far.
func (p *Pages) DatasetDraft(c echo.Context, in labelForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	h, err := p.datasetHead(c, "label")
	if err != nil {
		return err
	}
	t, err := p.Datasets.Task(c.Request().Context(), in.Item, labeller(c))
	if err != nil {
		return err
	}
	_, typed, _ := in.read(h.Set.Settings, t.Guidance) // what can't be read yet is kept as it is
	draft, err := json.Marshal(typed)
	if err != nil {
		return err
	}
	at, err := p.Datasets.SaveDraft(c.Request().Context(), t.ItemID, labeller(c), string(draft))
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, "Saved "+at.Local().Format("15:04"))
}

// drafted is what somebody typed of an answer before and didn't send.
func drafted(t *dataset.Task) (a datasets.Answer) {
	if t == nil || t.Draft == "" || json.Unmarshal([]byte(t.Draft), &a) != nil {
		return datasets.Answer{} // written by this program; an older form is left alone
	}
	return a
}

// labelNext goes on to the next item.
func (p *Pages) labelNext(c echo.Context, h datasets.Head) error {
	to := "/datasets/" + h.Set.ID + "/label"
	if c.Request().Header.Get("HX-Request") != "true" {
		return c.Redirect(http.StatusSeeOther, to)
	}
	c.Response().Header().Set("HX-Push-Url", to)
	return p.labelPage(c, http.StatusOK, datasets.Label{Head: h}, nil)
}

// labelElse says why an answer was not taken when the item itself is not there to be answered any more, and leads on.
func (p *Pages) labelElse(c echo.Context, h datasets.Head, cause error) error {
	if !fault.Is(cause, fault.Conflict) && !fault.Is(cause, fault.NotFound) {
		return cause
	}
	v := datasets.Label{Head: h}
	v.Error = fault.Message(cause)
	return p.labelPage(c, fault.KindOf(cause).Status(), v, nil)
}

// DatasetSkip passes an item over.
func (p *Pages) DatasetSkip(c echo.Context, in labelAct) error {
	return p.labelDo(c, in, func(ctx context.Context, who dataset.Person) error {
		return p.Datasets.Skip(ctx, in.Item, who, cmp.Or(in.Reason, in.Why))
	}, "")
}

// labelAct is what the other forms of the screen send.
type labelAct struct {
	Item   string `form:"item"`
	As     string `form:"as"`
	Reason string `form:"reason"`
	Why    string `form:"why"`
	Note   string `form:"note"`
	Off    bool   `form:"off"`
}

// DatasetUnskip takes up again what I passed over.
func (p *Pages) DatasetUnskip(c echo.Context, in labelAct) error {
	return p.labelDo(c, in, func(ctx context.Context, who dataset.Person) error {
		_, err := p.Datasets.Unskip(ctx, c.Param("id"), who)
		return err
	}, "")
}

// DatasetUndo takes an answer of mine back and puts it into the form again, to be changed.
func (p *Pages) DatasetUndo(c echo.Context, in labelAct) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	ctx, who := c.Request().Context(), labeller(c)
	h, err := p.datasetHead(c, "label")
	if err != nil {
		return err
	}
	before, err := p.Datasets.Task(ctx, in.Item, who)
	if err != nil {
		return err
	}
	t, err := p.Datasets.Undo(context.WithoutCancel(ctx), before.ItemID, who)
	if err != nil {
		return p.labelElse(c, h, err)
	}
	v := datasets.Label{Head: h, Task: t}
	if before.Mine != nil {
		v.Answer = datasets.AnswerOf(before.Mine.Answer, t.Guidance)
	}
	c.Response().Header().Set("HX-Push-Url", "/datasets/"+h.Set.ID+"/label?item="+t.ItemID)
	return p.labelPage(c, http.StatusOK, v, nil)
}

// DatasetFlag flags an item, or takes the flag off; the item stays before the labeller.
func (p *Pages) DatasetFlag(c echo.Context, in labelAct) error {
	note, line := in.Note, "Flagged. You can still label it."
	if in.Off {
		note, line = "", "Flag removed."
	} else if note == "" {
		return fault.Wrong("Say what is wrong with the item.", "note", "Say what is wrong with the item.")
	}
	return p.labelDo(c, in, func(ctx context.Context, who dataset.Person) error {
		return p.Datasets.Flag(ctx, in.Item, who, note)
	}, line)
}

// labelDo does something about an item and shows what is next.
func (p *Pages) labelDo(c echo.Context, in labelAct, act func(context.Context, dataset.Person) error,
	line string) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	h, err := p.datasetHead(c, "label")
	if err != nil {
		return err
	}
	if err := act(context.WithoutCancel(c.Request().Context()), labeller(c)); err != nil {
		return err
	}
	if line != "" {
		if err := session.Flash(c, line); err != nil {
			return err
		}
	}
	return p.labelNext(c, h)
}

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
