// Command command writes and looks at database files with the build that it is compiled for.
//
//	command empty FILE   writes a migrated, empty file
//	command fill FILE    writes a file with rows; prints what it finds there, as JSON
//	command look FILE    prints what it finds in a file, as JSON
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/db/dbtest/crossing"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: command empty|fill|look FILE")
	}
	verb, path := args[0], args[1]
	if verb != "look" {
		if err := dbtest.Make(path); err != nil || verb == "empty" {
			return err
		}
	}
	d, err := db.Open(ctx, path, db.Options{Clock: dbtest.NewClock().Now, Holder: "crossing"})
	if err != nil {
		return err
	}
	defer d.Close()
	if verb == "fill" {
		if err := crossing.Fill(ctx, d); err != nil {
			return err
		}
	}
	found, err := crossing.Look(ctx, d)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}
