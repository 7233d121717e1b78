package transfer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/decimal"
)

// item makes an item of a row. The error is for a person.
func (in *importing) item(r *row) (n dataset.NewItem, err error) {
	m, f := &in.mapping, r.fields
	n = dataset.NewItem{Source: dataset.FromImport, SourceID: in.o.Name}
	if n.ExternalID, err = f[m.ID].word(); err != nil {
		return n, err
	}
	if n.Group, err = f[m.Group].word(); err != nil {
		return n, err
	}
	if n.Guidance, err = f.prose(m.Guidance); err != nil {
		return n, err
	}
	if n.Question, err = f.prose(m.Question); err != nil {
		return n, err
	}
	if n.Messages, err = f.messages(m.Messages); err != nil {
		return n, err
	}
	if len(n.SourceID) > 200 {
		n.SourceID = n.SourceID[len(n.SourceID)-200:]
	}
	if m.Customer != "" {
		if n.Customer, err = customer(f, m.Customer); err != nil {
			return n, err
		}
	}
	if in.o.Labels == Ignored {
		return n, nil
	}
	own, by, err := in.answer(f)
	if err = cmp.Or(r.wrong, err); err != nil {
		return n, err
	}
	if err := in.labels(&n, r, own, by); err != nil {
		return n, err
	}
	if in.o.Labels == AsRater {
		return n, nil
	}
	if own == nil && r.truth != nil {
		own, by = r.truth, ""
	}
	switch {
	case own == nil && r.split:
		return n, errors.New("its annotations don't agree and none is marked as true, so it has no final label; " +
			"import them as labels of raters")
	case own == nil:
	case in.o.Labels == AsKnown:
		n.Known = own
	default:
		final := *own
		n.Final, n.FinalWhy = &final, dataset.WhyImport
		by = cmp.Or(strings.TrimSpace(f["label_by"].text), by)
		if by != "" {
			n.FinalBy = fmt.Sprintf("%.150s, imported by %s", by, in.o.By.Name)
		}
	}
	return n, nil
}

// prose is a field that people wrote; a number, a list or an object there is another field's, and no text to label.
func (f fields) prose(name string) (string, error) {
	switch v := f[name]; {
	case v.bare:
		return "", fmt.Errorf("%s is %.20s, and a text is needed; put it in quotation marks if it is one", name, v.text)
	case v.json != nil && v.json[0] == '[':
		return "", fmt.Errorf("%s is a list, and a text is needed", name)
	case v.json != nil:
		return "", fmt.Errorf("%s is an object, and a text is needed", name)
	default:
		return v.text, nil
	}
}

// messages is a field that holds a conversation.
func (f fields) messages(name string) (dataset.Messages, error) {
	v := f[name]
	raw := v.json
	if raw == nil {
		raw = json.RawMessage(strings.TrimSpace(v.text))
	}
	list := pack.MessagesLoosely(raw)
	if len(list) == 0 && len(raw) > 0 && string(raw) != "null" && string(raw) != "[]" {
		return nil, fmt.Errorf(`%s is no conversation; send a list such as [{"role": "customer", "text": "..."}]`, name)
	}
	return list, nil
}

// answer is what the row's own fields say; nil when it has no label.
func (in *importing) answer(f fields) (a *dataset.Answer, by string, err error) {
	m, set := &in.mapping, &in.set.Settings
	label, err := f[m.Label].word()
	if label == "" || err != nil {
		return nil, "", err
	}
	a = &dataset.Answer{Label: m.label(label, set), Rationale: f[m.Rationale].text, Notes: f[m.Notes].text}
	if a.Boundary, err = f[m.Boundary].word(); err != nil {
		return nil, "", err
	}
	a.Boundary = word(a.Boundary, set.Boundaries, nil)
	if a.Issues, err = f[m.Codes].issues(codeWord(set)); err != nil {
		return nil, "", err
	}
	if m.Codes == "issues" && len(a.Issues) == 0 { // some rows have spans, and others codes alone
		if a.Issues, err = f["codes"].issues(codeWord(set)); err != nil {
			return nil, "", err
		}
	}
	if c := f["confidence"].text; c != "" {
		x, ok := decimal.Data(c)
		if !ok || x < 0 || x > 1 {
			return nil, "", fmt.Errorf("the confidence %.20q is not a number from 0 to 1", c)
		}
		a.Confidence = &x
	}
	by, err = f[m.Rater].word()
	return a, by, err
}

// labels gives an item the labels of raters: those of annotations, those of our own export, or the row's own.
func (in *importing) labels(n *dataset.NewItem, r *row, own *dataset.Answer, by string) error {
	if in.o.Labels != AsRater && in.o.Labels != AsBoth {
		return nil
	}
	n.Labels = r.labels
	exported, err := in.exportedLabels(r.fields["labels"])
	if err != nil {
		return err
	}
	n.Labels = append(n.Labels, exported...)
	if len(n.Labels) == 0 && own != nil && in.o.Labels == AsRater {
		n.Labels = []dataset.ExternalLabel{{Rater: by, Answer: *own}}
	}
	for i := range n.Labels {
		if strings.TrimSpace(n.Labels[i].Rater) == "" {
			n.Labels[i].Rater = in.o.Rater
		}
	}
	return nil
}

// exportedLabels reads the labels of our own export: the standing ones.
func (in *importing) exportedLabels(v value) (list []dataset.ExternalLabel, err error) {
	raw := v.json
	if raw == nil && v.plain && strings.HasPrefix(v.text, "[") {
		raw = []byte(v.text)
	}
	if raw == nil {
		return nil, nil
	}
	var labels []labelRow
	if err := json.Unmarshal(raw, &labels); err != nil {
		return nil, nil // a field of this name that means something else
	}
	for _, l := range labels {
		if !l.Standing {
			continue
		}
		at, _ := time.Parse(time.RFC3339Nano, l.At)
		var a dataset.Answer
		if err := json.Unmarshal(l.Answer, &a); err != nil {
			return nil, errors.New("a label in it can't be read")
		}
		a.Label = in.mapping.label(a.Label, &in.set.Settings)
		list = append(list, dataset.ExternalLabel{Rater: l.By, Answer: a, At: at, SpentMs: l.SpentMs})
	}
	return list, nil
}

// customer is the customer's JSON: a field that is an object, or holds one as text, or the fields under a prefix.
func customer(f fields, name string) (json.RawMessage, error) {
	if v, ok := f[name]; ok {
		switch text := strings.TrimSpace(v.text); {
		case v.json != nil:
			return v.json, nil
		case text == "":
			return nil, nil
		case strings.HasPrefix(text, "{"):
			return json.RawMessage(text), nil
		default:
			b, err := json.Marshal(map[string]string{"notes": text})
			return b, err
		}
	}
	if !strings.HasSuffix(name, ".") {
		return nil, nil
	}
	all := map[string]json.RawMessage{}
	for k, v := range f {
		key, ok := strings.CutPrefix(k, name)
		if !ok || key == "" {
			continue
		}
		switch text := strings.TrimSpace(v.text); {
		case v.json != nil:
			all[key] = v.json
		case text == "":
		case json.Valid([]byte(text)) && text != "null":
			all[key] = json.RawMessage(text) // 58, true, a list
		default:
			b, err := json.Marshal(v.text)
			if err != nil {
				return nil, errors.New("the customer's facts can't be read")
			}
			all[key] = b
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(all)
	return b, err
}
