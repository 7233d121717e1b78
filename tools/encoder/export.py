"""Writes the files that internal/llm/encoder reads: public BERT trunks, and branches that were tuned on them (README.md).

    python export.py trunk --onnx bge-small-en-v1.5.onnx --tokenizer bge-small-en-v1.5-tokenizer.json \
        --name bge-small-en-v1.5 --source ... --licence MIT --out ../../internal/llm/encoder/bge-small.bin

A matrix is rounded to whole numbers from -127 to 127, a scale a row, and laid in panels of 32 rows: for each four columns, the four
numbers of every row. The same input gives the same file, byte for byte.
"""
import argparse, json, math, struct, sys, unicodedata

import numpy as np

MAGIC, ALIGN, PANEL = b"preceptor encoder 1\n", 64, 32
PARTS = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"]


class Writer:
    """The parts of a file, each at a multiple of 64 bytes."""

    def __init__(self):
        self.out = bytearray()

    def raw(self, b):
        self.out += b"\0" * (-len(self.out) % ALIGN) + b

    def floats(self, a):
        self.raw(np.ascontiguousarray(a, dtype="<f4").tobytes())

    def table(self, w):
        """Rows to look up, of bytes with a scale each."""
        codes, scale = rounded(w)
        self.raw(codes.tobytes())
        self.floats(scale)

    def dense(self, w, bias):
        codes, scale = rounded(w)
        rows, columns = codes.shape
        assert rows % PANEL == 0 and columns % 4 == 0, codes.shape
        self.raw(codes.reshape(rows // PANEL, PANEL, columns // 4, 4).transpose(0, 2, 1, 3).tobytes())
        self.raw(codes.astype("<i4").sum(1, dtype="<i4").tobytes())
        self.floats(scale)
        self.floats(bias)

    def layer(self, state, i, heads):
        get = lambda name: array(state[f"encoder.layer.{i}.{name}"])
        w, b = ([get(f"{p}.{kind}") for p in PARTS] for kind in ("weight", "bias"))
        soft = math.log2(math.e) / math.sqrt(w[0].shape[0] // heads)  # so that attention is a power of two of query times key
        self.dense(np.concatenate([w[0] * soft, w[1], w[2]]), np.concatenate([b[0] * soft, b[1], b[2]]))
        self.dense(w[3], b[3])
        self.norm(get, "attention.output.LayerNorm")
        self.dense(w[4], b[4])
        self.dense(w[5], b[5])
        self.norm(get, "output.LayerNorm")

    def norm(self, get, name):
        self.floats(get(name + ".weight"))
        self.floats(get(name + ".bias"))

    def save(self, path, header):
        text = json.dumps(header, ensure_ascii=False).encode()
        start = MAGIC + struct.pack("<I", len(text)) + text
        with open(path, "wb") as f:
            f.write(start + b"\0" * (-len(start) % ALIGN) + self.out + b"\0" * (-len(self.out) % ALIGN))


def array(t):
    return np.asarray(t.detach().float().cpu().numpy() if hasattr(t, "detach") else t, dtype=np.float32)


def rounded(w):
    w = array(w)
    scale = np.maximum(np.abs(w).max(1), 1e-12).astype(np.float32) / np.float32(127)
    return np.clip(np.rint(w / scale[:, None]), -127, 127).astype(np.int8), scale


def kept(vocabulary):
    """The old ids of the pieces that English may need, in order; the others become [UNK]."""
    foreign = lambda c: unicodedata.category(c)[0] in "LM" and not unicodedata.name(c, "").startswith("LATIN")
    return [i for i, p in enumerate(vocabulary) if not p.startswith("[unused") and not any(foreign(c) for c in p)]


def vocabulary_of(tokenizer_json):
    with open(tokenizer_json) as f:
        pieces = json.load(f)["model"]["vocab"]
    return sorted(pieces, key=pieces.get)


def shape(state, header):
    """The header with what the weights say of themselves."""
    layers = 1 + max(int(k.split(".")[2]) for k in state if k.startswith("encoder.layer."))
    first = min(int(k.split(".")[2]) for k in state if k.startswith("encoder.layer."))
    inner, width = state[f"encoder.layer.{layers - 1}.intermediate.dense.weight"].shape
    return {"layers": layers, "first": first, "width": width, "heads": 12, "inner": inner, "epsilon": 1e-12, **header}


def write_trunk(path, state_dict, tokenizer_json, header):
    """header: name, source, licence, and what differs from BERT small (heads, epsilon, lower)."""
    h, out = {"kind": "trunk", "lower": True, **shape(state_dict, header)}, Writer()
    vocabulary = vocabulary_of(tokenizer_json)
    keep = kept(vocabulary)
    text = "\n".join(vocabulary[i] for i in keep).encode()
    positions = array(state_dict["embeddings.position_embeddings.weight"])
    h |= {"positions": positions.shape[0], "vocabulary": len(keep), "vocabulary_bytes": len(text)}
    out.raw(text)
    out.table(array(state_dict["embeddings.word_embeddings.weight"])[keep])
    out.table(positions)
    out.table(state_dict["embeddings.token_type_embeddings.weight"])
    out.norm(lambda n: array(state_dict[n]), "embeddings.LayerNorm")
    for i in range(h["layers"]):
        out.layer(state_dict, i, h["heads"])
    out.save(path, h)


def write_branch(path, state_dict, first_layer, heads, header):
    """heads: name -> (names of outputs, weight [outputs x inputs], bias). header: name, trunk (the trunk's name), source, licence.

    state_dict holds the layers from first_layer on (others are left out); no layer at all if first_layer is the trunk's number.
    """
    own = {k: v for k, v in state_dict.items() if k.startswith("encoder.layer.") and int(k.split(".")[2]) >= first_layer}
    out = Writer()
    if own:
        h = {"kind": "branch", **shape(own, header), "first": first_layer}
        for i in range(first_layer, h["layers"]):
            out.layer(own, i, h["heads"])
    else:
        h = {"kind": "branch", **header, "layers": first_layer, "first": first_layer}
    h["outputs"] = []
    for name, (names, weight, bias) in heads.items():
        weight = array(weight)
        assert weight.shape[0] == len(names), name
        h["outputs"].append({"name": name, "names": list(names), "inputs": weight.shape[1]})
        out.floats(weight)
        out.floats(array(bias))
    out.save(path, h)


def read_onnx(path):
    """The float weights of an exported BERT: all but the products' are named; those come in order, turned."""
    import onnx
    from onnx import numpy_helper

    state, products = {}, []
    for i in onnx.load(path).graph.initializer:
        a = numpy_helper.to_array(i)
        if i.name.startswith("onnx::MatMul"):
            products.append((int(i.name.split("_")[1]), a))
        else:
            state[i.name] = a
    for k, (_, a) in enumerate(sorted(products, key=lambda p: p[0])):
        state[f"encoder.layer.{k // 6}.{PARTS[k % 6]}.weight"] = a.T
    return state


def read_safetensors(path):
    from safetensors.numpy import load_file

    return {k.removeprefix("bert."): v for k, v in load_file(path).items()}


ODD = [
    "", " ", "Don't pay £1,250.50 (25%) before 5 April 2027!", "naïve café – Zoë’s “pension”… ½ of €40k", "ANTIDISESTABLISHMENTARIANISM",
    "one" * 40, "x" * 100, "x" * 101, "a\u0000b\ufffdc\u200dd\u00ade", "tab\tnew\nline\r\nnbsp\u00a0thin\u2009sep\u2028end", "привет мир",
    "年金 means pension", "İstanbul ǅ ﬁne ＡＢＣ ①", "e\u0301 and é", "🙂👍🏽 ok", "a.b.c... ***!!! ---", "http://example.co.uk/a?b=c&d=e#f", "α β γ",
    "N/A [x] {y} <z> ~^`|", "café's", "1st 2nd 3rd 100,000 3.14", "\u0bb5\u0ba3\u0b95\u0bcd", "\ud55c\uad6d\uc5b4 hangul", "Ⅷ ² ª º µ ß ẞ ſ",
]


def fixture(o):
    """What the tests of internal/llm/encoder compare with: the public tokenizer's ids and onnxruntime's mean vectors of 200 texts."""
    import glob, hashlib, os, random
    import onnxruntime
    from tokenizers import Tokenizer

    tok = Tokenizer.from_file(o.tokenizer)
    tok.no_padding()
    vocabulary = vocabulary_of(o.tokenizer)
    keep = kept(vocabulary)
    new = dict(zip(keep, range(len(keep))))
    unknown = new[vocabulary.index("[UNK]")]

    def ids(e):
        """As the file has them: a word with a piece that was left out is unknown as a whole."""
        words = list(zip(e.sequence_ids, e.word_ids))
        lost = {w for i, w in zip(e.ids, words) if i not in new}
        out = []
        for k, i in enumerate(e.ids):
            if words[k] not in lost:
                out.append(new[i])
            elif words[k] != words[k - 1]:
                out.append(unknown)
        return out

    digest = lambda e: hashlib.sha256(np.array(ids(e), "<i4").tobytes()).hexdigest()[:16]
    texts = []
    for f in sorted(glob.glob(o.texts + "/*.jsonl")):
        texts += [(os.path.basename(f), json.loads(line)) for line in open(f)]
    run, rows, vectors = onnxruntime.InferenceSession(o.onnx), [], []
    for f, r in random.Random(30).sample(texts, 220):
        e = tok.encode(r["question"], r["guidance"])
        if len(e.ids) > 512 or len(rows) == 200:
            continue
        feed = {"input_ids": e.ids, "attention_mask": [1] * len(e.ids), "token_type_ids": e.type_ids}
        hidden = run.run(None, {i.name: np.array([feed[i.name]]) for i in run.get_inputs()})[0][0]
        rows.append({"file": f, "id": r["id"], "tokens": len(e.ids), "ids": digest(e)})
        vectors += [hidden.mean(0), hidden[0]] if len(rows) <= 20 else [hidden.mean(0)]
    assert len(rows) == 200
    with open(o.out + "/texts.jsonl", "w") as f:
        f.writelines(json.dumps(r) + "\n" for r in rows)
    with open(o.out + "/odd.jsonl", "w") as f:
        f.writelines(json.dumps({"text": t, "ids": ids(tok.encode(t))}) + "\n" for t in ODD)
    np.array(vectors).astype("<f2").tofile(o.out + "/vectors.bin")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("kind", choices=["trunk", "fixture"])
    for name in ("onnx", "safetensors", "tokenizer", "name", "source", "licence", "texts", "out"):
        a.add_argument("--" + name, default="")
    o = a.parse_args()
    if o.kind == "fixture":
        return fixture(o)
    state = read_onnx(o.onnx) if o.onnx else read_safetensors(o.safetensors)
    write_trunk(o.out, state, o.tokenizer, {"name": o.name, "source": o.source, "licence": o.licence})


if __name__ == "__main__":
    sys.exit(main())
