"""Tunes what leads a question, after what was said before it, to the passages that answer it: internal/llm/embedded's lead.bin.

    (cd ../../internal/knowledge && PRECEPTOR_FIT=/tmp/texts.jsonl go test -run TestTextsForTheLead .)
    v/bin/python lead.py --onnx bge-small-en-v1.5.onnx --tokenizer bge-small-en-v1.5-tokenizer.json --texts /tmp/texts.jsonl \
        --out ../../internal/llm/embedded/lead.bin && gzip -9n ../../internal/llm/embedded/lead.bin   # and move it back

Sections are read by the trunk as it is published. A question's layers from CUT on are the trunk's plus the product of two narrow
matrices (LoRA); its vector is the mean of all its tokens and of the last message's, plus a constant. What is made small is the
cross-entropy of the sections of its base, by cosines over TEMPERATURE; where several answer, of any. Eight minutes on two cores.
"""
import argparse, json, math, random

import torch
import torch.nn.functional as F
from torch import nn
from tokenizers import Tokenizer

import export
from tune import Bottom, Layer, WIDTH, padded

CUT, LAYERS, RANK, SCALE, TEMPERATURE, RATE, EPOCHS, BATCH = 8, 12, 16, 2.0, 0.03, 1.5e-3, 5, 24
MOST, MOST_ASKED, LEAD = 320, 160, "Represent this sentence for searching relevant passages: "


class Encoded:
    def __init__(self, ids, asked=0):
        self.ids, self.type_ids, self.asked = ids, [0] * len(ids), asked


class Narrow(nn.Module):
    def __init__(self, dense):
        super().__init__()
        self.dense = dense.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(RANK, dense.in_features) / math.sqrt(dense.in_features))
        self.up = nn.Parameter(torch.zeros(dense.out_features, RANK))

    def forward(self, x):
        return self.dense(x) + SCALE * F.linear(F.linear(x, self.down), self.up)


class Lead(nn.Module):
    def __init__(self, state):
        super().__init__()
        self.layers = nn.ModuleList(Layer(state, i).requires_grad_(False) for i in range(CUT, LAYERS))
        for layer in self.layers:
            for n in ("qkv", "o", "up", "down"):
                setattr(layer, n, Narrow(getattr(layer, n)))
        self.constant = nn.Parameter(torch.zeros(WIDTH))

    def forward(self, hidden, asked):
        h, mask = padded([x.float() for x in hidden])
        last = torch.zeros_like(mask)
        for j, (x, n) in enumerate(zip(hidden, asked)):
            last[j, len(x) - 1 - n : len(x) - 1] = True
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers:
                h = layer(h, mask)
        mean = lambda of: (h.float() * of[..., None]).sum(1) / of.sum(1, keepdim=True).clamp(1)
        return F.normalize((mean(mask) + mean(last)) / 2 + self.constant, dim=1)


def save(path, name, layers, constant=torch.zeros(WIDTH), heads={}):
    """Layers with their narrow matrices, what is added to every token, and heads (names of outputs, linear layer)."""
    out, soft = export.Writer(), math.log2(math.e) / math.sqrt(WIDTH // 12)
    for layer in layers:
        for n in ("qkv", "o", "up", "down"):
            part = getattr(layer, n)
            up = SCALE * part.up.detach()
            if n == "qkv":
                up[:WIDTH] *= soft  # as the trunk's query is
            for w in (part.down, up):
                codes, scale = export.rounded(w)
                out.raw(codes.tobytes())
                out.floats(scale)
    out.floats(constant.detach())
    head = {"kind": "adapter", "name": name, "trunk": "bge-small-en-v1.5", "first": LAYERS - len(layers), "layers": LAYERS, "width": WIDTH, "rank": RANK}
    for of, (names, linear) in heads.items():
        head.setdefault("outputs", []).append({"name": of, "names": names, "inputs": linear.in_features})
        out.floats(linear.weight.detach())
        out.floats(linear.bias.detach())
    out.save(path, head)


def main():
    p = argparse.ArgumentParser()
    for n in ("onnx", "tokenizer", "texts", "out"):
        p.add_argument("--" + n, required=True)
    a = p.parse_args()
    torch.manual_seed(1)
    random.seed(1)
    tok = Tokenizer.from_file(a.tokenizer)
    tok.no_padding(), tok.no_truncation()
    ids = lambda t: tok.encode(t, add_special_tokens=False).ids
    cls, sep = tok.token_to_id("[CLS]"), tok.token_to_id("[SEP]")

    def question(q):
        asked, said = ids(q["Last"])[:MOST_ASKED], ids(q["Before"])
        first = [cls] + ids(LEAD)
        said = said[-(MOST - len(first) - len(asked) - 2) :]
        return Encoded(first + (said + [sep] if said else []) + asked + [sep], len(asked))

    lines = [json.loads(l) for l in open(a.texts)]
    sections = [l for l in lines if "Section" in l]
    there = {(s["Base"], s["Section"]) for s in sections}
    questions = [l for l in lines if "Last" in l and any((l["Base"], s) in there for s in l["Answers"])]
    state = export.read_onnx(a.onnx)
    read = Bottom(state, LAYERS)([Encoded([cls] + ids(s["Text"])[:510] + [sep]) for s in sections])
    place, vectors = {}, {}
    for s, h in zip(sections, read):
        place[s["Base"], s["Section"]] = len(vectors.setdefault(s["Base"], []))
        vectors[s["Base"]].append(F.normalize(h.float().mean(0), dim=0))
    vectors = {b: torch.stack(v) for b, v in vectors.items()}
    encoded = [question(q) for q in questions]
    below = Bottom(state, CUT)(encoded, size=16)
    model = Lead(state)
    tuned = [w for w in model.parameters() if w.requires_grad]
    by = torch.optim.AdamW(tuned, lr=RATE, weight_decay=0.01)
    steps, n, order = EPOCHS * math.ceil(len(questions) / BATCH), 0, list(range(len(questions)))
    for _ in range(EPOCHS):
        random.shuffle(order)
        batches = []
        for at in range(0, len(order), 8 * BATCH):  # of like length, to pad little
            part = sorted(order[at : at + 8 * BATCH], key=lambda i: len(below[i]))
            batches += [part[k : k + BATCH] for k in range(0, len(part), BATCH)]
        random.shuffle(batches)
        for some in batches:
            by.param_groups[0]["lr"] = RATE * min(1, (n + 1) / 20) * max(0.05, 1 - n / steps)
            loss = 0
            for v, q in zip(model([below[i] for i in some], [encoded[i].asked for i in some]), (questions[i] for i in some)):
                odds = vectors[q["Base"]] @ v / TEMPERATURE
                right = [place[q["Base"], s] for s in q["Answers"] if (q["Base"], s) in place]
                loss = loss + torch.logsumexp(odds, 0) - torch.logsumexp(odds[right], 0)
            by.zero_grad()
            (loss / len(some)).backward()
            nn.utils.clip_grad_norm_(tuned, 1.0)
            by.step()
            n += 1
            if n % 20 == 0:
                print(n, steps, float(loss / len(some)), flush=True)
    save(a.out, "lead", model.layers, model.constant)


if __name__ == "__main__":
    main()
