import {
  makePinReader,
  type PinAnswer,
  type PinLimits,
  type PinQuestion,
  PinRefusal,
  readFallback,
  usualLimits
} from "@verbatim/resolution/pins"
import { assert, describe, it } from "vitest"

const pinned = (version: number, note = ""): PinAnswer => ({
  _tag: "Pinned",
  pinned: {
    slug: "notes",
    versionId: `v${version}`,
    version: { version, format: "responses", systemPrompt: null, config: { note } }
  }
})

const gone: PinAnswer = { _tag: "Gone", code: "NoPreset", message: "There is none" }

/** A query whose answer the test controls. */
interface Open extends PinQuestion {
  readonly answer: (answer: PinAnswer) => void
  readonly fail: () => void
}

/** Waits until the callbacks of all settled promises have run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A preset document, as `presets export` writes it. */
const exported = {
  slug: "notes",
  status: "active",
  format: "chat_completions",
  system_prompt: null,
  config: {}
}

const setUp = (
  limits: Partial<PinLimits> = {},
  documents: Parameters<typeof readFallback>[0] = []
) => {
  const questions: Array<Open> = []
  const timeouts: Array<() => void> = []
  let now = 0
  const reader = makePinReader({
    source: {
      pin: (question) =>
        new Promise((answer, reject) => {
          const fail = () => reject(new Error("broken"))
          questions.push({ ...question, answer, fail })
        })
    },
    clock: {
      now: () => ({ monotonicMillis: now, wallMillis: now }),
      sleep: () => new Promise((resolve) => timeouts.push(resolve))
    },
    limits: { ...usualLimits, maxAge: 1_000, staleIfError: 10_000, ...limits },
    fallback: async () => readFallback(documents)
  })
  const ask = (reference = "notes", signal?: AbortSignal) =>
    reader.read(reference, signal).then(
      ({ isFallback, isStale, pinned }) =>
        `${pinned.versionId}${isStale ? " stale" : ""}${isFallback ? " fallback" : ""}`,
      (error: unknown) => (error instanceof PinRefusal ? error.code : String(error))
    )
  return {
    ...{ ask, questions, timeouts },
    pass: (millis: number) => {
      now += millis
    },
    /** Waits until the query with the given index is sent, and returns it. */
    question: async (index: number) => {
      await settle()
      return questions[index] ?? assert.fail(`there is no query ${index}`)
    }
  }
}

describe("callers of one reference", () => {
  it("share one query, and a caller's signal aborts only that caller", async () => {
    const { ask, question, questions } = setUp()
    const leaving = new AbortController()
    const first = ask("notes", leaving.signal)
    const second = ask("@preset/notes")
    const third = ask("notes", new AbortController().signal)
    const { answer, signal } = await question(0)
    leaving.abort(new Error("has gone away"))
    assert.strictEqual(await first, "Error: has gone away")
    assert.isFalse(signal.aborted)
    answer(pinned(1))
    assert.deepStrictEqual(await Promise.all([second, third]), ["v1", "v1"])
    assert.strictEqual(questions.length, 1)
  })

  it("all get the answer to the newer query, and the older query is aborted", async () => {
    const { ask, pass, question } = setUp()
    const early = ask()
    await question(0)
    pass(1_000)
    const late = ask()
    ;(await question(1)).answer(pinned(2))
    // Both callers get the answer to the later query, because the earlier answer comes too late.
    assert.deepStrictEqual(await Promise.all([early, late]), ["v2", "v2"])
    const { answer, signal } = await question(0)
    assert.isTrue(signal.aborted)
    answer(pinned(1))
    await settle()
    assert.strictEqual(await ask(), "v2")
  })

  it("get no answer from a query that began before another caller saw a refusal", async () => {
    const { ask, pass, question, questions } = setUp()
    const early = ask()
    await question(0)
    pass(1_000)
    const late = ask()
    const second = await question(1)
    ;(await question(0)).answer(gone)
    assert.strictEqual(await early, "NoPreset")
    const next = ask()
    second.answer(pinned(1))
    // This caller's query is older than the refusal, so the caller may get that query's answer. The
    // next caller sends a new query.
    assert.strictEqual(await late, "v1")
    ;(await question(2)).answer(gone)
    assert.strictEqual(await next, "NoPreset")
    const last = ask()
    ;(await question(3)).answer(pinned(3))
    assert.strictEqual(await last, "v3")
    assert.strictEqual(questions.length, 4)
  })
})

