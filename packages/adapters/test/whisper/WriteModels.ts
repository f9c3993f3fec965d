/**
 * Writes a folder of small models and their catalogue: `node WriteModels.ts <directory>
 * [<recogniser name> [<language that it detects>]]`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import type { Model } from "@verbatim/adapters/whisper"
import * as Tiny from "./TinyModels.ts"

const [, , directory = "", recogniser = "base", language = "de"] = argv

const written = (name: string, kind: Model["kind"], files: Tiny.Files) => {
  mkdirSync(join(directory, name), { recursive: true })
  for (const [file, content] of Object.values(files)) {
    writeFileSync(join(directory, name, file), content)
  }
  return Tiny.describeModel({ name, kind }, files)
}

const catalogue = [
  written(recogniser, "whisper", {
    encoder: ["encoder.onnx", Tiny.whisperEncoder()],
    decoder: ["decoder.onnx", Tiny.whisperDecoder(language)],
    tokens: ["tokens.txt", Tiny.whisperTokens()]
  }),
  written("embedding", "embedding", { model: ["embedding.onnx", Tiny.embedding()] })
]
writeFileSync(join(directory, "catalogue.json"), JSON.stringify(catalogue))
