package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"preceptor/internal/llm/sentence"
	"preceptor/internal/signal/learned"
)

type message struct {
	Message   string
	Learnings []struct{ Category, Span, Confidence string }
	author    string
	units     []learned.Unit
	class     []int // of each unit
	gold      map[int]bool
}

func load(path string) (out []*message) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		m := &message{author: path}
		if err := json.Unmarshal(sc.Bytes(), m); err != nil {
			panic(err)
		}
		out = append(out, m)
	}
	return out
}

func prepare(list []*message) {
	e := sentence.New(0)
	var wg sync.WaitGroup
	gate := make(chan bool, 2)
	for _, m := range list {
		wg.Add(1)
		gate <- true
		go func() {
			defer func() { <-gate; wg.Done() }()
			m.units = learned.Units(e, m.Message)
		}()
	}
	wg.Wait()
	for _, m := range list {
		m.class = make([]int, len(m.units))
		m.gold = map[int]bool{}
		for _, l := range m.Learnings {
			c := slices.Index(learned.Categories, l.Category) + 1
			m.gold[c] = true
			from := strings.Index(m.Message, l.Span)
			to := from + len(l.Span)
			for i, u := range m.units {
				over := min(to, u.Span.End) - max(from, u.Span.Start)
				if over*2 > u.Span.End-u.Span.Start || over*2 > to-from {
					m.class[i] = c
				}
			}
		}
	}
}

type model struct{ w []float32 }

const classes = 5

var (
	epochs = flag.Int("epochs", 12, "")
	l2     = flag.Float64("l2", 1e-4, "")
	drop   = flag.Float64("drop", 0.3, "")
	rate   = flag.Float64("rate", .08, "")
	negw   = flag.Float64("negw", 1, "")
	bank   = flag.String("bank", "", "")
	show   = flag.Bool("show", false, "")
	files  = flag.String("files", "/work/wt/h/train1.jsonl,/work/wt/h/train2.jsonl", "")
	extra  = flag.String("extra", "", "always trained on")
	kn     = flag.String("k", "1,1,1,1,1,1,.5,1", "knobs")
)

func (m *model) scores(f []learned.Feature, z *[classes]float64) {
	for c := range z {
		z[c] = float64(m.w[learned.Inputs*classes+c])
	}
	for _, x := range f {
		row := m.w[int(x.At)*classes : int(x.At)*classes+classes]
		for c := range z {
			z[c] += float64(row[c] * x.Value)
		}
	}
	top := slices.Max(z[:])
	sum := 0.0
	for c := range z {
		z[c] = math.Exp(z[c] - top)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
}

func fit(list []*message) *model {
	m := &model{make([]float32, (learned.Inputs+1)*classes)}
	g2 := make([]float32, len(m.w))
	type ex struct {
		f []learned.Feature
		c int
	}
	var data []ex
	for _, one := range list {
		for i, u := range one.units {
			data = append(data, ex{u.Features, one.class[i]})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	order := r.Perm(len(data))
	var z [classes]float64
	for range *epochs {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, k := range order {
			f := data[k].f
			if *drop > 0 {
				var kept []learned.Feature
				for _, x := range f {
					if r.Float64() >= *drop {
						kept = append(kept, learned.Feature{At: x.At, Value: x.Value / float32(1-*drop)})
					}
				}
				f = kept
			}
			m.scores(f, &z)
			z[data[k].c]--
			if data[k].c == 0 {
				for c := range z {
					z[c] *= *negw
				}
			}
			for _, x := range append(f, learned.Feature{At: learned.Inputs, Value: 1}) {
				for c := range z {
					at := int(x.At)*classes + c
					g := float32(z[c])*x.Value + float32(*l2)*m.w[at]
					g2[at] += g * g
					m.w[at] -= float32(*rate) * g / (float32(math.Sqrt(float64(g2[at]))) + 1e-6)
				}
			}
		}
	}
	return m
}

// best is the strongest category of a message and its probability.
func (m *model) best(one *message) (c int, p float64) {
	var z [classes]float64
	for _, u := range one.units {
		m.scores(u.Features, &z)
		for k := 1; k < classes; k++ {
			if z[k]+1e-3*(1-z[0]) > p {
				c, p = k, z[k]
			}
		}
	}
	return
}

type result struct {
	m *message
	c int
	p float64
}

func report(name string, rs []result, banking []result) {
	var none []float64
	pos := 0
	for _, r := range rs {
		if len(r.m.gold) == 0 {
			none = append(none, r.p)
		} else {
			pos++
		}
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(none)))
	fmt.Printf("%-28s pos %d none %d:", name, pos, len(none))
	for _, share := range []float64{.03, .0625, .1, .2} {
		t := none[int(share*float64(len(none)))]
		right, wrong := 0, 0
		for _, r := range rs {
			if len(r.m.gold) > 0 && r.p > t {
				if r.m.gold[r.c] {
					right++
				} else {
					wrong++
				}
			}
		}
		b := 0
		for _, r := range banking {
			if r.p > t {
				b++
			}
		}
		fmt.Printf("  @%.3f t %.3f right %.3f wrong %.3f bank %.4f |", share, t, float64(right)/float64(pos), float64(wrong)/float64(pos), float64(b)/float64(max(1, len(banking))))
	}
	fmt.Println()
}

func main() {
	flag.Parse()
	fmt.Sscanf(strings.ReplaceAll(*kn, ",", " "), "%g %g %g %g %g %g %g %g %g %g %g %g", &learned.KDense, &learned.KMean, &learned.KUni, &learned.KBi, &learned.KTri, &learned.KSkel, &learned.KNear, &learned.KShape, &learned.KMn, &learned.KMax, &learned.KMin, &learned.KPub)
	var all []*message
	for _, f := range strings.Split(*files, ",") {
		all = append(all, load(f)...)
	}
	authors := strings.Split(*files, ",")
	var ext []*message
	if *extra != "" {
		for _, f := range strings.Split(*extra, ",") {
			ext = append(ext, load(f)...)
		}
	}
	prepare(all)
	prepare(ext)
	var banking []*message
	if *bank != "" {
		f, _ := os.Open(*bank)
		rows, _ := csv.NewReader(f).ReadAll()
		for i, r := range rows[1:] {
			if i%8 == 0 {
				banking = append(banking, &message{Message: r[0]})
			}
		}
		prepare(banking)
	}
	var pooled, pooledBank []result
	for _, a := range authors {
		var train []*message
		for _, m := range all {
			if m.author != a {
				train = append(train, m)
			}
		}
		m := fit(append(train, ext...))
		var rs, bs []result
		for _, one := range all {
			if one.author == a {
				c, p := m.best(one)
				rs = append(rs, result{one, c, p})
			}
		}
		for _, one := range banking {
			c, p := m.best(one)
			bs = append(bs, result{one, c, p})
		}
		report("test "+a[max(0, len(a)-14):], rs, bs)
		pooled, pooledBank = append(pooled, rs...), append(pooledBank, bs...)
		if *show {
			sort.Slice(rs, func(i, j int) bool { return rs[i].p > rs[j].p })
			for _, r := range rs {
				fmt.Printf("%.3f %d %v %s\n", r.p, r.c, r.m.gold, r.m.Message[:min(len(r.m.Message), 200)])
			}
		}
	}
	report("pooled", pooled, pooledBank)
}
