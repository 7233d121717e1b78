package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type accountCmd struct {
	Add  accountAddCmd  `cmd:"" help:"Add a person and print the link they use to choose a password."`
	Link accountLinkCmd `cmd:"" help:"Print a link a person can use to choose a new password."`
}

type accountAddCmd struct {
	config.File
	Email         string `required:"" placeholder:"E" help:"The e-mail address they sign in with."`
	Name          string `required:"" placeholder:"N" help:"The name colleagues see."`
	Role          string `required:"" placeholder:"R[,R]" help:"supervisor, expert, manager or admin; separate several with commas."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input and print no link; only until the first decision."`
	JSON          bool   `name:"json" help:"As JSON."`
}

// Run adds the person and prints their link; with a password, their id.
func (c *accountAddCmd) Run(t *terminal.Terminal) error {
	roles, err := account.ParseRoles(c.Role)
	if err != nil {
		return err
	}
	n := account.NewAccount{Email: c.Email, Name: c.Name, Roles: roles}
	if c.PasswordStdin {
		if n.Password, err = firstLine(t.In); err != nil {
			return err
		}
	}
	return with(t, c.With, "/admin/people", func(a *app.App) error {
		if !c.PasswordStdin {
			made, secret, err := a.Accounts.Invite(t.Ctx, n, terminal.Operator)
			return c.print(t, made, a.URL()+"/join/"+secret, err)
		}
		decided, err := a.Reviews.Decided(t.Ctx)
		switch {
		case err != nil:
			return err
		case decided:
			return fault.New(fault.Conflict,
				"Decisions have been made here, so nobody may know someone else's password. Leave out "+
					"--password-stdin and give the person the link.")
		}
		made, err := a.Accounts.Add(t.Ctx, n, terminal.Operator)
		return c.print(t, made, "", err)
	})
}

func (c *accountAddCmd) print(t *terminal.Terminal, made account.Account, link string, err error) error {
	out := map[string]any{"id": made.ID, "email": made.Email, "name": made.Name, "roles": made.Roles}
	switch {
	case err != nil:
		return err
	case c.JSON && link != "":
		out["link"] = link
		fallthrough
	case c.JSON:
		return t.JSON(out)
	case link != "":
		return printLink(t, made, link)
	}
	t.Say("%s can sign in as %s.", made.Name, made.Email)
	_, err = fmt.Fprintln(t.Out, made.ID)
	return err
}

func printLink(t *terminal.Terminal, who account.Account, link string) error {
	t.Say("Give this link only to %s. It works once, within 24 hours, while the server is running; they sign in as %s.",
		who.Name, who.Email)
	_, err := fmt.Fprintln(t.Out, link)
	return err
}

type accountLinkCmd struct {
	config.File
	Email string `required:"" placeholder:"E" help:"The e-mail address the person signs in with."`
}

// Run prints the link: the way back in for the last administrator.
func (c *accountLinkCmd) Run(t *terminal.Terminal) error {
	return existing(t, c.With, "/admin/people", func(a *app.App) error {
		who, err := a.Accounts.ByEmail(t.Ctx, c.Email)
		if err != nil {
			return err
		}
		who, secret, err := a.Accounts.MakeLink(t.Ctx, who.ID, terminal.Operator)
		if err != nil {
			return err
		}
		return printLink(t, who, a.URL()+"/join/"+secret)
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
		return "", fault.New(fault.Invalid, "There was no password on standard input.")
	}
	return line, nil
}
