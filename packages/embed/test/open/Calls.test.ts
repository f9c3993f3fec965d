/** Whatever a method is given: a rejection that names what is wrong, or an answer. */
import { assert, describe, it } from "@effect/vitest"
import { Fault, InvalidInput, type LiveEvents, type Verbatim, VerbatimError } from "@verbatim/embed"
import * as fc from "fast-check"
import { openFor, recording, rejection } from "./Opened.ts"

type Method = (...given: ReadonlyArray<unknown>) => Promise<unknown>

/** Methods that listen: whoever wants the first event and leaves is answered like others. */
const streams = new Set(["events", "allEvents"])

const beginning =
  (listen: (...given: ReadonlyArray<unknown>) => LiveEvents): Method =>
  (...given) => {
    const events = listen(...given)
    const first = events.next()
    setImmediate(() => void events.return?.())
    return first
  }

/** Doors of the API and the end: they are called by hosts of Node and of the web. */
const others = new Set(["close", "fetch", "handler", "within"])

/** Every method that an opened Verbatim has. */
const methodsOf = (
  holder: object,
  path = ""
): ReadonlyArray<readonly [name: string, call: Method]> =>
  Object.entries(holder).flatMap(([name, value]) => {
    if (others.has(name)) return []
    if (streams.has(name)) return [[`${path}${name}`, beginning(value)] as const]
    return typeof value === "function"
      ? [[`${path}${name}`, value as Method] as const]
      : methodsOf(value, `${path}${name}.`)
  })

const methodOf = (verbatim: Verbatim, path: string): Method => {
  const found = methodsOf(verbatim).find(([name]) => name === path)
  if (found === undefined) throw new Error(`there is no ${path}`)
  return found[1]
}

const anything = fc.anything({
  withDate: true,
  withBigInt: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true
} as fc.ObjectConstraints)

/** Objects of our own fields, so that each of them is wrong at times. */
const fields = fc.dictionary(
  fc.constantFrom(
    ...["id", "workspace", "user", "status", "after", "limit", "offset", "slug", "body", "format"],
    ...["version", "from", "to", "ifDesignated", "name", "description", "preset", "request", "at"],
    ...["minutes", "creditId", "by", "media", "filename", "language", "summary", "webhook", "url"],
    ...["signal", "onProgress", "idempotencyKey", "modifier", "vadFilter", "callbackId"]
  ),
  fc.oneof(anything, fc.constantFrom("notes", "srt", "day", 1, recording, {}, new Date(0))),
  { maxKeys: 6 }
)

describe("a call", () => {
  it("answers whatever it is given, and is never a fault of ours", async () => {
    const verbatim = await openFor()
    const methods = methodsOf(verbatim)
    assert.isAbove(methods.length, 25)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(fc.oneof(anything, fields), { maxLength: 3 }),
        async ([name, call], given) => {
          // Of a synchronous throw the property fails.
          const answer = call(...given)
          assert.instanceOf(answer, Promise, name)
          const fault = await answer.then(
            () => undefined,
            (reason: unknown) => reason
          )
          if (fault === undefined) return
          assert.isTrue(fault instanceof VerbatimError, `${name}: ${String(fault)}`)
          assert.notInstanceOf(fault, Fault, name)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it.each<[method: string, given: ReadonlyArray<unknown>, named: RegExp]>([
    ["jobs.get", [], /id|job/],
    ["jobs.get", [{ id: 5 }], /^id: must be a string/],
    ["jobs.list", [null], /object/],
    ["jobs.list", [{ limit: { toString: 1 } }], /^limit: /],
    ["jobs.render", [{ id: "a" }], /^modifier: /],
    ["jobs.events", [{ id: "a" }, { afer: "1.0" }], /"after" may be meant/],
    ["jobs.events", [{ id: 5 }], /^id: must be a string/],
    ["jobs.allEvents", [{ after: 5 }], /^after: must be a string/],
    ["wait", [{ id: "a" }, null], /object/],
    ["wait", [{ id: "a" }, { signal: "now" }], /^signal: must be an AbortSignal/],
    ["wait", [{ id: "a" }, { onProgess: () => 1 }], /"onProgress" may be meant/],
    ["transcribe", [{ media: recording, diarization: "no" }], /^diarization: must be a boolean/],
    ["transcribe", [{ media: recording, webhook: { url: 5 } }], /^webhook\.url: /],
    ["presets.create", [], /object/],
    ["presets.create", [{ slug: "a", body: {}, format: "constructor" }], /^format: must be one of/],
    ["presets.resolve", [{ preset: "a", request: {}, at: new Date(Number.NaN) }], /^at: .*Date/],
    ["presets.resolve", [{ preset: "a", request: { a: 1n } }], /^request: .*JSON/],
    ["presets.list", [{ limit: "x" }], /^limit: must be an integer/],
    ["presets.list", [{ limit: 101 }], /^limit: at most 100/],
    ["presets.list", [{ status: "gone" }], /^status: must be one of/],
    ["presets.change", [{ slug: "a", name: "" }], /^name: must not be empty/],
    ["presets.preview", [], /object/],
    ["presets.version", [{ slug: "a", version: 0 }], /^version: at least 1/],
    ["workspaces.ensure", [], /^name: /],
    ["workspaces.remove", [], /^workspace: must be the name/],
    ["workspaces.credit", ["a", { minutes: Number.NaN }], /^minutes: /],
    ["workspaces.usage", ["a", { from: 1, to: 2, by: "hour" }], /^from: .*; to: .*; by: /],
    ["workspaces.ledger", ["a", { limit: 1_001 }], /^limit: at most 1000/],
    ["workspaces.ledger", ["a", { before: "9" }], /^before: must be an integer/],
    ["workspaces.ledger", ["a", { cursor: 9 }], /There is no "cursor"/]
  ])("names what is wrong: %s (%#)", async (method, given, named) => {
    const verbatim = await openFor()
    const fault = await rejection(methodOf(verbatim, method)(...given))
    assert.instanceOf(fault, InvalidInput)
    assert.match(fault.message, named)
  })
})
