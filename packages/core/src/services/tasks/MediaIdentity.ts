/**
 * Checks whether the media store belongs to the database. A folder that is not mounted looks like
 * an empty one, and a wrong bucket looks like the right one. Only a marker that is stored in both
 * the media store and the database shows the difference.
 */
import { Context, Duration, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { type DatabaseIdentity, JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"
import { shareInFlight } from "../quota/SharedAnswers.ts"

/** Whether the media store belongs to the database. The sentences are written for the operator. */
export const MediaStoreStatus = Schema.TaggedUnion({
  /** Media can be read and written. */
  Ours: {},
  /**
   * The store is not ours, so it must not be written to, and missing media may be in another store.
   */
  NotOurs: { sentence: Schema.String },
  /** The media store or the database does not respond, possibly only for a while. */
  Unreachable: { sentence: Schema.String }
})
export type MediaStoreStatus = typeof MediaStoreStatus.Type

/**
 * How long a good status is cached. The checks then cost each process two small requests every five
 * seconds.
 */
export const statusLifetime: Duration.Duration = Duration.seconds(5)

/**
 * How long a bad status is cached. This time is short, because an operator may be fixing the
 * problem, or an outage may end.
 */
const failureLifetime: Duration.Duration = Duration.seconds(1)

/**
 * Maximum time for a check. It is shorter than `statusLifetime`, so that a caller waiting for a
 * status never gets an outdated one.
 */
const checkTimeout = Duration.seconds(3)

const unmarkedSentence = [
  "The media store has no marker, although the database has one:",
  "a folder may not be mounted, or may be the wrong one.",
  "If you moved the media, run `verbatim media adopt` on this machine."
].join(" ")

const foreignSentence = [
  "The media store belongs to another database:",
  "the location of the media, or the database, has changed.",
  "To take the store over from the other database, run `verbatim media adopt --yes`."
].join(" ")

const copiedSentence = [
  "The media store belongs to another database, of which this one is a copy.",
  "If this database replaces the other one, or has its own media store, run `verbatim media adopt`."
].join(" ")

const ours: MediaStoreStatus = { _tag: "Ours" }

const unmarked: MediaStoreStatus = { _tag: "NotOurs", sentence: unmarkedSentence }

const foreign: MediaStoreStatus = { _tag: "NotOurs", sentence: foreignSentence }

const copied: MediaStoreStatus = { _tag: "NotOurs", sentence: copiedSentence }

const unreachable = (what: string): MediaStoreStatus => ({
  _tag: "Unreachable",
  sentence: `${what} cannot be reached, so it is unknown whether media is in its place.`
})

const compare = (marker: string, mark: string): MediaStoreStatus =>
  marker === mark ? ours : foreign

/** The ports that the check of the media store needs. */
type Ports = JobStore | MediaStore | SecureRandom.SecureRandom

/**
 * Whether a marker comes from this database, which means that it was derived from the stored
 * identity.
 */
const isChosenBy = ({ identity }: DatabaseIdentity, marker: string): boolean =>
  marker.startsWith(`${identity}.`)

const chooseMarker = Effect.fnUntraced(function* ({ identity }: DatabaseIdentity) {
  const random = yield* SecureRandom.SecureRandom
  return `${identity}.${yield* random.uuidV4()}`
})

/**
 * Returns the status of a media store with this marker; undefined if the database can still get its
 * first marker.
 */
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
 * Compares the markers once. If the database has no marker, a new one is written to the media store
 * first, and then to the database. After a crash in between, the database recognises the marker
 * that was derived from its own identity, and accepts no other. A store without a marker gets none
 * if the database has one, because its media store then has one too.
 */
const check: Effect.Effect<MediaStoreStatus, JobStoreError | MediaStoreError, Ports> = Effect.gen(
  function* () {
    const media = yield* MediaStore
    const jobs = yield* JobStore
    const mark = yield* jobs.databaseIdentity
    const found = yield* media.marker
    const judged = judgeMarker(mark, found)
    if (judged !== undefined) return judged
    // If several processes write a first marker concurrently, the one that was written first stays
    // in both the store and the database.
    const marker = Option.isSome(found) ? found.value : yield* media.mark(yield* chooseMarker(mark))
    if (!isChosenBy(mark, marker)) return foreign
    return compare(marker, yield* jobs.adoptMedia({ marker, isReplacing: false }))
  }
)

/**
 * Assigns the media store to the database with a new marker, for an operator who moved media or the
 * database. Any other database that used the store, including the original of this copy, stops
 * using it. The store of another database stays unchanged unless `mayTake` is true.
 */
export const adopt = Effect.fnUntraced(function* ({
  mayTake
}: {
  readonly mayTake: boolean
}): Effect.fn.Return<MediaStoreStatus, JobStoreError | MediaStoreError, Ports> {
  const { adoptMedia, databaseIdentity } = yield* JobStore
  const media = yield* MediaStore
  const before = yield* check
  if (before._tag === "Ours") return before
  const mark = yield* databaseIdentity
  const found = yield* media.marker
  const isFree = Option.match(found, { onNone: () => true, onSome: (text) => isKnown(mark, text) })
  if (!isFree && !mayTake) return foreign
  const marker = yield* media.mark(yield* chooseMarker(mark), { isReplacing: true })
  return compare(marker, yield* adoptMedia({ marker, isReplacing: true }))
})

/** Whether a marker belongs to the database, or to the one that it is a copy of. */
const isKnown = (mark: DatabaseIdentity, text: string): boolean =>
  isChosenBy(mark, text) || Option.contains(mark.marker, text)

const explain = (error: JobStoreError | MediaStoreError): MediaStoreStatus =>
  unreachable(error._tag === "MediaStoreError" ? "The media store" : "The database")

const makeMediaIdentity = Effect.gen(function* () {
  const context = yield* Effect.context<Ports>()
  const scope = yield* Effect.scope
  let last: MediaStoreStatus | undefined

  /** Logs a status only when it changes. */
  const logChange = Effect.fnUntraced(function* (status: MediaStoreStatus) {
    const before = last
    last = status
    if (status._tag === before?._tag) return
    if (status._tag !== "Ours") return yield* Effect.logWarning(status.sentence)
    if (before !== undefined) yield* Effect.logInfo("The media store can be used again.")
  })

  const safeCheck = check.pipe(
    Effect.timeoutOrElse({
      duration: checkTimeout,
      orElse: () => Effect.succeed(unreachable("The media store or the database"))
    }),
    Effect.catch((error) => Effect.succeed(explain(error))),
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("The media store cannot be recognised", cause),
        unreachable("The media store")
      )
    ),
    Effect.tap(logChange)
  )

  const verify = shareInFlight(
    // All callers share the check, so it does not run in the context of one caller, who may be in a
    // transaction. The check ends before the media store closes.
    Effect.withFiber((fiber) => {
      Fiber.runIn(fiber, scope)
      return Effect.updateContext(safeCheck, (_: Context.Context<never>) => context)
    }),
    (exit) =>
      Exit.isSuccess(exit) && exit.value._tag === "Ours" ? statusLifetime : failureLifetime
  )

  return {
    /**
     * Returns whether the media store belongs to the database. A good status is at most
     * `statusLifetime` old. Never fails.
     */
    verify,

    /**
     * Fails as if the store were unavailable, if it belongs to another database or its status is
     * unknown.
     */
    mustBeOurs: Effect.fnUntraced(function* (operation: string) {
      const status = yield* verify
      if (status._tag === "Ours") return
      const cause = new Error(status.sentence)
      return yield* new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })
    })
  }
})

export class MediaIdentity extends Context.Service<
  MediaIdentity,
  Effect.Success<typeof makeMediaIdentity>
>()("@verbatim/core/services/MediaIdentity") {
  static readonly layer: Layer.Layer<MediaIdentity, never, Ports> = Layer.effect(
    MediaIdentity,
    makeMediaIdentity
  )
}
