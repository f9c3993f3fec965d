/** Tests that every call either succeeds or is refused in the format that its client expects. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { apiKey, useServer } from "./ServedSpeech.ts"

const server = useServer()

const send = async (body: FormData | string, headers: Readonly<Record<string, string>> = {}) =>
  await fetch(`${server().baseUrl}/audio/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body
  })

const assertAnswered = async (response: Response) => {
  const text = await response.text()
  assert.isBelow(response.status, 500, text)
  if (response.status === 200) return
  const { error } = JSON.parse(text)
  assert.isNotEmpty(error.message)
  assert.sameMembers(Object.keys(error), ["message", "type", "param", "code"])
}

const name = fc.oneof(
  fc.constantFrom(
    ...["model", "language", "prompt", "response_format", "temperature", "stream", "file"],
    ...["keywords[]", "languages[]", "include[]", "timestamp_granularities[]", "url", "template"],
    ...["chunking_strategy", "callback_url", "__proto__", "constructor", "file[]"]
  ),
  fc.string({ minLength: 1 })
)

const value = fc.oneof(
  fc.constantFrom("whisper-1", "verbose_json", "word", "true", "0", "en", "auto", "\0", "[", ""),
  fc.string({ unit: "binary" }),
  fc.constantFrom("a.wav", "a.txt", "", "a.mp3/..").map((file) => new File(["bytes"], file))
)

const field = fc.tuple(name, value)

/** A file, and the status and error message that it must get. */
const files: ReadonlyArray<readonly [File | string, number, RegExp]> = [
  [new File([], "a.mp3"), 400, /^Invalid 'file': it is empty$/],
  [
    new File(["x"], "a.txt"),
    415,
    /^Unsupported file extension: \.txt\. Supported: \.mp3, .*\.opus$/
  ],
  [
    "https://media.example.com/a.mp3",
    415,
    /^Unsupported 'file': it must be sent as a file, .*\.opus$/
  ]
]

describe("a file that is not audio", () => {
  it.each(files)("is refused with a helpful error message: %s", async (file, status, sentence) => {
    const form = new FormData()
    form.append("model", "whisper-1")
    form.append("file", file)
    const response = await send(form)
    const { error } = (await response.json()) as { error: { message: string; param: string } }
    assert.deepEqual([response.status, error.param], [status, "file"])
    assert.match(error.message, sentence)
  })
})

describe("any malformed call", () => {
  it("never causes a server error", async () => {
    const calls = fc.array(field, { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(calls, fc.boolean(), async (fields, isWhole) => {
        const form = new FormData()
        if (isWhole) form.append("model", "whisper-1")
        for (const [key, content] of fields) form.append(key, content)
        if (isWhole) form.append("file", new File(["a recording"], "a.wav"))
        await assertAnswered(await send(form))
      }),
      { numRuns: 100 }
    )
  })
})
