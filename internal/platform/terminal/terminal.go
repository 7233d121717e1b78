// Package terminal is what programs do at their edge: read the command line, say what goes on, print data, and end with
// a code.
//
// Data goes to standard output and nothing else does; progress and messages go to standard error; the exit code says
// what kind of fault it was. A test runs the real thing with Run and buffers.
package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
)

// Operator is who the audit record names for what a command did.
var Operator = audit.System("command line")

// Terminal is what a command may touch of the world.
type Terminal struct {
	Ctx context.Context
	In  io.Reader
	Out io.Writer // data only
	Err io.Writer // progress and messages
}

// Program is one that commands drive: a struct as kong reads it, each of whose commands has Run(*Terminal) error.
type Program struct {
	Name     string
	About    string
	Commands func() any // new for each run
	Vars     kong.Vars
}

// Main runs the program in this process and ends it.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exit is how kong's own ending (after --help) leaves Run instead of the process.
type exit int

// Run is the whole program but for the process around it; it returns the exit code. Without arguments it helps.
func (p Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if e, ok := recover().(exit); ok {
			code = int(e)
		}
	}()
	t := &Terminal{Ctx: ctx, In: stdin, Out: stdout, Err: stderr}
	k, err := kong.New(p.Commands(), kong.Name(p.Name), kong.Description(p.About),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		p.Vars, kong.Writers(stdout, stderr), kong.Exit(func(code int) { panic(exit(code)) }))
	if err != nil {
		return t.Fail(p.Name, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := k.Parse(args)
	if err != nil {
		t.Say("%s: %s", p.Name, err)
		t.Say("Try: %s --help", p.Name)
		return fault.Invalid.ExitCode()
	}
	if err := parsed.Run(t, k); err != nil {
		return t.Fail(p.Name, err)
	}
	return 0
}

// Fail reports err and tells the exit code. The reader is the operator, so the cause follows the message.
func (t *Terminal) Fail(program string, err error) int {
	if errors.Is(err, context.Canceled) {
		t.Say("%s: stopped", program)
		return 130 // as a shell reports an interrupt
	}
	kind := fault.KindOf(err)
	if f, ok := errors.AsType[Finding](err); ok {
		t.Say("%s: %s", program, f)
		return kind.ExitCode()
	}
	if u, ok := errors.AsType[Unknown](err); ok {
		t.Say("%s: %s", program, u)
		return unknownCode
	}
	if kind == fault.Internal {
		t.Say("%s: unexpected error: %s", program, err)
		return kind.ExitCode()
	}
	t.Say("%s: %s", program, fault.Message(err))
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Unwrap() != nil {
		t.Say("  cause: %s", strings.TrimSpace(f.Unwrap().Error()))
	}
	return kind.ExitCode()
}
