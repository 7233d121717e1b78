package interaction

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// How a subject is named.
const (
	// a number or address that is theirs: a customer id, an e-mail address, an NI number, a policy number
	ByReference = "reference"
	ByName      = "name" // the customer's name as it was sent; others may bear it
	ByID        = "interaction"
)

// Subject is one way to name the customer of an interaction, in its plain form: the same for everybody who types it.
type Subject struct {
	How   string
	Value string
}

// SubjectOf is what somebody typed, in its plain form; the zero value for what names nobody.
func SubjectOf(how, typed string) Subject {
	s := Subject{How: how, Value: strings.TrimSpace(typed)}
	switch how {
	case ByReference:
		s.Value = plainReference(typed)
	case ByName:
		s.Value = plainPerson(typed)
	case ByID:
	default:
		return Subject{}
	}
	if s.Value == "" {
		return Subject{}
	}
	return s
}

// plainReference is a reference without case, blanks and marks: QQ 12 34 56 C is qq123456c.
func plainReference(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '@' || r == '.' || r == '+' || r == '_' {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// plainPerson is a name without case, title and doubled blanks.
func plainPerson(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for len(words) > 1 && slices.Contains([]string{"mr", "mrs", "ms", "miss", "mx", "dr", "sir", "dame", "rev", "prof"},
		strings.TrimSuffix(words[0], ".")) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// referring are parts of the names of fields whose values are references of the customer's, and nobody else's; others
// end in one of endings, as customer_id and membership_no.
var (
	referring = []string{"email", "phone", "mobile", "ni_number", "nino", "national_insurance", "policy", "account",
		"reference", "passport"}
	endings = []string{"id", "ref", "no", "number", "uid", "uuid"}
	// whose say in metadata, where ids of runs and sessions stand too, that an id is the customer's.
	whose = []string{"customer", "client", "member", "subject", "person", "applicant", "consumer"}
)

func refers(field string) bool { return containsAny(field, referring) || identifies(field) }

// identifies reports whether a field's whole name is that of an id, as customer_id, caseRef or client.
func identifies(field string) bool {
	low := strings.ToLower(field)
	return slices.Contains(whose, strings.TrimSuffix(low, "id")) || slices.ContainsFunc(endings, func(e string) bool {
		head, ends := strings.CutSuffix(low, e)
		return ends && (head == "" || strings.ContainsAny(head[len(head)-1:], "_- .") ||
			strings.HasSuffix(field, pack.Upper(e)) || strings.HasSuffix(field, "ID"))
	})
}

// Facts are the customer without the fields whose values are ids: they say who somebody is and not how they are, so
// they are no part of a case and go to no model. What reads as words or counts something stays.
func (c Customer) Facts() Customer {
	c.Extra, _ = facts("", c.Extra).(map[string]any)
	return c
}

func facts(field string, v any) any {
	switch one := v.(type) {
	case string, json.Number:
		w := fmt.Sprint(one)
		if identifies(field) && len(strings.Fields(w)) == 1 && len(w) > 2 &&
			!slices.Contains(plainAnswers, strings.ToLower(w)) {
			return nil
		}
	case []any:
		return slices.DeleteFunc(lists.Map(one, func(e any) any { return facts(field, e) }),
			func(e any) bool { return e == nil })
	case map[string]any:
		kept := map[string]any{}
		for name, below := range one {
			if f := facts(name, below); f != nil {
				kept[name] = f
			}
		}
		return kept
	}
	return v
}

// Subjects lists the ways in which an interaction names its customer, its own id first, each once. Fields below another
// person (a spouse, an executor) name that person.
func (in *Interaction) Subjects() []Subject {
	list := []Subject{{ByID, in.ID}}
	in.eachName(func(s Subject, _ string) {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	})
	return list
}

// Sent are the other values of the metadata as references, such as an order number: each finds what it was sent with
// and may be held, and none says whose it is.
func (in *Interaction) Sent() (list []Subject) {
	in.eachValue(func(v string) {
		if s := reference(v); s.Value != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	})
	return list
}

// Telltale lists the words, as they were sent, that give the customer away wherever they stand: a name of at least two
// words, and references that nobody else has. It is for texts that must not hold them.
func (in *Interaction) Telltale() (words []string) {
	in.eachName(func(s Subject, raw string) {
		raw = strings.TrimSpace(raw)
		own := s.How == ByName && strings.Contains(s.Value, " ") ||
			s.How == ByReference && len(s.Value) >= 6 && strings.ContainsFunc(s.Value, func(r rune) bool {
				return unicode.IsDigit(r) || r == '@'
			})
		if own && !slices.Contains(words, raw) {
			words = append(words, raw)
		}
	})
	return words
}

// eachName gives what names the customer: the plain form, and as it was sent.
func (in *Interaction) eachName(give func(s Subject, raw string)) {
	named := func(s Subject, raw string) {
		if s.Value != "" {
			give(s, raw)
		}
	}
	named(SubjectOf(ByName, in.Consultation.Customer.Name), in.Consultation.Customer.Name)
	walk := func(field, raw string) {
		switch {
		case strings.EqualFold(field, "full_name") || strings.EqualFold(field, "customer_name"):
			named(SubjectOf(ByName, raw), raw)
		case refers(field):
			named(reference(raw), raw)
		}
	}
	leaves("", in.Consultation.Customer.Extra, false, walk)
	meta := in.meta()
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		if containsAny(name, whose) {
			leaves(name, meta[name], false, walk)
		}
	}
}

// leaves gives the texts and numbers below a field, in the order of names; those of other people only with others.
func leaves(field string, v any, others bool, give func(field, raw string)) {
	switch v := v.(type) {
	case string:
		give(field, v)
	case json.Number:
		give(field, v.String())
	case []any:
		for _, one := range v {
			leaves(field, one, others, give)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if others || !containsAny(name, people) || strings.Contains(strings.ToLower(name), "name") {
				leaves(name, v[name], others, give)
			}
		}
	}
}

// reference refuses what is too short to be anybody's own.
func reference(typed string) Subject {
	s := SubjectOf(ByReference, typed)
	if len(s.Value) < 3 {
		return Subject{}
	}
	return s
}

// WalkSubjects gives every interaction that has its texts, after the one of id after, in the order of ids, with what
// names its customer: at most n. It is for erasure, which looks through all of them.
func (s *Store) WalkSubjects(ctx context.Context, after string, n int,
	give func(in *Interaction)) (last string, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "interaction: look for a subject", func(row db.Row) error {
			var in Interaction
			var metadata string
			if err := row.Scan(&in.ID, &in.Status, &in.Consultation.TaskType, &in.AgentID, &in.AgentName,
				&in.Consultation.Thread, db.JSON(&in.Consultation.Customer), &metadata,
				db.At(&in.CreatedAt)); err != nil {
				return err
			}
			in.Metadata, last = json.RawMessage(metadata), in.ID
			give(&in)
			return nil
		}, `SELECT id, status, task, agent_id, agent_name, thread, customer, metadata, created_at FROM interaction
			WHERE id > $1 AND erased_at = 0 ORDER BY id LIMIT $2`, after, n)
	})
	return last, err
}
