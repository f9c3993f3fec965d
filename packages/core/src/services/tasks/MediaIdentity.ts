/**
 * Whether the media store is the one that belongs to the database. A folder that is not mounted is
 * an empty folder, and another bucket is a good bucket: only their content tells, by a marker that
 * the database knows, too.
 */
import {
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Layer,
  Option,
  Schema,
  type Scope
} from "effect"
import { SecureRandom } from "effect/crypto"
import { type DatabaseIdentity, JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"

/** What the media store is to the database. The sentences are for the operator. */
export const MediaStoreStatus = Schema.TaggedUnion({
  /** Media may be read and written. */
  Ours: {},
  /** Nothing may be written there, and what is not found there may be elsewhere. */
  NotOurs: { sentence: Schema.String },
  /** It may come back by itself. */
  Unreachable: { sentence: Schema.String }
})
export type MediaStoreStatus = typeof MediaStoreStatus.Type

/** How long a good answer is believed: a process makes two small requests every five seconds. */
export const statusLifetime: Duration.Duration = Duration.seconds(5)

/** A bad answer is checked again soon: an operator is fixing it, or an outage ends. */
const badFor: Duration.Duration = Duration.seconds(1)

/** Shorter than an answer is believed, so that whoever waits for one never gets one too old. */
const patience = Duration.seconds(3)

const unmarkedSentence = [
  "The media store has no marker, but its database knows one:",
  "a folder may not be mounted, or the place is another.",
  "If media was moved on purpose, run `verbatim media adopt` on this machine."
].join(" ")

const foreignSentence = [
  "The media store belongs to another database:",
  "the place of media, or the database, is not the one it was.",
  "If this database takes it over from the other one, run `verbatim media adopt --yes`."
].join(" ")

const copiedSentence = [
  "This database is a copy of the one that the media store belongs to: restored, moved, or copied.",
  "If this one takes its place, or has a media store of its own, run `verbatim media adopt`."
].join(" ")

const ours: MediaStoreStatus = { _tag: "Ours" }

const unmarked: MediaStoreStatus = { _tag: "NotOurs", sentence: unmarkedSentence }

const foreign: MediaStoreStatus = { _tag: "NotOurs", sentence: foreignSentence }

const copied: MediaStoreStatus = { _tag: "NotOurs", sentence: copiedSentence }

const unreachable = (what: string): MediaStoreStatus => ({
  _tag: "Unreachable",
  sentence: `${what} cannot be reached, so nobody knows whether media is in its place.`
})

const compare = (marker: string, mark: string): MediaStoreStatus =>
  marker === mark ? ours : foreign

/** What both are recognised with. */
type Ports = JobStore | MediaStore | SecureRandom.SecureRandom

/** Whether a database chose a marker. The identity was stored before any marker was made of it. */
const isChosenBy = ({ identity }: DatabaseIdentity, marker: string): boolean =>
  marker.startsWith(`${identity}.`)

const chooseMarker = Effect.fnUntraced(function* ({ identity }: DatabaseIdentity) {
  const random = yield* SecureRandom.SecureRandom
  return `${identity}.${yield* random.uuidV4()}`
})

/** What a marked store is to a database; undefined where the database may choose its first one. */
export const judgeMarker = (
  mark: DatabaseIdentity,
  found: Option.Option<string>
): MediaStoreStatus | undefined => {
  if (mark.isCopied) return copied
  if (Option.isSome(mark.marker)) {
    return Option.isNone(found) ? unmarked : compare(found.value, mark.marker.value)
  }
  return Option.isNone(found) || isChosenBy(mark, found.value) ? undefined : foreign
}

/**
 * Looks once. A database without a marker marks the store first and then itself: after a crash in
 * between it recognises the marker that it chose, and takes no other. So a database with a marker
 * has always had a marked store, and a store without a marker is never its own: it is not marked
 * here.
 */
const look: Effect.Effect<MediaStoreStatus, JobStoreError | MediaStoreError, Ports> = Effect.gen(
  function* () {
    const media = yield* MediaStore
    const jobs = yield* JobStore
    const mark = yield* jobs.databaseIdentity
    const found = yield* media.marker
    const judged = judgeMarker(mark, found)
    if (judged !== undefined) return judged
    // Of several at once, each store returns its first marker, and so does the database.
    const marker = Option.isSome(found) ? found.value : yield* media.mark(yield* chooseMarker(mark))
    if (!isChosenBy(mark, marker)) return foreign
    return compare(marker, yield* jobs.adoptMedia({ marker, isReplacing: false }))
  }
)

/**
 * Gives the store to the database, with a new marker: for an operator who moved media or the
 * database. Whichever database had the store, this one's original included, no longer uses it. The
 * store of another database stays as it is unless it may be taken.
 */
export const adopt = Effect.fnUntraced(function* ({
  mayTake
}: {
  readonly mayTake: boolean
}): Effect.fn.Return<MediaStoreStatus, JobStoreError | MediaStoreError, Ports> {
  const { adoptMedia, databaseIdentity } = yield* JobStore
  const media = yield* MediaStore
  const before = yield* look
  if (before._tag === "Ours") return before
  const mark = yield* databaseIdentity
  const found = yield* media.marker
  const isFree = Option.match(found, { onNone: () => true, onSome: (text) => isKnown(mark, text) })
  if (!isFree && !mayTake) return foreign
  const marker = yield* media.mark(yield* chooseMarker(mark), { isReplacing: true })
  return compare(marker, yield* adoptMedia({ marker, isReplacing: true }))
})

/** Whether a marker is the database's own, or that of the one which it is a copy of. */
const isKnown = (mark: DatabaseIdentity, text: string): boolean =>
  isChosenBy(mark, text) || Option.contains(mark.marker, text)

const explain = (error: JobStoreError | MediaStoreError): MediaStoreStatus =>
  unreachable(error._tag === "MediaStoreError" ? "The media store" : "The database")

interface Answer {
  readonly standing: MediaStoreStatus
  /** Monotonic instant from which it is no longer believed. */
  readonly until: bigint
}

export class MediaIdentity extends Context.Service<
  MediaIdentity,
  {
    /**
     * What the media store is to the database now. An answer is at most `statusLifetime` old, counted from
     * the start of its question. One question is under way at a time, for all who ask meanwhile.
     */
    readonly verify: Effect.Effect<MediaStoreStatus>
    /** Fails like an unavailable store unless the store is ours. */
    readonly mustBeOurs: (operation: string) => Effect.Effect<void, MediaStoreError>
  }
>()("@verbatim/core/services/MediaIdentity") {
  static readonly layer: Layer.Layer<MediaIdentity, never, Ports> = Layer.effect(
    MediaIdentity,
    Effect.gen(function* () {
      // The question is everybody's: it is asked in the context of nobody who asks, which may be in
      // a transaction of its own.
      const context = yield* Effect.context<Ports | Scope.Scope>()
      const clock = yield* Clock.Clock
      const scope = yield* Effect.scope
      let last: Answer | undefined
      let underway: Deferred.Deferred<MediaStoreStatus> | undefined

      /** Told once, when it changes. */
      const tell = (standing: MediaStoreStatus) => {
        if (standing._tag === last?.standing._tag) return Effect.void
        if (standing._tag !== "Ours") return Effect.logWarning(standing.sentence)
        return last === undefined
          ? Effect.void
          : Effect.logInfo("The media store can be used again.")
      }

      const question = look.pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.succeed(unreachable("The media store or the database"))
        }),
        Effect.catch((error) => Effect.succeed(explain(error))),
        Effect.catchCause((cause) =>
          Effect.as(
            Effect.logError("The media store cannot be recognised", cause),
            unreachable("The media store")
          )
        )
      )

      const ask = Effect.fnUntraced(function* (asked: Deferred.Deferred<MediaStoreStatus>) {
        const askedAt = clock.monotonicTimeNanosUnsafe()
        const standing = yield* question
        yield* tell(standing)
        const believed = Duration.toNanosUnsafe(standing._tag === "Ours" ? statusLifetime : badFor)
        last = { standing, until: askedAt + believed }
        underway = undefined
        yield* Deferred.succeed(asked, standing)
      })

      const verify = Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          if (underway !== undefined) return restore(Deferred.await(underway))
          if (last !== undefined && clock.monotonicTimeNanosUnsafe() < last.until) {
            return Effect.succeed(last.standing)
          }
          const asked = Deferred.makeUnsafe<MediaStoreStatus>()
          underway = asked
          // Not a child of the fiber that asked: it may be interrupted while others still wait.
          return Effect.andThen(
            Effect.updateContext(
              Effect.forkIn(Effect.interruptible(ask(asked)), scope),
              (_: Context.Context<never>) => context
            ),
            restore(Deferred.await(asked))
          )
        })
      )

      return MediaIdentity.of({
        verify,
        mustBeOurs: Effect.fnUntraced(function* (operation) {
          const standing = yield* verify
          if (standing._tag === "Ours") return
          const cause = new Error(standing.sentence)
          return yield* new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })
        })
      })
    })
  )
}
