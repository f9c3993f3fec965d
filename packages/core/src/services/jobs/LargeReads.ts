/**
 * The texts that a process makes for its callers, a few pieces at a time. A piece keeps the
 * processor busy for some milliseconds: a hundred readers would otherwise do so in a row before
 * anybody else has a turn.
 */

import { Context, Effect, Layer, Option, Scope, Semaphore, Stream } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import * as Quota from "../quota/Quota.ts"

/** First pieces at a time: several, because each waits for its answer from the database. */
const firstMax = 4

/** Further pieces at a time, of all long texts together. */
const furtherMax = 2

/** Whole texts of one workspace that are made or sent: ten hours are up to 57 MB of text each. */
const heldMax = 2

/** A workspace holds as many whole texts as it may, and gave none back in time. */
export class TooManyReaders extends refusal<TooManyReaders>()("TooManyReaders", {
  sentence: "The workspace reads too many long transcripts at the same time"
}) {}

export class LargeReads extends Context.Service<
  LargeReads,
  {
    /**
     * Makes the first piece, which is the whole text where no other follows. A short text waits for
     * no piece of a long one. Long ones take turns: whoever wants another piece waits behind the
     * others. Nothing is held while a piece is on its way to its reader, so that a slow reader
     * keeps nobody waiting.
     */
    readonly write: <Place, E>(writing: TextWriter<Place, E>) => Effect.Effect<ChunkedText<E>, E>
    /**
     * Runs what needs a long transcript as a whole: one at a time, in the order of asking. As
     * objects, ten hours are some 200 MB. Where a scope is given, what was made counts until that
     * ends: a workspace whose readers are slow waits for them, and nobody else does. Each text
     * needs a scope of its own.
     */
    readonly whole: <A, E, R>(
      reader: { readonly workspaceId: WorkspaceId; readonly until?: Scope.Scope | undefined },
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | TooManyReaders, R>
  }
>()("@verbatim/core/services/LargeReads") {
  static readonly layer: Layer.Layer<LargeReads> = Layer.effect(
    LargeReads,
    Effect.gen(function* () {
      const first = takeTurns(yield* Semaphore.make(firstMax))
      const further = takeTurns(yield* Semaphore.make(furtherMax))

      const write = <Place, E>({ contentType, piece }: TextWriter<Place, E>) =>
        Effect.map(first(piece(Option.none())), ({ next, text }): ChunkedText<E> => {
          if (Option.isNone(next)) return { _tag: "Whole", contentType, text }
          const rest = Stream.paginate(next.value, (place) =>
            Effect.map(
              further(piece(Option.some(place))),
              (found) => [[found.text], found.next] as const
            )
          )
          return { _tag: "Pieces", contentType, pieces: Stream.concat(Stream.make(text), rest) }
        })

      const one = takeTurns(yield* Semaphore.make(1))
      const hold = yield* Quota.makeWithTimeout({
        share: heldMax,
        total: Number.POSITIVE_INFINITY,
        refusal: () => new TooManyReaders()
      })

      return LargeReads.of({
        write,
        whole: ({ until, workspaceId }, work) =>
          until === undefined
            ? one(work)
            : Effect.andThen(Scope.provide(hold(workspaceId), until), one(work))
      })
    })
  )
}

/** In the order of asking. Before each piece, whatever has arrived meanwhile is read. */
const takeTurns =
  (semaphore: Semaphore.Semaphore) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    semaphore.withPermit(Effect.andThen(Effect.yieldNow, work))

/** A text with its media type, whole or in pieces. */
export type ChunkedText<E> =
  | { readonly _tag: "Whole"; readonly contentType: string; readonly text: string }
  | {
      readonly _tag: "Pieces"
      readonly contentType: string
      /** Fails where the rest cannot be read: what was taken so far is not the whole text. */
      readonly pieces: Stream.Stream<string, E>
    }

/** A piece of a text, and where the next one begins; none after the last one. */
export interface TextPiece<Place> {
  readonly text: string
  readonly next: Option.Option<Place>
}

/** How a text is made. */
export interface TextWriter<Place, E> {
  readonly contentType: string
  /** Makes the piece at a place, or the first one when no place is given. */
  readonly piece: (place: Option.Option<Place>) => Effect.Effect<TextPiece<Place>, E>
}
