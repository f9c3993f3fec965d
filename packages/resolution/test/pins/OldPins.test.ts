/** What an earlier process has left, once it is too old to be given to anybody. */
import { makePinReader, type PinAnswer, usualLimits } from "@verbatim/resolution/pins"
import { assert, describe, it } from "vitest"

const version = { version: 1, format: "responses", systemPrompt: "a secret", config: {} } as const

const old = { slug: "notes", versionId: "v1", version } as const

const other: PinAnswer = {
  _tag: "Pinned",
  pinned: { slug: "other", versionId: "v2", version: { ...version, systemPrompt: "a prompt" } }
}

/** Lets everything run that promises have made possible. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Makes a reader whose store was written so many milliseconds ago. */
const setUp = (ageMillis: number) => {
  const pins = [{ reference: "notes", versionId: "v1", askedAt: -ageMillis }]
  const text = JSON.stringify({ kind: "verbatim pins 1", versions: [old], pins })
  const saves: Array<string> = []
  const { read } = makePinReader({
    source: {
      pin: async ({ known, reference }) =>
        reference === "other" || known !== "v1" ? other : { _tag: "Unchanged" }
    },
    clock: {
      now: () => ({ monotonicMillis: 0, wallMillis: 0 }),
      sleep: () => new Promise(() => {})
    },
    limits: { ...usualLimits, maxAge: 1_000, staleIfError: 10_000 },
    store: { load: async () => text, save: async (saved) => void saves.push(saved) }
  })
  /** Asks for a reference, and gives what is in the store then. */
  const savedAfter = async (reference: string) => {
    await read(reference)
    await settle()
    return saves.at(-1) ?? ""
  }
  return { savedAfter }
}

describe("what an earlier process has left", () => {
  it("stays in the store for as long as it may be given", async () => {
    const { savedAfter } = setUp(10_999)
    const saved = await savedAfter("other")
    assert.include(saved, "a secret")
    assert.include(saved, "a prompt")
  })

  it("leaves the store when it may not, and is there again once it is known again", async () => {
    const { savedAfter } = setUp(11_000)
    const saved = await savedAfter("other")
    assert.notInclude(saved, "a secret")
    assert.include(saved, "a prompt")
    const again = await savedAfter("notes")
    assert.include(again, "a secret")
    assert.include(again, "a prompt")
  })
})
