// Command preceptor is the one binary: the server, the demo and every terminal.Operator's tool.
//
// It is a contract that scripts rely on. Data goes to standard output and nothing else does; progress and messages go
// to standard error; the exit code says what kind of fault it was (internal/platform/fault); --json is there wherever a
// program may read. A command that opens the database makes a missing file; one that meets a file held by a server says
// so and where in the server the same thing is done.
//
// Every command is a struct in a file of its own with a Run method; main only parses and translates errors, so that a
// test runs the real thing with run(args, stdin, stdout, stderr).
package main

import (
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"preceptor/internal/pack"
	"preceptor/internal/platform/terminal"
)

// keepZone makes the desk's zone that of pages and files, wherever the machine stands. It is the whole process's, so
// main alone sets it.
var keepZone = func(*time.Location) {}

func main() {
	keepZone = func(zone *time.Location) { time.Local = zone }
	limitMemory()
	program.Main()
}

// commands is the command line as kong reads it, in the order of its help.
type commands struct {
	Serve   serveCmd   `cmd:"" help:"Serve the pages and the API." group:"Serve"`
	Demo    demoCmd    `cmd:"" help:"Fill a new file with a few days of work and serve it, to try things out." group:"Serve"`
	MCP     mcpCmd     `cmd:"" name:"mcp" help:"Connect a running server to the Model Context Protocol over standard input and output." group:"People and agents"`
	Account accountCmd `cmd:"" help:"Manage people." group:"People and agents"`
	Token   tokenCmd   `cmd:"" help:"Manage agents' tokens." group:"People and agents"`
	Import  importCmd  `cmd:"" help:"Import knowledge and gold sets from files." group:"Knowledge"`
	Recall  recallCmd  `cmd:"" help:"Show what an agent would get for a question." group:"Knowledge"`

	Scan  scanCmd  `cmd:"" help:"Show how a code base handles errors, tests and imports." group:"Knowledge"`
	Learn learnCmd `cmd:"" help:"Try out the learning path." group:"Knowledge"`

	Train    trainCmd    `cmd:"" help:"Have an advisor practise with virtual customers, on a copy of its base." group:"Practice"`
	Evaluate evaluateCmd `cmd:"" help:"Measure how well an advisor answers virtual customers." group:"Practice"`
	Ablate   ablateCmd   `cmd:"" help:"Show which part of an advisor's memory helps, by training with virtual customers." group:"Practice"`

	Check  checkCmd  `cmd:"" help:"Check guidance for compliance, in JSON Lines." group:"Knowledge"`
	Judges judgesCmd `cmd:"" help:"List the compliance judges and measure them." group:"Datasets"`

	Agreement agreementCmd `cmd:"" help:"Measure how far people who labelled the same items agree, from a CSV file." group:"Datasets"`

	Audit   auditCmd   `cmd:"" help:"Check the audit log." group:"Maintenance"`
	Export  exportCmd  `cmd:"" help:"Export decisions, skips, gold sets and knowledge as files." group:"Maintenance"`
	Erase   eraseCmd   `cmd:"" help:"Erase one customer's texts everywhere, permanently." group:"Maintenance"`
	Backup  backupCmd  `cmd:"" help:"Write a consistent copy of the database file." group:"Maintenance"`
	Restore restoreCmd `cmd:"" help:"Create a database file from a backup." group:"Maintenance"`
	Copy    copyCmd    `cmd:"" help:"Copy everything from the file to a PostgreSQL database, or back." group:"Maintenance"`
	Doctor  doctorCmd  `cmd:"" help:"Check the file, the search indexes and the audit record." group:"Maintenance"`
	Stats   statsCmd   `cmd:"" help:"Rebuild the statistics." group:"Maintenance"`
	Config  configCmd  `cmd:"" help:"Print every current setting, with secrets hidden." group:"About"`
	Version versionCmd `cmd:"" help:"Print the version." group:"About"`
	Help    helpCmd    `cmd:"" help:"Explain a command." group:"About"`
}

var program = terminal.Program{
	Name: "preceptor",
	About: "Preceptor is where people teach an AI advisor: supervisors decide on each piece of guidance before " +
		"the customer sees it, and each correction becomes a proposed rule.\n\nTry it: preceptor demo",
	Commands: func() any { return new(commands) },
	Vars:     kong.Vars{"packs": strings.Join(pack.Names(), ", ")},
}
