"""Tunes the judge: upper layers of the public trunk and its heads, on all labelled texts together.

    python tune.py --onnx bge-small-en-v1.5.onnx --tokenizer bge-small-en-v1.5-tokenizer.json --first 8 --epochs 3 --rate 2e-4 --out stage1.pt
    python tune.py ... --first 6 --epochs 2 --rate 1.2e-4 --heads 2e-3 --seed 2 --from stage1.pt --out stage2.pt --said left.jsonl
    python tune.py ... --first 6 --epochs 2 --rate 1.2e-4 --heads 2e-3 --seed 3 --from stage2.pt --mix 0.9 --out stage3.pt --said left.jsonl
    python tune.py ... --first 6 --from stage3.pt --epochs 0 --branch ../../internal/llm/tuned/tuned.bin

The layers below --first stay as they were published, so what they make of a text is computed once and kept in memory (7 GB). Tasks of
one pass over "question [profile or facts] | text": label, codes (pensions' own, and those of any trade), whether it answers, and, token
by token, which words carry a violation. Authors in --leave are never trained on; limits.py chooses what is decided from on them.
"""
import argparse, glob, json, os, random, re, time

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from tokenizers import Tokenizer
from torch import nn

import export

LABELS = ["COMPLIANT_GUIDANCE", "BORDERLINE", "NON_COMPLIANT"]
PENSION = ["DISGUISED_RECOMMENDATION", "PERSONAL_RECOMMENDATION", "INACCURATE_FACT", "MISSING_RISK_DISCLOSURE", "GUARANTEE_OR_PROMISE",
           "MISSING_SIGNPOST", "MISSING_DB_WARNING", "PRESSURE", "SCAM_RISK_UNFLAGGED", "UNDERSTANDING_NOT_CHECKED",
           "PRODUCT_NAMED_RECOMMENDATION", "JARGON_FOR_LITERACY"]
GENERAL = ["PROMISE", "PRESSURE", "RECOMMENDATION", "UNSAFE", "PRIVACY", "RUDE", "NOT_ANSWERED", "WRONG_FACT"]
# What a pension text's code is in any trade, and which of those a pension text tells of.
ALIKE = {"DISGUISED_RECOMMENDATION": "RECOMMENDATION", "PERSONAL_RECOMMENDATION": "RECOMMENDATION", "PRODUCT_NAMED_RECOMMENDATION": "RECOMMENDATION",
         "GUARANTEE_OR_PROMISE": "PROMISE", "PRESSURE": "PRESSURE", "INACCURATE_FACT": "WRONG_FACT"}
TOLD = [1, 1, 1, 0, 0, 0, 0, 1]
KINDS = ["explain", "options", "choice", "yes_no", "how_to", "do_it", "complaint", "crisis", "chat"]
HEADS = {"label": ["fine", "borderline", "over"], "pension": PENSION, "general": GENERAL, "answers": ["answers"], "span": ["violation"], "kind": KINDS}
LEFT = "x1,x2,x3,pairs_second,pairs_third,C-shop,travel_w-travel,S-telecom,S-school"
SIDES = {"answers"}  # heads that see the mean of all tokens, of the question's and of the text's
# Codes of a sentence that is a violation wherever it stands.
ANYWHERE = {"PERSONAL_RECOMMENDATION", "PRODUCT_NAMED_RECOMMENDATION", "GUARANTEE_OR_PROMISE", "PRESSURE", "PROMISE", "RECOMMENDATION", "PRIVACY", "RUDE"}
WIDTH, HEADS_OF_ATTENTION = 384, 12


def profile(c):
    """One line about the customer, as internal/compliance/embedded writes it."""
    if not c:
        return ""
    parts = [f"aged {c['age']}"] if c.get("age") else []
    for p in c.get("pensions") or []:
        parts.append(p if isinstance(p, str) else f"{p.get('kind', '')} pension £{p.get('value_gbp', '?')} {' '.join(p.get('features') or [])}".strip())
    if c.get("literacy"):
        parts.append("literacy " + c["literacy"])
    if c.get("vulnerable") or c.get("vulnerability"):
        parts.append("vulnerable")
    return "; ".join(parts)


