/**
 * Backs up a store in use to a folder, and restores a backup. A backup has the database as a SQLite
 * file, the media as a folder, and a manifest that marks it as complete.
 */

import { createReadStream } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import { Migrations, type StoreCopy } from "@verbatim/adapters/sql"
import { MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { adopt, judgeMarker } from "@verbatim/core/services"
import type { MediaKey } from "@verbatim/core/transcription"
import { version } from "@verbatim/core/version"
import { codeOf, placeOf } from "@verbatim/embed/trouble"
import {
  ByteSize,
  Context,
  DateTime,
  Duration,
  Effect,
  Layer,
  Option,
  Schema,
  Stream
} from "effect"
import { SqlClient } from "effect/sql"
import type { StoredConfiguration } from "../Configuration.ts"
import { onStore } from "../command/operation.ts"
import { Refusal, refuse } from "../command/Refusal.ts"
import * as ProgressBar from "../command/terminal/ProgressBar.ts"
import { clientOf, findMarker } from "../doctor/StoreCheck.ts"
import * as ExistingStore from "../ExistingStore.ts"
import * as Media from "../Media.ts"
import { copyDatabase } from "./DatabaseCopy.ts"

/** The names of a backup's parts. The manifest is written last. */
const pathsIn = (folder: string) => ({
  database: { _tag: "Sqlite" as const, filename: join(folder, "verbatim.db") },
  manifest: join(folder, "backup.json"),
  media: join(folder, "media")
})

const Manifest = Schema.Struct({
  version: Schema.String,
  created_at: Schema.String,
  media_files: Schema.Int,
  media_bytes: Schema.Int,
  totals: Schema.Record(Schema.String, Schema.String)
})

/** Describes a backup. The manifest is written when the backup is complete. */
export type Manifest = typeof Manifest.Type

const openMedia = (layer: ReturnType<typeof Media.layer>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, MediaStore))

const openFolder = (directory: string) => openMedia(Filesystem.layer({ directory }))

/** Shows how many files and rows have been copied. */
const makeProgress = Effect.gen(function* () {
  let label = ""
  const media = { files: 0, bytes: 0 }
  const bar = yield* ProgressBar.make(Effect.sync(() => ({ fraction: undefined, label })))
  const describeMedia = () => {
    const size = ByteSize.format(ByteSize.bytes(media.bytes), { system: "decimal" })
    return `media: ${media.files} files, ${size}`
  }
  return {
    media,
    onFile: (byteLength: number) => {
      media.files += 1
      media.bytes += byteLength
      label = describeMedia()
    },
    report: ({ rows, table }: StoreCopy.Progress) =>
      Effect.sync(() => {
        label = `database: ${table}, ${rows} rows`
      }),
    say: (line: string) => bar.say(line),
    sayMedia: Effect.suspend(() => bar.say(describeMedia()))
  }
})

/**
 * Fails if the media folder does not belong to the database. A folder that is not mounted looks
 * empty, so its backup would be empty too.
 */
const mustBelong = Effect.fnUntraced(function* (
  settings: StoredConfiguration,
  media: MediaStore["Service"]
) {
  const identity = yield* findMarker(settings)
  if (Option.isNone(identity)) return
  const status = judgeMarker(identity.value, yield* media.marker)
  if (status !== undefined && status._tag !== "Ours") return yield* refuse(status.sentence)
})

const makeFolder = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      Filesystem.makeFolders(folder, 0o700)
      return readdir(folder)
    },
    catch: (error) => new Refusal({ sentence: `Cannot write to ${folder}: ${codeOf(error)}.` })
  })

/**
 * Backs up a store in use: first media, then the database, then media again. Because of this order,
 * the backup contains the recording of every job that was accepted before it began, unless the job
 * no longer needs it.
 */
export const backUp = Effect.fnUntraced(function* (settings: StoredConfiguration, given: string) {
  const folder = resolve(given)
  const found = yield* makeFolder(folder)
  if (found.length > 0) return yield* refuse(`${folder} is not empty. Choose a new folder.`)
  const paths = pathsIn(folder)
  const from = yield* openMedia(Media.layer(settings))
  yield* mustBelong(settings, from)
  const to = yield* openFolder(paths.media)
  const { media, onFile, report, say, sayMedia } = yield* makeProgress
  yield* copyMedia({ from, to, onFile })
  yield* sayMedia
  const ends = { from: settings.database, to: paths.database }
  const totals = yield* copyDatabase(ends, { isInUse: true, report })
  yield* say("database: complete")
  yield* copyMedia({ from, to, onFile })
  yield* sayMedia
  const manifest: Manifest = {
    version,
    created_at: DateTime.formatIso(yield* DateTime.now),
    media_files: media.files,
    media_bytes: media.bytes,
    totals: Object.fromEntries(totals)
  }
  yield* Effect.tryPromise({
    try: () =>
      writeFile(paths.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 }),
    catch: (error) => new Refusal({ sentence: `Cannot write to ${folder}: ${codeOf(error)}.` })
  })
  return { folder, ...manifest }
}, Effect.scoped)

