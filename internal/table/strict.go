package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// maxKeys bounds the keys of one object.
const maxKeys = 500

// CheckJSON refuses what encoding/json takes in silence, although two readers of it could disagree on what it says: a key that
// comes twice in one object, and nesting deeper than depth; and what is no JSON, or more than one value. The error is for a
// person, with the value as its subject.
func CheckJSON(raw []byte, depth int) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowInvalidUTF8(true))
	for begun := false; ; begun = true {
		if begun && d.StackDepth() == 0 && len(bytes.TrimSpace(raw[d.InputOffset():])) > 0 {
			return errors.New("has something behind its end")
		}
		_, err := d.ReadToken()
		bad, _ := errors.AsType[*jsontext.SyntacticError](err)
		switch {
		case errors.Is(err, io.EOF) && begun:
			return nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("is cut off")
		case errors.Is(err, jsontext.ErrDuplicateName):
			return fmt.Errorf("says %.40q twice", bad.JSONPointer.LastToken())
		case err != nil:
			return errors.New("is not valid JSON")
		case d.StackDepth() > depth:
			return fmt.Errorf("is nested deeper than %d", depth)
		}
		if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n > 2*maxKeys {
			return fmt.Errorf("has more than %d keys in one object", maxKeys)
		}
	}
}
