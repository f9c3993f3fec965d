/** Tests which parts of an old job are removed, and when. */
import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import {
  attemptStarted,
  instant,
  makeOldJob,
  makeUploadJob,
  summaryProduced
} from "@verbatim/testkit/samples"
import { DateTime, Equal, Result } from "effect"
import * as fc from "fast-check"
import {
  afterMedia,
  cutoffsOf,
  type ExpiryContext,
  type Holding,
  holdingOf,
  mediaExpired,
  nextExpiry,
  removesTranscript,
  takeStep,
  withoutText
} from "#src/domain/job/Expiry"
import { applyCommit, isClosed, type Job } from "#src/domain/job/Job"
import {
  noRetentionRule,
  type RetentionRule,
  ruleInForce
} from "#src/domain/workspace/RetentionRule"

const days = fc.option(fc.integer({ min: 1, max: 40 }), { nil: null })

const rules = fc.record({ mediaDays: days, transcriptDays: days, jobDays: days })

const holdings = fc.constantFrom<Holding>("Media", "Transcript", "Nothing")

const olds = fc
  .record({ holding: holdings, age: fc.integer({ min: 0, max: 45 * 24 }) })
  .map(({ age, holding }) => ({ job: makeOldJob(1, { holding }), age }))

const deciding = (rule: RetentionRule, hours: number): ExpiryContext => {
  const now = DateTime.add(instant, { hours })
  return { now, cutoffs: cutoffsOf(ruleInForce(rule, noRetentionRule), now) }
}

/** Takes a job's next removal step in memory. Returns undefined if the whole job is removed. */
const treat = (job: Job, given: ExpiryContext): Job | undefined => {
  const expiry = nextExpiry(job, given)
  switch (expiry._tag) {
    case "None":
      return job
    case "Job":
      return undefined
    case "Events":
      return Result.getOrThrow(applyCommit(job, expiry.events))
    case "Media": {
      const isBegun = job.keeping?._tag === "MediaGoing"
      const going = isBegun ? job : Result.getOrThrow(applyCommit(job, [mediaExpired(given.now)]))
      const next = afterMedia(going, given)
      if (next._tag === "Job") return undefined
      assert.strictEqual(next._tag, "Events")
      return next._tag === "Events" ? Result.getOrThrow(applyCommit(going, next.events)) : going
    }
  }
}

const isOver = (age: number, days: number | null): boolean => days !== null && age >= days * 24

/** Runs a property test 300 times by default. */
const always = <A extends ReadonlyArray<unknown>>(property: fc.IProperty<A>) =>
  fc.assert(property, { numRuns: scaleRuns(300) })

describe("removing an old job's data", () => {
  it("follows the retention rule, and never removes data early", () => {
    always(
      fc.property(olds, rules, ({ age, job }, rule) => {
        const left = treat(job, deciding(rule, age))
        const isJobOver = isOver(age, rule.jobDays)
        const isTextOver = isJobOver || isOver(age, rule.transcriptDays)
        const isMediaOver = isTextOver || isOver(age, rule.mediaDays)
        assert.strictEqual(left === undefined, isJobOver)
        if (left === undefined) return
        const before = holdingOf(job)
        assert.strictEqual(isClosed(left), before === "Nothing" || isTextOver)
        const hasMedia = holdingOf(left) === "Media"
        assert.strictEqual(hasMedia, before === "Media" && !isMediaOver)
      })
    )
  })

  it("takes one step, after which nothing is left to remove", () => {
    always(
      fc.property(olds, rules, ({ age, job }, rule) => {
        const given = deciding(rule, age)
        const left = treat(job, given)
        if (left !== undefined) assert.strictEqual(nextExpiry(left, given)._tag, "None")
      })
    )
  })

  it("has the same result if the process dies while it removes media", () => {
    always(
      fc.property(rules, fc.integer({ min: 0, max: 45 * 24 }), (rule, age) => {
        const job = makeOldJob(1, { holding: "Media" })
        const given = deciding(rule, age)
        if (nextExpiry(job, given)._tag !== "Media") return
        const going = Result.getOrThrow(applyCommit(job, [mediaExpired(given.now)]))
        const [whole, resumed] = [treat(job, given), treat(going, given)]
        assert.isTrue(Equal.equals(whole, resumed))
      })
    )
  })

  it("begins only after the job has ended", () => {
    const given = deciding({ mediaDays: 1, transcriptDays: 1, jobDays: 1 }, 10_000)
    assert.strictEqual(nextExpiry(makeUploadJob(1), given)._tag, "None")
  })
})