describe("a refusal that arrives late", () => {
  it("removes an earlier answer from the cache", async () => {
    const { ask, pass, question } = setUp()
    const early = ask()
    await question(0)
    pass(1_000)
    // The first answer stays cached. The second query was sent before the first answer arrived, so
    // the second answer may be newer.
    const late = ask()
    const second = await question(1)
    ;(await question(0)).answer(pinned(1))
    assert.strictEqual(await early, "v1")
    second.answer(gone)
    assert.strictEqual(await late, "NoPreset")
    const next = ask()
    ;(await question(2)).fail()
    assert.strictEqual(await next, "Unavailable")
  })
})

describe("an answer from the registry", () => {
  it("is refreshed in the background, and is marked as stale if it is old", async () => {
    const { ask, pass, question, questions } = setUp()
    const first = ask()
    const { answer } = await question(0)
    pass(400)
    answer(pinned(1))
    assert.strictEqual(await first, "v1")
    pass(99)
    assert.strictEqual(await ask(), "v1")
    await settle()
    assert.strictEqual(questions.length, 1)
    pass(1)
    assert.strictEqual(await ask(), "v1")
    const second = await question(1)
    assert.strictEqual(second.known, "v1")
    second.fail()
    pass(500)
    await settle()
    // The registry is not queried again immediately after a failure.
    assert.strictEqual(await ask(), "v1 stale")
    await settle()
    assert.strictEqual(questions.length, 2)
    pass(10_000)
    const last = ask()
    ;(await question(2)).fail()
    assert.strictEqual(await last, "Unavailable")
  })

  it("is reported as unavailable if its query times out", async () => {
    const { ask, question, timeouts } = setUp()
    const asking = ask()
    const { signal } = await question(0)
    timeouts[0]?.()
    assert.strictEqual(await asking, "Unavailable")
    assert.isTrue(signal.aborted)
  })

  it("is NoReference if the reference is invalid, and no query is sent", async () => {
    const { ask, questions } = setUp()
    for (const text of ["", "a@b@c", "a/b", "a@B"])
      assert.strictEqual(await ask(text), "NoReference")
    assert.isEmpty(questions)
  })
})

describe("the cache of resolved references", () => {
  it("never contains more references or characters than its limits allow", async () => {
    for (const limits of [{ maxReferences: 2 }, { maxCharacters: 250 }]) {
      const { ask, question, questions } = setUp(limits)
      for (const [index, reference] of ["a", "b", "a", "c", "a", "b"].entries()) {
        const asking = ask(reference)
        await settle()
        const version = reference.charCodeAt(0)
        questions.at(-1)?.answer(pinned(version, "x".repeat(100)))
        assert.strictEqual(await asking, `v${version}`, String(index))
      }
      // `a` was used after `b`, so `b` was evicted.
      assert.strictEqual(questions.length, 4)
      assert.strictEqual((await question(3)).reference, "b")
    }
  })

  it("returns the fallback until the registry first answers", async () => {
    const { ask, pass, question } = setUp({ staleIfError: 0 }, [exported])
    const first = ask()
    ;(await question(0)).fail()
    assert.strictEqual(await first, " fallback")
    const labelled = ask("notes@production")
    ;(await question(1)).fail()
    assert.strictEqual(await labelled, "Unavailable")
    const second = ask()
    ;(await question(2)).answer(pinned(1))
    assert.strictEqual(await second, "v1")
    pass(2_000)
    const third = ask()
    ;(await question(3)).fail()
    assert.strictEqual(await third, "Unavailable")
  })

  it("ignores archived fallbacks, and rejects unreadable ones", async () => {
    const archived = setUp({}, [{ ...exported, status: "archived" }])
    const asking = archived.ask()
    ;(await archived.question(0)).fail()
    assert.strictEqual(await asking, "Unavailable")
    for (const wrong of [
      { ...exported, slug: 1 },
      { ...exported, config: [] }
    ]) {
      assert.throws(() => readFallback([wrong]), TypeError)
    }
  })
})
