package delivery

import (
	"context"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
)

const maxURL = 2000

var (
	// A host name in the form in which it is looked up; others are written in it (xn--).
	hostName = regexp.MustCompile(
		`^(?i:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)(?:\.(?i:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?))*\.?$`)
	// A last part like these makes a browser, and some resolvers, read the whole as an IPv4 address: 127.1, 0x7f.1,
	// 2130706433.
	numeric = regexp.MustCompile(`(?i)(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$`)
)

// CheckURL reads an endpoint's address and says what is wrong with it, looking its name up.
func (s *Service) CheckURL(ctx context.Context, raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	u, msg := parseURL(raw)
	if msg != "" {
		return "", fault.Wrong(msg, "url", msg)
	}
	port, err := strconv.ParseUint(portOf(u), 10, 16)
	if err != nil || port == 0 {
		msg := "A port is a number from 1 to 65535."
		return "", fault.Wrong(msg, "url", msg)
	}
	return raw, faultOf(s.guard.reach(ctx, u.Hostname(), u.Scheme == "http", uint16(port)))
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	default:
		return "443"
	}
}

// parseURL checks the form alone.
func parseURL(raw string) (*url.URL, string) {
	const form = "Write the address as https://host/path."
	if raw == "" {
		return nil, form
	}
	if utf8.RuneCountInString(raw) > maxURL {
		return nil, "The address is too long; use at most 2,000 characters."
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Opaque != "" {
		return nil, form
	}
	host := u.Hostname()
	switch ip, err := netip.ParseAddr(host); {
	case u.User != nil:
		return nil, "Leave the user name and password out of the address; the signature identifies the sender."
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, "Leave out the part after #; it is never sent."
	case err == nil && ip.Zone() != "":
		return nil, "An address with a zone works on this machine's network only."
	case err == nil:
		return u, ""
	case numeric.MatchString(host):
		return nil, "Write an IPv4 address as four decimal numbers."
	case !hostName.MatchString(host) || len(host) > 253:
		return nil, "A host name has only letters, digits, hyphens and dots; write other names in xn-- form."
	}
	return u, ""
}
