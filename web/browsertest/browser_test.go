package browsertest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe-core/axe.min.js
var axe string

// browser is one Chromium for all tests of the package.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, fmt.Errorf("no Chromium on this machine: apt install chromium, and the browser tests run")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1440, 900),
		chromedp.Flag("font-render-hinting", "none"))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if ctx, err := browser(); err == nil {
		_ = chromedp.Cancel(ctx)
	}
	os.Exit(code)
}

// tab is one page of the browser, which notes whatever it complains of.
type tab struct {
	t    testing.TB
	ctx  context.Context
	mu   sync.Mutex
	said []string

	scriptless bool
	key        string    // that was pressed last
	keyAt      time.Time // the same within a blink counts as a slip of the finger
}

// open makes a tab of its own; with isolated, one with cookies of its own, as another person's browser.
func open(t testing.TB, isolated bool) *tab {
	t.Helper()
	parent, err := browser()
	if err != nil {
		t.Skip(err)
	}
	var opts []chromedp.ContextOption
	if isolated {
		opts = append(opts, chromedp.WithNewBrowserContext())
	}
	ctx, cancel := chromedp.NewContext(parent, opts...)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 15*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	call(b, runtime.Enable, cdp.Empty{})
	call(b, log.Enable, cdp.Empty{})
	return b
}

func (b *tab) listen(ev any) {
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		if ev.Type == "error" || ev.Type == "warning" || ev.Type == "assert" {
			var parts []string
			for _, a := range ev.Args {
				parts = append(parts, strings.Trim(string(a.Value), `"`)+a.Description)
			}
			b.note("console: " + strings.Join(parts, " "))
		}
	case *runtime.EventExceptionThrown:
		what := ev.ExceptionDetails.Text
		if ev.ExceptionDetails.Exception != nil {
			what += " " + ev.ExceptionDetails.Exception.Description
		}
		b.note("exception: " + what)
	case *page.EventJavascriptDialogOpening:
		// A question stops the page, and with it every command to it, until somebody answers. No test means to be
		// asked.
		b.note("question: " + ev.Message)
		go func() {
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	case *log.EventEntryAdded:
		switch ev.Entry.Source {
		// advice, and other advice from every version
		case "deprecation", "intervention", "recommendation", "violation":
		case "network": // each version may word it as it likes
			if ev.Entry.Level == "error" {
				b.note("log: answer " + cmp.Or(status.FindString(ev.Entry.Text), "none") + " of " + ev.Entry.URL +
					": " + ev.Entry.Text)
			}
		default:
			if ev.Entry.Level == "error" || ev.Entry.Source == "security" {
				b.note("log: " + ev.Entry.Text + " " + ev.Entry.URL)
			}
		}
	}
}

// status is an answer's that says no.
var status = regexp.MustCompile(`\b[45]\d\d\b`)

func (b *tab) note(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, s)
}

func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.said
}

// quiet fails the test for everything the browser complained of, except lines with one of the allowed parts.
func (b *tab) quiet(where string, allowed ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
next:
	for _, s := range b.said {
		for _, a := range allowed {
			if strings.Contains(s, a) {
				continue next
			}
		}
		b.t.Errorf("%s: %s", where, s)
	}
	b.said = nil
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, actions...))
}

func (b *tab) must(err error) {
	b.t.Helper()
	if err != nil {
		b.shot("failed-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
		b.t.Fatalf("%v", err)
	}
}

// call sends one command of the protocol.
func call[P, R any](b *tab, cmd cdp.Command[P, R], params P) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, cmd, params)
	b.must(err)
}

// size sets the window, in CSS pixels, and the colour scheme the machine asks for.
func (b *tab) size(width, height int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1,
			Mobile: width < 500})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// eval runs a script in the page, waits for what it promises, and returns its value.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	b.must(err)
	return v
}

// fits fails the test when the page scrolls sideways, naming what sticks out.
func (b *tab) fits(where string) {
	b.t.Helper()
	wide := eval[[]string](b, `(() => {
		const w = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= w) return [];
		return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > w + 1)
			.slice(0, 5).map(e => e.tagName + "." + e.className + " " + Math.round(e.getBoundingClientRect().right) + " > " + w);
	})()`)
	if len(wide) > 0 {
		b.t.Errorf("%s scrolls sideways: %s", where, strings.Join(wide, "; "))
	}
}

// accessible fails the test for everything axe finds in the page; a frame is looked at by itself.
func (b *tab) accessible(where string) {
	b.t.Helper()
	if !eval[bool](b, `typeof axe === "object"`) { // half a megabyte, once for all looks at a page
		eval[any](b, axe+";0")
	}
	found := eval[string](b,
		`axe.run(document, {resultTypes: ["violations"], iframes: false}).then(r => JSON.stringify(r.violations.map(v =>
		({id: v.id, help: v.help, at: v.nodes.slice(0, 3).map(n => n.target.join(" ") + " | " + (n.any[0] || n.all[0] || n.none[0] || {}).message)}))))`)
	var list []struct {
		ID, Help string
		At       []string
	}
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatalf("%s: axe: %v", where, err)
	}
	for _, v := range list {
		b.t.Errorf("%s: axe %s: %s\n\t%s", where, v.ID, v.Help, strings.Join(v.At, "\n\t"))
	}
}

// shot writes a screenshot of the whole page when somebody asked for them.
func (b *tab) shot(name string) {
	dir := os.Getenv("PRECEPTOR_SHOTS")
	if dir == "" {
		return
	}
	// The window is made as high as the page, so that what sticks to its foot stands at the foot.
	size, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[2]int64](`[innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]`))
	if err == nil {
		_, err = chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: size[0], Height: min(size[1], 6000), DeviceScaleFactor: 1,
				Mobile: size[0] < 500})
	}
	var png []byte
	if err == nil {
		png, err = chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	}
	if err != nil {
		b.t.Logf("no screenshot of %s: %v", name, err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.t.Log(err)
	}
}
