package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/intake"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/terminal"
)

type checkCmd struct {
	config.Base
	Pack   string `default:"pension" placeholder:"PACK" help:"The domain of the texts: ${packs}. By default pension."`
	FailOn string `name:"fail-on" default:"nothing" enum:"nothing,violations" placeholder:"WHAT" help:"violations: exit with 1 if a text did not pass, and with 7 if one could not be judged, for builds and scripts."`
	JSON   bool   `name:"json" help:"One JSON verdict per line. This is always on; the flag is there for scripts."`
}

// checkAhead is how many lines may be checked before the oldest of them was written.
const checkAhead = 64

// Help is what a longer help says.
func (c *checkCmd) Help() string {
	return "Reads one JSON object per line from standard input, such as {\"id\": 1, \"customer\": {...}, " +
		"\"question\": \"...\", \"guidance\": \"...\"}, and writes one verdict per line, in the same order. It needs " +
		"no database. For a line that can't be read, it writes the line number and the error, continues, and exits " +
		"with 2 at the end. With --fail-on violations it exits with 1 if a text did not pass, and with 7 if none " +
		"failed but one could not be judged: its label is NOT_JUDGED, and because says why. POST /api/check returns " +
		"the same fields."
}

// wrongLine is the answer to a line that could not be read.
type wrongLine struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Line  int             `json:"line"`
	Error string          `json:"error"`
}

// Run checks line by line. Lines are checked side by side and answered in their order.
func (c *checkCmd) Run(t *terminal.Terminal) error {
	if err := pack.CheckName(c.Pack); err != nil {
		return err
	}
	v, err := validatorOf(c.Base)
	if err != nil {
		return err
	}
	answers := make(chan chan any, checkAhead)
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	stopped := make(chan error, 1)
	go func() {
		defer close(answers)
		stopped <- c.read(t, v, answers, room)
	}()
	out := bufio.NewWriterSize(t.Out, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	bad, violations, unjudged := 0, 0, 0
	used, unused := map[string]bool{}, map[string]bool{}
	var failed error
	for a := range answers {
		one := <-a
		switch one := one.(type) {
		case wrongLine:
			bad++
			t.Say("line %d: %s", one.Line, one.Error)
		case intake.Answer:
			addNames(used, one.Used)
			addNames(unused, one.Unused)
			switch {
			case one.Label == compliance.NotJudged:
				unjudged++
			case !one.Passed:
				violations++
			}
		}
		if failed == nil {
			failed = enc.Encode(one)
		}
		if failed == nil && len(answers) == 0 {
			failed = out.Flush() // whoever reads along has it at once
		}
	}
	if err := <-stopped; err != nil {
		return err
	}
	if failed == nil {
		failed = out.Flush()
	}
	if failed != nil {
		return fmt.Errorf("write the verdicts: %w", failed)
	}
	if len(unused) > 0 {
		t.Say("fields used: %s; not used: %s", namesOf(used), namesOf(unused))
	}
	switch {
	case bad > 0:
		return fault.New(fault.Invalid, "Lines that could not be checked: %d.", bad)
	case violations > 0 && c.FailOn == "violations":
		return terminal.Finding(fmt.Sprintf("Texts that did not pass: %d.", violations))
	case unjudged > 0 && c.FailOn == "violations":
		return terminal.Unknown(fmt.Sprintf("Texts that could not be judged: %d. The field because says why.",
			unjudged))
	}
	return nil
}

// mostFields bounds how many names of fields are told: in some files they are data.
const mostFields = 50

func addNames(seen map[string]bool, names []string) {
	for _, n := range names {
		if len(seen) < mostFields {
			seen[n] = true
		}
	}
}

func namesOf(seen map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(seen)), ", ") }

func (c *checkCmd) read(t *terminal.Terminal, v *compliance.Validator, answers chan<- chan any,
	room chan struct{}) error {
	lines := table.NewLines(t.In, intake.MaxLine)
	for line, err := range lines.All() {
		if err != nil && !fault.Is(err, fault.Invalid) {
			return err
		}
		n := lines.N
		if err := t.Ctx.Err(); err != nil {
			return err
		}
		answer := make(chan any, 1)
		answers <- answer
		room <- struct{}{}
		go func() {
			defer func() { <-room }()
			answer <- c.line(t, v, line, n, err)
		}()
	}
	return nil
}

func (c *checkCmd) line(t *terminal.Terminal, v *compliance.Validator, line []byte, n int, err error) any {
	var it intake.Item
	if err == nil {
		it, err = intake.Read(line)
	}
	if err != nil {
		return wrongLine{ID: it.ID, Line: n, Error: fault.Message(err)}
	}
	asked := it.Consultation()
	asked.Pack = c.Pack
	return intake.Answer{ID: it.ID, Fields: it.Fields, Verdict: v.Validate(t.Ctx, it.Guidance, asked)}
}
