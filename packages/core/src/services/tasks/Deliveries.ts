/**
 * Delivers a webhook: builds the request, signs it, sends it once, and evaluates the response. The
 * body is built once, before the first attempt, and later attempts send a body with the same
 * digest.
 */
import { Clock, DateTime, Duration, Effect, Exit, Option, Redacted } from "effect"
import { Digest, Mac } from "effect/crypto"
import { Failure } from "../../domain/attempt/Failure.ts"
import {
  contentOf,
  Event,
  type Frozen,
  headerOf,
  type KeptBody,
  type Signed,
  type State
} from "../../domain/delivery/Delivery.ts"
import type { Job } from "../../domain/job/Job.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { webhookBody } from "../../domain/job/JobView.ts"
import { encode } from "../../domain/transcription/CallbackId.ts"
import {
  DefaultSecrets,
  isSecret,
  keyOf,
  type SecretText
} from "../../domain/workspace/WebhookSecret.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { type WebhookAnswer, WebhookSender } from "../../ports/WebhookSender.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import type { TaskContext } from "./TaskContext.ts"
import { Transcripts } from "./Transcripts.ts"
/** Maximum duration of an attempt, from its start to its end. */
export const attemptDuration: Duration.Duration = Duration.seconds(30)

/** The parts of a delivery that are prepared before its first attempt. */
export interface Prepared {
  readonly frozen: Frozen
  /**
   * The body; undefined if it could not be built. The attempt then tries again, and reports why if
   * that fails.
   */
  readonly body: KeptBody | undefined
}

/** The `User-Agent` that receivers see. */
const userAgent = "Verbatim/1"

/**
 * Returns the transcript for a webhook. If it is missing, the job is being deleted, so nothing is
 * sent.
 */
const makeTranscriptOf = Effect.map(Transcripts, (transcripts) =>
  Effect.fnUntraced(function* (job: Job) {
    if (job.transcription._tag !== "Transcribed") return Option.none()
    const transcript = yield* transcripts.whole(job.id).pipe(mapStoreError("transcript"))
    return Option.isNone(transcript)
      ? yield* Effect.fail(Failure.cases.TranscriptMissing.make({}))
      : transcript
  })
)

/** Creates functions that build and load webhook bodies. */
const makeBodies = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const store = yield* JobStore
  const transcriptOf = yield* makeTranscriptOf
  const workspaces = yield* WorkspaceStore

  const digestBytes = (bytes: Uint8Array) => digest.digestHex(Digest.sha256, bytes)

  const bodyOf = Effect.fnUntraced(function* (job: Job, frozen: Frozen) {
    const { delivery } = job
    if (delivery === null)
      return yield* Effect.die("a webhook body is made for a job without a webhook")
    const transcript = yield* transcriptOf(job)
    const rendering = webhookBody({ job, receiver: delivery.receiver, frozen, transcript })
    return { deliveryId: delivery.id, ...rendering }
  })

  const digestOf = ({ body }: KeptBody) => digestBytes(encoder.encode(body))

  const prepare = trace("Deliveries.prepare")(function* (job: Job) {
    const account = yield* workspaces.account(job.workspaceId).pipe(mapStoreError("balance"))
    const balanceMillis = Option.match(account, {
      onNone: () => 0,
      onSome: (found) => found.balanceMillis
    })
    const made = yield* Effect.exit(bodyOf(job, { balanceMillis }))
    if (Exit.isSuccess(made)) {
      const bytes = encoder.encode(made.value.body)
      const frozen = { digest: yield* digestBytes(bytes), byteLength: bytes.length }
      return { body: made.value, frozen: { balanceMillis, ...frozen } }
    }
    // A failure to build the body is ignored here, because it must not prevent this attempt or
    // those of other jobs.
    if (Exit.hasInterrupts(made)) return yield* Effect.interrupt
    return { body: undefined, frozen: { balanceMillis } }
  })

  /**
   * Loads the body for an attempt without a prepared body, which is usually a later attempt. If a
   * process died during the first attempt, no body is stored, and the body is built again. A
   * different release may build a different body. A first attempt without a prepared body reports
   * why and sends nothing, because without a digest, later attempts could not compare their body
   * with the first.
   */
  const loadBody = Effect.fnUntraced(function* (job: Job, { attempt, frozen }: Sending) {
    const kept = yield* store.keptBody(job.id).pipe(mapStoreError("kept body"))
    if (Option.isSome(kept) && kept.value.deliveryId === job.delivery?.id) return kept.value
    const body = yield* bodyOf(job, frozen)
    if (frozen.digest === undefined && attempt === 1) {
      return yield* Effect.fail(outage("no body when the attempt began"))
    }
    const isSame = frozen.digest !== undefined && (yield* digestOf(body)) === frozen.digest
    return isSame ? body : yield* Effect.fail(Failure.cases.BodyChanged.make({}))
  })

  return { loadBody, prepare }
})

/**
 * Creates a function that builds the body of a delivery before its first attempt, and freezes the
 * values in it.
 */
export const makePrepare = Effect.map(makeBodies, ({ prepare }) => prepare)