const readManifest = (folder: string) =>
  Effect.tryPromise(() => readFile(pathsIn(folder).manifest, "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(Manifest))),
    Effect.mapError(() => new Refusal({ sentence: `${folder} is not a complete backup.` }))
  )

/**
 * Whether a database can be restored into, because it has no store, only empty tables, or part of
 * an interrupted restore.
 */
const isFree = Effect.fnUntraced(function* ({ database }: StoredConfiguration) {
  if (!(yield* ExistingStore.exists(database))) return true
  return yield* Effect.gen(function* () {
    if ((yield* Migrations.readStatus) === "Unfinished") return true
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT 1 FROM verbatim_workspaces LIMIT 1`).length === 0
  }).pipe(Effect.provide(clientOf(database)))
})

/**
 * Fails if the backup has no database. A copy of a backup can lack it, or have another file in its
 * place.
 */
const mustHaveDatabase = Effect.fnUntraced(function* (folder: string) {
  const { database } = pathsIn(folder)
  const read = Effect.provide(Migrations.readStatus, clientOf(database))
  if ((yield* ExistingStore.exists(database)) && Option.isSome(yield* Effect.option(read))) return
  return yield* refuse(
    `${folder} has no readable database. Copy the backup again, to a folder that can be written.`
  )
})

/**
 * Fails if the backup lacks media. A copy of a backup can lack them even if it has the manifest.
 */
const mustHaveMedia = Effect.fnUntraced(function* (
  folder: string,
  media: MediaStore["Service"],
  { media_bytes, media_files }: Manifest
) {
  const sizes = yield* media.olderThan(Duration.zero).pipe(
    Stream.mapEffect((key) => Effect.scoped(media.open(key))),
    Stream.map(({ byteLength }) => byteLength),
    Stream.runCollect
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length >= media_files && bytes >= media_bytes) return
  return yield* refuse(
    `${folder} has ${sizes.length} of ${media_files} media files, and ${bytes} of ` +
      `${media_bytes} bytes. Copy the backup again.`
  )
})

interface RestoreOptions {
  readonly folder: string
  /** Whether to use a media store even if it already belongs to a database. */
  readonly mayTake: boolean
}

/**
 * Restores a backup into the configured database and media store. The database comes last, so that
 * an interrupted restore can be repeated, and no process can serve an incomplete store.
 */
export const restore = Effect.fnUntraced(function* (
  settings: StoredConfiguration,
  { folder: given, mayTake }: RestoreOptions
) {
  const folder = resolve(given)
  const manifest = yield* readManifest(folder)
  yield* mustHaveDatabase(folder)
  const paths = pathsIn(folder)
  if (!(yield* isFree(settings))) {
    const place = placeOf(settings.database)
    return yield* refuse(`There is already a store in ${place}. Restore into an empty database.`)
  }
  const to = yield* openMedia(Media.layer(settings))
  if (!mayTake && Option.isSome(yield* to.marker)) {
    const sentence =
      "The configured media store belongs to a database, which would stop using it. Pass --yes " +
      "if that database is gone."
    return yield* refuse(sentence)
  }
  const from = yield* openFolder(paths.media)
  if (!mayTake) yield* mustHaveMedia(folder, from, manifest)
  const { onFile, report, say, sayMedia } = yield* makeProgress
  yield* copyMedia({ from, to, onFile })
  yield* sayMedia
  const ends = { from: paths.database, to: settings.database }
  yield* copyDatabase(ends, { isInUse: false, report })
  yield* say("database: complete")
  const status = yield* onStore(Effect.provideService(adopt({ mayTake: true }), MediaStore, to))
  if (status._tag !== "Ours") return yield* refuse(status.sentence)
  return { folder, ...manifest }
}, Effect.scoped)

// Copies media to another store, in which nothing is replaced or removed.

type Store = MediaStore["Service"]

interface MediaCopyOptions {
  readonly from: Store
  readonly to: Store
  readonly onFile: (byteLength: number) => void
}

const isMissing = ({ reason }: MediaStoreError): boolean => reason._tag === "Missing"

const hasMedia = (store: Store, key: MediaKey) =>
  Effect.scoped(Effect.as(store.read({ key, from: 0, to: 0 }), true)).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(false))
  )

const read = (path: string) =>
  Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(
    createReadStream(path),
    (cause) => new MediaStoreError({ operation: "read", reason: { _tag: "Unavailable", cause } })
  )

/**
 * Number of files to copy concurrently, enough to keep a disk busy. A bucket handles them in
 * parallel.
 */
const concurrency = 4

/** Copies all media that the other store lacks, except media that is being removed. */
const copyMedia = ({ from, onFile, to }: MediaCopyOptions) => {
  const copyFile = Effect.fnUntraced(function* (key: MediaKey) {
    if (yield* hasMedia(to, key)) return
    const { byteLength, path } = yield* from.open(key)
    yield* to.put({ key, content: read(path), byteMax: Number.POSITIVE_INFINITY })
    onFile(byteLength)
  }, Effect.scoped)
  return from.olderThan(Duration.zero).pipe(
    Stream.mapEffect((key) => Effect.catchIf(copyFile(key), isMissing, () => Effect.void), {
      concurrency,
      unordered: true
    }),
    Stream.runDrain
  )
}
