package evaluate

import (
	"context"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// standing is what routes verdicts now.
type standing struct {
	active  *Threshold // nil: none is switched on
	applies bool       // it was measured on the panel that there is
	routing compliance.Routing
}

// Routing is the calibrated threshold in force for the panel that there is, or the seed's bands. It is for every
// verdict, so it is kept in memory until somebody switches.
func (s *Store) Routing() compliance.Routing { return s.standing().routing }

// Standing tells what routes verdicts: the threshold that is switched on, nil for none, and whether it applies to the
// panel as it is now. Where it does not, the seed's bands do.
func (s *Store) Standing() (active *Threshold, applies bool) {
	st := s.standing()
	return st.active, st.applies
}

func (s *Store) forget() {
	s.muTaught.Lock()
	s.taughtNow = nil
	s.muTaught.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routing = nil
}

func (s *Store) standing() standing {
	s.watch.Look()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.routing != nil {
		return *s.routing
	}
	st, err := s.read()
	if err != nil {
		s.log.Error("the threshold of the panel can't be read; the bands of the seed apply", "error", err)
		return standing{} // and it is read again the next time
	}
	s.routing = &st
	return st
}

func (s *Store) read() (st standing, err error) {
	var t Threshold
	of := pack.Pension // and of a run over a file
	err = s.db.Read(context.Background(), func(tx *db.Tx) error {
		if t, err = thresholdTx(tx, `WHERE t.state = 'active' AND t.kind = 'threshold'`); err != nil {
			return err
		}
		r, err := getTx(tx, t.RunID)
		if err != nil || r.DatasetID == "" {
			return err
		}
		set, err := s.sets.GetTx(tx, r.DatasetID)
		if err == nil {
			of = pack.Of(set.Pack).Name
		}
		return err
	})
	if fault.Is(err, fault.NotFound) {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, err
	}
	st.active, st.applies = &t, t.PanelID == PanelID(s.validator.Panel()) && t.Threshold.Certified
	if st.applies {
		st.routing = compliance.Routing{Version: t.Version, Pack: of, Threshold: t.Threshold.Value,
			Alpha: t.Threshold.Alpha, Calibrate: t.calibrate}
	}
	return st, nil
}
