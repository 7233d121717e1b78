package account

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"preceptor/internal/platform/fault"
)

// MinPassword and MaxPassword bound a password, in characters (code points).
const (
	MinPassword = 12
	MaxPassword = 200
)

// params: 46 MiB, one pass, one lane (ASVS 5.0 appendix C).
var params = &argon2id.Params{Memory: 46 * 1024, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

//go:embed common.txt
var commonText string

// common holds passwords that everybody tries first, in lower case. Ours is a short list of long ones: the minimum
// length already refuses nearly all of the published lists.
var common = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			m[line] = true
		}
	}
	return m
})

// checkPassword says what is wrong with a new password, or "". email and name are the words it may not lean on.
func checkPassword(p, email, name string) string {
	switch n := utf8.RuneCountInString(p); {
	case !utf8.ValidString(p):
		return "The password has characters that can't be read. Type it again."
	case n < MinPassword:
		return fmt.Sprintf("Use at least %d characters; a short sentence is easy to remember.", MinPassword)
	case n > MaxPassword:
		return fmt.Sprintf("Use at most %d characters.", MaxPassword)
	}
	low := strings.ToLower(p)
	if common()[low] || common()[strings.TrimFunc(low, func(r rune) bool { return !unicode.IsLetter(r) })] ||
		guessable(low) {
		return "This password is too common and easy to guess. Choose another; a short sentence works well."
	}
	if leansOn(low, email, name) {
		return "The password is too similar to the name or e-mail address. Choose something unrelated."
	}
	return ""
}

// guessable finds passwords that are one short piece over and over, or a run of neighbours such as 123456789012.
func guessable(low string) bool {
	r := []rune(low)
	for size := 1; size <= 4; size++ {
		if repeats(r, size) {
			return true
		}
	}
	steps := map[rune]int{}
	for i := 1; i < len(r); i++ {
		steps[r[i]-r[i-1]]++
	}
	return steps[1] >= len(r)*3/4 || steps[-1] >= len(r)*3/4
}

func repeats(r []rune, size int) bool {
	for i := range r {
		if r[i] != r[i%size] {
			return false
		}
	}
	return true
}

// leansOn reports whether fewer than 8 characters remain once the person's own words and the product's are taken out.
func leansOn(low, email, name string) bool {
	words := []string{strings.ToLower(email), strings.ToLower(name), "preceptor"}
	words = append(words, strings.FieldsFunc(strings.ToLower(email), func(r rune) bool {
		return strings.ContainsRune("@.-_+", r)
	})...)
	words = append(words, strings.Fields(strings.ToLower(name))...)
	left, found := low, false
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 && strings.Contains(left, w) {
			left, found = strings.ReplaceAll(left, w, ""), true
		}
	}
	return found && utf8.RuneCountInString(left) < 8
}

// HashForTests makes new passwords cheap to hash, and so to guess: tests of pages make hundreds of people, none of whom
// has a secret. internal/archtest keeps it out of the program; tests of hashing do it at full cost.
func (dir *Directory) HashForTests() {
	dir.cost = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// hash makes the stored form of a password. It waits for one of the few places, or for ctx.
func (dir *Directory) hash(ctx context.Context, password string) (string, error) {
	free, err := dir.place(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	return argon2id.CreateHash(password, dir.cost)
}

// matches compares a password with its stored form, and reports whether that was made with other parameters than the
// directory's.
func (dir *Directory) matches(ctx context.Context, password, stored string) (ok, outdated bool, err error) {
	if len(password) > 4*MaxPassword { // can't have been accepted; a long one must not cost more
		password = ""
	}
	free, err := dir.place(ctx)
	if err != nil {
		return false, false, err
	}
	defer free()
	ok, had, err := argon2id.CheckHash(password, stored)
	if err != nil {
		return false, false, fmt.Errorf("account: stored password can't be read: %w", err)
	}
	return ok, *had != *dir.cost, nil
}

func (dir *Directory) place(ctx context.Context) (free func(), err error) {
	select {
	case dir.hashing <- struct{}{}:
		return func() { <-dir.hashing }, nil
	case <-ctx.Done():
		return nil, fault.Wrap(fault.Unavailable, ctx.Err(), "Too many people are signing in right now. Try again.")
	}
}

// decoy is a hash that no password is known for: what an unknown e-mail address is compared with, at the same cost.
const decoy = "$argon2id$v=19$m=47104,t=1,p=1$c2l4dGVlbiBieXRlcyEhIQ$Xw5L0j5bq6GQGpyQ0oWqk3u3vH1dZk1m0c9k8b8yQ7E"
