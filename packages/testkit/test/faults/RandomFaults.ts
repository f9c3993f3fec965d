/**
 * Faults in the in-memory adapter that random concurrent calls find. Each key says what the store
 * does wrong.
 */
import {
  type Commit,
  type Creation,
  JobStore,
  JobStoreError,
  PresetStore,
  PresetStoreError,
  type Revision,
  WorkQueue
} from "@verbatim/core/ports"
import type { Preset } from "@verbatim/core/preset"
import { DateTime, Effect, Option } from "effect"
import { replaceEach, type Tables } from "./Fault.ts"

const superseded = new JobStoreError({ operation: "commit", reason: { _tag: "Superseded" } })

const charge = ({ accounts, ledger }: Tables, { at, chargeMillis, next }: Commit) => {
  const account = accounts.get(next.workspaceId)
  if (account === undefined || Option.isNone(chargeMillis)) return
  const millis = -chargeMillis.value
  const reason = { _tag: "Charge", jobId: next.id, keyId: null } as const
  const { workspaceId } = next
  const line = { ordinal: ledger.size + 1, workspaceId, at, millis, reason }
  ledger.set(`job:${next.id}/${next.revision}`, line)
  accounts.set(workspaceId, { ...account, balanceMillis: account.balanceMillis + millis })
}

/**
 * Whether the response is lost, as for one in eight requests with an idempotency key. The job's id
 * decides.
 */
const isLost = ({ idempotency, job }: Creation): boolean =>
  Option.isSome(idempotency) && Number.parseInt(job.id.slice(-1), 16) % 8 === 3

const lostAnswer = Effect.fail(
  new JobStoreError({ operation: "insert", reason: { _tag: "Unavailable", cause: "lost" } })
)

const jobFaults = replaceEach(JobStore, {
  "does not check a lease's token": ({ commit }) => ({
    commit: (change) => commit({ ...change, token: Option.none() })
  }),
  "compares a job's revision, but then lets other callers write first": ({ commit }, { jobs }) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const seen = jobs.get(change.next.id)
        if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
        yield* Effect.yieldNow
        jobs.set(change.next.id, seen)
        return yield* commit(change)
      })
  }),
  "books a charge for every commit": ({ commit }, tables) => ({
    commit: (change) =>
      Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
        Effect.sync(() => charge(tables, change))
      )
  }),
  "sometimes loses a charge": ({ commit }) => {
    let count = 0
    return {
      commit: (change) => {
        count += 1
        return commit(count % 10 === 0 ? { ...change, chargeMillis: Option.none() } : change)
      }
    }
  },
  "inserts a job before it looks up its key": ({ insert }) => ({
    insert: (creation) =>
      Effect.flatMap(insert({ ...creation, idempotency: Option.none() }), () =>
        Effect.catch(insert(creation), () => Effect.succeedNone)
      )
  }),
  "writes a job without its key's record, and loses the response": ({ insert }) => ({
    insert: (creation) =>
      isLost(creation)
        ? Effect.andThen(insert({ ...creation, idempotency: Option.none() }), lostAnswer)
        : insert(creation)
  }),
  "gives one commit's answer to every concurrent commit to the same job": (
    { commit },
    { jobs }
  ) => ({
    commit: (change) => {
      const before = jobs.get(change.next.id)?.job.revision
      // Lets other commits to the same job go first, and accepts their outcome, as if all commits
      // shared one statement.
      return Effect.andThen(Effect.yieldNow, commit(change)).pipe(
        Effect.catchIf(
          () => before !== jobs.get(change.next.id)?.job.revision,
          () => Effect.void
        )
      )
    }
  })
})

const stored = ({ presets }: Tables, { next }: Revision): Preset | undefined => presets.get(next.id)

/** Returns a change that states the current revision instead of the one that it is based on. */
const unfenced = (tables: Tables, revision: Revision): Revision => ({
  ...revision,
  expectedRevision: stored(tables, revision)?.revision ?? revision.expectedRevision
})

/** Checks the revision, lets other callers write, and then overwrites their changes. */
const reviseLate =
  (revise: PresetStore["Service"]["revise"], tables: Tables): typeof revise =>
  (revision) =>
    Effect.gen(function* () {
      if (stored(tables, revision)?.revision !== revision.expectedRevision) {
        return yield* revise(revision)
      }
      yield* Effect.yieldNow
      yield* revise(unfenced(tables, revision))
    })

const presetFaults = replaceEach(PresetStore, {
  "shows a preset before its new version can be read": ({ append }, { versions }) => ({
    append: (draft) =>
      Effect.gen(function* () {
        const answer = yield* append(draft)
        const whole = versions.get(answer.preset.id) ?? []
        versions.set(answer.preset.id, whole.slice(0, -1))
        yield* Effect.yieldNow
        versions.set(answer.preset.id, whole)
        return answer
      })
  }),
  "changes a preset without comparing the revision": ({ revise }, tables) => ({
    revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
  }),
  "compares a preset's revision, but then lets other callers write first": (
    { revise },
    tables
  ) => ({ revise: reviseLate(revise, tables) }),
  "loses a version added between the read and the write of a change": ({ revise }, tables) => ({
    revise: (revision) =>
      Effect.tap(reviseLate(revise, tables)(revision), () =>
        Effect.sync(() => tables.presets.set(revision.next.id, revision.next))
      )
  }),
  "refuses every revision": () => ({
    revise: () => new PresetStoreError({ operation: "revise", reason: { _tag: "Superseded" } })
  }),
  "reads a key's record before other callers write": ({ append, made }, { presetKeys }) => ({
    append: (draft) =>
      Effect.gen(function* () {
        if (Option.isNone(draft.request)) return yield* append(draft)
        const { fingerprint, key } = draft.request.value
        const first = yield* made(draft.workspaceId, key)
        if (Option.isSome(first)) return yield* append(draft)
        yield* Effect.yieldNow
        const answer = yield* append({ ...draft, request: Option.none() })
        const record = { fingerprint, versionId: draft.versionId, at: yield* DateTime.now }
        presetKeys.set(`${draft.workspaceId}/${key}`, record)
        return answer
      })
  })
})

const queueFaults = replaceEach(WorkQueue, {
  "renews every lease": () => ({
    renew: (leases) =>
      Effect.succeed({ extended: new Set(leases.map(({ jobId }) => jobId)), busy: new Set() })
  }),
  "releases a lease without checking the token": (_, { work }) => ({
    release: (leases) =>
      Effect.sync(() => {
        for (const { jobId } of leases) {
          const row = work.get(jobId)
          if (row) work.set(jobId, { ...row, lease: null })
        }
      })
  })
})

export const randomFaults = { ...jobFaults, ...queueFaults, ...presetFaults }
