/** Tests that each house rule can fail, with planted files. */
import { spawnSync } from "node:child_process"
import * as Files from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "vitest"
import { findingsIn, foreignCommandsIn } from "../house.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const house = Files.mkdtempSync(join(tmpdir(), "house-"))
const x = "x".repeat(100)
const lines = (count: number) => "\n".repeat(count)
const inner = `const g = () => {${lines(30)}}`

/**
 * Planted files. A comment `//!` names the rule that must reject the line; all lines without this
 * comment must pass.
 */
const planted: Readonly<Record<string, string>> = {
  "core/src/ports/Vocabulary.ts": `
    export const now = Date.now() //! noRestrictedGlobals
    export type Later = Promise<void> //! noRestrictedGlobals
    export const id = \`\${crypto.randomUUID()}\` //! noRestrictedGlobals
    export const dice = Math.random() //! noJsRestrictedProperties
    export const f = async () => 1 //! plugin
    export class A { static async b() {} } //! plugin
    export const x = await y //! plugin
    try { f() } finally { f() } //! plugin
    throw x //! plugin
    export const z = Effect.try({ try: "Date", await: Deferred.await(d) })`,
  "core/src/ports/Outside.ts": `
    import "node:fs" //! core
    import "effect/http" //! core
    import "../worker/Worker.ts" //! order of core: ports/
    import "effect/Schema"`,
  "core/src/worker/Worker.ts": 'import "../ports/Vocabulary.ts"',
  "core/src/elsewhere/Thing.ts": 'import "../ports/Vocabulary.ts" //! a place in core',
  "core/src/index.ts": 'import "./elsewhere/Thing.ts" //! a place in core: imported',
  "core/src/domain/machine/Machine.ts": "",
  "core/src/worker/index.ts": 'import "./Worker.ts"',
  "adapters/src/sql/Decision.ts": `
    export const to = Preset.transition(a, b) //! plugin
    export const client = Node.NodeHttpClient.layer //! noJsRestrictedProperties`,
  "adapters/src/sql/migrations/0001.ts": `${lines(300)}f()`,
  "adapters/src/net/Door.ts": 'import { request } from "node:http"\nfetch("x")',
  "adapters/src/sql/elsewhere/Thing.ts": "",
  "adapters/src/sql/job/Keys.ts": `
    import "../row/Row.ts"
    import "../Statements.ts" //! order of sql: job/`,
  "adapters/src/sql/row/Row.ts": `
    import "../elsewhere/Thing.ts" //! a place in sql
    import "../../sqlite/index.ts" //! sql below its databases`,
  "adapters/src/sql/Statements.ts": 'import "./row/Row.ts"',
  "adapters/src/sqlite/index.ts": 'import "sharp" //! declared',
  "adapters/src/memory/index.ts": `
    import "@verbatim/core/machine" //! adapters
    import "@verbatim/core/worker/Worker" //! declared
    import "@verbatim/core/worker"
    import "node:path"`,
  "server/src/Outbound.ts": `
    import { request } from "node:http" //! noRestrictedImports
    import * as Net from "node:net" //! noRestrictedImports
    export const names = import("node:dns") //! noRestrictedImports
    export const got = fetch("x") //! noRestrictedGlobals
    export const again = globalThis.fetch("x") //! noJsRestrictedProperties
    export const client = Http.FetchHttpClient.layer //! noJsRestrictedProperties
    import { FetchHttpClient } from "effect/http" //! noRestrictedImports
    import * as Client from "effect/http/FetchHttpClient" //! noRestrictedImports
    import { createServer } from "node:http"
    export const media = fetcher.fetch(url)`,
  "http/src/Api.ts": `
    import "@verbatim/adapters/memory" //! http
    import "../../core/src/ports/Outside.ts" //! through the door
    export default 1 //! noDefaultExport
    export const a: any = 1 //! noExplicitAny`,
  "client/src/Door.ts": `
    import "@verbatim/core" //! client
    import "node:fs" //! client
    fetch("x")`,
  "http/src/One.ts": 'import type { A } from "./Two.ts" //! no circles',
  "http/src/Two.ts": 'import type { B } from "./One.ts"',
  "http/src/Long.ts": `//! noExcessiveLinesPerFile${lines(500)}f()`,
  "http/test/Path.ts": 'import "../../adapters/src/net/Door.ts" //! noRestrictedImports',
  "testkit/src/Memory.ts": `
    import "@verbatim/adapters/sqlite" //! testkit
    import "@verbatim/adapters/memory"`,
  "testkit/src/contracts/cases/MediaStoreContent.ts": 'import "node:fs" //! testkit: held bytes',
  "testkit/src/simulation/main.ts": 'import "node:fs" //! testkit: the command',
  "testkit/src/servers/Server.ts": 'import "@verbatim/core" //! testkit: servers',
  "http/src/Opening.ts": `/**${"\n * a".repeat(6)}\n */ //! opening`,
  "http/src/Diagram.ts": `#!/usr/bin/env node\n/** a\n\`\`\`${"\n * a".repeat(6)}\n\`\`\` */`,
  "http/src/helpers/Http.ts": "/** An idea. */ //! empty name",
  "http/src/Database.ts": `/** An idea. */
    export interface HTTPData {} //! empty name
    export { basis as jobInfo } //! empty name
    const info = 1`,
  "http/test/Lines.ts": `
    // https://a.org/${x}
    // ${x} //! long line`,
  "http/test/Words.ts": `
    /** What a job has. */ //! odd word
    // Read by nobody. //! odd word
    it("is made anew", f) //! odd word
    // How long a job waits.`,
  "http/test/Functions.ts": `
    export const f = () => {${inner}${lines(57)}}
    export const f = () => { //! long function
      ${inner}${lines(60)}}
    export function* f() { //! long function
      ${inner}${lines(60)}}`
}

