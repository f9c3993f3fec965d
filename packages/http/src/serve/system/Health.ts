/**
 * Shows the health of the process. The host provides the report, because its parts depend on the
 * roles of the process.
 */
import { dependencyNames } from "@verbatim/core/attempt"
import { type Outage, type Readiness, Transcriber, WorkspaceStore } from "@verbatim/core/ports"
import { MediaIdentity, type MediaStoreStatus } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import { type Activity, tasksThatNeed, Worker } from "@verbatim/core/worker"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Context, DateTime, Duration, Effect, Fiber, Option } from "effect"
import type { HealthView, OutageView } from "../../contract/SystemApi.ts"

/** The parts of a process's health report. */
export interface HealthReport {
  /** Whether the store answered the latest query. */
  readonly isStoreUp: boolean
  /**
   * Whether the store answers but accepts no writes, because its file was removed, it is a replica,
   * or its sessions were made read-only.
   */
  readonly isReadOnly?: boolean
  /**
   * Other problems that prevent the process from working, as sentences without paths or addresses.
   */
  readonly troubles?: ReadonlyArray<string>
  /** Whether the media store matches the database. */
  readonly media: MediaStoreStatus
  /** State of the recognition engine; none in a process without a worker. */
  readonly readiness: Option.Option<Readiness>
  /** State of the worker; none in a process without a worker. */
  readonly activity: Option.Option<Activity>
}

export class Health extends Context.Service<
  Health,
  {
    /**
     * Builds the report for a request to `/health`. The report must be ready within a few seconds,
     * even if a part hangs.
     */
    readonly report: Effect.Effect<HealthReport>
  }
>()("@verbatim/http/system/Health") {}

const toMediaView = (standing: MediaStoreStatus): HealthView["media"] => {
  switch (standing._tag) {
    case "Ours":
      return { status: "ready", detail: "" }
    case "NotOurs":
      return { status: "foreign", detail: standing.sentence }
    case "Unreachable":
      return { status: "unreachable", detail: standing.sentence }
  }
}

/**
 * Whether the reader can see messages from the engine. Only management and operator keys allow it.
 */
export interface Audience {
  readonly isTrusted: boolean
}

const findOutage = (activity: HealthReport["activity"], dependency: Outage["dependency"]) =>
  Option.getOrUndefined(activity)?.outages.find((outage) => outage.dependency === dependency)

/**
 * Shows the state of the engine. An engine that is installed and configured can still refuse work,
 * but only its use reveals this.
 */
const toTranscriberView = (
  readiness: Readiness,
  outage: string | undefined
): HealthView["transcriber"] => {
  if (outage !== undefined && readiness._tag === "Ready") {
    return { status: "unavailable", detail: outage }
  }
  switch (readiness._tag) {
    case "Ready":
      return { status: "ready", detail: readiness.engine }
    case "Preparing":
      return { status: "preparing", detail: readiness.sentence }
    case "Unavailable":
      return { status: "unavailable", detail: readiness.sentence }
  }
}

export const toOutageView = (
  { cause, dependency, failures }: Outage,
  { isTrusted }: Audience
): typeof OutageView.Type => ({
  name: dependencyNames[dependency],
  tasks: tasksThatNeed(dependency),
  failures,
  ...(isTrusted && cause !== undefined ? { cause } : {})
})

const toWorkerView = (
  { claimedAt, outages, running }: Activity,
  audience: Audience
): HealthView["worker"] => ({
  running,
  outages: outages.map((outage) => toOutageView(outage, audience)),
  claimed_at: Option.getOrNull(Option.map(claimedAt, DateTime.formatIso))
})

const toStoreView = ({ isReadOnly, isStoreUp }: HealthReport): HealthView["store"] => {
  if (!isStoreUp) return "down"
  return isReadOnly === true ? "read_only" : "up"
}

const storeReasons = {
  up: [],
  read_only: [
    "The database answers but accepts no writes: restore its file to its path, name the primary " +
      "server if this is a replica, or turn off default_transaction_read_only for its role, its " +
      "database or its server."
  ],
  down: ["The database does not answer."]
} as const

const mediaReasons = (media: MediaStoreStatus): ReadonlyArray<string> =>
  media._tag === "Ours" ? [] : [media.sentence]

const engineReasons = (readiness: Readiness): ReadonlyArray<string> =>
  readiness._tag === "Ready" ? [] : [readiness.sentence]

const toSentence = ({ cause, dependency }: Outage, { isTrusted }: Audience): string => {
  const sentence = `The worker cannot use the ${dependencyNames[dependency]}`
  return isTrusted && cause !== undefined ? `${sentence}: ${cause}` : `${sentence}.`
}

const workReasons = (
  { claimedAt, outages }: Activity,
  audience: Audience
): ReadonlyArray<string> => [
  ...(Option.isNone(claimedAt) ? ["The worker has not requested work yet."] : []),
  ...outages.map((outage) => toSentence(outage, audience))
]

/** Lists the reasons why the process is not ready. */
const listReasons = (report: HealthReport, audience: Audience): ReadonlyArray<string> => [
  ...storeReasons[toStoreView(report)],
  ...(report.troubles ?? []),
  ...mediaReasons(report.media),
  ...Option.match(report.readiness, { onNone: () => [], onSome: engineReasons }),
  ...Option.match(report.activity, {
    onNone: () => [],
    onSome: (activity) => workReasons(activity, audience)
  })
]

export const isReady = (report: HealthReport): boolean =>
  listReasons(report, { isTrusted: false }).length === 0

export const toView = (report: HealthReport, audience: Audience): HealthView => ({
  version,
  status: report.isStoreUp ? "ok" : "unavailable",
  ready: isReady(report),
  reasons: listReasons(report, audience),
  store: toStoreView(report),
  media: toMediaView(report.media),
  transcriber: Option.getOrNull(
    Option.map(report.readiness, (readiness) => {
      const outage = findOutage(report.activity, "SpeechEngine")
      return toTranscriberView(readiness, outage && toSentence(outage, audience))
    })
  ),
  worker: Option.getOrNull(
    Option.map(report.activity, (activity) => toWorkerView(activity, audience))
  )
})

/** A store counts as down if it does not answer within this time. */
const storeTimeout = Duration.seconds(2)

/**
 * The id of a workspace that never exists. Looking it up is the cheapest query that reaches the
 * tables.
 */
const missingId = WorkspaceId.make("00000000-0000-0000-0000-000000000000")

/**
 * Whether a query is answered within the time limit. A late query is abandoned, because cancelling
 * it would take seconds if the server does not respond.
 */
export const isAnswered = <A, E>(question: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.forkDetach(Effect.timeout(question, storeTimeout)).pipe(
    Effect.flatMap((fiber) => Effect.timeoutOption(Fiber.await(fiber), storeTimeout)),
    Effect.map((exit) => Option.isSome(exit) && exit.value._tag === "Success")
  )

const query = <A, B>(part: Option.Option<A>, question: (part: A) => Effect.Effect<B>) =>
  Option.match(part, {
    onNone: () => Effect.succeedNone,
    onSome: (present) => Effect.asSome(question(present))
  })

/** Builds the parts of a `HealthReport` that come from the services of this process. */
export const makeHealthParts = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const identity = yield* MediaIdentity
  const transcriber = yield* Effect.serviceOption(Transcriber)
  const worker = yield* Effect.serviceOption(Worker)
  return {
    isStoreUp: isAnswered(store.account(missingId)),
    media: identity.verify,
    readiness: query(transcriber, ({ readiness }) => readiness),
    activity: query(worker, ({ activity }) => activity)
  }
})
