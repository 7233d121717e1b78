package main

import (
	"slices"

	"github.com/alecthomas/kong"

	"preceptor/internal/platform/fault"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run is `preceptor COMMAND --help`, for those who type it the other way round.
func (h *helpCmd) Run(k *kong.Kong) error {
	if _, err := k.Parse(append(slices.Clone(h.Command), "--help")); err != nil {
		return fault.New(fault.Invalid, "There is no such command. Try: preceptor --help")
	}
	return nil
}