const write = (path: string, text: string) => {
  Files.mkdirSync(dirname(join(house, path)), { recursive: true })
  Files.writeFileSync(join(house, path), text)
}

/** Runs a tool on all planted files, and returns the matches of a pattern in its output. */
const told = (pattern: RegExp, program: string, ...given: ReadonlyArray<string>) => {
  const command = [join(root, "node_modules", program), ...given]
  const { stdout } = spawnSync(process.execPath, command, { cwd: house, encoding: "utf8" })
  return Array.from(stdout.matchAll(pattern), ({ groups }) => `${groups?.path} ${groups?.rule}`)
}

it("the linter and the house rules report exactly the planted violations", () => {
  const kept = [".dependency-cruiser.mjs", ".gitignore", "biome.jsonc", "scripts/rules"]
  for (const path of [...kept, ...Files.globSync("packages/*/package.json", { cwd: root })]) {
    Files.cpSync(join(root, path), join(house, path), { recursive: true })
  }
  write("node_modules/effect/package.json", '{ "exports": { "./*": "./dist/*.js" } }')
  for (const name of ["http", "http/FetchHttpClient", "Schema"]) {
    write(`node_modules/effect/dist/${name}.js`, "")
  }
  Files.symlinkSync(join(house, "packages"), join(house, "node_modules/@verbatim"), "junction")
  const texts = Object.entries(planted).map(([path, text]) => {
    const opened = /^(?:\/\*\*|#!)/.test(text) ? text : `/** Planted. */\n${text}`
    return [`packages/${path}`, opened] as const
  })
  for (const [path, text] of texts) write(path, text)

  const lint = ["lint", "--reporter=github", "--max-diagnostics=none"]
  const linted = /title=(?:\w+\/)*(?<rule>\w+),file=\S*?(?<path>packages[^,]+)/g
  const cruised = /error (?<rule>.+): (?<path>packages\S+) →/g
  const sources = Files.globSync("packages/*/src", { cwd: house })
  const found = [
    ...told(linted, "@biomejs/biome/bin/biome", ...lint),
    ...told(cruised, "dependency-cruiser/bin/dependency-cruiser.mjs", ...sources),
    ...texts.flatMap(([path, text]) => findingsIn(path, text).map(({ rule }) => `${path} ${rule}`))
  ]
  const expected = texts.flatMap(([path, text]) =>
    Array.from(text.matchAll(/\/\/! (.+)$/gm), ([, rule]) => `${path} ${rule}`)
  )
  // Biome also finds violations of other rules, which the test ignores.
  const rules = new Set(expected.map((line) => line.replace(/\S+/, "")))
  const ours = found.filter((line) => rules.has(line.replace(/\S+/, "")))
  Files.rmSync(house, { recursive: true })
  assert.deepStrictEqual(ours.sort(), expected.sort())
})

it("npx verbatim is allowed only in a checkout, as it is a different package elsewhere", () => {
  const lines = [
    "# Use",
    "npx verbatim serve",
    "npx @verbatim/server serve",
    "npx verbatim-simulate"
  ]
  assert.deepStrictEqual(
    foreignCommandsIn([...lines, "## From a checkout", "npx verbatim serve"].join("\n")).map(
      ({ line }) => line
    ),
    [2]
  )
})
