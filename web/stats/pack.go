package stats

import (
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/evidence"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/views/packs"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// EvidenceShow offers the evidence pack of one piece of guidance.
func (p *Pages) EvidenceShow(c echo.Context) error {
	v, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	return render.Page(c, nil, packs.EvidencePage(p.Frame(c, "Evidence"), v))
}

// EvidenceMake makes it and hands it out.
func (p *Pages) EvidenceMake(c echo.Context) error {
	v, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	if v.Refused != "" {
		return fault.New(fault.Denied, "%s", v.Refused)
	}
	pack, err := p.Evidence.Make(c.Request().Context(), v.ID, session.Actor(c))
	if err != nil {
		return err
	}
	return sendPack(c, pack)
}

// evidenceOf looks who may have it: managers and administrators every one that is settled, supervisors those that they
// signed; nobody who may still answer a borderline case of it, because its verdicts are in the pack. What nobody
// decided yet holds a draft that supervisors alone may read.
func (p *Pages) evidenceOf(c echo.Context) (v packs.Evidence, err error) {
	id := c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return v, err
	}
	if v.Standing, err = p.Evidence.Standing(c.Request().Context(), id); err != nil {
		return v, err
	}
	a := session.Me(c)
	v.MayOpen = a.Has(account.Supervisor)
	switch {
	case !session.Leads(c) && !slices.Contains(v.Signed, a.ID):
		v.Refused = "Supervisors can open evidence for guidance they decided, once the decision is final. For any " +
			"other, ask a manager."
	case !a.Has(account.Supervisor) && v.Recalled && v.Deciding:
		v.Refused = "A correction of this recalled guidance is being decided, and until then only supervisors can " +
			"read it. Come back once the decision is final."
	case !a.Has(account.Supervisor) && !v.Recalled && unsettled(v.Status):
		v.Refused = "This guidance hasn't been decided yet, and until then only supervisors can read the draft. Come " +
			"back once the decision is final."
	case v.Open && a.Has(account.Expert):
		v.Refused = "Experts are still working on its borderline case, and the report would show you what the judges " +
			"said. Come back once it is ruled, or ask someone who isn't an expert."
	}
	return v, nil
}

// unsettled reports whether guidance in this state has a draft that nobody let go: it is written or waits, or its
// decision may still be undone. The text of what was recalled is known: it was sent.
func unsettled(s interaction.Status) bool {
	return s == interaction.Drafting || s == interaction.Waiting || s == interaction.Held
}

// pastPacks is how many packs on record a page shows.
const pastPacks = 50

// PackList offers reports on periods and lists those on record.
func (p *Pages) PackList(c echo.Context) error {
	return p.packPage(c, packs.Periods{}, nil)
}

func (p *Pages) packPage(c echo.Context, v packs.Periods, wrong error) (err error) {
	v.Offers = p.Duty.Offered(p.Now())
	if v.From == "" && v.To == "" && len(v.Offers) > 0 {
		v.From, v.To = v.Offers[0].First.Format(time.DateOnly), v.Offers[0].Last.Format(time.DateOnly)
	}
	v.Error, v.Errors = form.Said(wrong)
	if v.Past, err = p.Duty.Past(c.Request().Context(), pastPacks); err != nil {
		return err
	}
	return render.Page(c, wrong, packs.PeriodsPage(p.Frame(c, "Reports").At("/stats").Broad(), v))
}

// PackMake makes the report on a period and hands it out.
func (p *Pages) PackMake(c echo.Context, v packs.Periods) error {
	period, err := p.Duty.ParsePeriod(v.From, v.To)
	if err != nil {
		return p.packPage(c, v, err)
	}
	pack, err := p.Duty.Make(c.Request().Context(), period, session.Actor(c))
	if err != nil {
		return err
	}
	return sendPack(c, pack)
}

// sendPack hands a pack out as a file: a page of its own that is shown here would run under this site's name.
func sendPack(c echo.Context, pack *evidence.Pack) error {
	return attach(c, pack.Name, "text/html; charset=utf-8", pack.Bytes)
}

// PackCheck holds a pack that somebody has against its seal and against the log.
func (p *Pages) PackCheck(c echo.Context) error {
	name, file, err := packGiven(c.Request())
	if err == nil {
		var rep evidence.Report
		if rep, err = p.CheckPack(c.Request().Context(), file); err == nil {
			return p.packPage(c, packs.Periods{Checked: &rep, File: name}, nil)
		}
	}
	return p.packPage(c, packs.Periods{}, err)
}

// packGiven reads the one file of a form, in memory: it is checked and let go.
func packGiven(r *http.Request) (name string, file []byte, err error) {
	none := fault.Wrong("No file was chosen.", "file", "Choose the report, a file that ends in .html.")
	form, err := r.MultipartReader()
	if err != nil {
		return "", nil, none
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return "", nil, none
		}
		if err != nil {
			return "", nil, fault.Wrap(fault.Invalid, err, "The file didn't upload completely. Try again.")
		}
		if part.FormName() != "file" || part.FileName() == "" {
			continue
		}
		file, err = io.ReadAll(io.LimitReader(part, evidence.MaxBytes+1))
		if err != nil {
			return "", nil, fault.Wrap(fault.Invalid, err, "The file didn't upload completely. Try again.")
		}
		return path.Base(part.FileName()), file, nil
	}
}
