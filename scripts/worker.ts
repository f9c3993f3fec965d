/**
 * The thread of the WebAssembly decoder as a text, so that a bundle needs no file beside itself: it
 * is the module of the thread without its types, as a check. `--write` writes it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"

const folder = new URL("../packages/adapters/src/ffmpeg/", import.meta.url)
const target = new URL("WasmScript.ts", folder)

/** What a template says is written so that it says the same inside another one. */
const escape = (code: string): string => code.replace(/[\\`]|\$\{/g, "\\$&")

/** Types leave white space behind, and comments are for those who read the module. */
const plain = (code: string): string =>
  stripTypeScriptTypes(code, { mode: "strip" })
    .replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/(?<=\S) +/g, " ")
    .replace(/ +$/gm, "")
    .replaceAll(" )", ")")
    .replace(/\n{2,}/g, "\n")
    .trim()

const current = `/**
 * The thread of \`WasmWorker.ts\` as a text, made by \`npm run worker -- --write\`. It starts from
 * here, because a bundle has no other file to start it from.
 */

/** What the thread runs. */
export const wasmScript = \`
${escape(plain(readFileSync(new URL("WasmWorker.ts", folder), "utf8")))}
\`
`

const written = existsSync(target) ? readFileSync(target, "utf8") : ""

if (current !== written && process.argv.includes("--write")) writeFileSync(target, current)
else if (current !== written) {
  console.error(
    "packages/adapters/src/ffmpeg/WasmScript.ts:1 worker: it is not what the thread is: " +
      "npm run worker -- --write"
  )
  process.exitCode = 1
}
console.log(`worker: ${current.length} characters`)
