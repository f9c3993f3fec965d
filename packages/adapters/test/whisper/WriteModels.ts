/**
 * Writes a directory of small models with its catalogue: `node WriteModels.ts <directory> [<name of
 * the recogniser> [<the language that it detects>]]`.
 */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import * as Tiny from "./TinyModels.ts"

const [, , directory = "", recogniser = "base", language = "de"] = argv

type Files = Readonly<Record<string, readonly [name: string, content: Uint8Array]>>

const written = (name: string, kind: string, files: Files) => {
  mkdirSync(join(directory, name), { recursive: true })
  const listed = Object.entries(files).map(([role, [file, content]]) => {
    writeFileSync(join(directory, name, file), content)
    const sha256 = createHash("sha256").update(content).digest("hex")
    return { role, name: file, byteLength: content.byteLength, sha256, location: `/${file}` }
  })
  return { name, kind, description: "small", licence: "none", files: listed }
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
