/**
 * The media store: whether it is reached, is the one that the database knows, and takes content.
 * What is written for that is removed again, and no folder is made.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import { SqlJobStore } from "@verbatim/adapters/sql"
import { JobId } from "@verbatim/core/attempt"
import { JobStore, type MediaMark, MediaStore } from "@verbatim/core/ports"
import { isChosenBy } from "@verbatim/core/services"
import { makeMediaKey } from "@verbatim/core/transcription"
import { causesOf, fileReasonOf } from "@verbatim/embed/trouble"
import { Effect, Layer, Option, Stream } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as Disks from "../Disks.ts"
import * as ExistingStore from "../ExistingStore.ts"
import * as Media from "../Media.ts"
import { type Check, type Finding, failed, ok, warning } from "./Finding.ts"
import { clientOf } from "./StoreCheck.ts"
import { isWritable } from "./Writable.ts"

const what = "media"

/** What the database knows of its media store, or that the database itself is silent. */
type Known = Option.Option<MediaMark> | "silent"

/** None where the database knows none, or is not there itself. */
const knownMarker = ({ database }: Configuration): Effect.Effect<Known> =>
  Effect.gen(function* () {
    if (database._tag === "Memory" || !(yield* ExistingStore.isThere(database))) {
      return Option.none<MediaMark>()
    }
    return yield* Effect.provide(
      Effect.asSome(Effect.flatMap(JobStore, ({ mediaMark }) => mediaMark)),
      Layer.provide(SqlJobStore.layer, clientOf(database))
    )
  }).pipe(Effect.orElseSucceed((): Known => "silent"))

const compare = (known: Known, found: Option.Option<string>): Finding => {
  if (known === "silent") return warning("marker", "the database does not say which one it knows")
  if (Option.isNone(known) || Option.isNone(known.value.marker)) {
    return Option.match(found, {
      onNone: () => ok("marker", "the database knows no media store yet, and this one is new"),
      onSome: (text) =>
        Option.exists(known, (mark) => isChosenBy(mark, text))
          ? ok("marker", own)
          : failed("marker", other)
    })
  }
  const { isCopied, marker } = known.value
  if (isCopied) return failed("marker", copied)
  if (Option.isNone(found)) return failed("marker", unmarked)
  return marker.value === found.value ? ok("marker", own) : failed("marker", other)
}

const folderFinding = (path: string) =>
  isWritable(path)
    ? Effect.map(
        Disks.shortageOf(path),
        Option.match({
          onNone: () => ok(what, `reached, and takes content: ${path}`),
          onSome: (lack) => failed(what, `${lack}: free up space`)
        })
      )
    : Effect.succeed(failed(what, `this user may not write into ${path}, or it is read-only`))

const own = "it is the store that the database knows"

const other =
  "it belongs to another database: look at VERBATIM_MEDIA_URL and VERBATIM_DATABASE_URL, or run " +
  "`verbatim media adopt --yes` if this database takes it over"

const copied =
  "the database is a copy of the one that it belongs to: run `verbatim media adopt` if this one " +
  "takes its place"

const unmarked =
  "it has no marker, and the database knows one: mount the folder, or run " +
  "`verbatim media adopt` if media was moved on purpose"

/** Whether the database has a media store. */
const hasStore = (known: Known): boolean =>
  known !== "silent" && Option.exists(known, ({ marker }) => Option.isSome(marker))

const folder = Effect.fnUntraced(function* (settings: Configuration) {
  const { mediaDirectory } = settings
  const known = yield* knownMarker(settings)
  if (statSync(mediaDirectory, { throwIfNoEntry: false }) === undefined) {
    return hasStore(known)
      ? [failed(what, `the folder ${mediaDirectory} is not there: mount it, or restore it`)]
      : [warning(what, `there is no folder ${mediaDirectory} yet: the server makes one`)]
  }
  return [
    yield* folderFinding(mediaDirectory),
    compare(known, yield* Filesystem.readMarker(mediaDirectory))
  ]
})

/** A folder of this look alone, for what a client of buckets keeps while it works. */
const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-doctor-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** No job has this id. */
const sampleKey = makeMediaKey({
  jobId: JobId.make("00000000-0000-0000-0000-000000000000"),
  attempt: 1,
  extension: ".wav"
})

const bucketOf = Effect.fnUntraced(function* (settings: Configuration, name: string) {
  const known = yield* knownMarker(settings)
  const workDirectory = yield* scratch
  const store = Media.layer({ ...settings, workDirectory })
  return yield* Effect.gen(function* () {
    const media = yield* MediaStore
    const belongs = compare(known, yield* media.marker)
    // What is not ours, or may not be, is left as it is.
    if (belongs.verdict !== "ok") return [ok(what, `reached: the bucket ${name}`), belongs]
    const content = Stream.make(new Uint8Array(1))
    yield* media.put({ key: sampleKey, content, byteMax: 1 })
    yield* media.remove(sampleKey)
    return [ok(what, `reached, and takes content: the bucket ${name}`), belongs]
  }).pipe(Effect.provide(store))
}, Effect.scoped)

/** The name that a server of buckets gives its refusal, such as `NoSuchBucket`. */
const nameOf = (error: unknown): string =>
  causesOf(error)
    .flatMap((each) => (each instanceof Error ? [each.name] : []))
    .findLast((name) => /^[A-Za-z]{3,60}$/.test(name) && name !== "Error") ?? "no answer"

const explain = (place: string) => (error: unknown) => {
  const reason = fileReasonOf(error) ?? nameOf(error)
  const advice = "look at VERBATIM_MEDIA_URL and VERBATIM_S3_…"
  return Effect.succeed([failed(what, `${place} cannot be used (${reason}): ${advice}`)])
}

/** Everything about the media store of a configuration. */
export const mediaCheck = (settings: Configuration): Check => ({
  what,
  look: Option.match(settings.bucket, {
    onNone: () => Effect.catch(folder(settings), explain(`the folder ${settings.mediaDirectory}`)),
    onSome: ({ bucket }) =>
      Effect.catch(bucketOf(settings, bucket), explain(`the bucket ${bucket}`))
  })
})
