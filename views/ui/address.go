package ui

import (
	"maps"
	"net/url"
	"strconv"

	"github.com/go-playground/form/v4"
)

var encoder = func() *form.Encoder {
	e := form.NewEncoder()
	e.SetMode(form.ModeExplicit)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) {
		if x == true {
			return []string{"1"}, nil
		}
		return nil, nil
	}, false)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) { return number(int64(x.(int))), nil }, 0)
	e.RegisterCustomTypeFunc(func(x any) ([]string, error) { return number(x.(int64)), nil }, int64(0))
	return e
}()

// number leaves out 0, which is nothing chosen.
func number(n int64) []string {
	if n == 0 {
		return nil
	}
	return []string{strconv.FormatInt(n, 10)}
}

// Query is what was chosen as the fields of an address, by the same form tags that web/form reads; what is empty is
// left out.
func Query(chosen ...any) url.Values {
	out := url.Values{}
	for _, one := range chosen {
		q, err := encoder.Encode(one)
		if err != nil {
			panic(err) // of a kind that has no fields: a defect of the page that asks
		}
		maps.Copy(out, q)
	}
	maps.DeleteFunc(out, func(_ string, v []string) bool { return len(v) == 0 || len(v) == 1 && v[0] == "" })
	return out
}

// Address is a path with what was chosen as its query.
func Address(path string, chosen ...any) string {
	if q := Query(chosen...); len(q) > 0 {
		return path + "?" + q.Encode()
	}
	return path
}

// Around are the addresses of the first and the next page of a list. chosen is what the list was asked for, at is where
// in it a page begins, and next where the next one does; their zero values are the first page, and none.
func Around[V any, P comparable](path string, chosen V, at func(*V) *P, next P) (p Pages) {
	var first P
	if place := at(&chosen); *place != first {
		*place = first
		p.First = Address(path, chosen)
	}
	if next != first {
		*at(&chosen) = next
		p.Next = Address(path, chosen)
	}
	return p
}
