#!/usr/bin/env python3
"""Scores `preceptor learn trial` against what a trial's author expects.

    score.py EXPECTED.jsonl RESULT.jsonl [-q]

Right outcomes; probes that should change and do (the two drafts differ, an idea of every group stands in the draft with the rules,
and no phrase of "absent" does); probes that should stay and do (the drafts are equal); leaks (a particular of the first customer
in any draft with the rules that is not in the draft without them, nor in the probe's own question, when --trials is given)."""
import argparse, json, sys, textwrap

def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(l) for l in f if l.strip()]

def fold(s):
    return " ".join((s or "").replace("’", "'").replace("‘", "'").lower().split())

def short(s, n=420):
    s = " ".join((s or "").split())
    return s if len(s) <= n else s[: n - 1] + "…"

def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("expected"); a.add_argument("result")
    a.add_argument("--trials", help="the trials themselves, so that a probe's own words are no leak")
    a.add_argument("-q", action="store_true", help="figures only")
    o = a.parse_args()
    got = {r["id"]: r for r in read(o.result)}
    asked = {t["id"]: {p["id"]: json.dumps(p, ensure_ascii=False) for p in t["probes"]} for t in read(o.trials)} if o.trials else {}
    n = {k: [0, 0] for k in ("outcome", "change", "stay")}
    leaks, bad = [], []
    def fail(what, *lines):
        bad.append(what + "".join("\n" + textwrap.indent(l, "    ") for l in lines))
    for e in read(o.expected):
        r = got.get(e["id"])
        n["outcome"][1] += 1
        if r is None:
            fail(f"{e['id']}: no result"); 
            for p in e["probes"].values():
                n["change" if p["change"] else "stay"][1] += 1
            continue
        l = r["lesson"]
        fine = [e["outcome"]] + e.get("also_ok", [])
        if l["outcome"] in fine:
            n["outcome"][0] += 1
        else:
            fail(f"{e['id']}: outcome {l['outcome']}, expected {' or '.join(fine)}", f"why: {short(l.get('why'))}", f"statement: {short(l.get('statement'))}")
        probes = {p["id"]: p for p in r["probes"]}
        for pid, p in e["probes"].items():
            d = probes.get(pid, {"without": "", "with": "", "rules": []})
            kind = "change" if p["change"] else "stay"
            n[kind][1] += 1
            without, with_ = d["without"], d["with"]
            missing = [g for g in p.get("idea_any", []) if not any(fold(i) in fold(with_) for i in g)]
            there = [x for x in p.get("absent", []) if fold(x) in fold(with_)]
            if p["change"]:
                ok = without != with_ and not missing and not there
                why = "same draft" if without == with_ else f"missing {missing}, not absent {there}"
            else:
                ok, why = without == with_, "changed"
            if ok:
                n[kind][0] += 1
            else:
                fail(f"{e['id']} {pid}: should {kind}: {why}; rules {d['rules']}", f"rule:    {short(l.get('statement'), 600)}", f"without: {short(without)}", f"with:    {short(with_)}")
            for leak in e.get("leaks", []):
                if fold(leak) in fold(with_) and fold(leak) not in fold(without) and fold(leak) not in fold(asked.get(e["id"], {}).get(pid, "")):
                    leaks.append(f"{e['id']} {pid}: {leak!r}")
    if not o.q:
        print("\n".join(bad))
        for l in leaks:
            print("LEAK", l)
        print()
    for k, (right, all_) in n.items():
        print(f"{k:8} {right:3} of {all_:3}  {100 * right / max(all_, 1):5.1f}%")
    print(f"leaks    {len(leaks)}")

if __name__ == "__main__":
    sys.exit(main())
