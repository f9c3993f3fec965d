/**
 * Corrects transcripts for callers: names speakers, corrects segments, restores a version, and
 * lists the versions with their authors. A change is based on the current corrections, and is
 * written unless another writer has since changed them.
 */
import { Context, Effect, Layer, Option, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import {
  CorrectionId,
  type CorrectionRequest,
  overlayOf,
  State,
  versionOf
} from "../../domain/correction/Correction.ts"
import {
  CorrectionsMoved,
  CorrectionsNotFound,
  decide,
  NothingToCorrect,
  type RequestedCorrection
} from "../../domain/correction/CorrectionDecision.ts"
import {
  parseNames,
  parseSegments,
  parseTarget,
  parseVersion,
  toNaming
} from "../../domain/correction/CorrectionInput.ts"
import { addToOutline, noOutline } from "../../domain/correction/CorrectionLimits.ts"
import {
  type CorrectionsQuery,
  parseCorrectionsQuery,
  toCorrectionsView,
  toSummary,
  toWholeVersionView
} from "../../domain/correction/CorrectionView.ts"
import type { Overlay } from "../../domain/correction/Overlay.ts"
import { isDivided, isDividing, toReadings } from "../../domain/correction/SegmentChanges.ts"
import {
  IdempotencyConflict,
  type IdempotencyKey,
  isCurrentKey
} from "../../domain/idempotency/IdempotencyKey.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { TranscriptCursor } from "../../domain/transcription/Transcript.ts"
import { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { CorrectionStore, CorrectionStoreError } from "../../ports/CorrectionStore.ts"
import { makeRetryUnknownOutcome, overdue } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { readKey } from "../intake/Repeats.ts"
import { makeFindJob, RequestNotFound } from "../jobs/JobReads.ts"
import { changeRetries, makeKeyedLock } from "../quota/Quota.ts"

/** A request to write corrections, with the conditions on which it is written. */
export interface CorrectionWrite<E = never> {
  readonly id: string
  /** The request body, which is read only if the job has a transcript to correct. */
  readonly body: Effect.Effect<unknown, E>
  /**
   * Version numbers, as text; the current version must be one of them. If left out, any version is
   * accepted.
   */
  readonly match?: "any" | ReadonlyArray<string> | undefined
  /** The idempotency key. The same write with the same key is applied only once within a day. */
  readonly idempotencyKey?: string | undefined
}

const makeCorrections = Effect.gen(function* () {
  const find = yield* makeFindCorrectable
  const store = yield* CorrectionStore
  const write = yield* makeWrite
  const { toNames, toSegments, toTarget } = yield* makeParsers

  const read = trace("Corrections.read")(function* (
    principal: Principal,
    { id, ...wanted }: CorrectionsQuery & { readonly id: string }
  ) {
    const job = yield* find(principal, id)
    const { before, fromSegment, limit } = yield* Effect.fromResult(parseCorrectionsQuery(wanted))
    const found = yield* store.current(job.id)
    const state = Option.getOrElse(found, () =>
      State.cases.Recognised.make({ id: job.id, outline: noOutline })
    )
    // Versions that were added after the current corrections were read are left out.
    const end = versionOf(state) + 1
    const requested = Option.getOrElse(before, () => end)
    const page = { before: Option.some(Math.min(requested, end)), limit }
    const versions = yield* store.versions(job.id, page)
    return toCorrectionsView(state, { fromSegment, versions })
  })

  const version = trace("Corrections.version")(function* (
    principal: Principal,
    wanted: { readonly id: string; readonly version: string }
  ) {
    const job = yield* find(principal, wanted.id)
    const number = parseVersion(wanted.version)
    const found = Option.isNone(number) ? Option.none() : yield* store.version(job.id, number.value)
    if (Option.isSome(found)) return toWholeVersionView(found.value)
    return yield* new CorrectionsNotFound({ version: wanted.version.slice(0, shownMax) })
  })

  return {
    /**
     * Sets or removes speaker names. Speakers that the request does not mention keep their names.
     */
    nameSpeakers: write("speakers", toNames),
    /** Corrects segments, or restores the recognised text. */
    correctSegments: write("segments", toSegments),
    /** Restores an earlier version, or the recognised text, as a new version. */
    goBack: write("current", toTarget),
    /** Returns one page of the current corrections, and one page of their versions. */
    read,
    /** Returns one version of the corrections, with all its changes. */
    version
  }
})

export class Corrections extends Context.Service<
  Corrections,
  Effect.Success<typeof makeCorrections>
>()("@verbatim/core/services/Corrections") {
  static readonly layer: Layer.Layer<
    Corrections,
    never,
    CorrectionStore | Digest.Digest | JobStore | SecureRandom.SecureRandom
  > = Layer.effect(Corrections, makeCorrections)
}

/** Errors that can occur when reading corrections. */
export type CorrectionsUnread = Effect.Error<ReturnType<Corrections["Service"]["read"]>>

/** Errors that can occur when writing corrections. */
export type NotCorrected =
  | CorrectionsUnread
  | Effect.Error<ReturnType<Effect.Success<typeof makeChangeCorrections>>>

/** Creates a function that finds a job with a transcript to correct. */
const makeFindCorrectable = Effect.map(makeFindJob, (findJob) =>
  Effect.fnUntraced(function* (principal: Principal, id: string) {
    const job = yield* findJob(principal, id)
    const reason = whyNothingToCorrect(job)
    return reason === undefined ? job : yield* new NothingToCorrect({ reason })
  })
)

/** Creates a function that returns the method for one kind of write. */
const makeWrite = Effect.gen(function* () {
  const change = yield* makeChangeCorrections
  const find = yield* makeFindCorrectable

  return (kind: string, parseBody: ParseBody) =>
    Effect.fnUntraced(function* <E = never>(
      principal: Principal,
      { body: sent, id, idempotencyKey, match }: CorrectionWrite<E>
    ) {
      const job = yield* find(principal, id)
      const key = yield* readKey(idempotencyKey)
      const body = yield* sent
      const deriveChange = yield* Effect.fromResult(parseBody(body))
      const request = Option.map(key, (found) => ({ key: found, kind, body }))
      return yield* Effect.catchIf(
        change({ id: job.id, principal, match, request, deriveChange }),
        isAbsent,
        // The transcript no longer exists, so the job is read again, which shows why.
        () => Effect.andThen(find(principal, id), Effect.fail(new RequestNotFound()))
      )
    })
})

/** Creates the parsers for the bodies of correction requests. */
const makeParsers = Effect.gen(function* () {
  const jobs = yield* JobStore
  const store = yield* CorrectionStore

  const restoreVersion = Effect.fnUntraced(function* (state: State, version: number) {
    if (version > versionOf(state)) {
      return yield* new CorrectionsNotFound({ version: String(version) })
    }
    const overlay = yield* store.overlayAt(state.id, version)
    return { _tag: "GoBack" as const, version, overlay }
  })

  const toNames: ParseBody = (body) =>
    Result.map(
      parseNames(body),
      (names) => (state) => Effect.map(Effect.fromResult(toNaming(state.outline, names)), toChange)
    )

  const toSegments: ParseBody = (body) =>
    Result.map(parseSegments(body), (segments) =>
      Effect.fnUntraced(function* (state, match) {
        const corrected = { outline: state.outline, overlay: overlayOf(state) }
        const isToDivide = isDividing(segments)
        if (match === undefined && (isToDivide || isDivided(corrected.overlay))) {
          return yield* unmatched
        }
        if (!isToDivide) return yield* applySegments(corrected, segments)
        const transcript = yield* jobs.transcript(state.id)
        if (Option.isNone(transcript)) return yield* absent
        return yield* applySegments({ ...corrected, transcript: transcript.value }, segments)
      })
    )

  const toTarget: ParseBody = (body) =>
    Result.map(parseTarget(body), (version) => (state) => restoreVersion(state, version))

  return { toNames, toSegments, toTarget }
})

/** A parser for the body of a correction request. */
type ParseBody = (body: unknown) => Result.Result<DeriveChange, InvalidParameter>

/** Maximum length of an invalid version number that is shown to the caller. */
const shownMax = 20

/** Returns why a job has no transcript to correct; undefined when it has one. */
const whyNothingToCorrect = (job: Job): NothingToCorrect["reason"] | undefined => {
  if (isClosed(job)) return "Removed"
  if (job.transcription._tag === "Failed") return "Failed"
  return job.transcription._tag === "Transcribed" ? undefined : "Pending"
}

/**
 * A split or a join shifts the segments after it, so without a version, an index may refer to the
 * wrong segment.
 */
const unmatched = new InvalidParameter({
  parameter: "If-Match",
  detail: "'If-Match' is required to split or join segments, and once they are split or joined"
})

const applySegments = (...[corrected, segments]: Parameters<typeof toReadings>) =>
  Effect.map(Effect.fromResult(toReadings(corrected, segments)), toChange)

const toChange = (change: Overlay): RequestedCorrection => ({ _tag: "Change", change })

/** A requested change to corrections, with its condition. */
interface CorrectionChange {
  readonly id: JobId
  readonly principal: Principal
  /** Version numbers, as text; the current version must be one of them. */
  readonly match: "any" | ReadonlyArray<string> | undefined
  /** The client's request, if it has an idempotency key. */
  readonly request: Option.Option<Keyed>
  readonly deriveChange: DeriveChange
}

/** A function that derives the change from the current corrections. */
type DeriveChange = (
  state: State,
  match: CorrectionChange["match"]
) => Effect.Effect<
  RequestedCorrection,
  CorrectionsNotFound | CorrectionStoreError | InvalidParameter | JobStoreError
>

/** An idempotency key, and the content of its request. */
interface Keyed {
  readonly key: IdempotencyKey
  readonly kind: string
  readonly body: unknown
}

/** Returns the key of a request, with the request's fingerprint. */
const requestOf = Effect.fnUntraced(function* (
  digest: Digest.Digest["Service"],
  { body, key, kind }: Keyed
) {
  const text = encoder.encode(JSON.stringify([kind, body]))
  return { key, fingerprint: yield* Effect.orDie(digest.digestHex(Digest.sha256, text)) }
})

/** Creates a function that loads the current corrections of a transcript. */
const makeLoad = Effect.gen(function* () {
  const jobs = yield* JobStore
  const store = yield* CorrectionStore

  /**
   * Reads the outline of a transcript part by part. This happens only before its first correction.
   */
  const outlineOf = Effect.fnUntraced(function* (id: JobId) {
    let outline = noOutline
    let mark = Option.none<TranscriptCursor>()
    do {
      const part = yield* jobs.transcriptPart(id, mark)
      if (Option.isNone(part)) return yield* absent
      outline = addToOutline(outline, part.value.segments)
      mark = Option.some(part.value)
    } while (Option.exists(mark, ({ next }) => Option.isSome(next)))
    return outline
  })

  return Effect.fnUntraced(function* (id: JobId) {
    const found = yield* store.current(id)
    if (Option.isSome(found)) return found.value
    return State.cases.Recognised.make({ id, outline: yield* outlineOf(id) })
  })
})

/**
 * Creates a function that writes a requested change as a new version. The function writes nothing
 * if the change has no effect, and fails with `Absent` if the transcript has since been deleted.
 */
const makeChangeCorrections = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const jobs = yield* JobStore
  const random = yield* SecureRandom.SecureRandom
  const store = yield* CorrectionStore
  const load = yield* makeLoad
  const locks = makeKeyedLock({ contended, timeoutError })

  /** Returns the result of an earlier request with the same key; none if this is the first. */
  const findEarlier = Effect.fnUntraced(function* (id: JobId, request: CorrectionRequest) {
    const found = yield* store.requested(id, request.key)
    if (Option.isNone(found)) return Option.none()
    const { at, request: first, version } = found.value
    if (!isCurrentKey(at, yield* jobs.now)) return Option.none()
    if (first?.fingerprint !== request.fingerprint) {
      return yield* new IdempotencyConflict({ reason: "OtherRequest" })
    }
    return Option.some(toSummary(version, yield* store.overlayAt(id, version)))
  })

  const attempt = Effect.fnUntraced(function* (
    wanted: CorrectionChange & { readonly keyed: CorrectionRequest | null }
  ) {
    const { id, keyed: request, match, principal, deriveChange } = wanted
    const earlier = request === null ? Option.none() : yield* findEarlier(id, request)
    if (Option.isSome(earlier)) return earlier.value
    const state = yield* load(id)
    if (Array.isArray(match) && !match.includes(String(versionOf(state)))) {
      return yield* new CorrectionsMoved({ version: versionOf(state) })
    }
    const author = {
      id: CorrectionId.make(yield* random.uuidV7()),
      at: yield* jobs.now,
      userId: principal.userId,
      keyId: principal.keyId ?? null,
      request
    }
    const decided = decide(state, { author, requested: yield* deriveChange(state, match) })
    const decision = yield* Effect.fromResult(decided).pipe(
      Effect.catchTag("IllegalTransition", Effect.die)
    )
    if (Option.isSome(decision)) yield* retryUnknownOutcome(store.commit(decision.value))
    const after = Option.isSome(decision) ? decision.value.next : state
    return toSummary(versionOf(after), overlayOf(after))
  })

  return Effect.fnUntraced(function* (wanted: CorrectionChange) {
    const keyed = Option.isNone(wanted.request)
      ? null
      : yield* requestOf(digest, wanted.request.value)
    return yield* attempt({ ...wanted, keyed }).pipe(
      Effect.retry({ while: isSuperseded, ...changeRetries }),
      (correcting) => locks.run(wanted.id, correcting),
      Effect.catchIf(isContended, () => Effect.fail(new CorrectionsContended()))
    )
  })
})

