// Package link is signed addresses under which a user without an account says what they think of one answer.
//
// It owns the table feedback_key. A link can't be read or changed by whoever holds it, expires, and opens nothing any
// more once the key it was sealed with is given up; no link is stored. Who may be asked is the book's to say: a subject
// that is released and not erased.
package link

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// The bounds of a link's life.
const (
	MinLife     = time.Minute
	MaxLife     = 90 * 24 * time.Hour
	DefaultLife = 14 * 24 * time.Hour
)

// Links makes and opens them. There is one for a file.
type Links struct {
	db   *db.DB
	book *feedback.Book
}

// Of makes the links about a book's subjects.
func Of(d *db.DB, book *feedback.Book) *Links { return &Links{db: d, book: book} }

// Link is what a signed address stands for: this user may judge this subject until then, without an account.
type Link struct {
	SubjectID string
	UserID    string
	Until     time.Time // UTC, to the second
	Bare      bool      // the page shows neither the question nor the answer
	Pair      bool      // SubjectID is a pair of answers, of which the user chooses one
}

// ErrForged, ErrEnded and ErrExpired say why a link does not open. All are NotFound: without a link that works there is
// nothing to see.
var (
	ErrForged = fault.New(fault.NotFound,
		"This link doesn't work. It may be incomplete: open it again from the message it came in, or copy all of it.")
	// ErrEnded is what a link says whose key was given up (End).
	ErrEnded = fault.New(fault.NotFound,
		"The people who sent this link have ended it, so it no longer works. They can send you a new one.")
	ErrExpired = fault.New(fault.NotFound, "This link has expired, so it can't be used any more.")
)

// A token is base64url(tag ‖ payload under a key stream). The tag is the first 16 bytes of HMAC-SHA-256 over the plain
// payload and is the start of the key stream, too (the construction of SIV, RFC 5297, with HMAC in CMAC's place). A
// link stands in mailboxes, histories and the logs of others, and a user id is often an e-mail address: so it is not to
// be read there.
const (
	tagBytes = 16
	// headBytes are the flags, five bytes of expiry (seconds since 1970) and the length of the subject's id.
	headBytes = 1 + 5 + 1
	maxToken  = 700 // characters: the longest ids and all that goes with them
)

const (
	flagBare = 1 << iota
	flagUUID // the subject's id is a UUID, and stands as its 16 bytes
	flagPair
)

// keys are the two keys that come of the one in the database.
type keys struct {
	tag    []byte
	stream cipher.Block
}

func newKeys(secret []byte) (keys, error) {
	derive := func(use string) []byte {
		m := hmac.New(sha256.New, secret)
		m.Write([]byte("preceptor feedback link v1: " + use))
		return m.Sum(nil)
	}
	block, err := aes.NewCipher(derive("conceal"))
	return keys{tag: derive("tag"), stream: block}, err
}

func (k keys) tagOf(plain []byte) []byte {
	m := hmac.New(sha256.New, k.tag)
	m.Write(plain)
	return m.Sum(nil)[:tagBytes]
}

