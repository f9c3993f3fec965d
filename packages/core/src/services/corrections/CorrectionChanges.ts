/**
 * Changes corrections: reads the current corrections, lets the pure state machine decide on the
 * change, and writes the result unless another writer has changed the corrections in the meantime.
 */

import { Effect, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import {
  CorrectionId,
  type CorrectionRequest,
  overlayOf,
  State,
  versionOf
} from "../../domain/correction/Correction.ts"
import { decide, type RequestedCorrection } from "../../domain/correction/CorrectionDecision.ts"
import { addToOutline, noOutline } from "../../domain/correction/CorrectionLimits.ts"
import {
  type CorrectionsFull,
  CorrectionsMoved,
  type CorrectionsNotFound,
  type NothingToCorrect
} from "../../domain/correction/CorrectionRefusal.ts"
import { toSummary } from "../../domain/correction/CorrectionView.ts"
import {
  IdempotencyConflict,
  type IdempotencyKey,
  isCurrentKey
} from "../../domain/idempotency/IdempotencyKey.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { TranscriptCursor } from "../../domain/transcription/Transcript.ts"
import type { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { CorrectionStore, CorrectionStoreError } from "../../ports/CorrectionStore.ts"
import { makeRetryUnknownOutcome, overdue, withDeadline } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import type { RequestNotFound } from "../jobs/JobReads.ts"
import { changeRetries } from "../quota/Quota.ts"

/** A requested change to corrections, with its conditions. */
interface CorrectionChange {
  readonly id: JobId
  readonly principal: Principal
  /** Version numbers, as text, one of which must be the current version. */
  readonly match: "any" | ReadonlyArray<string>
  /** The client's request, if it has an idempotency key. */
  readonly request: Option.Option<Keyed>
  readonly deriveChange: DeriveChange
}

/** Derives the change from the current corrections. */
export type DeriveChange = (
  state: State
) => Effect.Effect<
  RequestedCorrection,
  CorrectionsNotFound | CorrectionStoreError | InvalidParameter
>

/** A request with its idempotency key. */
interface Keyed {
  readonly key: IdempotencyKey
  readonly kind: string
  readonly body: unknown
}

/**
 * Makes the function that writes a requested change as a new version; it writes nothing if the
 * change has no effect, and fails with `Absent` if the transcript was deleted in the meantime.
 */
export const makeChangeCorrections = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const jobs = yield* JobStore
  const random = yield* SecureRandom.SecureRandom
  const store = yield* CorrectionStore

  /**
   * Reads the outline, part by part. The outline is read only for the first correction of a
   * transcript.
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

  const load = Effect.fnUntraced(function* (id: JobId) {
    const found = yield* store.current(id)
    if (Option.isSome(found)) return found.value
    return State.cases.Recognised.make({ id, outline: yield* outlineOf(id) })
  })

  const requestOf = Effect.fnUntraced(function* ({ body, key, kind }: Keyed) {
    const text = encoder.encode(JSON.stringify([kind, body]))
    return { key, fingerprint: yield* Effect.orDie(digest.digestHex(Digest.sha256, text)) }
  })

  /**
   * Returns the result of an earlier request under the same key; none if this is the first
   * request.
   */
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
    if (match !== "any" && !match.includes(String(versionOf(state)))) {
      return yield* new CorrectionsMoved({ version: versionOf(state) })
    }
    const author = {
      id: CorrectionId.make(yield* random.uuidV7()),
      at: yield* jobs.now,
      userId: principal.userId,
      keyId: principal.keyId ?? null,
      request
    }
    const decided = decide(state, { author, requested: yield* deriveChange(state) })
    const decision = yield* Effect.fromResult(decided).pipe(
      Effect.catchTag("IllegalTransition", Effect.die)
    )
    if (Option.isSome(decision)) yield* retryUnknownOutcome(store.commit(decision.value))
    const after = Option.isSome(decision) ? decision.value.next : state
    return toSummary(versionOf(after), overlayOf(after))
  })

  return Effect.fnUntraced(function* (wanted: CorrectionChange) {
    const keyed = Option.isNone(wanted.request) ? null : yield* requestOf(wanted.request.value)
    return yield* attempt({ ...wanted, keyed }).pipe(
      Effect.retry({ while: isSuperseded, ...changeRetries }),
      withDeadline({ timeoutError }),
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
/** Whether the transcript was deleted in the meantime. */
export const isAbsent = hasReason("Absent")

const hasLocked = hasReason("Contended")

const isContended = (error: unknown): error is CorrectionStoreError =>
  isSuperseded(error) || hasLocked(error)

const timeoutError = () =>
  new CorrectionStoreError({ operation: "commit", reason: { _tag: "Unavailable", cause: overdue } })

const retryUnknownOutcome = makeRetryUnknownOutcome<CorrectionStoreError>({
  isOutcomeUnknown: hasReason("Unavailable"),
  isInconclusive: hasLocked,
  timeoutError
})

/** Other writers repeatedly corrected the same transcript at the same time. */
export class CorrectionsContended extends refusal<CorrectionsContended>()("CorrectionsContended", {
  sentence: "Others are correcting this transcript right now. Please try again later."
}) {}

/** Errors that can occur when corrections are read. */
export type CorrectionsUnread =
  | CorrectionStoreError
  | InvalidParameter
  | JobStoreError
  | NothingToCorrect
  | RequestNotFound

/** Errors that can occur when corrections are written. */
export type NotCorrected =
  | CorrectionsContended
  | CorrectionsFull
  | CorrectionsMoved
  | CorrectionsNotFound
  | CorrectionsUnread
  | IdempotencyConflict