def lines(pattern):
    for f in sorted(glob.glob(pattern)):
        for line in open(f):
            yield os.path.basename(f)[:-6], json.loads(line)


def texts(folder):
    """Labelled texts with what each task makes of them."""
    for pattern in ("texts/*", "held_out*", "blind/*_second", "blind/*_third", "blind/travel_*", "trades/*"):
        for author, r in lines(f"{folder}/{pattern}.jsonl"):
            if "label" not in r:
                continue
            trade, y = r.get("trade", "pension"), LABELS.index(r["label"])
            pension = trade == "pension"
            about = r["question"] + f" [{profile(r.get('customer')) if pension else r.get('facts') or ''}]"
            alike = {ALIKE.get(c) for c in r["codes"]} if pension else set(r["codes"])
            answers = 0 if {"OFF_TOPIC", "NOT_ANSWERED"} & set(r["codes"]) else 1 if not pension or y == 0 else -1
            yield {"author": author if pension else author + "-" + trade, "trade": trade, "about": about, "text": r["guidance"], "y": y, "codes": r["codes"],
                   "pension": [float(c in r["codes"]) for c in PENSION] if pension else None, "general": [float(g in alike) for g in GENERAL],
                   "told": TOLD if pension else [1] * len(GENERAL), "spans": r.get("spans"), "answers": answers, "weight": 1.0}


