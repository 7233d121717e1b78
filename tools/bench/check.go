package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/intake"
)

// checked are texts of the usual kinds and lengths; each round changes a figure in each sentence, so that none is
// remembered.
var checked = []string{
	"Thank you for your letter. The figure of £310,000 is called a cash equivalent transfer value. It is what the " +
		"scheme would pay to another pension in exchange for an income for life, yearly increases and a pension for " +
		"your husband. If the money moved, those promises would end and could not be bought back. Because the value " +
		"is above £30,000, the law says you must take advice from a regulated adviser first. An adviser would look " +
		"at your health, your other income and what you want to leave; we can't weigh those for you. MoneyHelper can " +
		"explain how to find one.",
	"Hi there! A pot worth £10,000 or less can usually be paid out in one go. A quarter comes tax free and the rest " +
		"counts as income for the year. The provider will probably use an emergency tax code, so too much can come " +
		"off at first and you claim it back. Money spent now isn't there later. Whether that matters to you isn't " +
		"something I can weigh up here, but a Pension Wise appointment is free. Want the link?",
	"It may help to separate what each does from what it costs. An annuity guarantees an income until you die. You " +
		"can't change your mind afterwards, and inflation eats into a level one. Drawdown leaves the money invested: " +
		"you set the income, and what's left may pass on. It can also run out. For someone with your other income " +
		"the money would do more good in drawdown than in an annuity. Pension Wise will go through both with you.",
}

// check times verdicts of the checks and the judge in the program on one core.
func (b *bencher) check() error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	return b.verdicts("guidances on one core", max(b.many/50, 1))
}

func (b *bencher) verdicts(name string, n int) error {
	v := compliance.New(compliance.NewChecker(time.Now), compliance.Panel{Judges: embedded.Judges(nil)})
	before := memory("VmRSS:")
	var items []intake.Item
	bytes := int64(0)
	for i := range n {
		text := strings.ReplaceAll(checked[i%len(checked)], ". ", fmt.Sprintf(" (%d). ", i))
		items = append(items, intake.Item{Guidance: text, Question: "How do I complain about the service I had?"})
		bytes += int64(len(text))
	}
	v.Glance(checked[0], items[0].Consultation()) // what is built at first use
	began := time.Now()
	for _, it := range items {
		if err := b.t.Ctx.Err(); err != nil {
			return err
		}
		v.Glance(it.Guidance, it.Consultation())
	}
	b.flow = append(b.flow, rate{Bench: "check", Name: name, Rows: len(items), Seconds: time.Since(began).Seconds(),
		Bytes: bytes, Before: before, RSS: memory("VmHWM:")})
	return nil
}
