package delivery

import (
	"context"
	"io"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Ask posts a body once, as an event is posted: signed with the secret, to a public address, without redirects, within
// the time of an attempt. It gives what a 2xx answer holds, 64 KB at most; everything else is Unavailable, and says why
// without the address.
func (s *Service) Ask(ctx context.Context, address, secret string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	a := answer{at: s.db.Now()}
	res, err := s.request(ctx, claimed{id: id.New(), url: address, secrets: []string{secret}}, a.at, body)
	if err != nil {
		_, why := s.explain(ctx, err)
		return nil, fault.Wrap(fault.Unavailable, err, "%s", why)
	}
	defer res.Body.Close()
	if s.read(res, body, &a); a.outcome != Delivered {
		return nil, fault.New(fault.Unavailable, "%s", a.note)
	}
	said, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		_, why := s.explain(ctx, err)
		return nil, fault.Wrap(fault.Unavailable, err, "%s", why)
	}
	if len(said) > maxAnswer {
		return nil, fault.New(fault.Unavailable, "The receiver answered with more than 64 KB.")
	}
	return said, nil
}
