/**
 * One label that sixteen writers move while sixteen readers resolve by it, over HTTP and Postgres:
 * it behaves as if it were moved and read at single instants.
 */
import { assert, describe, it } from "@effect/vitest"
import { open } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { newDatabase } from "./NewDatabase.ts"
import { newFolder } from "./NewFolder.ts"
import { measuring } from "./Opened.ts"

const writerCount = 16
const readerCount = 16

/** Each version is moved to once, so what was read tells which move it saw. */
const versionCount = 40

/** What a call took: instants of one clock. */
interface Call {
  readonly version: number
  readonly began: number
  readonly ended: number
}

const path = "https://host.example/v1/presets/notes"

const start = async () => {
  const database = await newDatabase("embed_label_races")
  const verbatim = await open({
    database,
    media: newFolder(),
    transcribe: measuring,
    authenticate: () => Promise.resolve({ workspace: "acme", kind: "management" as const })
  })
  onTestFinished(() => verbatim.close())
  const { presets } = verbatim.as({ workspace: "acme" })
  await presets.createFromResponses("notes", { top_k: 1 })
  for (let version = 2; version <= versionCount; version += 1) {
    await presets.createFromResponses("notes", { top_k: version }, { stage: true })
  }
  await presets.labels.move("notes", "production", { version: 1 })
  const statuses: Array<number> = []
  const send = async (below: string, init: RequestInit) => {
    const headers = { "content-type": "application/json", ...init.headers }
    const answer = await verbatim.fetch(new Request(`${path}${below}`, { ...init, headers }))
    statuses.push(answer.status)
    const body: ReturnType<typeof JSON.parse> = await answer.json()
    return { status: answer.status, etag: answer.headers.get("etag"), body }
  }
  return { presets, send, statuses }
}

/** Moves the label to each version that is left, from wherever it is. */
const write = async (
  send: Awaited<ReturnType<typeof start>>["send"],
  { left, moves }: { readonly left: Array<number>; readonly moves: Array<Call> }
) => {
  for (let version = left.pop(); version !== undefined; version = left.pop()) {
    for (;;) {
      const { etag } = await send("/labels/production", { method: "GET" })
      const began = performance.now()
      const { status } = await send("/labels/production", {
        method: "PUT",
        body: JSON.stringify({ version }),
        headers: { "if-match": etag ?? "" }
      })
      if (status !== 200) continue
      moves.push({ version, began, ended: performance.now() })
      break
    }
  }
}

describe("a label over Postgres", () => {
  it("is moved and read as at single instants, and fails no request", async () => {
    const { presets, send, statuses } = await start()
    const left = Array.from({ length: versionCount - 1 }, (_, index) => index + 2)
    const moves: Array<Call> = []
    const reads: Array<Call> = []
    let hasEnded = false
    const read = async () => {
      while (!hasEnded) {
        const began = performance.now()
        const { body } = await send("/resolve?label=production", { method: "POST", body: "{}" })
        const { request, preset: used } = body.data
        // The content is that of the version, and no other's.
        assert.strictEqual(request.top_k, used.version)
        reads.push({ version: used.version, began, ended: performance.now() })
      }
    }
    const readers = Array.from({ length: readerCount }, read)
    await Promise.all(Array.from({ length: writerCount }, () => write(send, { left, moves })))
    hasEnded = true
    await Promise.all(readers)

    assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 409])
    const order: Array<number> = []
    for await (const { from, to } of presets.labels.moves("notes", "production")) {
      // Each move began where the one before it ended: none was lost, none overwritten.
      assert.strictEqual(from, order.at(-1) ?? null)
      order.push(to ?? 0)
    }
    assert.sameMembers(order, [1, ...moves.map(({ version }) => version)])
    const byVersion = new Map(moves.map((move) => [move.version, move]))
    for (const seen of reads) {
      const place = order.indexOf(seen.version)
      // It had begun to be moved there before the answer came, and nothing had replaced it before
      // the question was asked.
      const move = byVersion.get(seen.version)
      if (move !== undefined) assert.isBelow(move.began, seen.ended)
      const next = byVersion.get(order[place + 1] ?? 0)
      if (next !== undefined) assert.isAbove(next.ended, seen.began)
    }
    assert.isAbove(reads.length, readerCount)
  })
})