// seal writes a link as a token. Its ids are at most feedback.MaxName bytes long.
func (k keys) seal(l Link) string {
	plain := l.pack()
	sealed := append(make([]byte, 0, tagBytes+len(plain)), k.tagOf(plain)...)
	sealed = append(sealed, plain...)
	cipher.NewCTR(k.stream, sealed[:tagBytes]).XORKeyStream(sealed[tagBytes:], sealed[tagBytes:])
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// open reads a token. Nothing of what it says is looked at before its tag was found right, in constant time.
func (k keys) open(token string) (Link, bool) {
	if len(token) > maxToken {
		return Link{}, false
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token) // strict: one link has one spelling
	if err != nil || len(sealed) < tagBytes+headBytes || strings.ContainsAny(token, "\r\n") {
		return Link{}, false
	}
	plain := make([]byte, len(sealed)-tagBytes)
	cipher.NewCTR(k.stream, sealed[:tagBytes]).XORKeyStream(plain, sealed[tagBytes:])
	if !hmac.Equal(sealed[:tagBytes], k.tagOf(plain)) {
		return Link{}, false
	}
	return unpack(plain)
}

func (l Link) pack() []byte {
	var flags byte
	if l.Bare {
		flags |= flagBare
	}
	if l.Pair {
		flags |= flagPair
	}
	subject := []byte(l.SubjectID)
	if raw, ok := uuidBytes(l.SubjectID); ok {
		flags, subject = flags|flagUUID, raw
	}
	var expiry [8]byte
	binary.BigEndian.PutUint64(expiry[:], uint64(l.Until.Unix()))
	out := append([]byte{flags}, expiry[3:]...)
	out = append(out, byte(len(subject)))
	return append(append(out, subject...), l.UserID...)
}

func unpack(b []byte) (l Link, ok bool) {
	if len(b) < headBytes {
		return l, false
	}
	flags, n := b[0], int(b[headBytes-1])
	rest := b[headBytes:]
	if flags&^(flagBare|flagUUID|flagPair) != 0 || len(rest) <= n || n == 0 {
		return l, false
	}
	l.Bare, l.Pair = flags&flagBare != 0, flags&flagPair != 0
	l.Until = time.Unix(int64(binary.BigEndian.Uint64(append([]byte{0, 0, 0}, b[1:6]...))), 0).UTC()
	l.SubjectID, l.UserID = string(rest[:n]), string(rest[n:])
	if flags&flagUUID != 0 {
		if n != 16 {
			return Link{}, false
		}
		l.SubjectID = uuidText(rest[:n])
	}
	return l, true
}

// uuidBytes are the 16 bytes of an id in the form that package id gives, and of no other.
func uuidBytes(s string) ([]byte, bool) {
	if !id.Valid(s) {
		return nil, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	return b, err == nil && len(b) == 16 && uuidText(b) == s
}

func uuidText(b []byte) string {
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Request asks for a link.
type Request struct {
	SubjectID string
	UserID    string        // as the agent's systems call them, up to feedback.MaxName bytes
	Life      time.Duration // DefaultLife when 0
	Bare      bool
	AgentID   string // the agent whose token asks; "" when a person does, who may ask for any
	Pair      bool   // SubjectID is a pair that the caller knows to be the agent's
}

// New makes a link. Invalid names the fields; NotFound without such a subject, or when it is another agent's. What was
// asked for by a person is on record; an agent that asks changes nothing, and what comes in by the link has its own
// record.
func (b *Links) New(ctx context.Context, r Request, by audit.Actor) (token string, l Link, err error) {
	if r.Life == 0 {
		r.Life = DefaultLife
	}
	if err := r.check(); err != nil {
		return "", l, err
	}
	s := feedback.Subject{ID: r.SubjectID}
	if !r.Pair {
		if s, err = b.subject(ctx, r); err != nil {
			return "", l, err
		}
	}
	l = Link{SubjectID: s.ID, UserID: r.UserID, Until: b.db.Now().Add(r.Life).Truncate(time.Second), Bare: r.Bare,
		Pair: r.Pair}
	k, _, err := b.allKeys(ctx)
	if err != nil {
		return "", l, err
	}
	if by.Kind == audit.Person {
		if err := b.record(ctx, l, by); err != nil {
			return "", l, err
		}
	}
	return k.seal(l), l, nil
}

func (b *Links) subject(ctx context.Context, r Request) (s feedback.Subject, err error) {
	if r.AgentID != "" {
		s, err = b.book.SubjectFor(ctx, r.AgentID, r.SubjectID)
	} else {
		s, err = b.book.Subject(ctx, r.SubjectID)
	}
	switch {
	case err != nil:
		return s, err
	case s.Erased:
		return s, fault.New(fault.Conflict,
			"The texts of this interaction were erased, so you can no longer ask about it.")
	case !s.Released:
		return s, fault.New(fault.Conflict,
			"This guidance hasn't been released, so there is nothing to give feedback on yet. Make the link once "+
				"it has.")
	}
	return s, nil
}

func (r Request) check() error {
	var wrong []fault.Field
	if msg := checkUser(r.UserID); msg != "" {
		wrong = append(wrong, fault.Field{Name: "user_id", Msg: msg})
	}
	if r.SubjectID == "" || len(r.SubjectID) > feedback.MaxName {
		wrong = append(wrong, fault.Field{Name: "interaction_id", Msg: "Send the id of the interaction to ask about."})
	}
	if r.Life < MinLife || r.Life > MaxLife {
		wrong = append(wrong, fault.Field{Name: "expires_in_hours", Msg: "A link can work for 90 days at most."})
	}
	if len(wrong) > 0 {
		return fault.WithFields("This link can't be made.", wrong...)
	}
	return nil
}

func checkUser(userID string) string {
	switch {
	case strings.TrimSpace(userID) == "":
		return "Enter the customer's id in your systems. One person has one vote."
	case len(userID) > feedback.MaxName:
		return text.TooBig(userID, feedback.MaxName)
	case !utf8.ValidString(userID) || strings.ContainsFunc(userID, unicode.IsControl):
		return "Use only visible characters in the id."
	}
	return ""
}

// Open reads a token: ErrForged when it is none of ours, ErrEnded when it was, ErrExpired when its time is over.
func (b *Links) Open(ctx context.Context, token string) (Link, error) {
	k, ended, err := b.allKeys(ctx)
	if err != nil {
		return Link{}, err
	}
	l, ok := k.open(token)
	if !ok {
		for _, old := range ended {
			if _, was := old.open(token); was {
				return Link{}, ErrEnded
			}
		}
		return Link{}, ErrForged
	}
	if !b.db.Now().Before(l.Until) {
		return l, ErrExpired
	}
	return l, nil
}
