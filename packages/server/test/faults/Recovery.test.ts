/** Recoveries from histories, claims, leases and looks that are written by hand. */
import { assert, describe, it } from "vitest"
import type { History } from "./Audit.ts"
import { lateOf, missesOf, recoveryMillisMax, suspectMillisMax, timesOf } from "./Lateness.ts"
import type { LeaseNote } from "./Leases.ts"
import { countLooks, lookLine, readLook } from "./Looks.ts"
import { type Recovery, recoveries, type Traces } from "./Recovery.ts"

/** The process that is killed, and when. */
const victim = 7

const killed = 3_000

/** Some 300 s after the kill. */
const late = killed + 300_000

const event = (at: number, name: string, about = "transcription") => ({
  at: new Date(at).toISOString(),
  about,
  event: name
})

const begun: History["events"] = [event(2_500, "attempt_started")]

const history = (id: string, events = begun): History => ({ id, events, webhook_attempts: [] })

const lease = (over: Partial<LeaseNote>): LeaseNote => ({
  jobId: "job",
  token: "first",
  kind: "Transcribe",
  dueAt: 1_000,
  at: 2_000,
  ...over
})

const found = (histories: ReadonlyArray<History>, traces: Partial<Traces>) =>
  recoveries(histories, {
    claims: histories.map(({ id: jobId }) => ({ jobId, token: "first", pid: victim })),
    killedAt: new Map([[victim, killed]]),
    leases: [],
    looks: [],
    ...traces
  })

const byAt = (one: LeaseNote, other: LeaseNote): number => one.at - other.at

const looked = (at: number, ...kinds: ReadonlyArray<string>) => ({ at, kinds })

/** A piece that was found again in time. */
const recovery = (over: Partial<Recovery> = {}): Recovery => ({
  victim,
  kind: "Transcribe",
  millis: 30_000,
  firstMillis: 30_000,
  passes: 0,
  ...over
})

const judged = { areKillsAlone: true, kills: 15, looks: 100 }

const sum = (report: Readonly<Record<string, number>>): number =>
  Object.values(report).reduce((total, count) => total + count, 0)

describe("work whose worker was killed", () => {
  const jobs = Array.from({ length: 128 }, (_, index) => `job-${index}`)
  const histories = jobs.map((id) => history(id))
  const held = jobs.map((jobId, index) => lease({ jobId, kind: "Deliver", dueAt: 1_000 + index }))

  const again = (tokenOf: (index: number) => string) =>
    jobs.map((jobId, index) =>
      lease({
        jobId,
        kind: "Deliver",
        token: tokenOf(index),
        dueAt: 2_500 + index,
        at: late + index
      })
    )

  it("is late in every piece when one claim finds all of it too late", () => {
    const pieces = found(histories, { leases: [...held, ...again(() => "second")] })
    assert.isTrue(pieces.every(({ firstMillis }) => firstMillis >= 300_000))
    assert.lengthOf(pieces, 128)
  })

  it("makes its victim late when many claims find it, one behind the other, too late", () => {
    const pieces = found(histories, { leases: [...held, ...again((index) => `claim ${index}`)] })
    assert.lengthOf(
      pieces.filter(({ firstMillis }) => firstMillis > recoveryMillisMax),
      1
    )
    assert.lengthOf(lateOf(pieces), 1)
  })

  it("waits for what was due before it, and is not late for that", () => {
    const leases = [
      lease({}),
      lease({ jobId: "other", token: "busy", dueAt: 500, at: late - 40 }),
      lease({ token: "second", dueAt: 2_500, at: late })
    ]
    const [piece] = found([history("job")], { leases })
    assert.deepInclude(piece, { millis: 300_000, firstMillis: 40 })
    assert.deepStrictEqual(lateOf([recovery({ firstMillis: 40 })]), [])
  })

  it("is late when what came before it was only given back", () => {
    const leases = [
      lease({}),
      lease({ jobId: "other", token: "busy", dueAt: 500, at: late - 40 }),
      lease({ token: "second", dueAt: 2_500, at: late })
    ]
    const claims = [
      { jobId: "job", token: "first", pid: victim },
      { jobId: "other", token: "busy", pid: victim + 1, isGivenBack: true }
    ]
    const [piece] = found([history("job")], { claims, leases })
    assert.deepInclude(piece, { millis: 300_000, firstMillis: 300_000 })
  })

  it("is judged although the end of the stage before is dated behind its lease", () => {
    const produced = event(1_010, "transcript_produced")
    const leases = [
      lease({ kind: "Deliver" }),
      lease({ kind: "Deliver", token: "second", at: late })
    ]
    assert.lengthOf(found([history("job", [...begun, produced])], { leases }), 1)
  })

  it("is not counted when it had ended, or was given back", () => {
    const leases = [lease({}), lease({ token: "second", at: late })]
    const ended = [...begun, event(2_600, "attempt_postponed")]
    assert.lengthOf(found([history("job", ended)], { leases }), 0)
    const claims = [{ jobId: "job", token: "first", pid: victim, isGivenBack: true }]
    assert.lengthOf(found([history("job")], { claims, leases }), 0)
  })
})

