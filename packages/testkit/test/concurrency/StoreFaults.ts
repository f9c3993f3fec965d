/** Faults of stores that show only when several writers meet, planted into the memory adapter. */
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
import { DateTime, Effect, type Layer, Option } from "effect"
import { replacing } from "../faults/Fault.ts"

/** A broken adapter, and what the judge says about it. */
export interface StoreFault {
  readonly fault: string
  readonly sentence: RegExp
  readonly layer: Layer.Layer<Stores>
}

/** One in eight of the requests with a key, by the number of its job. */
const isLost = ({ idempotency, job }: Creation): boolean =>
  Option.isSome(idempotency) && Number.parseInt(job.id.slice(-1), 16) % 8 === 3

const lostAnswer = Effect.fail(
  new JobStoreError({
    operation: "insert",
    reason: JobStoreError.fields.reason.cases.Unavailable.make({ cause: "lost" })
  })
)

export const storeFaults: ReadonlyArray<StoreFault> = [
  {
    fault: "answers each commit for its job, whoever of those under way wrote it",
    sentence: /was reported written, but its history lacks it/,
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: (change) => {
        const before = jobs.get(change.next.id)?.job.revision
        // The others of the same job come in between, as they do in one statement.
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
    fault: "sweeps away the record of a key that is in use",
    sentence: /two jobs were made under key/,
    layer: replacing(JobStore, ({ insert }, { idempotency }) => ({
      insert: (creation) =>
        Effect.tap(insert(creation), () =>
          Effect.sync(() => {
            const [oldest] = idempotency.keys()
            if (oldest !== undefined && idempotency.size > 20) idempotency.delete(oldest)
          })
        )
    }))
  },
  {
    fault: "writes a job without the record of its key, and loses the answer",
    sentence: /about key .* fits no order.*, and #\d+ saw it done/s,
    layer: replacing(JobStore, ({ insert }) => ({
      insert: (creation) =>
        isLost(creation)
          ? Effect.andThen(insert({ ...creation, idempotency: Option.none() }), lostAnswer)
          : insert(creation)
    }))
  },
  {
    fault: "writes the record of a key without its job, and loses the answer",
    sentence: /about job .* fits no order.*, and #\d+ saw it done/s,
    layer: replacing(JobStore, ({ insert, remove }) => ({
      insert: (creation) =>
        isLost(creation)
          ? insert(creation).pipe(
              Effect.andThen(remove(creation.job.workspaceId, creation.job.id)),
              Effect.andThen(lostAnswer)
            )
          : insert(creation)
    }))
  },
  {
    fault: "commits under any token",
    sentence: /fits no order of its operations/,
    layer: replacing(JobStore, ({ commit }) => ({
      commit: (change) => commit({ ...change, token: Option.none() })
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
    fault: "answers every renewal busy",
    sentence: /a renewal was answered busy about job \d+, whose row nobody held/,
    layer: replacing(WorkQueue, ({ renew }) => ({
      renew: (leases) =>
        Effect.map(renew(leases), ({ busy, extended }) => ({
          extended: new Set<JobId>(),
          busy: new Set([...busy, ...extended])
        }))
    }))
  },
  {
    fault: "gives out work without looking again whether somebody has it",
    sentence: /a claim gave out job/,
    layer: replacing(WorkQueue, ({ claim }, { work }) => ({
      claim: (request) =>
        Effect.suspend(() => {
          for (const [id, row] of work) {
            if (row.lease !== null) {
              const until = DateTime.makeUnsafe(0)
              work.set(id, { ...row, lease: { ...row.lease, until } })
              break
            }
          }
          return claim(request)
        })
    }))
  },
  {
    fault: "loses a charge now and then",
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
    fault: "keeps the work, and the lease, that a job had before a commit",
    sentence: /a claim gave out job|fits no order of its operations|owes work/,
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: (change) => {
        const row = work.get(change.next.id)
        return Effect.tap(commit(change), () =>
          Effect.sync(() => row !== undefined && work.set(change.next.id, row))
        )
      }
    }))
  },
  {
    fault: "revises a preset whatever its revision is",
    sentence: /about preset .* fits no order/,
    layer: replacing(PresetStore, ({ revise }, { presets }) => ({
      revise: (revision) => {
        const expectedRevision =
          presets.get(revision.next.id)?.revision ?? revision.expectedRevision
        return revise({ ...revision, expectedRevision })
      }
    }))
  },
  {
    fault: "moves a label in spite of its protection",
    sentence: /about preset .* fits no order/,
    layer: replacing(PresetStore, ({ revise }) => ({
      revise: (revision) => revise({ ...revision, freeLabels: [] })
    }))
  },
  {
    fault: "refuses to move a label whose protection is lifted",
    sentence: /about preset .* fits no order/,
    layer: replacing(PresetStore, ({ revise, unprotect }) => {
      const known = new Set<string>()
      return {
        unprotect: (workspaceId, label) =>
          Effect.tap(unprotect(workspaceId, label), () => Effect.sync(() => known.add(label))),
        revise: (revision) => {
          const isRefused = revision.freeLabels?.some((label) => known.has(label)) === true
          const reason = PresetStoreError.fields.reason.cases.Superseded.make({})
          return isRefused
            ? Effect.fail(new PresetStoreError({ operation: "revise", reason }))
            : revise(revision)
        }
      }
    })
  },
  {
    fault: "keeps no history of the labels that are removed",
    sentence: /about preset .* fits no order/,
    layer: replacing(PresetStore, ({ revise }) => ({
      revise: ({ label, ...revision }) =>
        revise(label?.to === null ? revision : { ...revision, label })
    }))
  },
  {
    fault: "forgets the labels of a preset when a version is added",
    sentence: /about preset .* fits no order/,
    layer: replacing(PresetStore, ({ append }, { presets }) => ({
      append: (draft) =>
        Effect.map(append(draft), ({ preset, version }) => {
          const bare = { ...preset, labels: {} }
          presets.set(preset.id, bare)
          return { preset: bare, version }
        })
    }))
  },
  {
    fault: "refuses versions without a key because of their key",
    sentence: /preset may never be refused with KeyTaken/,
    layer: replacing(PresetStore, ({ append }) => {
      const reason = PresetStoreError.fields.reason.cases.KeyTaken.make({})
      let count = 0
      return {
        append: (draft) => {
          count += 1
          return count % 3 === 0
            ? Effect.fail(new PresetStoreError({ operation: "append", reason }))
            : append(draft)
        }
      }
    })
  }
]
