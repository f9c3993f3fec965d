/** Tests that missing, misspelt and invalid options are rejected before `open` opens anything. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOptions, open } from "@verbatim/embed"
import { aiSdk } from "@verbatim/embed/ai-sdk"
import { openai, pocketsphinx } from "@verbatim/embed/engines"
import { Arbitrary, Effect, Schema } from "effect"
import { requireNode, validateOptions } from "#src/open/validateOptions"
import { measuring, rejection } from "./Opened.ts"

const manifest = new URL("../../package.json", import.meta.url)

const good = { database: "memory:", transcribe: measuring } as const

const said = (
  options: unknown,
  factory: (options: unknown) => unknown = validateOptions
): string => {
  try {
    factory(options)
  } catch (fault) {
    assert.instanceOf(fault, InvalidOptions)
    return fault.message
  }
  return ""
}

const refused: ReadonlyArray<readonly [what: string, options: unknown, sentence: RegExp]> = [
  ["nothing", undefined, /an object of options/],
  ["no database", { transcribe: measuring }, /"database" is missing/],
  ["no engine", { database: "memory:" }, /"transcribe" is missing/],
  ["an unsupported database", { ...good, database: "mysql://x" }, /"sqlite:<file>"/],
  [
    "a file without its scheme",
    { ...good, database: "data/app.db" },
    /a SqlClient \(did you mean "sqlite:data\/app.db"\?\)\.$/
  ],
  ["a name close to an option's", { ...good, summarise: measuring }, /did you mean "summarize"/],
  ["a name unlike all others", { ...good, zebra: 1 }, /There is no option "zebra"\./],
  [
    "a misspelt name inside an option",
    { ...good, concurrency: { transcribers: 2 } },
    /"concurrency": .*did you mean "transcribe"/
  ],
  ["an unknown role", { ...good, roles: ["web"] }, /"roles": must be a list/],
  ["an invalid engine", { ...good, transcribe: "whisper" }, /"transcribe": must be/],
  ["a prefix without its slash", { ...good, prefix: "api" }, /"prefix": must be a path/],
  ["a prefix with two dots", { ...good, prefix: "/a/../b" }, /"prefix": must be a path/],
  ["a prefix with a query", { ...good, prefix: "/a?b" }, /"prefix": must be a path/],
  ["a bucket as a string", { ...good, media: "s3://bucket" }, /"media": .*\{ bucket, region/],
  ["a URL as a bucket", { ...good, media: new URL("s3://x/y") }, /"media": "bucket" is missing/],
  [
    "an object that looks like a client",
    { ...good, database: { "~effect/sql/SqlClient": "~effect/sql/SqlClient" } },
    /"database": looks like an Effect SqlClient, but of another version/
  ],
  ["half a logger", { ...good, logger: { info: () => 1 } }, /"logger": must be/],
  ["negative minutes", { ...good, initialMinutes: -1 }, /"initialMinutes": must be/],
  [
    "a bucket without a region",
    { ...good, media: { bucket: "b", regio: "x" } },
    /did you mean "region"/
  ]
]

const model = { specificationVersion: "v4", provider: "x", modelId: "y", doGenerate: () => null }

/** Every function that takes options, with valid values for the required ones. */
const factories = {
  open: (options: unknown) => validateOptions(Object.assign({ ...good }, options)),
  console: (options: unknown) =>
    validateOptions({ ...good, console: { authorize: () => "none", ...Object(options) } }),
  media: (options: unknown) =>
    validateOptions({ ...good, media: { bucket: "b", region: "r", ...Object(options) } }),
  concurrency: (concurrency: unknown) => validateOptions({ ...good, concurrency }),
  retention: (retention: unknown) => validateOptions({ ...good, retention }),
  openai: (options: unknown) => Reflect.apply(openai, undefined, [options]),
  pocketsphinx: (options: unknown) => Reflect.apply(pocketsphinx, undefined, [options]),
  aiSdk: (options: unknown) => Reflect.apply(aiSdk, undefined, [model, options])
}

/** The option names of all these functions. */
const known = new Set<string>(
  `database schema media roles transcribe summarize authenticate console
  onFinished prefix logger decoder concurrency initialMinutes compiledSchemas maxFileMegabytes
  allowedNetworks webhookSecrets retention
  authorize bucket region endpoint credentials summarize download webhook
  transcript job apiKey baseURL model url cacheDirectory headers maxPieceBytes
  pieceConcurrency __proto__`.split(/\s+/)
)

