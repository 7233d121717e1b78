"""Chooses what the judge is decided from (internal/compliance/embedded/judge.json), on what tune.py --said wrote of authors left out.

    python limits.py left.jsonl
"""
import json, sys

import numpy as np
from sklearn.linear_model import LogisticRegression

from tune import ALIKE, GENERAL, PENSION

SPAN = 0.4  # what the words weigh beside the label
CAREFUL = 1.0  # log odds added to what is calibrated, as a missed violation costs more than a second look

rows = [json.loads(line) for line in open(sys.argv[1])]
judged = [r for r in rows if r["y"] >= 0]
y = np.array([r["y"] for r in judged])
z = np.array([r["label"] for r in judged])
p = np.exp(z - z.max(1, keepdims=True))
p /= p.sum(1, keepdims=True)
odds = np.log((1 - p[:, 0]) / p[:, 0]) + SPAN * np.array([r["span"] for r in judged])
fit = LogisticRegression(C=100).fit(odds[:, None], y > 0)
weight, shift = fit.coef_[0, 0], fit.intercept_[0] + CAREFUL
print(json.dumps({"label": round(weight, 3), "span": round(weight * SPAN, 3), "shift": round(shift, 3)}))
decided = weight * odds + shift
for name, some in (("pensions", np.array(["-" not in r["author"] for r in judged])), ("other trades", np.array(["-" in r["author"] for r in judged]))):
    for more in (0, -0.4, -0.8, -1.2):
        q, t = decided[some] + more, y[some]
        print(f"{name} {more:+}: missed {((q < 0) & (t == 2)).sum()} of {(t == 2).sum()}, passed {((q < 0) & (t == 0)).sum()} of {(t == 0).sum()} compliant")

# What blocks a text, by the judge alone: a code that is critical, with its words.
CRITICAL = ["PERSONAL_RECOMMENDATION", "PRODUCT_NAMED_RECOMMENDATION", "GUARANTEE_OR_PROMISE", "PRESSURE"]
chance = lambda z: 1 / (1 + np.exp(-z))
for violation in (0.9, 0.95, 0.97, 0.98):
    for code in (0.5, 0.7):
        stopped = [r["y"] for r, q in zip(judged, decided) if "-" not in r["author"] and chance(q) >= violation and chance(r["span"]) >= 0.5
                   and any(chance(r["pension"][PENSION.index(c)]) >= code for c in CRITICAL)]
        print(f"stops from {violation}, code {code}: {len(stopped)}, of these violations {stopped.count(2)}, borderline {stopped.count(1)}")

limits = {}
for head, codes in (("pension", PENSION), ("general", GENERAL)):
    for i, code in enumerate(codes):
        of = [r for r in judged if head == "general" and (code in ALIKE.values() or "-" in r["author"]) or head == "pension" and "-" not in r["author"]]
        s = 1 / (1 + np.exp(-np.array([r[head][i] for r in of])))
        truth = np.array([code in r["codes"] or head == "general" and code in {ALIKE.get(c) for c in r["codes"]} for r in of])
        best = (0, 0.5)
        for line in np.arange(0.1, 0.95, 0.05):
            said = s >= line
            if said.any() and truth.any():
                right, found = (said & truth).sum() / said.sum(), (said & truth).sum() / truth.sum()
                best = max(best, (1.25 * right * found / (0.25 * right + found + 1e-9), line))  # F0.5: a wrong flag costs more than a missing one
        limits[code] = max(round(float(best[1]), 2), limits.get(code, 0))
print(json.dumps({"from": limits}, indent=1))
pairs = [r for r in rows if r["y"] < 0]
s, truth = 1 / (1 + np.exp(-np.array([r["said_answers"][0] for r in pairs]))), np.array([r["answers"] for r in pairs])
for line in (0.1, 0.2, 0.3, 0.4, 0.5):
    print(f"answers below {line}: found {((s < line) & (truth == 0)).sum()} of {(truth == 0).sum()}, wrong {((s < line) & (truth == 1)).sum()} of {(truth == 1).sum()}")