/** Creates a function that signs a webhook with the secrets of a job's workspace. */
const makeSignatures = Effect.gen(function* () {
  const defaults = yield* DefaultSecrets
  if (!defaults.every((secret) => isSecret(Redacted.value(secret)))) {
    return yield* Effect.die("a default webhook secret is malformed")
  }
  const mac = yield* Mac.Mac
  const workspaces = yield* WorkspaceStore

  /**
   * Returns the secrets for signing. If the store fails, the attempt stops, because webhooks are
   * never sent unsigned.
   */
  const secretsOf = Effect.fnUntraced(function* ({ workspaceId }: Job) {
    const own = yield* workspaces.webhookSecrets(workspaceId).pipe(mapStoreError("webhook secrets"))
    return own.length === 0 ? defaults : own.map(({ secret }) => secret)
  })

  const signatures = Effect.fnUntraced(function* (
    secrets: ReadonlyArray<SecretText>,
    signed: Signed
  ) {
    if (secrets.length === 0) return {}
    const content = contentOf(signed)
    const tags = yield* Effect.forEach(secrets, (secret) =>
      Effect.flatMap(Mac.key(Mac.hmacSha256, keyOf(secret)), (key) => mac.sign(key, content))
    )
    return { "webhook-signature": headerOf(tags) }
  }, Effect.orDie)

  return { secretsOf, signatures }
})

/** Creates a function that sends a webhook. */
export const makeDeliver = Effect.gen(function* () {
  const { loadBody } = yield* makeBodies
  const sender = yield* WebhookSender
  const { secretsOf, signatures } = yield* makeSignatures

  return trace("Deliveries.deliver")(function* ({
    job,
    now,
    onBody = () => Effect.void,
    prepared
  }: TaskContext) {
    const { delivery } = job
    if (delivery?._tag !== "Sending") {
      return yield* Effect.die("a webhook is sent, but its job is not in Sending")
    }
    const { id, receiver, startedAt } = delivery
    // The body and the secrets are loaded concurrently, because loading either of them may take as
    // long as the whole attempt.
    const [sent, secrets] =
      prepared === undefined
        ? yield* Effect.all([loadBody(job, delivery), secretsOf(job)], {
            concurrency: "unbounded"
          })
        : [prepared, yield* secretsOf(job)]
    yield* onBody(sent)
    const { body, contentType } = sent
    const at = yield* now
    const timeout = yield* remainingTime(startedAt, at)
    const timestamp = String(Math.floor(DateTime.toEpochMillis(at) / 1000))
    const { status, text } = yield* sender
      .post({
        url: receiver.url,
        headers: {
          "Content-Type": contentType,
          "User-Agent": userAgent,
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          ...(yield* signatures(secrets, { id, timestamp, body })),
          ...(job.request.callbackId === null
            ? {}
            : { "X-Callback-ID": encode(job.request.callbackId) })
        },
        body,
        timeout
      })
      .pipe(
        measureAnswer,
        Effect.mapError(({ detail }) => unreachable(detail))
      )
    if (status < 200 || status > 299) {
      return yield* Effect.fail(Failure.cases.ReceiverRefused.make({ status, detail: text }))
    }
    const event = Event.cases.ReceiverAccepted.make({ at: yield* now, status })
    return { events: [JobEvent.cases.Delivery.make({ event })] }
  })
})

/**
 * Returns the time that is left for the request. The limit counts from the start of the attempt,
 * because the store may have been slow.
 */
const remainingTime = (startedAt: DateTime.Utc, at: DateTime.Utc) => {
  const remaining = Duration.subtract(attemptDuration, DateTime.distance(startedAt, at))
  return Duration.isGreaterThan(remaining, Duration.zero)
    ? Effect.succeed(remaining)
    : Effect.fail(outage("no time was left to send it"))
}

type Sending = typeof State.cases.Sending.Type

const encoder = new TextEncoder()

const mapStoreError =
  (what: string) =>
  <A, E>(read: Effect.Effect<A, E>) =>
    read.pipe(
      Effect.timeout(attemptDuration),
      Effect.mapError(() => outage(`no ${what}`))
    )

/** Creates the failure of an attempt that sent nothing. The receiver is not the cause. */
const outage = (detail: string): Failure => Failure.cases.StorageFailed.make({ detail })

const unreachable = (detail: string): Failure => Failure.cases.ReceiverUnreachable.make({ detail })

const classes = { 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx" } as const

const isClass = (digit: number): digit is keyof typeof classes => digit in classes

/** Returns the class of an HTTP status, such as `2xx`. Any other value counts as no response. */
const answerOf = (exit: Exit.Exit<WebhookAnswer, unknown>) => {
  const digit = Exit.isSuccess(exit) ? Math.floor(exit.value.status / 100) : 0
  return isClass(digit) ? classes[digit] : "none"
}

/** Measures the duration of a request, unless the worker interrupts it. */
const measureAnswer = <E, R>(
  request: Effect.Effect<WebhookAnswer, E, R>
): Effect.Effect<WebhookAnswer, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const begun = clock.monotonicTimeNanosUnsafe()
    return Effect.onExit(request, (exit) => {
      if (Exit.hasInterrupts(exit)) return Effect.void
      const seconds = Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e9
      return coreMetrics.webhookDuration.record({ answer: answerOf(exit) }, seconds)
    })
  })