describe("the options of every function", () => {
  it.effect.prop(
    "are rejected if they contain an unknown name with any value",
    [
      Arbitrary.schema(
        Schema.Literals(Object.keys(factories) as ReadonlyArray<keyof typeof factories>)
      ),
      Arbitrary.schema(Schema.String),
      Arbitrary.schema(Schema.UndefinedOr(Schema.NullOr(Schema.String)))
    ],
    ([name, unknown, value]) =>
      Effect.sync(() => {
        if (known.has(unknown)) return
        const options = Object.fromEntries([[unknown, value]])
        assert.include(said(options, factories[name]), `There is no option "${unknown}"`)
      })
  )

  it.each<[what: string, factory: keyof typeof factories, options: unknown, sentence: RegExp]>([
    [
      "a misspelt address",
      "openai",
      { baseUrl: "http://x/v1" },
      /^openai: .*\(did you mean "baseURL"\?\)\.$/
    ],
    [
      "the address under another name",
      "openai",
      { url: "http://x/v1" },
      /"url": is called "baseURL"/
    ],
    ["an unset address", "openai", { baseURL: undefined }, /"baseURL": must be a URL/],
    ["no key for OpenAI", "openai", { apiKey: undefined }, /^openai: "apiKey" is missing/],
    ["an invalid address", "openai", { baseURL: "localhost:8000" }, /"baseURL": must be a URL/],
    [
      "an address with a user",
      "openai",
      { baseURL: "http://a:b@x/v1" },
      /"baseURL": must be a URL/
    ],
    ["no object", "openai", "sk-x", /^openai: it takes an object of options\.$/],
    ["a misspelt limit", "aiSdk", { maxPieceByte: 1 }, /did you mean "maxPieceBytes"/],
    ["an invalid limit", "aiSdk", { pieceConcurrency: 0 }, /"pieceConcurrency": must be/]
  ])("are rejected with a helpful sentence: %s", (_, factory, options, sentence) => {
    assert.match(said(options, factories[factory]), sentence)
  })

  it("are optional, and are accepted if they are valid", () => {
    assert.strictEqual(said({ apiKey: "sk-x" }, factories.openai), "")
    assert.strictEqual(
      said({ baseURL: "http://127.0.0.1:8000/v1", apiKey: undefined }, factories.openai),
      ""
    )
    assert.strictEqual(said(undefined, factories.pocketsphinx), "")
    assert.strictEqual(said({ headers: { a: "b" }, maxPieceBytes: 1_000 }, factories.aiSdk), "")
  })
})

describe("options", () => {
  it.each(refused)("are rejected with a helpful sentence: %s", (_, options, sentence) => {
    assert.match(said(options), sentence)
  })

  it.each<[what: string, options: unknown]>([
    ["the minimum", good],
    ["a process without a worker", { database: "sqlite:app.db", roles: ["http"] }],
    ["undefined options", { ...good, summarize: undefined, prefix: undefined }],
    ["a folder as a URL", { ...good, media: "file:///var/lib/media" }],
    ["a Windows folder", { ...good, media: "C:\\media" }],
    ["dots in a prefix", { ...good, prefix: "/v1.2/~me/..x/" }],
    ["all of them", { ...good, media: "media", prefix: "/api/verbatim", decoder: "wasm" }]
  ])("are accepted: %s", (_, options) => {
    assert.strictEqual(said(options), "")
  })

  it("are rejected before anything is opened", async () => {
    const fault = await rejection(Reflect.apply(open, undefined, [{ databse: "sqlite:x.db" }]))
    assert.instanceOf(fault, InvalidOptions)
    assert.deepStrictEqual(fault.details.problems, [
      `"database" is missing`,
      `"transcribe" is missing: pass an engine, or roles: ["http"] for a process without a worker`,
      `There is no option "databse" (did you mean "database"?)`
    ])
  })

  it.each([
    { node: "20.20.2", isOld: true },
    { node: "22.18.0", isOld: true },
    { node: "22.19.0", isOld: false },
    { node: "24.0.0", isOld: false },
    { node: "20.11.1", bun: "1.2.0", isOld: false }
  ])("are rejected if the version of Node is too old: $node", ({ isOld, ...versions }) => {
    const refuse = () => requireNode(versions)
    if (!isOld) return assert.doesNotThrow(refuse)
    assert.throws(refuse, `Verbatim needs Node 22.19 or later; this is ${versions.node}.`)
  })

  it("are rejected if Node is older than the package requires", () => {
    const { engines } = JSON.parse(readFileSync(manifest, "utf8")) as { engines: { node: string } }
    const needed = engines.node.replace(">=", "")
    assert.throws(() => requireNode({ node: "1.0.0" }), `Node ${needed} or later`)
  })

  it("are rejected for a worker without a decoder, because its jobs would never end", async () => {
    const path = process.env.PATH
    process.env.PATH = ""
    try {
      const fault = await rejection(open({ ...good, decoder: "system" }))
      assert.instanceOf(fault, InvalidOptions)
      assert.strictEqual(fault.code, "DecoderMissing")
      assert.include(fault.message, "there is no working ffmpeg on PATH")
      const idle = await open({ database: "memory:", roles: ["http"] })
      await idle.close()
    } finally {
      process.env.PATH = path
    }
  })

  it("are rejected if the media folder is not writable", async () => {
    const folder = fileURLToPath(manifest)
    for (const database of ["sqlite::memory:", "memory:"] as const) {
      const fault = await rejection(open({ ...good, database, media: folder }))
      assert.instanceOf(fault, InvalidOptions)
      assert.include(fault.message, `the folder ${folder} is not writable: `)
      assert.match(fault.message, /\((?:EEXIST|ENOTDIR)\)/)
    }
  })

  it.skipIf(!existsSync("/proc"))("are rejected if the media folder cannot exist", async () => {
    for (const database of ["sqlite::memory:", "memory:"] as const) {
      const fault = await rejection(open({ ...good, database, media: "/proc/none" }))
      assert.instanceOf(fault, InvalidOptions)
      assert.include(fault.message, "the folder /proc/none is not writable: ")
      assert.include(fault.message, "(ENOENT)")
    }
  })

  it("are rejected if they contain an invalid database, network or secret", async () => {
    const wrong = [
      { ...good, allowedNetworks: ["10.0.0.0/99"] },
      { ...good, webhookSecrets: ["short"] },
      { ...good, transcribe: {} },
      { ...good, database: "sqlite:/proc/none.db" }
    ]
    for (const options of wrong) {
      const fault = await rejection(Reflect.apply(open, undefined, [options]))
      assert.instanceOf(fault, Error)
      assert.isNotEmpty(fault.message)
    }
  })
})