const encoder = new TextEncoder()

const absent = new CorrectionStoreError({ operation: "outline", reason: { _tag: "Absent" } })

const hasReason =
  (tag: CorrectionStoreError["reason"]["_tag"]) =>
  (error: unknown): error is CorrectionStoreError =>
    error instanceof CorrectionStoreError && error.reason._tag === tag

const isSuperseded = hasReason("Superseded")
/** Whether a write failed because the transcript has since been deleted. */
const isAbsent = hasReason("Absent")

const hasLocked = hasReason("Contended")

const isContended = (error: unknown): error is CorrectionStoreError =>
  isSuperseded(error) || hasLocked(error)

const contended = () =>
  new CorrectionStoreError({ operation: "commit", reason: { _tag: "Contended" } })

const timeoutError = () =>
  new CorrectionStoreError({ operation: "commit", reason: { _tag: "Unavailable", cause: overdue } })

const retryUnknownOutcome = makeRetryUnknownOutcome<CorrectionStoreError>({
  isOutcomeUnknown: hasReason("Unavailable"),
  isInconclusive: hasLocked,
  timeoutError
})

/** Other writers kept correcting the same transcript at the same time. */
export class CorrectionsContended extends refusal<CorrectionsContended>()("CorrectionsContended", {
  sentence: "Others are correcting this transcript right now. Please try again later."
}) {}
