/**
 * The promises of a `WorkQueue` about workspaces: nobody waits for the backlog of somebody else.
 */
import { type Job, webhookLane } from "@verbatim/core/job"
import { type JobStore, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { type Debt, makeOwingJob } from "../../../samples/SampleJob.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { claimIds, claimJobs, fullLanes, insertJob, takenLanes } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Who owes what, and the number of the first job. They are due in the order of their numbers. */
interface Backlog extends Pick<Debt, "kind"> {
  readonly owner: number
  readonly from: number
  readonly count: number
  /** For webhooks: the host of each. */
  readonly host?: (number: number) => string
}

const backlog = ({ count, from, host, kind, owner }: Backlog) =>
  Effect.forEach(upTo(count), (index) => {
    const number = from + index - 1
    const receiver = `https://${host?.(number) ?? number}.example.com/in`
    const job: Job = makeOwingJob(number, { kind, dueAt: later(number - 2_000), receiver })
    return insertJob({ ...job, workspaceId: workspaceId(owner) })
  })

const speech = (owner: number, from: number, count: number) =>
  backlog({ kind: "Transcribe", owner, from, count })

const [token, second] = [leaseToken(1), leaseToken(2)]

/** So much work is due that no claim looks at all of it. */
const long = 160

/** Who has a turn. */
export const turns: ReadonlyArray<Case<WorkQueue | JobStore | WorkspaceStore>> = workspaceCases(
  WorkQueue,
  {
    *"goes round the workspaces, whoever has waited longest"() {
      yield* speech(1, 1, 20)
      yield* speech(2, 21, 2)
      yield* speech(3, 31, 1)
      yield* Expect.that(
        "everybody has one, and then the first another",
        yield* claimIds(token, { kinds: ["Transcribe"], limit: 4 })
      ).is([1, 2, 21, 31].map(jobId))
    },
    *"gives the next slot to the workspace behind the one served last"() {
      yield* speech(1, 1, 20)
      yield* speech(2, 21, 2)
      const served = yield* Effect.forEach(upTo(5), (number) =>
        claimIds(leaseToken(number), { kinds: ["Transcribe"], limit: 1 })
      )
      yield* Expect.that("they take turns, while both have something", served.flat()).is(
        [1, 21, 2, 22, 3].map(jobId)
      )
    },
    *"gives slots to those who have less under way"() {
      yield* speech(1, 1, 20)
      yield* speech(2, 21, 5)
      yield* Expect.that(
        "the second catches up with the first",
        yield* claimIds(token, {
          kinds: ["Transcribe"],
          limit: 4,
          held: { Transcribe: { [workspaceId(1)]: 2 }, Deliver: { [workspaceId(2)]: 9 } }
        })
      ).is([1, 21, 22, 23].map(jobId))
    },
    *"leaves slots for others where attempts wait for hosts, and nowhere else"() {
      yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: 20 })
      const first = yield* claimIds(token, { kinds: ["Deliver"], limit: 8 })
      yield* Expect.that("one alone has half", first).is(upTo(4).map(jobId))
      const held = { Deliver: { [workspaceId(1)]: 4 } }
      yield* Expect.that(
        "and no more",
        yield* claimIds(second, { kinds: ["Deliver"], limit: 4, held })
      ).is([])
      yield* backlog({ kind: "Deliver", owner: 2, from: 31, count: 20 })
      yield* Expect.that(
        "another finds room",
        yield* claimIds(second, { kinds: ["Deliver"], limit: 4, held })
      ).is([31, 32].map(jobId))
      yield* speech(1, 61, 8)
      yield* Expect.that(
        "speech takes all there is",
        yield* claimIds(second, { kinds: ["Transcribe"], limit: 8 })
      ).is(upTo(8).map((number) => jobId(60 + number)))
    },
    *"keeps the lanes of workspaces apart"() {
      const host = () => "same"
      yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: 3, host })
      yield* backlog({ kind: "Deliver", owner: 2, from: 11, count: 3, host })
      yield* Expect.that(
        "the lane of one being full holds up no other",
        yield* claimIds(token, { lanes: fullLanes(["https://same.example.com"]) })
      ).is([11, 12, 13].map(jobId))
    },
    *"serves every workspace in turn, however long the queue is"() {
      const owners = 40
      yield* Effect.forEach(upTo(owners), (owner) => speech(owner, owner * 10, long / owners))
      const served = yield* Effect.forEach(upTo(owners / 4), (number) =>
        claimJobs(leaseToken(number), { kinds: ["Transcribe"], limit: 4 })
      )
      yield* Expect.that(
        "each once before anybody twice",
        served.flatMap((jobs) => jobs.map((job) => job.workspaceId)).sort()
      ).is(upTo(owners).map(workspaceId))
    },
    *"comes round to a workspace past any number that have nothing for it"() {
      const owners = 40
      const host = () => "same"
      // All their work goes to one host each, which takes no more.
      yield* Effect.forEach(upTo(owners), (owner) =>
        backlog({ kind: "Deliver", owner, from: owner * 10, count: long / owners, host })
      )
      yield* backlog({ kind: "Deliver", owner: owners + 1, from: 1_000, count: 1 })
      const busy = upTo(owners).map((owner) => `${workspaceId(owner)} https://same.example.com`)
      const lanes = { max: 4, taken: Object.fromEntries(busy.map((lane) => [lane, 4])) }
      const found = yield* Effect.forEach(upTo(3), (number) =>
        claimIds(leaseToken(number), { kinds: ["Deliver"], lanes, limit: 8 })
      )
      yield* Expect.that("it is found once", found.flat()).is([jobId(1_000)])
    },
    *"keeps to the limits of lanes, however long the queue is"() {
      const host = (number: number) => {
        if (number <= long) return "full"
        return number <= long + 6 ? "half" : "empty"
      }
      yield* backlog({ kind: "Deliver", owner: 1, from: 1, count: long + 12, host })
      const lane = (name: string) => webhookLane(`https://${name}.example.com/in`)
      const lanes = { max: 4, taken: takenLanes({ [lane("full")]: 4, [lane("half")]: 2 }) }
      const first = [1, 2, 7, 8, 9, 10].map((number) => jobId(long + number))
      yield* Expect.that(
        "what fits is found behind what does not",
        yield* claimIds(token, { kinds: ["Deliver"], lanes, limit: 100 })
      ).is(first)
    },
    *"tells of more while it has not looked at all that is due"(queue) {
      const owners = 40
      yield* Effect.forEach(upTo(owners), (owner) => speech(owner, owner * 10, long / owners))
      const room = { kinds: { Transcribe: 1_000 }, held: {}, lanes: fullLanes([]) }
      const given: Array<string> = []
      // Every claim gives out something, until one says that this was all.
      for (const number of upTo(owners)) {
        const { hasMore, jobs } = yield* queue.claim({ ...room, token: leaseToken(number) })
        given.push(...jobs.map(({ id }) => id))
        if (!hasMore) break
      }
      yield* Expect.that("all are given out then", given.length).is(long)
    }
  }
)
