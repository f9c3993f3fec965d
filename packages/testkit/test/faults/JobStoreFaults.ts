import { isTranscriptionEnded } from "@verbatim/core/job"
import { type Commit, JobStore, JobStoreError } from "@verbatim/core/ports"
import type { Transcript } from "@verbatim/core/transcription"
import { Clock, DateTime, Effect, Option } from "effect"
import { doAfterRefusal, doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"

const superseded = new JobStoreError({ operation: "commit", reason: { _tag: "Superseded" } })

const charge = (
  { accounts, ledger }: Tables,
  key: `job:${string}`,
  { at, chargeMillis, next }: Commit
) => {
  const account = accounts.get(next.workspaceId)
  if (account === undefined || Option.isNone(chargeMillis)) return
  const millis = -chargeMillis.value
  const reason = { _tag: "Charge", jobId: next.id, keyId: null } as const
  ledger.set(key, { place: ledger.size + 1, workspaceId: next.workspaceId, at, millis, reason })
  accounts.set(next.workspaceId, {
    ...account,
    balanceMillis: account.balanceMillis + millis
  })
}

/** Through bytes and back in pieces of that length, each decoded by itself. */
const inPieces = (transcript: Transcript, length: number): Transcript => {
  const bytes = new TextEncoder().encode(JSON.stringify(transcript))
  let text = ""
  for (let at = 0; at < bytes.length; at += length) {
    text += new TextDecoder().decode(bytes.slice(at, at + length))
  }
  return JSON.parse(text)
}

const seconds = (instant: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(instant) / 1_000) * 1_000)

/** The memory adapter that commits something else than it is given. */
const committing =
  (alter: (change: Commit) => Commit): Replacement<JobStore["Service"]> =>
  ({ commit }) => ({ commit: (change) => commit(alter(change)) })

export const jobStoreFaults = plantFaults(JobStore, {
  "tells the time by which work is due": {
    "tells the time of a process whose clock is ahead": () => ({
      now: Effect.map(DateTime.now, (now) => DateTime.add(now, { seconds: 1 }))
    })
  },
  "refuses the token of a lease that another claim took": {
    "does not fence by the token": committing((change) => ({ ...change, token: Option.none() }))
  },
  "refuses a token that holds no lease on the job": {
    "takes any token while somebody holds a lease": ({ commit }, { work }) => ({
      commit: (change) => {
        const lease = work.get(change.next.id)?.lease
        return commit(lease ? { ...change, token: Option.some(lease.token) } : change)
      }
    })
  },
  "refuses a commit decided on an older revision, and writes nothing": {
    "loses an update: the revision is not compared": ({ commit }, { jobs }) => ({
      commit: (change) => {
        const stored = jobs.get(change.next.id)?.job.revision ?? 0
        return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
      }
    })
  },
  "lets one of many commits on one revision win": {
    "compares the revision, then lets others write before it does": ({ commit }, { jobs }) => ({
      commit: (change) =>
        Effect.gen(function* () {
          const seen = jobs.get(change.next.id)
          if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
          yield* Effect.yieldNow
          jobs.set(change.next.id, seen)
          return yield* commit(change)
        })
    })
  },
  "accepts the token of a lapsed lease that nobody took": {
    "refuses a lapsed lease that nobody took": ({ commit }, { work }) => ({
      commit: (change) =>
        Effect.gen(function* () {
          const until = work.get(change.next.id)?.lease?.until
          const now = yield* Clock.currentTimeMillis
          if (until !== undefined && DateTime.toEpochMillis(until) <= now) return yield* superseded
          return yield* commit(change)
        })
    })
  },
  "writes the work that a commit owes, with its kind, instant and lane": {
    "commits a job without its work": ({ commit }, { work }) => ({
      commit: (change) =>
        Effect.suspend(() => {
          const before = work.get(change.next.id)
          return Effect.tap(commit(change), () =>
            Effect.sync(() => before && work.set(change.next.id, before))
          )
        })
    })
  },
  "deletes the work when nothing is owed any more": {
    "keeps the work of a job that owes nothing": ({ commit }, { work }) => ({
      commit: (change) => {
        const owed = work.get(change.next.id)?.work
        return commit({
          ...change,
          work: Option.orElse(change.work, () => Option.fromUndefinedOr(owed))
        })
      }
    })
  },
  "lets one of many inserts of one id win": {
    "inserts a job without its work": ({ insert }) => ({
      insert: (creation) => insert({ ...creation, work: Option.none() })
    })
  },
  "leaves the work as it was when a commit is refused": {
    "deletes the work of a job before it knows that it may": ({ commit }, { work }) => ({
      commit: doAfterRefusal(commit, ({ next }) => work.delete(next.id))
    })
  },
  "keeps the lease over a commit that goes on, and ends it otherwise": {
    "never ends a lease by a commit": committing((change) => ({ ...change, isLeaseKept: true }))
  },
  "refuses to insert an id again, and changes nothing": {
    "overwrites a job that is inserted again": ({ insert }, { jobs }) => ({
      insert: doBefore(insert, (creation) => jobs.delete(creation.job.id))
    })
  },
  "finds what was inserted, in its workspace only": {
    "shows a job to every workspace": (_, { jobs }) => ({
      find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
    })
  },
  "begins the history with the creation": {
    "forgets the creation in the history": ({ history }) => ({
      history: (id) => Effect.map(history(id), (entries) => entries.slice(1))
    })
  },
  "keeps every commit in the history, which folds to the stored job": {
    "keeps seconds, not milliseconds": committing((change) => ({
      ...change,
      at: seconds(change.at)
    }))
  },
  "keeps a transcript of 20 MB": {
    "cuts transcripts inside characters": ({ transcript }) => ({
      transcript: (id) =>
        Effect.map(
          transcript(id),
          Option.map((whole) => inPieces(whole, 8_000_001))
        )
    })
  },
  "has no transcript before it was committed, and keeps it afterwards": {
    "forgets the transcript by a later commit": ({ commit }, { jobs }) => ({
      commit: doBefore(commit, (change) => {
        const row = jobs.get(change.next.id)
        if (row) jobs.set(change.next.id, { ...row, transcript: Option.none() })
      })
    })
  },
  "charges a job once, however many commits charge it": {
    "charges for every commit": ({ commit }, tables) => ({
      commit: (change) =>
        Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
          Effect.sync(() => charge(tables, `job:${change.next.id}/${change.next.revision}`, change))
        )
    })
  },
  "charges nothing by a commit without a charge or a refused one": {
    "charges before it knows that it may write": ({ commit }, tables) => ({
      commit: doBefore(commit, (change) => charge(tables, `job:${change.next.id}`, change))
    })
  },
  "writes the rest of a commit whose charge is a second one": {
    "refuses a commit whose charge was made before": ({ commit }, { ledger }) => ({
      commit: (change) =>
        Effect.suspend((): ReturnType<typeof commit> => {
          const isSecond = ledger.has(`job:${change.next.id}`)
          return isSecond ? superseded : commit(change)
        })
    })
  },
  "shows the jobs that are there, of whatever workspace": {
    "does not see jobs whose transcription has ended": ({ present }) => ({
      present: (ids) =>
        Effect.map(
          present(ids),
          (found) =>
            new Map(
              [...found].filter(([, job]) =>
                Option.exists(job, (each) => !isTranscriptionEnded(each))
              )
            )
        )
    })
  }
})
