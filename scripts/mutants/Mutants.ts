/** Faults put into the code, each as one replaced text, and what must find it. */

import { consoleMutants } from "./ConsoleMutants.ts"
import { correctionMutants } from "./CorrectionMutants.ts"
import { debtMutants } from "./DebtMutants.ts"
import { feedMutants } from "./FeedMutants.ts"
import { commits, deliveries, delivery, jobStore, verdict } from "./Files.ts"
import { hookMutants } from "./HookMutants.ts"
import { jobMutants } from "./JobMutants.ts"
import { keywordMutants } from "./KeywordMutants.ts"
import { labelMutants } from "./LabelMutants.ts"
import { largeMutants } from "./LargeMutants.ts"
import { mediaMutants } from "./MediaMutants.ts"
import { core, type Mutant, memory } from "./Mutant.ts"
import { noticeMutants } from "./NoticeMutants.ts"
import { pinMutants } from "./PinMutants.ts"
import { recoveryMutants } from "./RecoveryMutants.ts"
import { repeatMutants } from "./RepeatMutants.ts"
import { schemaMutants } from "./SchemaMutants.ts"
import { sharedWorkMutants } from "./SharedWorkMutants.ts"
import { tenantMutants } from "./TenantMutants.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...jobMutants,
  ...sharedWorkMutants,
  ...schemaMutants,
  ...mediaMutants,
  ...noticeMutants,
  ...labelMutants,
  ...hookMutants,
  ...largeMutants,
  ...recoveryMutants,
  ...repeatMutants,
  ...tenantMutants,
  ...pinMutants,
  ...correctionMutants,
  ...feedMutants,
  ...keywordMutants,
  ...consoleMutants,
  ...debtMutants,
  {
    fault: "a webhook is tried again after 59 seconds",
    file: verdict,
    text: "delay: Duration.seconds(60)",
    instead: "delay: Duration.seconds(59)"
  },
  {
    fault: "a lost webhook is sent again after 40 seconds",
    file: verdict,
    text: "lostDelay: Duration.seconds(90)",
    instead: "lostDelay: Duration.seconds(40)"
  },
  {
    fault: "attempts are one too many",
    file: verdict,
    text: "attempt >= policy.attemptMax",
    instead: "attempt > policy.attemptMax"
  },
  {
    fault: "no failure is tried again",
    file: verdict,
    text: "!isTransient(failure) ||",
    instead: "true ||"
  },
  {
    fault: "the balance of a webhook is not frozen",
    file: delivery,
    text: "frozen: frozenOf(state) ?? event.frozen",
    instead: "frozen: event.frozen"
  },
  {
    fault: "an attempt that failed is not counted",
    file: delivery,
    text: "Waiting.make({ id, receiver, attempts: attempt, dueAt, frozen })",
    instead: "Waiting.make({ id, receiver, attempts: attempt - 1, dueAt, frozen })"
  },
  {
    fault: "a redirect is taken for success",
    file: deliveries,
    text: "status > 299",
    instead: "status > 399"
  },
  {
    fault: "every attempt has a new webhook-id",
    file: deliveries,
    text: '"webhook-id": id,',
    instead: '"webhook-id": id + delivery.attempt,'
  },
  {
    fault: "the body of a webhook tells when it is sent",
    file: deliveries,
    text: "            body,\n            timeout",
    instead: "            body: body + DateTime.toEpochMillis(at),\n            timeout"
  },
  {
    fault: "a job that could not be written is acknowledged",
    file: core("services/JobMaking.ts"),
    text: ": Effect.fail(error)\n        )",
    instead: ": Effect.succeedNone\n        )"
  },
  {
    fault: "a job owes no webhook",
    file: core("domain/job/Current.ts"),
    text: "(delivery === null ? undefined : ofDelivery(delivery))",
    instead: "undefined"
  },
  {
    fault: "a summary that cannot be made is not skipped",
    file: core("domain/job/AttemptEvents.ts"),
    text: 'if (transcription._tag === "Failed") return "transcription failed"',
    instead: 'if (transcription._tag === "Failed") return undefined'
  },
  {
    fault: "a commit without an answer is taken for written",
    file: commits,
    text: "isOurs ? Effect.void : Effect.fail(error)",
    instead: "isOurs ? Effect.void : Effect.void"
  },
  {
    fault: "a commit without an answer is taken for lost",
    file: commits,
    text: "isOurs ? Effect.void : Effect.fail(error)",
    instead: "isOurs ? Effect.fail(error) : Effect.fail(error)"
  },
  {
    fault: "a commit waits for its answer for ever",
    file: commits,
    text: "duration: answerTimeout,",
    instead: 'duration: "1 days",'
  },
  {
    fault: "leases are not renewed",
    file: core("worker/Leases.ts"),
    text: "repeatEvery(renewalInterval)",
    instead: "Effect.repeat({ times: 0 })"
  },
  {
    fault: "a claim that is answered late makes every instant early",
    file: core("worker/Attempts.ts"),
    text: "const passed = (clock.monotonicTimeNanosUnsafe() - askedAt) / nanosPerMilli",
    instead: "const passed = (clock.monotonicTimeNanosUnsafe() - askedAt) / nanosPerMilli - 500n"
  },
  {
    fault: "a lost worker is taken for one that never began",
    file: core("worker/Attempts.ts"),
    text: "if (attempt === undefined) {\n          return standsBack",
    instead: "if (attempt === undefined || at !== undefined) {\n          return standsBack"
  },
  {
    fault: "a summary waits for the transcript for ever",
    file: core("services/Summaries.ts"),
    text: "Effect.timeout(transcriptTimeout),",
    instead: ""
  },
  {
    fault: "media is collected after two days",
    file: core("worker/MediaCollection.ts"),
    text: "ageMin: Duration.Duration = Duration.hours(24)",
    instead: "ageMin: Duration.Duration = Duration.hours(48)"
  },
  {
    fault: "media that is still needed is collected",
    file: core("worker/MediaCollection.ts"),
    text: "needsMedia(job.value, wanted)",
    instead: "job.value === undefined"
  },
  {
    fault: "a commit is not fenced at all",
    file: jobStore,
    text: "row === undefined || row.job.revision !== next.revision - 1 || !isHeld",
    instead: "row === undefined"
  },
  {
    fault: "a commit is not fenced by its revision",
    file: jobStore,
    text: "row.job.revision !== next.revision - 1 || ",
    instead: ""
  },
  {
    fault: "a commit is not fenced by its token",
    file: jobStore,
    text: " || !isHeld",
    instead: ""
  },
  {
    fault: "a job is charged for each commit that says so",
    file: jobStore,
    text: "jobId: id, keyId",
    instead: "jobId: id + next.revision, keyId"
  },
  {
    fault: "a job is shown to every workspace",
    file: jobStore,
    text: "Option.filter((job) => job.workspaceId === workspaceId)",
    instead: "Option.filter((job) => job.workspaceId !== undefined || workspaceId === undefined)"
  },
  {
    fault: "a job is stored without its work",
    file: jobStore,
    text: "if (Option.isSome(creation.work)) {",
    instead: "if (Option.isNone(creation.work)) {"
  },
  {
    fault: "a claim does not lease",
    file: memory("MemoryWorkQueue.ts"),
    text: "lease: { token, until } })",
    instead: "lease: null })"
  },
  {
    fault: "a lease holds a millisecond too long",
    file: memory("MemoryWorkQueue.ts"),
    text: "lease === null || DateTime.isLessThanOrEqualTo(lease.until, now)",
    instead: "lease === null || DateTime.isLessThan(lease.until, now)"
  },
  {
    fault: "a version is numbered after the designated one",
    file: core("domain/preset/Preset.ts"),
    text: "latestVersion: state.latestVersion + 1,\n  designatedVersion:",
    instead: "latestVersion: state.designatedVersion + 1,\n  designatedVersion:"
  },
  {
    fault: "a preset is revised without a fence",
    file: memory("MemoryPresetStore.ts"),
    text: "stored?.revision !== expectedRevision",
    instead: "stored === undefined || expectedRevision < 0"
  },
  {
    fault: "a revoked key goes on opening",
    file: memory("MemoryApiKeys.ts"),
    text: "key.revokedAt === null && ",
    instead: "key.revokedAt !== undefined && "
  },
  {
    fault: "a credit is booked each time it comes",
    file: memory("MemoryDatabase.ts"),
    text: "ledger.has(key)",
    instead: '(booking.reason._tag === "Charge" && ledger.has(key))'
  }
]
