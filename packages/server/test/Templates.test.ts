import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import * as Templates from "#src/Templates"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

/** The contents of files, each with the message that is expected after the path. */
const broken: ReadonlyArray<readonly [content: string | Uint8Array, sentence: string]> = [
  ["", "it is not JSON."],
  ["{", "it is not JSON."],
  ["[]", "it is not an object of templates."],
  ["null", "it is not an object of templates."],
  [new Uint8Array([34, 255, 34]), "it is not UTF-8 text."],
  ['{"":{}}', "a template has no name."],
  ['{"court":[]}', 'template "court": not an object of parameters.'],
  ['{"court":{"language":"xx"}}', 'template "court": "language": Invalid language code: xx.'],
  ['{"court":{"speed":2}}', 'template "court": "speed": Not one of callback_url, language'],
  [
    '{"a":{"summary":"x"},"b":{"vad_filter":"true"}}',
    'template "a": "summary": Invalid summary type: x; template "b": "vad_filter": Invalid ' +
      "'vad_filter' value. Must be a boolean."
  ],
  [JSON.stringify({ a: { initial_prompt: "x".repeat(1_100_000) } }), "it is larger than 1 MiB."]
]

const load = (file: string) =>
  configuration.parse(ConfigProvider.fromUnknown({ VERBATIM_TEMPLATES: file })).pipe(
    Effect.flatMap((settings) => Layer.build(Templates.layer(settings))),
    Effect.scoped
  )

describe("VERBATIM_TEMPLATES", () => {
  it("names the invalid file, template and parameter", async () => {
    await using directory = await dataDirectory()
    const path = join(directory.path, "templates.json")
    const says = async (file: string, sentence: string) => {
      const said = await Effect.runPromise(Effect.flip(load(file)))
      if (said._tag !== "TemplatesError") assert.fail(said.message)
      assert.include(said.sentence, `VERBATIM_TEMPLATES: ${file}: ${sentence}`)
    }
    for (const [content, sentence] of broken) {
      await writeFile(path, content)
      await says(path, sentence)
    }
    await says(join(directory.path, "missing.json"), "it cannot be read.")
    await mkdir(join(directory.path, "folder"))
    await says(join(directory.path, "folder"), "it is not a file.")
  })

  it("provides the parameters that a request omits", async () => {
    await using directory = await dataDirectory()
    const path = join(directory.path, "templates.json")
    const callback = { callback_url: "https://hooks.example.com/in", callback_id: "theirs" }
    await writeFile(path, JSON.stringify({ court: { ...callback, summary: "brief" }, plain: {} }))
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_ROLES: "http",
      VERBATIM_TEMPLATES: path
    })
    const filled = await server.upload({ template: "court" })
    assert.strictEqual(filled.webhook_status, "PENDING")
    assert.strictEqual(filled.summary_status, "PENDING")
    assert.strictEqual(filled.callback_id, "theirs")
    const own = await server.upload({ template: "court", callback_id: "mine" })
    assert.strictEqual(own.callback_id, "mine")
    const plain = await server.upload({ template: "plain" })
    assert.notProperty(plain, "webhook_status")
    const unknown = await server.upload({ template: "circus" })
    assert.deepStrictEqual(unknown, { detail: "Invalid template: circus" })
  })
})
