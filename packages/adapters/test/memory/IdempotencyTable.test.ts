/** Idempotency keys in memory, once they have lapsed. */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { jobId, upTo } from "@verbatim/testkit/samples"
import { DateTime } from "effect"
import { writeRecord } from "#src/memory/IdempotencyTable"

const hourMillis = 3_600_000

const write = (records: Map<string, IdempotencyRecord>, name: string, hour: number): void => {
  const at = DateTime.makeUnsafe(hour * hourMillis)
  const key = IdempotencyKey.make(name)
  writeRecord(records, { key, record: { key, fingerprint: "", jobId: jobId(1), at } })
}

describe("the idempotency keys in memory", () => {
  it("are as many as come in two days, however many there were", () => {
    const records = new Map<string, IdempotencyRecord>()
    for (const hour of upTo(500)) write(records, `order-${hour}`, hour)
    assert.strictEqual(records.size, 49)
  })

  it("are as many as come in two days, though a clock was far ahead", () => {
    const records = new Map<string, IdempotencyRecord>()
    write(records, "ahead", 100_000)
    for (const hour of upTo(500)) write(records, `order-${hour}`, hour)
    assert.strictEqual(records.size, 49)
  })

  it("stay until each has lapsed that was made while they stood", () => {
    const records = new Map<string, IdempotencyRecord>()
    write(records, "first", 0)
    write(records, "second", 23)
    write(records, "other", 48)
    assert.deepStrictEqual([...records.keys()], ["first", "second", "other"])
    // Whoever takes a key again comes last.
    write(records, "second", 49)
    assert.deepStrictEqual([...records.keys()], ["other", "second"])
  })
})
