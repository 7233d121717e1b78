package main

import (
	"slices"

	"github.com/alecthomas/kong"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run is `preceptor COMMAND --help`, for those who type it the other way round.
func (h *helpCmd) Run(k *kong.Kong) error {
	_, err := k.Parse(append(slices.Clone(h.Command), "--help"))
	return err
}
