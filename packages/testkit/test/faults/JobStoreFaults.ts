import { isTranscriptionEnded } from "@verbatim/core/job"
import { type Commit, JobStore, JobStoreError, type Stores } from "@verbatim/core/ports"
import type { Transcript } from "@verbatim/core/transcription"
import { Clock, DateTime, Effect, Option } from "effect"
import { doAfterRefusal, doBefore, type Fault, replacing, type Tables } from "./Fault.ts"

const superseded = new JobStoreError({ operation: "commit", reason: { _tag: "Superseded" } })

const charge = (
  { accounts, ledger }: Tables,
  key: `job:${string}`,
  { at, chargeMillis, next }: Commit
) => {
  const account = accounts.get(next.workspaceId)
  if (account === undefined || Option.isNone(chargeMillis)) return
  const millis = -chargeMillis.value
  ledger.set(key, { workspaceId: next.workspaceId, keyId: null, millis, at })
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
const committing = (alter: (change: Commit) => Commit) =>
  replacing(JobStore, ({ commit }) => ({ commit: (change) => commit(alter(change)) }))

export const jobStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "tells the time of a process whose clock is ahead",
    foundBy: "tells the time by which work is due",
    layer: replacing(JobStore, () => ({
      now: Effect.map(DateTime.now, (now) => DateTime.add(now, { seconds: 1 }))
    }))
  },
  {
    fault: "does not fence by the token",
    foundBy: "refuses the token of a lease that another claim took",
    layer: committing((change) => ({ ...change, token: Option.none() }))
  },
  {
    fault: "takes any token while somebody holds a lease",
    foundBy: "refuses a token that holds no lease on the job",
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: (change) => {
        const lease = work.get(change.next.id)?.lease
        return commit(lease ? { ...change, token: Option.some(lease.token) } : change)
      }
    }))
  },
  {
    fault: "loses an update: the revision is not compared",
    foundBy: "refuses a commit decided on an older revision, and writes nothing",
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: (change) => {
        const stored = jobs.get(change.next.id)?.job.revision ?? 0
        return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
      }
    }))
  },
  {
    fault: "compares the revision, then lets others write before it does",
    foundBy: "lets one of many commits on one revision win",
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: (change) =>
        Effect.gen(function* () {
          const seen = jobs.get(change.next.id)
          if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
          yield* Effect.yieldNow
          jobs.set(change.next.id, seen)
          return yield* commit(change)
        })
    }))
  },
  {
    fault: "refuses a lapsed lease that nobody took",
    foundBy: "accepts the token of a lapsed lease that nobody took",
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: (change) =>
        Effect.gen(function* () {
          const until = work.get(change.next.id)?.lease?.until
          const now = yield* Clock.currentTimeMillis
          if (until !== undefined && DateTime.toEpochMillis(until) <= now) return yield* superseded
          return yield* commit(change)
        })
    }))
  },
  {
    fault: "commits a job without its work",
    foundBy: "writes the work that a commit owes, with its kind, instant and lane",
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: (change) =>
        Effect.suspend(() => {
          const before = work.get(change.next.id)
          return Effect.tap(commit(change), () =>
            Effect.sync(() => before && work.set(change.next.id, before))
          )
        })
    }))
  },
  {
    fault: "keeps the work of a job that owes nothing",
    foundBy: "deletes the work when nothing is owed any more",
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: (change) => {
        const owed = work.get(change.next.id)?.work
        return commit({
          ...change,
          work: Option.orElse(change.work, () => Option.fromUndefinedOr(owed))
        })
      }
    }))
  },
  {
    fault: "inserts a job without its work",
    foundBy: "lets one of many inserts of one id win",
    layer: replacing(JobStore, ({ insert }) => ({
      insert: (creation) => insert({ ...creation, work: Option.none() })
    }))
  },
  {
    fault: "deletes the work of a job before it knows that it may",
    foundBy: "leaves the work as it was when a commit is refused",
    layer: replacing(JobStore, ({ commit }, { work }) => ({
      commit: doAfterRefusal(commit, ({ next }) => work.delete(next.id))
    }))
  },
  {
    fault: "never ends a lease by a commit",
    foundBy: "keeps the lease over a commit that goes on, and ends it otherwise",
    layer: committing((change) => ({ ...change, isLeaseKept: true }))
  },
  {
    fault: "ends the lease by every commit",
    foundBy: "keeps the lease over a commit that goes on, and ends it otherwise",
    layer: committing((change) => ({ ...change, isLeaseKept: false }))
  },
  {
    fault: "overwrites a job that is inserted again",
    foundBy: "refuses to insert an id again, and changes nothing",
    layer: replacing(JobStore, ({ insert }, { jobs }) => ({
      insert: doBefore(insert, (creation) => jobs.delete(creation.job.id))
    }))
  },
  {
    fault: "shows a job to every workspace",
    foundBy: "finds what was inserted, in its workspace only",
    layer: replacing(JobStore, (_, { jobs }) => ({
      find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
    }))
  },
  {
    fault: "keeps the caller's own list of events",
    foundBy: "leaves what was given and what was read as it was",
    layer: replacing(JobStore, ({ commit, history }) => {
      const given: Array<Commit["events"]> = []
      return {
        commit: (change) => {
          given.push(change.events)
          return commit(change)
        },
        history: (id) =>
          Effect.map(history(id), (entries) =>
            entries.map((entry, index) => ({ ...entry, events: given[index - 1] ?? entry.events }))
          )
      }
    })
  },
  {
    fault: "forgets the creation in the history",
    foundBy: "begins the history with the creation",
    layer: replacing(JobStore, ({ history }) => ({
      history: (id) => Effect.map(history(id), (entries) => entries.slice(1))
    }))
  },
  {
    fault: "keeps seconds, not milliseconds",
    foundBy: "keeps every commit in the history, which folds to the stored job",
    layer: committing((change) => ({ ...change, at: seconds(change.at) }))
  },
  {
    fault: "cuts transcripts inside characters",
    foundBy: "keeps a transcript of 20 MB",
    layer: replacing(JobStore, ({ transcript }) => ({
      transcript: (id) =>
        Effect.map(
          transcript(id),
          Option.map((whole) => inPieces(whole, 8_000_001))
        )
    }))
  },
  {
    fault: "forgets the transcript by a later commit",
    foundBy: "has no transcript before it was committed, and keeps it afterwards",
    layer: replacing(JobStore, ({ commit }, { jobs }) => ({
      commit: doBefore(commit, (change) => {
        const row = jobs.get(change.next.id)
        if (row) jobs.set(change.next.id, { ...row, transcript: Option.none() })
      })
    }))
  },
  {
    fault: "charges for every commit",
    foundBy: "charges a job once, however many commits charge it",
    layer: replacing(JobStore, ({ commit }, tables) => ({
      commit: (change) =>
        Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
          Effect.sync(() => charge(tables, `job:${change.next.id}/${change.next.revision}`, change))
        )
    }))
  },
  {
    fault: "charges before it knows that it may write",
    foundBy: "charges nothing by a commit without a charge or a refused one",
    layer: replacing(JobStore, ({ commit }, tables) => ({
      commit: doBefore(commit, (change) => charge(tables, `job:${change.next.id}`, change))
    }))
  },
  {
    fault: "refuses a commit whose charge was made before",
    foundBy: "writes the rest of a commit whose charge is a second one",
    layer: replacing(JobStore, ({ commit }, { ledger }) => ({
      commit: (change) =>
        Effect.suspend((): ReturnType<typeof commit> => {
          const isSecond = ledger.has(`job:${change.next.id}`)
          return isSecond ? superseded : commit(change)
        })
    }))
  },
  {
    fault: "does not see jobs whose transcription has ended",
    foundBy: "shows the jobs that are there, of whatever workspace",
    layer: replacing(JobStore, ({ present }) => ({
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
    }))
  }
]
