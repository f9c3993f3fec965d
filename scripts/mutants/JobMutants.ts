/** Faults in what happens to jobs once they are there: keys, deletions, redeliveries, lists. */
import { deliveries, jobStore, repeats } from "./Files.ts"
import { core, type Mutant, memory } from "./Mutant.ts"

export const jobMutants: ReadonlyArray<Mutant> = [
  {
    fault: "an idempotency record is written after the transaction",
    file: jobStore,
    text: "(creation) => insert(tables, creation))",
    instead: `(creation) =>
        Effect.tap(insert(tables, { ...creation, idempotency: Option.none() }), () =>
          Effect.delay(
            Effect.sync(() => {
              const record = Option.getOrUndefined(creation.idempotency)
              if (record === undefined) return
              tables.idempotency.set(keyOf(creation.job.workspaceId, record.key), record)
            }),
            "20 millis"
          )
        )
      )`
  },
  {
    fault: "the fingerprint of a repeat is ignored",
    file: repeats,
    text: "first.fingerprint !== fingerprint",
    instead: 'first.fingerprint === ""'
  },
  {
    fault: "a key is looked up, but its record does not fence the insertion",
    file: jobStore,
    text: "return Effect.succeed(earlier)",
    instead: "idempotency.set(key, record)"
  },
  {
    fault: "a key stands for its job for 22 hours",
    file: core("domain/idempotency/IdempotencyKey.ts"),
    text: "Duration.hours(24)",
    instead: "Duration.hours(22)"
  },
  {
    fault: "a key stands for its job for two days",
    file: core("domain/idempotency/IdempotencyKey.ts"),
    text: "Duration.hours(24)",
    instead: "Duration.hours(48)"
  },
  {
    fault: "a deletion leaves the work",
    file: memory("MemoryChanges.ts"),
    text: "  tables.jobs.delete(id)\n  tables.work.delete(id)",
    instead: "  tables.jobs.delete(id)"
  },
  {
    fault: "a deletion gives the charge back",
    file: jobStore,
    text: "removeJob(tables, row.job, now)",
    instead: `const charged = tables.ledger.get(\`job:\${id}\`)?.millis ?? 0
    book(tables, { workspaceId, millis: -charged, reason: { _tag: "Credit", creditId: id } })
    removeJob(tables, row.job, now)`
  },
  {
    fault: "a deletion is open to every workspace",
    file: jobStore,
    text: "row?.job.workspaceId !== workspaceId",
    instead: "row === undefined"
  },
  {
    fault: "a job that is deleted between two reads is shown without its transcript",
    file: core("services/JobRecords.ts"),
    text: "return Option.isNone(found) ? yield* new RequestNotFound() : found",
    instead: "return found"
  },
  {
    fault: "a job that is deleted between two looks has an empty history",
    file: core("services/JobRecords.ts"),
    text: "return entries.length === 0 ? yield* new RequestNotFound() : entries",
    instead: "return entries",
    tests: ["packages/core/test/services/JobRemovals.test.ts"]
  },
  {
    fault: "a redelivery has the webhook-id of the first delivery",
    file: core("domain/job/Job.ts"),
    text: "newDelivery({ ...event, receiver: job.delivery.receiver })",
    instead: "newDelivery({ ...event, id: job.delivery.id, receiver: job.delivery.receiver })"
  },
  {
    fault: "a redelivery owes no work",
    file: core("services/Commits.ts"),
    text: "work: owedWork(next),",
    instead: "work: Option.isSome(change.token) ? owedWork(next) : Option.none(),"
  },
  {
    fault: "the cursor of a list is one too early",
    file: core("domain/job/JobListing.ts"),
    text: "(jobs.at(-1)?.id ?? null)",
    instead: "(jobs.at(-2)?.id ?? null)"
  },
  {
    fault: "a page begins with the last job of the page before",
    file: jobStore,
    text: "job.id < after.value",
    instead: "job.id <= after.value"
  },
  {
    fault: "a list shows the jobs of every workspace",
    file: jobStore,
    text: "job.workspaceId === query.workspaceId &&",
    instead: "(job.workspaceId === query.workspaceId || job.workspaceId !== query.workspaceId) &&"
  },
  {
    fault: "a webhook is signed under the secrets of every workspace",
    file: memory("MemoryWorkspaceStore.ts"),
    text: ".filter(({ workspaceId }) => workspaceId === id)",
    instead: ".filter(({ workspaceId }) => workspaceId !== undefined || id === undefined)"
  },
  {
    fault: "a secret that was taken away goes on signing",
    file: memory("MemoryWorkspaceStore.ts"),
    text: "secrets.get(secretId)?.workspaceId === id && secrets.delete(secretId)",
    instead: "secrets.get(secretId)?.workspaceId === id"
  },
  {
    fault: "only the oldest secret signs",
    file: deliveries,
    text: "own.map(({ secret }) => secret)",
    instead: "own.slice(0, 1).map(({ secret }) => secret)"
  },
  {
    fault: "a workspace with a secret is signed for by the operator",
    file: deliveries,
    text: "own.length === 0 ? defaults",
    instead: "own.length === 0 || defaults.length > 0 ? defaults"
  },
  {
    fault: "a worker signs once",
    file: core("worker/Presence.ts"),
    text: "repeatEvery(signInterval)",
    instead: "Effect.repeat({ times: 0 })"
  },
  {
    fault: "a sign that fails is the last one",
    file: core("worker/Presence.ts"),
    text: `Effect.catchCause((cause) => Effect.logDebug("A worker could not sign", cause)),
        repeatEvery(signInterval),`,
    instead: `repeatEvery(signInterval),
        Effect.catchCause((cause) => Effect.logDebug("A worker could not sign", cause)),`
  }
]
