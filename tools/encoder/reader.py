"""Tunes what reads what a message teaches, and how a user reacts: internal/signal/learned's reader.bin.

    (cd ../../internal/signal/learned && PRECEPTOR_FIT=/tmp/texts.jsonl go test -run TestTextsForTheReader .)
    v/bin/python reader.py --onnx bge-small-en-v1.5.onnx --tokenizer bge-small-en-v1.5-tokenizer.json --texts /tmp/texts.jsonl \\
        --leave twelfth,thirteenth,languages,eighteenth,nothing --said /tmp/said.jsonl --state first.pt
    v/bin/python reader.py … --leave nothing --begin first.pt --new languages,twelfth,thirteenth --epochs 1 --rate 3e-4 --state next.pt
    v/bin/python reader.py … --leave nothing --begin next.pt --new eighteenth --others 500 --epochs 1 --rate 3e-4 --state third.pt
    v/bin/python reader.py … --leave nothing --begin third.pt --new eighteenth,nineteenth --others 500 --epochs 2 --rate 3e-4 --out reader.bin
    gzip -9n reader.bin   # and move it

The layers from CUT on are the trunk's plus the product of two narrow matrices (LoRA). A message is read at once; of each part of it the
mean of its tokens, beside that of all, tells what it teaches and whether that is for once; the mean of all tells a reaction. Messages
with "don't" or "I'd" are read as others would spell them, too. Authors in --leave are never trained on; of those it says how well it
does, and --said what it says. The later runs have texts that the first hadn't, and others so that it forgets none of them. Half
an hour on two cores.
"""
import argparse, json, math, random, re, time

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

import export
from lead import Narrow, save
from tune import Bottom, Layer, WIDTH, padded

p = argparse.ArgumentParser()
for n in ("onnx", "tokenizer", "texts", "leave", "said", "out", "state", "begin", "new"): p.add_argument("--" + n, default="")
for n, d in (("epochs", 4), ("seed", 1), ("batch", 32), ("others", 1300)): p.add_argument("--" + n, type=int, default=d)
p.add_argument("--rate", type=float, default=1e-3); p.add_argument("--drop", type=float, default=.1)
a = p.parse_args()
CUT, LAYERS, MOST, CORRECTION = 6, 12, 256, 2
torch.set_num_threads(2); torch.manual_seed(a.seed); random.seed(a.seed)
tok = Tokenizer.from_file(a.tokenizer); tok.no_padding(); tok.enable_truncation(MOST)
state = export.read_onnx(a.onnx)
SPELT = [(re.compile(r"(?i)\b(?:(do)\s+not|(I)\s+would)\b"), "n't", "'d"), (re.compile(r"(?i)\b(?:(do)n['’]?t|(I)['’]d)\b"), " not", " would")]

class Part:
    """A message with the shares of its tokens in the mean of each of its parts."""
    def __init__(self, text, spans):
        e = tok.encode(text)
        self.ids, self.type_ids = e.ids, e.type_ids
        of = np.array([[y > x and x >= f and y <= t for x, y in e.offsets] for f, t in spans], np.float32)
        self.of = torch.from_numpy(of / of.sum(1, keepdims=True).clip(1))

def spellings(text, spans):
    yield Part(text, spans)
    for what, do, i in SPELT:
        found = list(what.finditer(text))
        longer = [(m.end(), len(m[1] + do if m[1] else m[2] + i) - len(m[0])) for m in found]
        moved = lambda at: at + sum(n for end, n in longer if end <= at)
        if found:
            yield Part(what.sub(lambda m: m[1] + do if m[1] else m[2] + i, text), [(moved(f), moved(t)) for f, t in spans])

data, left = [], set(a.leave.split(","))
for r in map(json.loads, open(a.texts)):
    b = r["Message"].encode()
    at = lambda n: len(b[:n].decode())
    r["of"], units = r["Author"].split(".")[0], r["Units"] or []
    r["spans"] = [(at(u["From"]), at(u["To"])) for u in units]
    r["class"], r["once"] = [u["Class"] for u in units], [-1 if u["Once"] is None else int(u["Once"]) for u in units]
    if units:
        r["read"] = list(spellings(r["Message"], r["spans"]))
        data.append(r)
train, test = [r for r in data if r["of"] not in left], [r for r in data if r["of"] in left]
if a.begin:
    later = lambda r: r["of"] in a.new.split(",")
    train = [r for r in train if later(r)] + random.sample([r for r in train if not later(r)], a.others)
