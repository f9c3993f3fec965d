/**
 * Writes long texts piece by piece, such as a job's status with a transcript of any length, and
 * limits how many a process builds concurrently. Building a piece takes a few milliseconds of CPU
 * time. Without a limit, other calls would wait for the pieces of a hundred readers.
 */

import { Context, Effect, Layer, Option, Scope, Semaphore, Stream } from "effect"
import type { JobView } from "../../domain/job/JobView.ts"
import { toOutputEntry } from "../../domain/rendering/Rendering.ts"
import { seconds } from "../../domain/rendering/Timecode.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import * as Quota from "../quota/Quota.ts"
import type { CountedCursor, CountedPart } from "../tasks/Transcripts.ts"

/**
 * Maximum number of first pieces that are built concurrently: several, because each waits for the
 * database.
 */
const firstMax = 4

/** Maximum number of later pieces that are built concurrently, for all long texts together. */
const furtherMax = 2

/**
 * Maximum number of whole texts that are built or sent for one workspace at a time. Ten hours of
 * speech are up to 57 MB of text.
 */
const heldMax = 2

/** The workspace holds the maximum number of whole texts, and released none of them in time. */
export class TooManyReaders extends refusal<TooManyReaders>()("TooManyReaders", {
  sentence: "The workspace reads too many long transcripts at the same time"
}) {}

interface Reader {
  readonly workspaceId: WorkspaceId
  readonly until?: Scope.Scope | undefined
}

const makeLargeReads = Effect.gen(function* () {
  const first = queueBehind(yield* Semaphore.make(firstMax))
  const further = queueBehind(yield* Semaphore.make(furtherMax))

  const write = <Position, E>({ contentType, piece }: TextWriter<Position, E>) =>
    Effect.map(first(piece(Option.none())), ({ next, text }): ChunkedText<E> => {
      if (Option.isNone(next)) return { _tag: "Whole", contentType, text }
      const rest = Stream.paginate(next.value, (position) =>
        Effect.map(
          further(piece(Option.some(position))),
          (found) => [[found.text], found.next] as const
        )
      )
      return { _tag: "Pieces", contentType, pieces: Stream.concat(Stream.make(text), rest) }
    })

  const one = queueBehind(yield* Semaphore.make(1))
  const hold = Quota.makeWithTimeout({
    share: heldMax,
    total: Number.POSITIVE_INFINITY,
    refusal: () => new TooManyReaders()
  })

  return {
    /**
     * Builds the first piece, which is the whole text if no other follows. Short texts do not wait
     * for pieces of long ones. Long texts alternate, because each further piece queues behind those
     * of other readers. No permit is held while a piece is sent, so that a slow reader does not
     * delay others.
     */
    write,

    /**
     * Runs work that needs a whole long transcript, one call after the other, because the objects
     * for ten hours of speech take about 200 MB. If a scope is given, the result counts towards its
     * workspace's limit until the scope ends, so that slow readers delay only their own workspace.
     * Each text needs its own scope.
     */
    whole: <A, E, R>(
      { until, workspaceId }: Reader,
      work: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | TooManyReaders, R> =>
      until === undefined
        ? one(work)
        : Effect.andThen(Scope.provide(hold(workspaceId), until), one(work))
  }
})

export class LargeReads extends Context.Service<
  LargeReads,
  Effect.Success<typeof makeLargeReads>
>()("@verbatim/core/services/LargeReads") {
  static readonly layer: Layer.Layer<LargeReads> = Layer.effect(LargeReads, makeLargeReads)
}

/** Runs calls one after the other in their order, and lets other fibers run before each. */
const queueBehind =
  (semaphore: Semaphore.Semaphore) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    semaphore.withPermit(Effect.andThen(Effect.yieldNow, work))

/** A text with its content type, whole or in pieces. */
export type ChunkedText<E> =
  | { readonly _tag: "Whole"; readonly contentType: string; readonly text: string }
  | {
      readonly _tag: "Pieces"
      readonly contentType: string
      /**
       * The pieces of the text. If one of them cannot be built, the stream fails and the text is
       * incomplete.
       */
      readonly pieces: Stream.Stream<string, E>
    }

/** A piece of text, and the position of the next piece; none if this is the last one. */
export interface TextPiece<Position> {
  readonly text: string
  readonly next: Option.Option<Position>
}

/** A text that is built piece by piece. */
export interface TextWriter<Position, E> {
  readonly contentType: string
  /** Builds the piece at a position; without a position, the first piece. */
  readonly piece: (position: Option.Option<Position>) => Effect.Effect<TextPiece<Position>, E>
}

// The JSON written here for a job's status equals that of the job's view, byte for byte.

/** Reads the part of a transcript after a cursor; without a cursor, the first part. */
export type ReadPart<E> = (before: Option.Option<CountedCursor>) => Effect.Effect<CountedPart, E>

const contentType = "application/json"

/** Returns the JSON of a view without a transcript. */
export const textOf = (view: JobView): ChunkedText<never> => ({
  _tag: "Whole",
  contentType,
  text: JSON.stringify(view)
})

/** Creates a writer for a view that ends with its transcript or the text so far. */
export const makeStatusWriter = <E>(
  view: JobView,
  readPart: ReadPart<E>,
  field: "output" | "partial_output" = "output"
): TextWriter<CountedCursor, E> => ({
  contentType,
  piece: (before) =>
    Effect.map(readPart(before), (part): TextPiece<CountedCursor> => {
      const { count, durationMillis, language, next } = part
      const isLast = Option.isNone(next)
      const open = Option.isNone(before) ? openStatus(view, { ...part, field }) : ""
      const comma = Option.isSome(before) && part.segments.length > 0 ? "," : ""
      const entries = JSON.stringify(part.segments.map(toOutputEntry)).slice(1, -1)
      return {
        text: `${open}${comma}${entries}${isLast ? "]}}" : ""}`,
        next: isLast ? Option.none() : Option.some({ count, durationMillis, language, next })
      }
    })
})

/** Returns the JSON of a status up to the first segment. */
const openStatus = (
  view: JobView,
  { durationMillis, field, language }: CountedPart & { readonly field: string }
): string => {
  const output = { duration: seconds(durationMillis), language, list: [] }
  return JSON.stringify({ ...view, [field]: output }).slice(0, -"]}}".length)
}
