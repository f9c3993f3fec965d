/** Tests which requests a page in a browser can send, and which headers it can send and read. */

import { createOpenAI } from "@ai-sdk/openai"
import { assert, describe, it } from "@effect/vitest"
import { document } from "@verbatim/http/description"
import { transcribe } from "ai"
import OpenAI from "openai"
import { acceptedHeaders, exposedHeaders } from "#src/serve/edge/CrossOrigin"

type Json = ReturnType<typeof JSON.parse>

const operations: ReadonlyArray<Json> = Object.values<Json>(document().paths).flatMap((item) =>
  Object.values<Json>(item).filter(({ responses }) => responses !== undefined)
)

const lower = (names: ReadonlyArray<string>) => names.map((name) => name.toLowerCase())

/**
 * Headers that need no permission, because a page can send them without a preflight or the browser
 * sets them.
 */
const safe: ReadonlyArray<string> = ["accept", "content-length", "content-type"]

/** Lists the headers that an OpenAI package sends with a recording. */
const sentBy = async (send: (fetch: typeof globalThis.fetch) => Promise<unknown>) => {
  const names = new Set<string>()
  await send(async (input, init) => {
    for (const name of new Request(input, init).headers.keys()) names.add(name)
    return Response.json({ text: "Hello." })
  })
  return [...names].filter((name) => !safe.includes(name))
}

describe("a page", () => {
  it("can send a recording with OpenAI's packages", async () => {
    const given = { apiKey: "key", baseURL: "http://localhost/v1" }
    const byPackage = await sentBy((fetch) =>
      new OpenAI({ ...given, fetch, organization: "a", project: "b" }).audio.transcriptions.create({
        file: new File(["a recording"], "a.wav"),
        model: "whisper-1"
      })
    )
    const bySdk = await sentBy((fetch) =>
      transcribe({
        model: createOpenAI({ ...given, fetch }).transcription("whisper-1"),
        audio: new Uint8Array(8)
      })
    )
    for (const names of [byPackage, bySdk]) {
      assert.include(names, "authorization")
      assert.includeMembers(lower(acceptedHeaders), names)
    }
    // The package reads this header to decide whether to retry.
    assert.include(lower(exposedHeaders), "x-should-retry")
  })

  it("can send its key and every other request header in the description", () => {
    const taken = operations.flatMap(({ parameters }) =>
      parameters.flatMap((each: Json) => (each.in === "header" ? [each.name] : []))
    )
    assert.isAbove(taken.length, 3)
    assert.includeMembers(lower(acceptedHeaders), [...lower(taken), "authorization"])
  })

  it("can read every response header in the description", () => {
    const given = operations.flatMap(({ responses }) =>
      Object.values<Json>(responses).flatMap(({ headers = {} }) => Object.keys(headers))
    )
    assert.isAbove(given.length, 3)
    assert.includeMembers(lower(exposedHeaders), lower(given))
  })
})
