package delivery

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// The outcomes of an attempt.
const (
	Delivered   = "delivered"   // 2xx
	Status      = "status"      // any other answer
	Redirect    = "redirect"    // 3xx; never followed
	Gone        = "gone"        // 410: the endpoint is disabled
	TimedOut    = "timeout"     // no answer in time
	Connection  = "connection"  // none, or it broke
	Certificate = "certificate" // the receiver's can't be trusted
	Refused     = "refused"     // by us: the address is not public
	Lost        = "lost"        // what it was about is gone
	Unmade      = "unmade"      // we could not make the message
)

var outcomes = []string{Delivered, Status, Redirect, Gone, TimedOut, Connection, Certificate, Refused, Lost, Unmade}

const (
	maxAnswer = 64 << 10 // bytes of an answer's head, and of its body
	maxNote   = 200      // characters of an answer that are kept
	repeats   = 24       // bytes in a row that make an excerpt a repetition of what was sent
)

// answer is how an attempt ended.
type answer struct {
	outcome  string
	status   int
	note     string
	asked    time.Duration // how long the receiver wants to be left alone
	bodyHash string
	at       time.Time
	took     time.Duration
}

// post makes one attempt. It never fails: what goes wrong is the answer.
func (s *Service) post(ctx context.Context, c claimed, body []byte) answer {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	sum := sha256.Sum256(body)
	a := answer{bodyHash: hex.EncodeToString(sum[:]), at: s.db.Now()}
	began := time.Now()
	res, err := s.request(ctx, c, a.at, body)
	if err == nil {
		s.read(res, body, &a)
		res.Body.Close()
	} else {
		a.outcome, a.note = s.explain(ctx, err)
	}
	a.took = time.Since(began)
	return a
}

func (s *Service) request(ctx context.Context, c claimed, at time.Time, body []byte) (*http.Response, error) {
	signature, err := sign(c.secrets, c.id, at, body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // nothing sends it again behind our back
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"Preceptor-Webhooks/1"},
		"Webhook-Id": {c.id}, "Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {signature},
	}
	return s.client.Do(req)
}

// read judges an answer by its status. A good one's body is of no interest.
func (s *Service) read(res *http.Response, sent []byte, a *answer) {
	a.status = res.StatusCode
	switch {
	case a.status >= 200 && a.status <= 299:
		a.outcome = Delivered
		return
	case a.status == http.StatusGone:
		a.outcome, a.note = Gone, "The receiver answered 410: it wants no more events."
	case a.status >= 300 && a.status <= 399:
		a.outcome, a.note = Redirect,
			fmt.Sprintf(
				"The receiver answered %d, a redirect, which we don't follow. Enter the address it redirects to.",
				a.status)
	default:
		a.outcome, a.note = Status, fmt.Sprintf("The receiver answered %d.", a.status)
	}
	switch a.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		a.asked = retryAfter(res.Header.Get("Retry-After"), a.at)
	}
	// Whatever came before it broke or took too long is good enough to show.
	b, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if words := excerpt(b, sent); words != "" {
		a.note += " It said: " + words
	}
}

// retryAfter reads both forms of the header: seconds, and a date.
func retryAfter(h string, now time.Time) time.Duration {
	h = strings.TrimSpace(h)
	if n, err := strconv.ParseInt(h, 10, 64); err == nil {
		return time.Duration(min(max(n, 0), int64(maxWait/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(h); err == nil {
		return min(max(t.Sub(now), 0), maxWait)
	}
	return 0
}

// excerpt is the first words of an answer, on one line, without signs that change how a page reads. A receiver that
// repeats what it was sent is not quoted: that may be a customer's text.
func excerpt(b, sent []byte) string {
	words := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case r == utf8.RuneError, unicode.IsPrint(r):
			return r
		default:
			return -1 // direction marks, zero-width signs and the like
		}
	}, strings.ToValidUTF8(string(b), "�"))), " ")
	if r := []rune(words); len(r) > maxNote {
		words = string(r[:maxNote]) + "…"
	}
	if repeatsAny(words, sent) {
		return "(what it was sent)"
	}
	return words
}

// repeatsAny reports whether words hold a passage of sent, blanks and escapes aside.
func repeatsAny(words string, sent []byte) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, strings.ReplaceAll(s, `\n`, " "))
	}
	w, all := bare(words), bare(string(sent))
	for i := 0; i+repeats <= len(w); i++ {
		if strings.Contains(all, w[i:i+repeats]) {
			return true
		}
	}
	return false
}

// explain says why there was no answer, without the address, which may carry a secret.
func (s *Service) explain(ctx context.Context, err error) (outcome, note string) {
	var (
		no      *net.DNSError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		tlsErr  *tls.CertificateVerificationError
	)
	if r, ok := errors.AsType[*refused](err); ok {
		return Refused, r.why
	}
	var slow net.Error
	switch {
	case ctx.Err() != nil || errors.As(err, &slow) && slow.Timeout():
		return TimedOut, fmt.Sprintf("The receiver did not answer within %g seconds.", s.limit.Seconds())
	case errors.As(err, &no):
		return Connection, "We couldn't look up the receiver's host name."
	case errors.As(err, &name):
		return Certificate, "The receiver's certificate is for another name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return Certificate, "The receiver's certificate has expired or is not valid yet."
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &tlsErr):
		return Certificate, "The receiver's certificate can't be trusted."
	case errors.Is(err, syscall.ECONNREFUSED):
		return Connection, "Nothing listens at the receiver's address."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		return Connection, "The receiver closed the connection without an answer."
	default:
		return Connection, "The connection to the receiver failed."
	}
}