def pairs(folder, labelled, rng):
    """Questions with answers of their own and of others."""
    one = lambda question, text, answers, author, weight: {"author": author, "trade": "pairs", "about": question + " []", "text": text, "y": -1, "codes": [],
                                                           "pension": None, "general": None, "told": None, "spans": None, "answers": answers, "weight": weight}
    by_trade = {}
    for r in labelled:
        by_trade.setdefault(r["trade"], []).append(r)
    for of in by_trade.values():
        for r in rng.sample(of, len(of) // 12):
            other = rng.choice(of)
            if other is not r:
                yield one(r["about"][:-3] if r["about"].endswith(" []") else r["about"], other["text"], 0, r["author"], 0.5)
    every = [x for name in ("groups", "groups_*") for x in lines(f"{folder}/pairs/{name}.jsonl")]
    for author, g in every:
        for i, q in enumerate(g["questions"]):
            for k, t in enumerate(g["answers"]):
                if i == k or rng.random() < 0.4:
                    yield one(q, t, int(i == k), author, 1.0)
        for kind, answers in (("honest", 1), ("partial", 0), ("refusal", 0)):
            if g.get(kind):
                yield one(g["questions"][0], g[kind], answers, author, 1.0)
        other = rng.choice([o for _, o in every if o["trade"] == g["trade"] and o is not g] or [g])
        if other is not g:
            yield one(rng.choice(g["questions"]), rng.choice(other["answers"]), 0, author, 0.5)
    groups = {}
    for author, r in lines(folder + "/pairs/p*.jsonl"):
        groups.setdefault((author, r["group"]), []).append(r)
    for of in groups.values():
        for r in of:
            if rng.random() < 0.6:
                continue
            other = rng.choice(of)
            yield one(r["question"], r["guidance"], 1, "p", 0.6)
            if other is not r:
                yield one(r["question"], other["guidance"], 0, "p", 0.6)
    for pattern in ("pairs", "blind/pairs", "blind/pairs_second", "blind/pairs_third"):
        for author, r in lines(f"{folder}/{pattern}.jsonl"):
            yield one(r["question"], r["guidance"], int(r["answers"]), author, 1.0)


def questions(folder):
    """Questions alone: which kind of answer they ask for."""
    for author, r in lines(folder + "/questions/*.jsonl"):
        yield {"author": author, "trade": "questions", "about": r["question"], "text": "", "y": -1, "codes": [], "pension": None, "general": None, "told": None,
               "spans": None, "answers": -1, "kind": KINDS.index(r["kind"]), "weight": 1.0}


CUT = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def put(text, sentence, rng):
    """The text with a sentence put between two of its own, or at its end."""
    parts = CUT.split(text)
    at = rng.randrange(1, len(parts) + 1)
    return " ".join(parts[:at] + [sentence] + parts[at:]) if at < len(parts) else text.rstrip() + " " + sentence


def changed(folder, labelled, rng):
    """Labelled texts with a sentence that changes nothing, and long ones that are fine with one that is over the line."""
    plain = [line.strip() for line in open(folder + "/plain.txt") if line.strip()]
    for r in rng.sample(labelled, len(labelled) // 8):
        text = put(r["text"], rng.choice(plain), rng)
        if all(s["quote"] in text for s in r["spans"] or []):
            yield r | {"text": text, "answers": -1}
    long = {}
    for r in labelled:
        if r["y"] == 0 and len(r["text"].split()) > 80:
            long.setdefault(r["trade"], []).append(r)
    bad = [r for r in labelled if r["y"] == 2 and r["spans"] and set(r["codes"]) <= ANYWHERE and len(r["codes"]) == 1 and long.get(r["trade"])]
    for r in rng.sample(bad, min(len(bad), len(labelled) // 14)):
        quote = r["spans"][0]["quote"]
        carries = [p for p in CUT.split(r["text"].replace("\n", " ")) if quote in p]
        if carries and len(carries[0].split()) < 45:
            host = rng.choice(long[r["trade"]])
            yield host | {"text": put(host["text"], carries[0], rng), "y": 2, "spans": [r["spans"][0]], "answers": -1} | {k: r[k] for k in ("codes", "pension", "general", "told")}


class Layer(nn.Module):
    """One BERT layer; query, key and value in one product."""

    def __init__(self, state, i):
        super().__init__()
        self.qkv, self.o, self.up, self.down = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        get = lambda n: torch.from_numpy(np.array(state[f"encoder.layer.{i}.{n}"], dtype=np.float32))
        with torch.no_grad():
            for kind in ("weight", "bias"):
                getattr(self.qkv, kind).copy_(torch.cat([get(f"attention.self.{n}.{kind}") for n in ("query", "key", "value")]))
                for part, n in self.parts():
                    getattr(part, kind).copy_(get(f"{n}.{kind}"))

    def parts(self):
        return ((self.o, "attention.output.dense"), (self.up, "intermediate.dense"), (self.down, "output.dense"),
                (self.n1, "attention.output.LayerNorm"), (self.n2, "output.LayerNorm"))

    def forward(self, h, mask):
        b, t, _ = h.shape
        q, k, v = self.qkv(h).view(b, t, 3, HEADS_OF_ATTENTION, -1).permute(2, 0, 3, 1, 4)
        x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        h = self.n1(h + self.o(x.transpose(1, 2).reshape(b, t, WIDTH)))
        return self.n2(h + self.down(F.gelu(self.up(h))))

    def state(self, i):
        out = {}
        for kind in ("weight", "bias"):
            for n, w in zip(("query", "key", "value"), getattr(self.qkv, kind).chunk(3)):
                out[f"encoder.layer.{i}.attention.self.{n}.{kind}"] = w
            for part, n in self.parts():
                out[f"encoder.layer.{i}.{n}.{kind}"] = getattr(part, kind)
        return out


def padded(hidden):
    sizes = [len(h) for h in hidden]
    x = torch.zeros(len(hidden), max(sizes), WIDTH)
    for j, h in enumerate(hidden):
        x[j, : len(h)] = h
    return x, torch.arange(max(sizes))[None] < torch.tensor(sizes)[:, None]


class Bottom(nn.Module):
    """The trunk's embeddings and its layers below first, as published."""

    def __init__(self, state, first):
        super().__init__()
        self.tables = {n: torch.from_numpy(np.array(state[f"embeddings.{n}.weight"], dtype=np.float32)) for n in ("word_embeddings", "position_embeddings", "token_type_embeddings")}
        self.norm = [torch.from_numpy(np.array(state[f"embeddings.LayerNorm.{k}"], dtype=np.float32)) for k in ("weight", "bias")]
        self.layers = nn.ModuleList(Layer(state, i) for i in range(first))

    @torch.no_grad()
    def forward(self, encoded, size=32):
        out, order = [None] * len(encoded), sorted(range(len(encoded)), key=lambda i: len(encoded[i].ids))
        for s in range(0, len(order), size):
            some = order[s : s + size]
            rows = []
            for e in (encoded[i] for i in some):
                x = self.tables["word_embeddings"][e.ids] + self.tables["position_embeddings"][: len(e.ids)] + self.tables["token_type_embeddings"][e.type_ids]
                rows.append(F.layer_norm(x, (WIDTH,), *self.norm, eps=1e-12))
            h, mask = padded(rows)
            with torch.autocast("cpu", torch.bfloat16):
                for layer in self.layers:
                    h = layer(h, mask)
            for j, i in enumerate(some):
                out[i] = h[j, : len(encoded[i].ids)].to(torch.bfloat16).clone()
        return out


class Top(nn.Module):
    """The layers from first on, tuned, and the heads: on the mean of all tokens (and those of either side), and span on each."""

    def __init__(self, state, first, layers=12):
        super().__init__()
        self.layers = nn.ModuleList(Layer(state, i) for i in range(first, layers))
        self.heads, self.drop = nn.ModuleDict({n: nn.Linear(WIDTH * (3 if n in SIDES else 1), len(o)) for n, o in HEADS.items()}), nn.Dropout(0.1)

    def forward(self, h, mask, second):
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers:
                h = layer(h, mask)
            mean = lambda of: (h * of[..., None]).sum(1) / of.sum(1, keepdim=True).clamp(1)
            v = self.drop(mean(mask))
            sides = torch.cat([v, self.drop(mean(mask & ~second)), self.drop(mean(second))], 1)
            out = {n: self.heads[n](sides if n in SIDES else v).float() for n in HEADS if n != "span"}
            return out | {"span": self.heads["span"](h)[..., 0].float()}


def marked(items, encoded):
    """Sets of each item which tokens carry a violation, and which are known."""
    for it, e in zip(items, encoded):
        second = it["second"] = np.array([s == 1 for s in e.sequence_ids])
        it["span"], it["known"] = np.zeros(len(e.ids), np.float32), second * float(it["y"] == 0 or it["spans"] is not None and it["y"] > 0)
        for s in it["spans"] or []:
            at = it["text"].find(s["quote"])
            for j, (a, b) in enumerate(e.offsets):
                if second[j] and a < at + len(s["quote"]) and b > at:
                    it["span"][j] = 1


def seconds(items, wide):
    out = torch.zeros(len(items), wide, dtype=torch.bool)
    for j, i in enumerate(items):
        out[j, : len(i["second"])] = torch.from_numpy(i["second"])
    return out


def loss_of(items, out, o):
    bce, n = lambda z, y: F.binary_cross_entropy_with_logits(z, y, reduction="none"), len(items)
    y = torch.tensor([i["y"] for i in items])
    judged, loss = y >= 0, 0.0
    if judged.any():
        loss = F.cross_entropy(out["label"][judged], y[judged], label_smoothing=0.05) * judged.float().mean()
        for name, weight in (("general", o.general), ("pension", o.pension)):
            wide = len(HEADS[name])
            truth = torch.tensor([i[name] or [0.0] * wide for i in items])
            told = torch.tensor([[float(t) for t in (i["told"] if name == "general" else [1] * wide)] if i[name] else [0.0] * wide for i in items])
            loss = loss + weight * (bce(out[name], truth) * told).sum() / (wide * n)
    answers, known = torch.tensor([float(i["answers"]) for i in items]), torch.tensor([i["weight"] * (i["answers"] >= 0) for i in items])
    loss = loss + (bce(out["answers"][:, 0], answers.clamp(0)) * known).sum() / n
    kind = torch.tensor([i.get("kind", -1) for i in items])
    if (kind >= 0).any():
        loss = loss + F.cross_entropy(out["kind"], kind, ignore_index=-1, label_smoothing=0.05) * (kind >= 0).float().mean()
    span, told = torch.zeros_like(out["span"]), torch.zeros_like(out["span"])
    for j, i in enumerate(items):
        span[j, : len(i["span"])], told[j, : len(i["known"])] = torch.tensor(i["span"]), torch.tensor(i["known"])
    carried = F.binary_cross_entropy_with_logits(out["span"], span, reduction="none", pos_weight=torch.tensor(2.0))
    return loss + 0.5 * (carried * told).sum() / (told.sum() + 1)


def batches(items, size, rng):
    order = rng.sample(range(len(items)), len(items))
    chunks = [sorted(order[i : i + size * 20], key=lambda j: len(items[j]["span"])) for i in range(0, len(order), size * 20)]
    out = [c[i : i + size] for c in chunks for i in range(0, len(c), size)]
    rng.shuffle(out)
    return out


@torch.no_grad()
def said(top, items, hidden):
    top.eval()
    out = [None] * len(items)
    order = sorted(range(len(items)), key=lambda i: len(hidden[i]))
    for s in range(0, len(order), 32):
        some = order[s : s + 32]
        h, mask = padded([hidden[i] for i in some])
        all_of = top(h, mask, seconds([items[i] for i in some], h.shape[1]))
        for j, i in enumerate(some):
            out[i] = {n: v[j].numpy() for n, v in all_of.items()}
            out[i]["span"] = float(out[i]["span"][: len(hidden[i])][items[i]["second"]].max(initial=-20))
    top.train()
    return out


@torch.no_grad()
def fit_kinds(top, hidden, items):
    """Fits the head of kinds on what the tuned layers make of all questions, as a few hundred short texts among thousands of long ones leave it unripe."""
    top.eval()
    asked = [i for i, it in enumerate(items) if "kind" in it]
    means = []
    for s in range(0, len(asked), 32):
        h, mask = padded([hidden[i] for i in asked[s : s + 32]])
        with torch.autocast("cpu", torch.bfloat16):
            for layer in top.layers:
                h = layer(h, mask)
        means.append(((h * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)).float().numpy())
    fit = LogisticRegression(C=0.1, max_iter=3000).fit(np.concatenate(means), [items[i]["kind"] for i in asked], [2.0 if items[i]["author"] == "s" else 1.0 for i in asked])
    top.heads["kind"].weight.copy_(torch.tensor(fit.coef_))
    top.heads["kind"].bias.copy_(torch.tensor(fit.intercept_))


def report(title, items, out):
    for author in sorted({i["author"] for i in items if i["y"] >= 0}):
        k = [j for j, i in enumerate(items) if i["author"] == author and i["y"] >= 0]
        y, z = np.array([items[j]["y"] for j in k]), np.array([out[j]["label"] for j in k])
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        clear, bad = y != 1, 1 - p[:, 0]
        print(title, author, len(k), "AUC", round(roc_auc_score(y[clear] == 2, bad[clear]), 3), "macro F1", round(f1_score(y, p.argmax(1), average="macro"), 3),
              "missed", ((y == 2) & (p.argmax(1) == 0)).sum(), "blocked", ((y == 0) & (p.argmax(1) == 2)).sum(), flush=True)
    for author in sorted({i["author"] for i in items if "kind" in i}):
        k = [j for j, i in enumerate(items) if i["author"] == author]
        right = [out[j]["kind"].argmax() == items[j]["kind"] for j in k]
        print(title, author, len(k), "kind: right", round(np.mean(right), 3), flush=True)
    for author in sorted({i["author"] for i in items if i["y"] < 0}):
        k = [j for j, i in enumerate(items) if i["author"] == author and i["answers"] >= 0]
        if k:
            print(title, author, len(k), "answers: AUC", round(roc_auc_score([items[j]["answers"] for j in k], [out[j]["answers"][0] for j in k]), 3), flush=True)


def main():
    a = argparse.ArgumentParser()
    for name, default in (("onnx", None), ("tokenizer", None), ("texts", "../../internal/compliance/testdata"), ("leave", LEFT),
                          ("from", ""), ("out", ""), ("said", ""), ("branch", "")):
        a.add_argument("--" + name, default=default, dest=name if name != "from" else "base")
    for name, default in (("first", 6), ("epochs", 3), ("seed", 1), ("size", 32)):
        a.add_argument("--" + name, type=int, default=default)
    for name, default in (("rate", 2e-4), ("heads", 0), ("general", 1.5), ("pension", 2.0), ("mix", 1.0)):
        a.add_argument("--" + name, type=float, default=default)
    o = a.parse_args()
    torch.manual_seed(o.seed)
    rng, left, state = random.Random(o.seed), set(o.leave.split(",")), export.read_onnx(o.onnx)
    top = Top(state, o.first)
    old = {}
    if o.base:
        base = torch.load(o.base)
        shift = base["first"] - o.first
        named = lambda k: f"layers.{int(k.split('.')[1]) + shift}.{k.split('.', 2)[2]}" if k.startswith("layers.") else k
        fits = top.state_dict()
        old = {n: v for k, v in base["state"].items() if (n := named(k)) in fits and fits[n].shape == v.shape}
        top.load_state_dict(old, strict=False)
    if o.epochs:
        train(o, top, state, rng, left, {n: v.clone() for n, v in old.items()})
    if o.branch:
        own = {}
        for i, layer in enumerate(top.layers):
            own |= layer.state(o.first + i)
        heads = {n: (names, top.heads[n].weight, top.heads[n].bias) for n, names in HEADS.items()}
        export.write_branch(o.branch, own, o.first, heads, {"name": "judge", "trunk": "bge-small-en-v1.5", "source": "tools/encoder", "licence": "Preceptor's"})


def train(o, top, state, rng, left, before):
    labelled = list(texts(o.texts))
    ours = [r for r in labelled if r["author"] not in left]
    everything = labelled + list(pairs(o.texts, ours, rng)) + list(questions(o.texts)) + list(changed(o.texts, ours, rng))
    items, test = [r for r in everything if r["author"] not in left], [r for r in everything if r["author"] in left]
    tok = Tokenizer.from_file(o.tokenizer)
    tok.no_padding(), tok.enable_truncation(384)
    bottom, hidden = Bottom(state, o.first), []
    for of in (items, test):
        encoded = [tok.encode(r["about"], r["text"] or None) for r in of]
        marked(of, encoded)
        hidden.append(bottom(encoded))
    groups = [{"params": top.layers.parameters()}, {"params": top.heads.parameters(), "lr": o.heads or o.rate}]
    steps = o.epochs * (len(items) // o.size + 1)
    learn = torch.optim.AdamW(groups, lr=o.rate, weight_decay=0.01, fused=True)
    pace = torch.optim.lr_scheduler.LambdaLR(learn, lambda s: max(1e-3, min(1, s / (0.1 * steps)) * max(0, 1 - s / steps)))
    started, out = time.time(), None
    for epoch in range(o.epochs):
        for step, some in enumerate(batches(items, o.size, rng)):
            if step % 100 == 0:
                print(f"epoch {epoch} step {step} {time.time() - started:.0f} s", flush=True)
            h, mask = padded([hidden[0][i] for i in some])
            now = [items[i] for i in some]
            loss = loss_of(now, top(h, mask, seconds(now, h.shape[1])), o)
            loss.backward()
            nn.utils.clip_grad_norm_(top.parameters(), 1.0)
            learn.step(), learn.zero_grad(), pace.step()
        if epoch == o.epochs - 1 and o.mix < 1:  # between what was tuned before and now: each new task costs the others less
            top.load_state_dict({n: (1 - o.mix) * before[n] + o.mix * v if n in before else v for n, v in top.state_dict().items()})
        out = said(top, test, hidden[1])
        report(f"epoch {epoch} {time.time() - started:.0f} s", test, out)
        if o.out:
            torch.save({"first": o.first, "state": top.state_dict()}, o.out)
    fit_kinds(top, hidden[0] + hidden[1], items + test)
    if o.out:
        torch.save({"first": o.first, "state": top.state_dict()}, o.out)
    if o.said:
        with open(o.said, "w") as f:
            for r, z in zip(test, out):
                row = {n if n != "answers" else "said_answers": np.round(v, 4).tolist() for n, v in z.items()}
                row |= {k: r[k] for k in ("author", "y", "codes", "answers")}
                f.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
