/** Each caller is answered with the text of its own resolution, whatever others were answered. */
import { assert, describe, it } from "@effect/vitest"
import { PresetSlug, PresetVersionId } from "@verbatim/core/preset"
import { toWireFormat } from "@verbatim/core/request"
import { ExactNumber } from "@verbatim/core/schema"
import { type Format, formats, type JsonObject, resolve } from "@verbatim/resolution"
import { jsonObject } from "@verbatim/testkit/samples"
import { Option, Schema } from "effect"
import { writeResolution } from "#src/serve/preset/ResolutionHandlers"

const preset = {
  slug: PresetSlug.make("support"),
  version: 3,
  versionId: PresetVersionId.make("0190a0a0-0000-7000-8000-000000000001")
}

const tool = Schema.Struct({
  type: Schema.Literals(["function", "web_search"]),
  name: Schema.Literals(["find", "send", "count"])
})

const tools = Schema.NullOr(Schema.Array(tool).check(Schema.isMaxLength(3)))

const side = { object: jsonObject, tools }

const withTools = (object: JsonObject, list: typeof tools.Type): JsonObject =>
  list === null ? object : { ...object, tools: list }

const resolveIn = (config: JsonObject, request: JsonObject, format: Format) => ({
  ...resolve(
    { version: 3, format: "responses", systemPrompt: 'Say "a".\n', config },
    request,
    format
  ),
  preset
})

/** The same by way of an object. */
const showResolution = (resolution: ReturnType<typeof resolveIn>) => ({
  data: {
    request: resolution.request,
    format: toWireFormat(resolution.format),
    preset: { slug: preset.slug, version: 3, version_id: preset.versionId },
    provenance: {
      fields: Object.fromEntries([...resolution.fields].map(([name, { from }]) => [name, from])),
      tools: resolution.tools.map(({ from }) => from),
      system_prompt: resolution.systemPrompt?.from ?? null
    },
    left_out: resolution.leftOut
  }
})

describe("the text of a resolution", () => {
  it.prop(
    "says what the resolution says, for one request after the other over one preset",
    [side.object, side.tools, Schema.Array(tools), jsonObject, Schema.Literals(formats)],
    ([object, kept, asked, more, format]) => {
      const config = withTools(object, kept)
      for (const list of asked) {
        for (const request of [withTools(more, list), withTools({}, list), { provider: more }]) {
          const resolution = resolveIn(config, request, format)
          const text = writeResolution(resolution)
          assert.deepStrictEqual(
            JSON.parse(text),
            JSON.parse(JSON.stringify(showResolution(resolution)))
          )
        }
      }
    }
  )

  it("keeps the digits of both, and the order of the fields", () => {
    const read = (text: string) => Option.getOrThrow(ExactNumber.parse(text)) as JsonObject
    const config = read('{"seed":9223372036854775807,"own":{"n":1e400}}')
    const request = read('{"input":"Hi","own":{"n":12345678901234567890}}')
    for (const asked of [request, read("{}"), request]) {
      const resolution = resolveIn(config, asked, "responses")
      assert.strictEqual(writeResolution(resolution), JSON.stringify(showResolution(resolution)))
    }
    assert.include(writeResolution(resolveIn(config, {}, "responses")), '"own":{"n":1e400}')
  })
})
