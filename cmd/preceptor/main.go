// Command preceptor is the one binary: the server, the demo and every operator's tool.
//
// It is a contract that scripts rely on. Data goes to standard output and nothing else does; progress and messages go
// to standard error; the exit code says what kind of fault it was (internal/fault); --json is there wherever a program
// may read. A command that opens the database makes a missing file; one that meets a file held by a server says so and
// where in the server the same thing is done.
//
// Every command is a struct in a file of its own with a Run method; main only parses and translates errors, so that a
// test runs the real thing with run(args, stdin, stdout, stderr).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"preceptor/internal/fault"
	"preceptor/internal/pack"
)

// keepZone makes the desk's zone that of pages and files, wherever the machine stands. It is the whole process's, so main alone sets it.
var keepZone = func(*time.Location) {}

func main() {
	keepZone = func(zone *time.Location) { time.Local = zone }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// commands is the command line as kong reads it, in the order of its help.
type commands struct {
	Serve   serveCmd   `cmd:"" help:"Serve the pages and the API." group:"Serve"`
	Demo    demoCmd    `cmd:"" help:"Fill a fresh file with a few days of work and serve it, to try things out." group:"Serve"`
	MCP     mcpCmd     `cmd:"" name:"mcp" help:"Speak the Model Context Protocol on standard input and output, for a running server." group:"People and agents"`
	Account accountCmd `cmd:"" help:"People." group:"People and agents"`
	Token   tokenCmd   `cmd:"" help:"Keys for agents." group:"People and agents"`
	Import  importCmd  `cmd:"" help:"Knowledge and gold sets from files." group:"Knowledge"`
	Recall  recallCmd  `cmd:"" help:"What an agent would be given for a question." group:"Knowledge"`

	Scan  scanCmd  `cmd:"" help:"How a code base handles errors, tests and imports." group:"Knowledge"`
	Learn learnCmd `cmd:"" help:"The learning path." group:"Knowledge"`

	Train    trainCmd    `cmd:"" help:"Have an advisor practise with virtual customers, in a copy of its base." group:"Practice"`
	Evaluate evaluateCmd `cmd:"" help:"How well an advisor answers virtual customers." group:"Practice"`
	Ablate   ablateCmd   `cmd:"" help:"Which part of an advisor's memory helps: train with virtual customers, then take it apart." group:"Practice"`

	Check  checkCmd  `cmd:"" help:"Check guidance against the line, JSON lines in and out." group:"Knowledge"`
	Judges judgesCmd `cmd:"" help:"Who votes on compliance, and how well." group:"Datasets"`

	Agreement agreementCmd `cmd:"" help:"How far people who labelled the same items agree, from a CSV file." group:"Datasets"`

	Audit    auditCmd    `cmd:"" help:"The record of who did what." group:"Care"`
	Export   exportCmd   `cmd:"" help:"Decisions, skips and gold sets as files." group:"Care"`
	Erase    eraseCmd    `cmd:"" help:"Take one customer's texts out of everything, for good." group:"Care"`
	Backup   backupCmd   `cmd:"" help:"Write a consistent copy of the database file." group:"Care"`
	Restore  restoreCmd  `cmd:"" help:"Make a database file from a backup." group:"Care"`
	Doctor   doctorCmd   `cmd:"" help:"Check the file, the search indexes and the audit record." group:"Care"`
	Stats    statsCmd    `cmd:"" help:"The managers' numbers." group:"Care"`
	Bench    benchCmd    `cmd:"" help:"Measure this machine." group:"Care"`
	Simulate simulateCmd `cmd:"" help:"Plant what is known and look whether it is found: the gate of rules, the credit for knowledge." group:"Care"`
	Config   configCmd   `cmd:"" help:"Print every setting as it stands, secrets hidden." group:"About"`
	Version  versionCmd  `cmd:"" help:"Print the version." group:"About"`
	Help     helpCmd     `cmd:"" help:"Explain a command." group:"About"`
}

// terminal is what a command may touch of the world.
type terminal struct {
	ctx context.Context
	in  io.Reader
	out io.Writer // data only
	err io.Writer // progress and messages
}

// say writes a message for the person at the terminal.
func (t *terminal) say(format string, args ...any) { fmt.Fprintf(t.err, format+"\n", args...) }

// exit is how kong's own ending (after --help) leaves run instead of the process.
type exit int

// run is the whole program but for the process around it; it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if e, ok := recover().(exit); ok {
			code = int(e)
		}
	}()
	t := &terminal{ctx: ctx, in: stdin, out: stdout, err: stderr}
	k, err := parser(t)
	if err != nil {
		return t.fail(err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := k.Parse(args)
	if err != nil {
		return t.usage(err)
	}
	if err := parsed.Run(t, k); err != nil {
		return t.fail(err)
	}
	return 0
}

func parser(t *terminal) (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("preceptor"),
		kong.Description("Preceptor is where people teach an AI advisor: supervisors decide on each piece of guidance before the customer sees it, and every correction becomes a rule.\n\nTry it: preceptor demo"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Vars{"packs": strings.Join(pack.Names(), ", ")},
		kong.Writers(t.out, t.err),
		kong.Exit(func(code int) { panic(exit(code)) }),
	)
}

// usage reports a command line that can't be read.
func (t *terminal) usage(err error) int {
	t.say("preceptor: %s", err)
	t.say("Try: preceptor help")
	return fault.Invalid.ExitCode()
}

// fail reports err and tells the exit code. The reader is the operator, so the cause follows the message.
func (t *terminal) fail(err error) int {
	if errors.Is(err, context.Canceled) {
		t.say("preceptor: stopped")
		return 130 // as a shell reports an interrupt
	}
	kind := fault.KindOf(err)
	if f, ok := errors.AsType[finding](err); ok {
		t.say("preceptor: %s", f)
		return kind.ExitCode()
	}
	if kind == fault.Internal {
		t.say("preceptor: unexpected error: %s", err)
		return kind.ExitCode()
	}
	t.say("preceptor: %s", fault.Message(err))
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Unwrap() != nil {
		t.say("  cause: %s", strings.TrimSpace(f.Unwrap().Error()))
	}
	return kind.ExitCode()
}