describe("work that was lost again while it ran alone", () => {
  const kindOf = (kind: string) =>
    found([history("job", [event(100, "attempt_lost"), ...begun])], {
      leases: [lease({ kind }), lease({ kind, token: "second", at: late })]
    })

  it("is told by its lease, and not by what befell its job before", () => {
    assert.strictEqual(timesOf(kindOf("Deliver"))["pieces of work that lost their worker"], 1)
    assert.strictEqual(timesOf(kindOf("Isolate"))["pieces that lost it again, alone"], 1)
  })

  it("is judged as well", () => {
    assert.lengthOf(lateOf(kindOf("Deliver")), 1)
    assert.lengthOf(lateOf(kindOf("Isolate")), 1)
  })

  it("has time for a look that comes every 15 seconds", () => {
    const firstMillis = suspectMillisMax
    assert.deepStrictEqual(lateOf([recovery({ kind: "Isolate", firstMillis })]), [])
    assert.lengthOf(lateOf([recovery({ firstMillis })]), 1)
  })
})

describe("looks at the queue", () => {
  const leases = [lease({}), lease({ token: "second", dueAt: 2_500, at: late })]

  it("pass over work when it is lapsed and they have room for it", () => {
    const looks = [
      looked(killed + 30_900, "Transcribe"),
      looked(killed + 40_000, "Transcribe", "Deliver"),
      looked(killed + 41_000, "Deliver"),
      looked(late + 1, "Transcribe")
    ]
    assert.deepInclude(found([history("job")], { leases, looks })[0], { passes: 1 })
  })

  it("do not pass it over while what was due before it has its turn", () => {
    const before = lease({ jobId: "other", token: "busy", dueAt: 500, at: late - 40 })
    const looks = [looked(killed + 40_000, "Transcribe"), looked(late - 20, "Transcribe")]
    const [piece] = found([history("job")], { leases: [...leases, before].toSorted(byAt), looks })
    assert.deepInclude(piece, { passes: 1 })
  })

  it("are read as they were told, with no room for webhooks where their lane is full", () => {
    const room = { kinds: { Transcribe: 2, Deliver: 4 }, held: {} }
    const lookWith = (taken: number) =>
      readLook(lookLine({ ...room, lanes: { max: 4, taken: { lane: taken } } }, 5))
    assert.deepStrictEqual(lookWith(3), looked(5, "Transcribe", "Deliver"))
    assert.deepStrictEqual(lookWith(4), looked(5, "Transcribe"))
    assert.strictEqual(
      countLooks([looked(5, "Deliver")], { kind: "Deliver", after: 5, before: 6 }),
      0
    )
  })
})

describe("what a run must show", () => {
  it("is at least one recovery, and one look, after kills", () => {
    assert.strictEqual(sum(missesOf([recovery()], judged)), 0)
    assert.strictEqual(sum(missesOf([], judged)), 1)
    assert.strictEqual(sum(missesOf([recovery()], { ...judged, looks: 0 })), 1)
    assert.strictEqual(sum(missesOf([], { ...judged, kills: 0, looks: 0 })), 0)
  })

  it("is nothing that many looks passed over, unless the database was away", () => {
    const passed = [recovery({ passes: 100 })]
    assert.strictEqual(sum(missesOf(passed, judged)), 1)
    assert.strictEqual(sum(missesOf(passed, { ...judged, areKillsAlone: false })), 0)
  })
})
