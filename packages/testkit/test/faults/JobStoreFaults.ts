import type { IdempotencyRecord } from "@verbatim/core/job"
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
  // Tells the time of a process whose clock is ahead.
  "tells the time by which work is due": () => ({
    now: Effect.map(DateTime.now, (now) => DateTime.add(now, { seconds: 1 }))
  }),
  // Does not fence by the token.
  "refuses the token of a lease that has ended: taken over, given back, or by a commit": committing(
    (change) => ({
      ...change,
      token: Option.none()
    })
  ),
  // Takes any token while somebody holds a lease.
  "refuses a token that holds no lease on the job": ({ commit }, { work }) => ({
    commit: (change) => {
      const lease = work.get(change.next.id)?.lease
      return commit(lease ? { ...change, token: Option.some(lease.token) } : change)
    }
  }),
  // Loses an update: the revision is not compared.
  "refuses a commit decided on an older revision, and writes nothing": ({ commit }, { jobs }) => ({
    commit: (change) => {
      const stored = jobs.get(change.next.id)?.job.revision ?? 0
      return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
    }
  }),
  // Compares the revision, then lets others write before it does.
  "lets one of many commits on one revision win": ({ commit }, { jobs }) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const seen = jobs.get(change.next.id)
        if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
        yield* Effect.yieldNow
        jobs.set(change.next.id, seen)
        return yield* commit(change)
      })
  }),
  // Refuses a lapsed lease that nobody took.
  "accepts the token of a lapsed lease that nobody took": ({ commit }, { work }) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const until = work.get(change.next.id)?.lease?.until
        const now = yield* Clock.currentTimeMillis
        if (until !== undefined && DateTime.toEpochMillis(until) <= now) return yield* superseded
        return yield* commit(change)
      })
  }),
  // Commits a job without its work.
  "writes the work that a commit owes, with its kind, instant and lane": (
    { commit },
    { work }
  ) => ({
    commit: (change) =>
      Effect.suspend(() => {
        const before = work.get(change.next.id)
        return Effect.tap(commit(change), () =>
          Effect.sync(() => before && work.set(change.next.id, before))
        )
      })
  }),
  // Inserts a job without its work.
  "lets one of many inserts of one id win": ({ insert }) => ({
    insert: (creation) => insert({ ...creation, work: Option.none() })
  }),
  // Never ends a lease by a commit.
  "keeps the lease over a commit that goes on, and ends it otherwise": committing((change) => ({
    ...change,
    isLeaseKept: true
  })),
  // Overwrites a job that is inserted again.
  "refuses to insert an id again, and changes nothing": ({ insert }, { jobs }) => ({
    insert: doBefore(insert, (creation) => jobs.delete(creation.job.id))
  }),
  // Shows a job to every workspace.
  "finds what was inserted, in its workspace only": (_, { jobs }) => ({
    find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
  }),
  // Forgets the creation in the history.
  "begins the history with the creation": ({ history }) => ({
    history: (id) => Effect.map(history(id), (entries) => entries.slice(1))
  }),
  // Keeps seconds, not milliseconds.
  "keeps every commit in the history, which folds to the stored job": committing((change) => ({
    ...change,
    at: seconds(change.at)
  })),
  // Cuts transcripts inside characters.
  "keeps a transcript of 20 MB": ({ transcript }) => ({
    transcript: (id) =>
      Effect.map(
        transcript(id),
        Option.map((whole) => inPieces(whole, 8_000_001))
      )
  }),
  // Forgets the transcript by a later commit.
  "has no transcript before it was committed, and keeps it afterwards": ({ commit }, { jobs }) => ({
    commit: doBefore(commit, (change) => {
      const row = jobs.get(change.next.id)
      if (row) jobs.set(change.next.id, { ...row, transcript: Option.none() })
    })
  }),
  // Charges for every commit.
  "charges a job once, however many commits charge it": ({ commit }, tables) => ({
    commit: (change) =>
      Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
        Effect.sync(() => charge(tables, `job:${change.next.id}/${change.next.revision}`, change))
      )
  }),
  // Charges before it knows that it may write.
  "charges nothing by a commit without a charge or a refused one": ({ commit }, tables) => ({
    commit: doBefore(commit, (change) => charge(tables, `job:${change.next.id}`, change))
  })
})

