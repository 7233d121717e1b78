package session

import (
	"preceptor/internal/account"
	"preceptor/web/form"
)

// NewPerson is the form of an account: the first one, another, or what is changed of one.
type NewPerson struct {
	Email    string         `form:"email"`
	Name     string         `form:"name"`
	Password form.Verbatim  `form:"password"`
	Roles    []account.Role `form:"roles"`
	Base     string         `form:"base"` // of a change: what was on the screen before
}

// Account is what was typed.
func (n NewPerson) Account() account.NewAccount {
	return account.NewAccount{Email: n.Email, Name: n.Name, Password: string(n.Password), Roles: n.Roles}
}