print(len(train), len(test), flush=True)
flat = [e for r in train + test for e in r["read"]]
for e, h in zip(flat, Bottom(state, CUT)(flat)): e.h = h

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(state, i).requires_grad_(False) for i in range(CUT, LAYERS))
        for layer in self.layers:
            for n in ("qkv", "o", "up", "down"): setattr(layer, n, Narrow(getattr(layer, n)))
        self.teaches, self.once, self.heard, self.drop = nn.Linear(2 * WIDTH, 5), nn.Linear(2 * WIDTH, 1), nn.Linear(WIDTH, 3), nn.Dropout(a.drop)
    def forward(self, es):
        h, mask = padded([e.h.float() for e in es])
        with torch.autocast("cpu", torch.bfloat16), sdpa_kernel(SDPBackend.MATH):  # faster for short texts
            for layer in self.layers: h = layer(h, mask)
        h = h.float()
        whole = (h * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        v = self.drop(torch.cat([torch.cat([e.of @ h[j, :len(e.ids)], whole[j].expand(len(e.of), -1)], 1) for j, e in enumerate(es)]))
        return self.teaches(v), self.once(v)[:, 0], self.heard(self.drop(whole))

model = Reader()
if a.begin: model.load_state_dict(torch.load(a.begin), strict=False)
tuned = [w for w in model.parameters() if w.requires_grad]
by = torch.optim.AdamW(tuned, lr=a.rate, weight_decay=0.01)

@torch.no_grad()
def evaluate():
    model.eval()
    for r in test:
        teaches, once, heard = model(r["read"][:1])
        r["teaches"], r["for_once"], r["reacts"] = teaches.softmax(1).tolist(), once.sigmoid().tolist(), heard.softmax(1)[0].tolist()
    for of in sorted({r["of"] for r in test}):
        rows = [r for r in test if r["of"] == of]
        if rows[0]["Heard"] >= 0:
            print("  ", of, "right", sum(int(np.argmax(r["reacts"]) == r["Heard"]) for r in rows), "of", len(rows), flush=True)
            continue
        found = [(c, 1 - p[0], int(np.argmax(p[1:]) + 1 == c)) for r in rows for c, p in zip(r["class"], r["teaches"])]
        y = [c > 0 for c, _, _ in found]
        print("  ", of, "AUC", round(roc_auc_score(y, [q for _, q, _ in found]), 4) if len(set(y)) > 1 else "-", "of what teaches",
              round(np.mean([q >= .5 for c, q, _ in found if c] or [0]), 3), "of the rest", round(np.mean([q >= .5 for c, q, _ in found if not c] or [0]), 3),
              "category", round(np.mean([x for c, _, x in found if c] or [0]), 3), flush=True)
    if a.said:
        with open(a.said, "w") as f:
            for r in test: f.write(json.dumps({k: v for k, v in r.items() if k != "read"}) + "\n")
    model.train()

n, steps, order, t0 = 0, a.epochs * math.ceil(len(train) / a.batch), list(range(len(train))), time.time()
for epoch in range(a.epochs):
    order.sort(key=lambda i: len(train[i]["read"][0].ids) + random.random() * 12)  # of like length, to pad little
    batches = [order[k:k+a.batch] for k in range(0, len(order), a.batch)]; random.shuffle(batches); run = 0
    for some in batches:
        by.param_groups[0]["lr"] = a.rate * min(1, (n + 1) / min(60, steps / 6)) * max(0.02, 1 - n / steps)
        rows = [train[i] for i in some]
        teaches, once, heard = model([random.choice(r["read"]) for r in rows])
        taught = torch.tensor([r["Heard"] <= 0 for r in rows for _ in r["spans"]])  # what is neutral teaches nothing
        of, for_once, reacts = (torch.tensor(x) for x in ([c for r in rows for c in r["class"]], [o for r in rows for o in r["once"]], [r["Heard"] for r in rows]))
        known = taught & (for_once >= 0) & (of == CORRECTION)
        loss = F.cross_entropy(teaches[taught], of[taught], reduction="sum") / max(1, int(taught.sum()))
        loss = loss + .3 * F.binary_cross_entropy_with_logits(once[known], for_once[known].float(), reduction="sum") / len(rows)
        loss = loss + F.cross_entropy(heard[reacts >= 0], reacts[reacts >= 0], reduction="sum") / len(rows)
        by.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(tuned, 1.0); by.step()
        n += 1; run += float(loss) / len(batches)
    print(epoch, n, steps, round(run, 3), f"{(time.time()-t0)/n:.2f} s", flush=True)
    evaluate()
if a.state: torch.save({k: v for k, v in model.state_dict().items() if "dense" not in k}, a.state)
if a.out:
    save(a.out, "reader", model.layers, heads={"teaches": (["nothing", "preference", "correction", "pattern", "tool-usage"], model.teaches), "once": (["once"], model.once),
                                               "heard": (["neutral", "success", "failure"], model.heard)})
