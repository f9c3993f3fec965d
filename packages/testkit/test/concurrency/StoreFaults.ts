/** Faults in the memory adapter that show only when several writers collide. */
import type { JobId } from "@verbatim/core/attempt"
import {
  type Creation,
  JobStore,
  JobStoreError,
  PresetStore,
  PresetStoreError,
  type Stores,
  WorkQueue
} from "@verbatim/core/ports"
import { Effect, type Layer, Option } from "effect"
import { replacing } from "../faults/Fault.ts"

/** A broken adapter, and the violation that the judge reports for it. */
export interface StoreFault {
  readonly fault: string
  readonly sentence: RegExp
  readonly layer: Layer.Layer<Stores>
}

/**
 * Whether to lose the answer, which happens for one in eight requests with a key, depending on the
 * job's number.
 */
const isLost = ({ idempotency, job }: Creation): boolean =>
  Option.isSome(idempotency) && Number.parseInt(job.id.slice(-1), 16) % 8 === 3

const lostAnswer = Effect.fail(
  new JobStoreError({
    operation: "insert",
    reason: JobStoreError.fields.reason.cases.Unavailable.make({ cause: "lost" })
  })
)

const superseded = new PresetStoreError({ operation: "write", reason: { _tag: "Superseded" } })

export const storeFaults: ReadonlyArray<StoreFault> = [
  {
    fault: "gives one commit's answer to every concurrent commit of its job",
    sentence: /was reported written, but its history lacks it/,
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: (change) => {
        const before = jobs.get(change.next.id)?.job.revision
        // Makes other commits to the same job in between, as if all commits shared one statement.
        return Effect.andThen(Effect.yieldNow, commit(change)).pipe(
          Effect.catchIf(
            () => before !== jobs.get(change.next.id)?.job.revision,
            () => Effect.void
          )
        )
      }
    }))
  },
  {
    fault: "writes a job without the record of its key, and loses the answer",
    sentence: /about key .* fit no order.*, and #\d+ saw it done/s,
    layer: replacing(JobStore, ({ insert }) => ({
      insert: (creation) =>
        isLost(creation)
          ? Effect.andThen(insert({ ...creation, idempotency: Option.none() }), lostAnswer)
          : insert(creation)
    }))
  },
  {
    fault: "renews leases that are lost",
    sentence: /a renewal was answered wrongly/,
    layer: replacing(WorkQueue, ({ renew }) => ({
      renew: (leases) =>
        Effect.as(renew(leases), {
          extended: new Set(leases.map(({ jobId }) => jobId)),
          busy: new Set<JobId>()
        })
    }))
  },
  {
    fault: "sometimes loses a charge",
    sentence: /was charged wrongly: nothing/,
    layer: replacing(JobStore, ({ commit }) => {
      let count = 0
      return {
        commit: (change) => {
          count += 1
          return commit(count % 10 === 0 ? { ...change, chargeMillis: Option.none() } : change)
        }
      }
    })
  },
  {
    fault: "moves a label in spite of its protection",
    sentence: /about preset .* fit no order/,
    layer: replacing(PresetStore, ({ revise }) => ({
      revise: (revision) => revise({ ...revision, freeLabels: [] })
    }))
  },
  {
    fault: "refuses every revision of a preset",
    sentence: /preset may never be refused with Superseded/,
    layer: replacing(PresetStore, () => ({ revise: () => Effect.fail(superseded) }))
  }
]
