/** What a host says of workspaces, wrong: refused before anything is written. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, InvalidOptions, NotFound, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { openFor, recording, rejection } from "./Opened.ts"

const refused = async (promise: Promise<unknown>): Promise<void> => {
  assert.instanceOf(await rejection(promise), InvalidInput)
}

/** As a program without types says it. */
const said = <A>(value: unknown): A => value as A

describe("workspaces of a host", () => {
  it("keep their balance when a credit is no number of minutes", async () => {
    const { workspaces } = await openFor({ openingMinutes: 1 })
    for (const minutes of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, said<number>("5")]) {
      await refused(workspaces.credit("acme", { minutes }))
    }
    await refused(workspaces.credit("acme", { minutes: 1, creditId: "first" }))
    await refused(workspaces.credit("acme", said(undefined)))
    assert.strictEqual(await workspaces.balance("acme"), 60_000)
    assert.instanceOf(await rejection(openFor({ openingMinutes: 1e300 })), InvalidOptions)
  })

  it("have names that every database keeps apart", async () => {
    const { transcribe, workspaces } = await openFor()
    for (const name of [
      "",
      "a\0b",
      "a\ud800",
      "x".repeat(256),
      said<string>(null),
      said<string>(5)
    ]) {
      await refused(workspaces.ensure(name))
    }
    for (const user of ["\ud800", "\0", said<string>(5)]) {
      await refused(transcribe({ media: recording, user }))
    }
    assert.strictEqual((await workspaces.ensure("__proto__")).name, "__proto__")
  })

  it("tell of times that are times", async () => {
    const { workspaces } = await openFor()
    const wrong: ReadonlyArray<Parameters<Verbatim["workspaces"]["usage"]>[1]> = [
      { from: new Date(Number.NaN), to: new Date(), by: "day" },
      { from: said("2026-01-01"), to: new Date(), by: "day" },
      { from: new Date(0), to: new Date(), by: said("hour") }
    ]
    for (const wanted of wrong) await refused(workspaces.usage("acme", wanted))
  })

  it("tell each charge and each credit, the newest first, page by page", async () => {
    const { transcribe, wait, workspaces } = await openFor({ openingMinutes: 100 })
    const { job } = await wait(await transcribe({ media: recording, workspace: "acme" }))
    const creditId = "5f9a3b1e-6c0d-4e8f-9a7b-2c1d0e3f4a5b"
    await workspaces.credit("acme", { minutes: -1, creditId })
    await workspaces.credit("other", { minutes: 5 })
    const none = { jobId: null, keyId: null, creditId: null }
    const first = await workspaces.ledger("acme", { limit: 2 })
    const [taken, charged] = first.items
    assert.deepInclude(taken, { ...none, millis: -60_000, creditId })
    assert.deepInclude(charged, { ...none, jobId: job.id })
    assert.isBelow(charged?.millis ?? 0, 0)
    assert.instanceOf(charged?.at, Date)
    const { items, next } = await workspaces.ledger("acme", { before: first.next ?? 0, limit: 1 })
    assert.deepStrictEqual(
      items.map(({ jobId, millis }) => [jobId, millis]),
      [[null, 6_000_000]]
    )
    assert.isNull(next)
    const whole = await workspaces.ledger("acme")
    assert.deepStrictEqual(whole, { items: [...first.items, ...items], next: null })
    const sum = whole.items.reduce((total, { millis }) => total + millis, 0)
    assert.strictEqual(await workspaces.balance("acme"), sum)
  })

  it("take no job that would go with what another process deletes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const options = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const [one, other] = [await openFor(options), await openFor(options)]
    const wanted = { media: recording, workspace: "acme" }
    const first = await one.transcribe(wanted)
    await other.workspaces.remove("acme")
    assert.instanceOf(await rejection(one.transcribe(wanted)), NotFound)
    const { workspace } = await one.transcribe(wanted)
    assert.strictEqual(workspace.name, "acme")
    assert.notStrictEqual(workspace.id, first.workspace.id)
  })
})
