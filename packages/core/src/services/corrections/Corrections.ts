/**
 * Corrections of transcripts for callers: naming speakers, correcting segments, restoring a
 * version, and listing the versions with their authors.
 */
import { Context, Effect, Layer, Option, Result } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { overlayOf, State, versionOf } from "../../domain/correction/Correction.ts"
import type { RequestedCorrection } from "../../domain/correction/CorrectionDecision.ts"
import {
  parseNames,
  parseSegments,
  parseTarget,
  parseVersion,
  toNaming,
  toReadings
} from "../../domain/correction/CorrectionInput.ts"
import { noOutline } from "../../domain/correction/CorrectionLimits.ts"
import { CorrectionsNotFound, NothingToCorrect } from "../../domain/correction/CorrectionRefusal.ts"
import {
  type CorrectionsQuery,
  type CorrectionsSummary,
  type CorrectionsView,
  parseCorrectionsQuery,
  toCorrectionsView,
  toWholeVersionView,
  type WholeVersionView
} from "../../domain/correction/CorrectionView.ts"
import type { Overlay } from "../../domain/correction/Overlay.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import type { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { CorrectionStore } from "../../ports/CorrectionStore.ts"
import type { JobStore } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { readKey } from "../intake/Repeats.ts"
import { makeFindJob, RequestNotFound } from "../jobs/JobReads.ts"
import {
  type CorrectionsUnread,
  type DeriveChange,
  isAbsent,
  makeChangeCorrections,
  type NotCorrected
} from "./CorrectionChanges.ts"

/** A write of corrections, with its conditions. */
export interface CorrectionWrite<E = never> {
  readonly id: string
  /** The request body, which is read only if the job has a transcript to correct. */
  readonly body: Effect.Effect<unknown, E>
  /**
   * Version numbers, as text, one of which must be the current version. If left out, any version is
   * accepted.
   */
  readonly match?: "any" | ReadonlyArray<string> | undefined
  /** The idempotency key. The same write with the same key is applied only once within a day. */
  readonly idempotencyKey?: string | undefined
}

type Write = <E = never>(
  principal: Principal,
  write: CorrectionWrite<E>
) => Effect.Effect<CorrectionsSummary, E | NotCorrected>

export class Corrections extends Context.Service<
  Corrections,
  {
    /** Sets or removes names of speakers. Speakers that are not mentioned keep their names. */
    readonly nameSpeakers: Write
    /** Corrects segments, or restores the recognised text. */
    readonly correctSegments: Write
    /** Restores an earlier version, or the recognised text, as a new version. */
    readonly goBack: Write
    /** The current corrections: one page of them, and one page of their versions. */
    readonly read: (
      principal: Principal,
      wanted: CorrectionsQuery & { readonly id: string }
    ) => Effect.Effect<CorrectionsView, CorrectionsUnread>
    /** One version, with all its changes. */
    readonly version: (
      principal: Principal,
      wanted: { readonly id: string; readonly version: string }
    ) => Effect.Effect<WholeVersionView, CorrectionsNotFound | CorrectionsUnread>
  }
>()("@verbatim/core/services/Corrections") {
  static readonly layer: Layer.Layer<
    Corrections,
    never,
    CorrectionStore | Digest.Digest | JobStore | SecureRandom.SecureRandom
  > = Layer.effect(
    Corrections,
    Effect.gen(function* () {
      const change = yield* makeChangeCorrections
      const findJob = yield* makeFindJob
      const store = yield* CorrectionStore

      const find = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const job = yield* findJob(principal, id)
        const reason = whyNothingToCorrect(job)
        return reason === undefined ? job : yield* new NothingToCorrect({ reason })
      })

      const restoreVersion = Effect.fnUntraced(function* (state: State, version: number) {
        if (version > versionOf(state)) {
          return yield* new CorrectionsNotFound({ version: String(version) })
        }
        const overlay = yield* store.overlayAt(state.id, version)
        return { _tag: "GoBack" as const, version, overlay }
      })

      const write =
        (kind: string, parseBody: ParseBody): Write =>
        (principal, { body: sent, id, idempotencyKey, match = "any" }) =>
          Effect.gen(function* () {
            const job = yield* find(principal, id)
            const key = yield* readKey(idempotencyKey)
            const body = yield* sent
            const deriveChange = yield* Effect.fromResult(parseBody(body))
            const request = Option.map(key, (found) => ({ key: found, kind, body }))
            return yield* Effect.catchIf(
              change({ id: job.id, principal, match, request, deriveChange }),
              isAbsent,
              // The transcript is gone, and reading the job again yields the reason.
              () => Effect.andThen(find(principal, id), Effect.fail(new RequestNotFound()))
            )
          })

      const toNames: ParseBody = (body) =>
        Result.map(
          parseNames(body),
          (names) => (state) =>
            Effect.map(Effect.fromResult(toNaming(state.outline, names)), toChange)
        )

      const toSegments: ParseBody = (body) =>
        Result.map(parseSegments(body), (segments) => (state) => {
          const { outline } = state
          const readings = toReadings({ outline, overlay: overlayOf(state) }, segments)
          return Effect.map(Effect.fromResult(readings), toChange)
        })

      const toTarget: ParseBody = (body) =>
        Result.map(parseTarget(body), (version) => (state) => restoreVersion(state, version))

      const read = trace("Corrections.read")(function* (
        principal: Principal,
        { id, ...wanted }: CorrectionsQuery & { readonly id: string }
      ) {
        const job = yield* find(principal, id)
        const { before, fromSegment, limit } = yield* Effect.fromResult(
          parseCorrectionsQuery(wanted)
        )
        const found = yield* store.current(job.id)
        const state = Option.getOrElse(found, () =>
          State.cases.Recognised.make({ id: job.id, outline: noOutline })
        )
        // Versions made in the meantime are left out.
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
        const found = Option.isNone(number)
          ? Option.none()
          : yield* store.version(job.id, number.value)
        if (Option.isSome(found)) return toWholeVersionView(found.value)
        return yield* new CorrectionsNotFound({ version: wanted.version.slice(0, shownMax) })
      })

      return Corrections.of({
        nameSpeakers: write("speakers", toNames),
        correctSegments: write("segments", toSegments),
        goBack: write("current", toTarget),
        read,
        version
      })
    })
  )
}

/** Parses the body of a write. */
type ParseBody = (body: unknown) => Result.Result<DeriveChange, InvalidParameter>

/** Maximum length of an invalid version that is repeated to the caller. */
const shownMax = 20

/** Returns why a job has no transcript to correct; undefined when it has one. */
const whyNothingToCorrect = (job: Job): NothingToCorrect["reason"] | undefined => {
  if (isClosed(job)) return "Removed"
  if (job.transcription._tag === "Failed") return "Failed"
  return job.transcription._tag === "Transcribed" ? undefined : "Pending"
}

const toChange = (change: Overlay): RequestedCorrection => ({ _tag: "Change", change })