export const jobBesideFaults = plantFaults(JobStore, {
  // Keeps the body of an earlier delivery.
  "keeps the body that a webhook sent, until it is forgotten": ({ commit, keptBody }) => ({
    commit: (change) =>
      Effect.flatMap(keptBody(change.next.id), (kept) =>
        commit(Option.isSome(kept) ? { ...change, body: Option.none() } : change)
      )
  }),
  // Leaves the text of a summary in the history.
  "takes away the text of a job, also where its history repeats it, and nothing else": ({
    commit
  }) => ({
    commit: (change) =>
      commit(change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } })
  }),
  // Belongs to the media store that came last.
  "has no media store at first, and then the first of many that come at once": ({
    adoptMedia
  }) => ({
    adoptMedia: ({ marker }) => adoptMedia({ marker, isReplacing: true })
  }),
  // Has another identity once it has a media store.
  "has one identity and one birth, and is no copy of itself": ({ mediaMark }) => ({
    mediaMark: Effect.map(mediaMark, (mark) =>
      Option.isNone(mark.marker) ? mark : { ...mark, identity: "another" }
    )
  })
})

export const sharedWriteFaults = plantFaults(JobStore, {
  // Tells whoever comes together with a key that stands of its record.
  "answers each of many requests at once for itself, whatever their keys": ({ insert }) => {
    let told = Option.none<IdempotencyRecord>()
    return {
      insert: (creation) =>
        Effect.gen(function* () {
          const earlier = yield* insert(creation)
          if (Option.isSome(earlier)) told = earlier
          yield* Effect.yieldNow
          return Option.isSome(creation.idempotency) ? told : earlier
        })
    }
  }
})

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

/** A store that looks at the number of rows in a table, whoever and whatever inserts. */
const countRows =
  (table: "jobs" | "work"): Replacement<JobStore["Service"]> =>
  ({ insert }, tables) => ({
    insert: (creation) =>
      Effect.suspend((): ReturnType<typeof insert> => {
        const isFull = tables[table].size >= max(creation.unfinishedMax?.workspace)
        return isFull ? full : insert(creation)
      })
  })

export const roomFaults = plantFaults(JobStore, {
  // Counts, then lets others insert before it does.
  "lets no more jobs be unfinished than may be, of many inserted at once, and no fewer": (
    { insert },
    { work }
  ) => ({
    insert: ({ unfinishedMax, ...creation }) =>
      Effect.gen(function* () {
        const isFull = work.size >= max(unfinishedMax?.workspace)
        yield* Effect.yieldNow
        return yield* isFull ? full : insert(creation)
      })
  }),
  // Counts jobs that have ended.
  "has room again when a job has ended, whatever has ended before": countRows("jobs"),
  // Counts the jobs of all workspaces.
  "answers each of many inserts at once by its own limit": countRows("work"),
  // Refuses a repeat where there is no room.
  "answers a repeat as ever where there is no room": countRows("work"),
  // Takes the key of a job that there is no room for.
  "writes nothing of a job that there is no room for": ({ insert }, { idempotency }) => ({
    insert: doAfterRefusal(insert, ({ idempotency: given, job }) => {
      const record = Option.getOrUndefined(given)
      if (record) idempotency.set(`${job.workspaceId}/${record.key}`, record)
    })
  }),
  // Counts on beyond what is asked for.
  "counts the jobs that owe work, of a workspace or of a key, up to a number": ({
    unfinished
  }) => ({
    unfinished: (query) => unfinished({ ...query, countMax: 1_000 })
  })
})
