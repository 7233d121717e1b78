package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/fault"
	"preceptor/internal/terminal"
)

type accountCmd struct {
	Add accountAddCmd `cmd:"" help:"Add a person."`
}

type accountAddCmd struct {
	config.File
	Email         string `required:"" placeholder:"E" help:"What they sign in with."`
	Name          string `required:"" placeholder:"N" help:"What colleagues see."`
	Role          string `required:"" placeholder:"R[,R]" help:"supervisor, expert, manager, admin; several with commas."`
	PasswordStdin bool   `help:"Read the password from standard input, up to the end of the first line."`
	JSON          bool   `name:"json" help:"As JSON."`
}

// Run adds the person and prints their id.
func (c *accountAddCmd) Run(t *terminal.Terminal) error {
	if !c.PasswordStdin {
		return fault.New(fault.Invalid, "A password comes from standard input, never from the command line: add --password-stdin.")
	}
	roles, err := account.ParseRoles(c.Role)
	if err != nil {
		return err
	}
	password, err := firstLine(t.In)
	if err != nil {
		return err
	}
	return with(t, c.With, "/admin/people", func(a *app.App) error {
		made, err := a.Accounts.Add(t.Ctx, account.NewAccount{Email: c.Email, Name: c.Name, Password: password, Roles: roles}, terminal.Operator)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.JSON(map[string]any{"id": made.ID, "email": made.Email, "name": made.Name, "roles": made.Roles})
		}
		t.Say("%s can sign in as %s.", made.Name, made.Email)
		_, err = fmt.Fprintln(t.Out, made.ID)
		return err
	})
}

// maxPassword bounds what is read of a password line, in bytes: far more than a password may have.
const maxPassword = 4 << 10

func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxPassword)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", fault.New(fault.Invalid, "No password came on standard input.")
	}
	return line, nil
}