describe("a retention rule", () => {
  it("keeps media no longer than the transcript, and the transcript no longer than the job", () => {
    always(
      fc.property(rules, rules, (own, server) => {
        const { jobDays, mediaDays, transcriptDays } = ruleInForce(own, server)
        assert.isAtMost(
          transcriptDays ?? Number.POSITIVE_INFINITY,
          jobDays ?? Number.POSITIVE_INFINITY
        )
        assert.isAtMost(
          mediaDays ?? Number.POSITIVE_INFINITY,
          transcriptDays ?? Number.POSITIVE_INFINITY
        )
        assert.strictEqual(
          mediaDays === null,
          transcriptDays === null &&
            jobDays === null &&
            (own.mediaDays ?? server.mediaDays) === null
        )
      })
    )
  })

  it("takes precedence over the server's rule if the workspace sets it", () => {
    const server = { mediaDays: 3, transcriptDays: 30, jobDays: 300 }
    assert.deepStrictEqual(ruleInForce(noRetentionRule, server), server)
    const own = { ...noRetentionRule, transcriptDays: 2 }
    assert.deepStrictEqual(ruleInForce(own, server), { ...server, mediaDays: 2, transcriptDays: 2 })
    const long = { mediaDays: 36_500, transcriptDays: 36_500, jobDays: 36_500 }
    assert.deepStrictEqual(ruleInForce(long, server), long)
  })
})

describe("the text of a summary", () => {
  it("is removed from the job's events, which still produce the same job", () => {
    const start: Job = {
      ...makeOldJob(1),
      summary: {
        _tag: "Running",
        id: makeOldJob(1).id,
        type: "brief",
        attempt: 1,
        startedAt: instant
      }
    }
    const events = [summaryProduced("what was said")]
    const summarised = Result.getOrThrow(applyCommit(start, events))
    const given = deciding({ mediaDays: null, transcriptDays: 1, jobDays: null }, 48)
    const expiry = nextExpiry(summarised, given)
    assert.strictEqual(expiry._tag, "Events")
    const closing = expiry._tag === "Events" ? expiry.events : []
    assert.isTrue(removesTranscript(closing))
    const closed = Result.getOrThrow(applyCommit(summarised, closing))
    const folded = [withoutText(events), closing].reduce(
      (job, each) => Result.getOrThrow(applyCommit(job, each)),
      start
    )
    assert.deepStrictEqual(folded, closed)
    assert.notInclude(JSON.stringify([closed, withoutText(events)]), "what was said")
    const others = [attemptStarted()]
    assert.strictEqual(withoutText(others), others)
  })
})

describe("a removal step", () => {
  it("removes jobs in order until a cost limit is reached, but always at least one", () => {
    always(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 })), (costs) => {
        const taken = takeStep(costs.map((cost) => ({ cost })))
        const sum = taken.reduce((total, { cost }) => total + cost, 0)
        assert.isTrue(taken.length > 0 || costs.length === 0)
        assert.isTrue(sum <= 100 || taken.length === 1)
        const next = costs[taken.length]
        assert.isTrue(next === undefined || sum + next > 100)
        assert.deepStrictEqual(
          taken.map(({ cost }) => cost),
          costs.slice(0, taken.length)
        )
      })
    )
  })
})
