"""Tunes what reads a draft after a conversation: internal/compliance/embedded's talk.bin.

    cd internal/compliance/testdata/conversations
    v/bin/python talk.py --onnx bge-small-en-v1.5.onnx --tokenizer bge-small-en-v1.5-tokenizer.json \\
        --train pairs_a.jsonl,pairs_b.jsonl,pairs_c.jsonl,pairs_d.jsonl --test pairs_dev.jsonl,pairs_e.jsonl \\
        --out talk.bin && gzip -9n talk.bin   # and move it

The layers from CUT on are the trunk's plus the product of two narrow matrices (LoRA), with a head on the means of all tokens, of what
was said and of the draft. What is made small is mostly that of a pair the draft after the conversation that makes it a violation has
less odds than after the other. A quarter of an hour on two cores.
"""
import argparse, json, math, random, time

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from torch import nn

import export
from lead import Narrow, save
from tune import Bottom, Layer, WIDTH, padded, profile

p = argparse.ArgumentParser()
p.add_argument("--onnx"); p.add_argument("--tokenizer"); p.add_argument("--train"); p.add_argument("--test"); p.add_argument("--out"); p.add_argument("--epochs", type=int, default=7)
p.add_argument("--cut", type=int, default=6); p.add_argument("--rate", type=float, default=1e-3)
p.add_argument("--seed", type=int, default=1)
a = p.parse_args()
CUT, LAYERS, BATCH, MOST_SAID, MOST_TEXT = a.cut, 12, 8, 256, 160
torch.set_num_threads(2); torch.manual_seed(a.seed); random.seed(a.seed)
tok = Tokenizer.from_file(a.tokenizer); tok.no_padding(); tok.no_truncation()
ids = lambda t: tok.encode(t, add_special_tokens=False).ids
cls, sep = tok.token_to_id("[CLS]"), tok.token_to_id("[SEP]")
class Enc: pass
def enc(r, side):
    said = ids("".join(m["text"] + "\n" for m in r[side] if m["role"] != "tool"))
    asked = ids(r["question"] + " [" + (profile(r.get("customer")) if r.get("trade", "pension") in ("", "pension") else "") + "]")[:128]
    text = ids(r["draft"])[:MOST_TEXT]
    said = said[max(0, len(said) - (MOST_SAID - len(asked))):]
    e = Enc(); e.ids = [cls] + said + asked + [sep] + text + [sep]
    e.type_ids = [0] * (len(said) + len(asked) + 2) + [1] * (len(text) + 1)
    e.said, e.asked, e.text = len(said), len(asked), len(text)
    return e
state = export.read_onnx(a.onnx)
bottom = Bottom(state, CUT)
def read(files):
    out = []
    for f in files.split(","):
        for l in open(f):
            r = json.loads(l); r["of"] = f.split("_")[-1][:-6].split("/")[-1]
            out.append(r)
    es = [enc(r, s) for r in out for s in ("fine", "violation")]
    for i, (e, h) in enumerate(zip(es, bottom(es))): e.h = h
    for i, r in enumerate(out): r["e"] = es[2*i:2*i+2]
    return out
train, test = read(a.train), read(a.test)
print(len(train), len(test), flush=True)
class Talk(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(state, i).requires_grad_(False) for i in range(CUT, LAYERS))
        for layer in self.layers:
            for n in ("qkv", "o", "up", "down"): setattr(layer, n, Narrow(getattr(layer, n)))
        self.head, self.drop = nn.Linear(3 * WIDTH, 1), nn.Dropout(.1)
    def forward(self, es):
        h, mask = padded([e.h.float() for e in es])
        first, second = torch.zeros_like(mask), torch.zeros_like(mask)
        for j, e in enumerate(es):
            n = 1 + e.said + e.asked
            first[j, :n] = True; second[j, n + 1: n + 1 + e.text] = True
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers: h = layer(h, mask)
        mean = lambda of: (h.float() * of[..., None]).sum(1) / of.sum(1, keepdim=True).clamp(1)
        return self.head(self.drop(torch.cat([mean(mask), mean(first), mean(second)], 1)))[:, 0]
model = Talk(); tuned = [w for w in model.parameters() if w.requires_grad]
by = torch.optim.AdamW(tuned, lr=a.rate, weight_decay=0.01)
def evaluate():
    model.eval(); out = {}
    with torch.no_grad():
        for r in test:
            f, v = model(r["e"]).tolist(); out.setdefault(r["of"], []).append((f, v)); r["s"] = (f, v)
    for k, l in out.items():
        print(f"   {k} {sum(v > f for f, v in l)} of {len(l)}  AUC {roc_auc_score([0]*len(l)+[1]*len(l), [f for f,_ in l]+[v for _,v in l]):.3f}", flush=True)
    model.train()
n, steps, order, t0 = 0, a.epochs * math.ceil(len(train) / BATCH), list(range(len(train))), time.time()
for ep in range(a.epochs):
    order.sort(key=lambda i: len(train[i]["e"][0].h) + random.random() * 40)
    batches = [order[k:k+BATCH] for k in range(0, len(order), BATCH)]; random.shuffle(batches); run = 0
    for some in batches:
        by.param_groups[0]["lr"] = a.rate * min(1, (n + 1) / 40) * max(0.03, 1 - n / steps)
        s = model([e for i in some for e in train[i]["e"]]).view(-1, 2)
        loss = F.softplus(s[:, 0] - s[:, 1]).mean() + .3 * (F.softplus(s[:, 0]) + F.softplus(-s[:, 1])).mean()
        by.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(tuned, 1.0); by.step()
        n += 1; run += float(loss) / len(batches)
    print(ep, n, steps, round(run, 3), f"{(time.time()-t0)/n:.2f} s", flush=True)
    evaluate()
save(a.out, "talk", model.layers, heads={"talk": (["over"], model.head)})
