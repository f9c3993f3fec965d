import {
  makePinReader,
  type PinAnswer,
  type PinLimits,
  type PinQuestion,
  PinRefusal,
  type PinStore,
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

/** A question that the test answers. */
interface Open extends PinQuestion {
  readonly answer: (answer: PinAnswer) => void
  readonly fail: () => void
}

/** Lets everything run that promises have made possible. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

const setUp = (limits: Partial<PinLimits> = {}, store?: PinStore) => {
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
    store
  })
  const ask = (reference = "notes", signal?: AbortSignal) =>
    reader.read(reference, signal).then(
      ({ isStale, pinned }) => `${pinned.versionId}${isStale ? " stale" : ""}`,
      (error: unknown) => (error instanceof PinRefusal ? error.code : String(error))
    )
  return {
    ...{ ask, questions, timeouts },
    pass: (millis: number) => {
      now += millis
    },
    /** The question of that number, once everything ran that leads to it. */
    question: async (index: number) => {
      await settle()
      return questions[index] ?? assert.fail(`there is no question ${index}`)
    }
  }
}

/** What an earlier process has left. */
const storeOf = (askedAt: number, saves: Array<string> = []): PinStore => {
  const answer = pinned(1)
  const versions = answer._tag === "Pinned" ? [answer.pinned] : []
  const pins = [{ reference: "notes", versionId: "v1", askedAt }]
  return {
    load: async () => JSON.stringify({ kind: "verbatim pins 1", versions, pins }),
    save: async (text) => void saves.push(text)
  }
}

describe("callers of one reference", () => {
  it("share a question, and each ends with its own signal alone", async () => {
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

  it("do not believe a question that was sent before one of them may", async () => {
    const { ask, pass, question } = setUp()
    const early = ask()
    await question(0)
    pass(1_000)
    const late = ask()
    ;(await question(1)).answer(pinned(2))
    // The later answer is one for both, and the earlier one comes too late.
    assert.deepStrictEqual(await Promise.all([early, late]), ["v2", "v2"])
    const { answer, signal } = await question(0)
    assert.isTrue(signal.aborted)
    answer(pinned(1))
    await settle()
    assert.strictEqual(await ask(), "v2")
  })

  it("are not given what was asked for before one of them was told that it is gone", async () => {
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
    // It asked before, and may have it; the next one asks for itself.
    assert.strictEqual(await late, "v1")
    ;(await question(2)).answer(gone)
    assert.strictEqual(await next, "NoPreset")
    const last = ask()
    ;(await question(3)).answer(pinned(3))
    assert.strictEqual(await last, "v3")
    assert.strictEqual(questions.length, 4)
  })
})

describe("an error that comes late", () => {
  it("is believed all the same: it forgets what came before", async () => {
    const { ask, pass, question } = setUp()
    const early = ask()
    await question(0)
    pass(1_000)
    // The first is kept; the second was sent before it came, and may be the newer one.
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

describe("an answer", () => {
  it("ages from its question on, is refreshed meanwhile, and says when it is stale", async () => {
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
    // It is not asked again at once after a failure.
    assert.strictEqual(await ask(), "v1 stale")
    await settle()
    assert.strictEqual(questions.length, 2)
    pass(10_000)
    const last = ask()
    ;(await question(2)).fail()
    assert.strictEqual(await last, "Unavailable")
  })

  it("is waited for as long as a question may take", async () => {
    const { ask, question, timeouts } = setUp()
    const asking = ask()
    const { signal } = await question(0)
    timeouts[0]?.()
    assert.strictEqual(await asking, "Unavailable")
    assert.isTrue(signal.aborted)
  })

  it("is refused for a text that names nothing, without a question", async () => {
    const { ask, questions } = setUp()
    for (const text of ["", "a@b@c", "a/b", "a@B"])
      assert.strictEqual(await ask(text), "NoReference")
    assert.isEmpty(questions)
  })
})

describe("what is remembered", () => {
  it("has no more references and no more text than allowed", async () => {
    for (const limits of [{ referenceMax: 2 }, { characterMax: 250 }]) {
      const { ask, question, questions } = setUp(limits)
      for (const [index, reference] of ["a", "b", "a", "c", "a", "b"].entries()) {
        const asking = ask(reference)
        await settle()
        const version = reference.charCodeAt(0)
        questions.at(-1)?.answer(pinned(version, "x".repeat(100)))
        assert.strictEqual(await asking, `v${version}`, String(index))
      }
      // `a` was used between the others, `b` had to go.
      assert.strictEqual(questions.length, 4)
      assert.strictEqual((await question(3)).reference, "b")
    }
  })

  it("is asked for again by the next process, which has it in case of need", async () => {
    const askedAt = -100
    for (const [fails, told] of [
      [false, "v2"],
      [true, "v1 stale"]
    ] as const) {
      const { ask, question } = setUp({}, storeOf(askedAt))
      const asking = ask()
      const { answer, fail, known } = await question(0)
      assert.strictEqual(known, "v1")
      if (fails) fail()
      else answer(pinned(2))
      assert.strictEqual(await asking, told)
    }
  })

  it("is forgotten in the store once it is gone, though nobody was given it", async () => {
    // The clock was set back since then: how old it is nobody knows.
    const saves: Array<string> = []
    const store = storeOf(1_000, saves)
    const { ask, question } = setUp({}, store)
    const asking = ask()
    const { answer, known } = await question(0)
    assert.isUndefined(known)
    answer(gone)
    assert.strictEqual(await asking, "NoPreset")
    assert.notInclude(saves.join() || "v1", "v1")
  })

  it("is not written for the next process before it is told that it is gone", async () => {
    const saves: Array<{ readonly text: string; readonly done: () => void }> = []
    const store: PinStore = {
      load: async () => undefined,
      save: (text) => new Promise((done) => saves.push({ text, done }))
    }
    const { ask, pass, question } = setUp({}, store)
    const first = ask()
    ;(await question(0)).answer(pinned(1))
    assert.strictEqual(await first, "v1")
    saves[0]?.done()
    pass(1_000)
    let told = ""
    const second = ask().then((answer) => {
      told = answer
    })
    ;(await question(1)).answer(gone)
    await settle()
    assert.strictEqual(told, "")
    assert.notInclude(saves[1]?.text ?? "v1", "v1")
    saves[1]?.done()
    await second
    assert.strictEqual(told, "NoPreset")
  })

  it("is asked for although the store is silent, and the store is not believed later", async () => {
    let load: (text: string | undefined) => void = () => {}
    const store: PinStore = {
      load: () =>
        new Promise((resolve) => {
          load = resolve
        }),
      save: () => new Promise(() => {})
    }
    const { ask, pass, question, timeouts } = setUp({}, store)
    const asking = ask()
    await settle()
    timeouts[0]?.()
    ;(await question(0)).answer(gone)
    await settle()
    // Nor does what is gone wait for it any longer.
    timeouts.at(-1)?.()
    assert.strictEqual(await asking, "NoPreset")
    load(await storeOf(0).load())
    await settle()
    pass(10)
    const again = ask()
    ;(await question(1)).fail()
    assert.strictEqual(await again, "Unavailable")
  })
})
