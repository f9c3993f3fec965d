/**
 * Installs models: downloads each file through the guard, resumes after a broken connection, and
 * gives a file its final name only if size and checksum match.
 */

import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { trace } from "@verbatim/core/ports"
import { Duration, Effect, Option, Schedule, type Scope, Stream } from "effect"
import { Guard, GuardedDownload, type OutboundError, unreachable } from "../net/index.ts"
import * as Catalogue from "./Catalogue.ts"
import type { Model, ModelFile } from "./Model.ts"
import { ModelError, Obstacle } from "./ModelError.ts"
import { digestOf, findDamaged, folderError, pathOf, presence } from "./ModelFolder.ts"
import { type ModelSource, urlOf } from "./ModelSource.ts"

/** Options for the installer. */
export interface InstallerOptions {
  /** The model directory. */
  readonly folder: string
  readonly source: ModelSource
  readonly guard: Guard.GuardOptions
  /** Called with the number of bytes of the model that are present. */
  readonly onProgress: (model: Model, byteLength: number) => Effect.Effect<void>
}

/**
 * Time limit for a connection: an unreachable hub is reported within 10 s, including the program's
 * startup.
 */
const answerTimeout = Duration.seconds(6)

/**
 * Maximum number of times that a download is resumed, because hubs sometimes cut off long
 * downloads.
 */
const resumeMax = 8

const retrySchedule = Schedule.exponential("250 millis")

const endedEarly = unreachable("the source", "the download ended too early")

/** Downloads the rest of a file. `onBytes` receives the length downloaded so far. */
const fetchRest = Effect.fnUntraced(function* (
  task: {
    readonly url: string
    readonly byteLength: number
    readonly part: PartialFile
  },
  options: {
    readonly guard: Guard.Guard
    readonly onBytes: (length: number) => Effect.Effect<void>
  }
) {
  const { byteLength, part, url } = task
  const present = yield* Effect.promise(part.length)
  if (present === byteLength) return
  // A partial download that is too long must belong to another file.
  const wanted = present < byteLength ? present : 0
  const { content, offset } = yield* GuardedDownload.open(
    { url, offset: wanted, timeout: answerTimeout },
    options.guard
  )
  let length = offset <= wanted ? offset : 0
  if (offset > wanted) return yield* endedEarly
  const bounded = content.pipe(
    Stream.takeWhile(() => length < byteLength),
    Stream.tap((chunk) => {
      length += chunk.byteLength
      return options.onBytes(Math.min(length, byteLength))
    })
  )
  yield* part.write(bounded, offset)
  if (length < byteLength) return yield* endedEarly
}, Effect.scoped)

/**
 * Whether the partial download is longer than the server's file. If so, it belongs to another file.
 */
const isBeyondEnd = (error: ModelError | OutboundError): boolean =>
  error._tag === "OutboundError" && error.detail.endsWith(" Status 416")

/** Whether the server answered but does not have the file. */
const isRefusal = (error: OutboundError): boolean => / Status 4\d\d$/.test(error.detail)

const toUnreachable = (model: string, source: ModelSource, error: OutboundError): ModelError =>
  new ModelError({
    model,
    obstacle: Obstacle.cases.Unreachable.make({ source: source.address, detail: error.detail })
  })

/** Downloads one file, continuing an earlier download. */
const fetchFile = Effect.fnUntraced(function* (
  { file, model }: { readonly model: Model; readonly file: ModelFile },
  options: InstallerOptions & { readonly onBytes: (length: number) => Effect.Effect<void> }
) {
  const { folder, onBytes, source } = options
  const target = pathOf(folder, { model, file })
  const guard = Guard.make(options.guard)
  const url = urlOf(source, { model, file })
  const toError = (cause: unknown): ModelError => folderError(folder, model, cause)
  const part = yield* makePartialFile(target, toError)
  let furthest = yield* Effect.promise(part.length)
  // Retries only if the source has sent some bytes, so that an unreachable source is reported
  // immediately.
  const hasProgressed = Effect.map(Effect.promise(part.length), (length) => {
    const isMore = length > furthest
    furthest = length
    return isMore
  })
  yield* fetchRest({ url, byteLength: file.byteLength, part }, { guard, onBytes }).pipe(
    Effect.retry({
      schedule: retrySchedule,
      times: resumeMax,
      while: (error) => (error._tag === "ModelError" ? Effect.succeed(false) : hasProgressed)
    }),
    // The source's file is shorter than the partial file, so the partial file belongs to another
    // file.
    Effect.tapError((error) => (isBeyondEnd(error) ? Effect.promise(part.discard) : Effect.void)),
    Effect.catchTag("OutboundError", (error) =>
      Effect.fail(toUnreachable(model.name, source, error))
    )
  )
  const digest = yield* Effect.tryPromise({
    try: (signal) => digestOf(part.path, signal),
    catch: toError
  })
  if (digest !== file.sha256) {
    yield* Effect.promise(part.discard)
    return yield* new ModelError({
      model: model.name,
      obstacle: Obstacle.cases.Different.make({ file: file.name })
    })
  }
  yield* Effect.tryPromise({ try: part.publish, catch: toError })
}, Effect.scoped)

/** Installs a model's files. Those that are present and intact are not downloaded again. */
export const install = trace("ModelInstaller.install")(function* (
  model: Model,
  options: InstallerOptions
) {
  const isThere = (yield* presence(options.folder, model)) === "installed"
  const wanted = isThere ? [] : yield* findDamaged(options.folder, model)
  let done = 0
  for (const file of model.files) {
    const before = done
    const onBytes = (length: number) => options.onProgress(model, before + length)
    if (wanted.includes(file.name)) yield* fetchFile({ model, file }, { ...options, onBytes })
    done += file.byteLength
    yield* options.onProgress(model, done)
  }
})

/** Finds a model by name. The error lists the known models. */
export const findModel = (
  catalogue: Catalogue.Catalogue,
  name: string
): Effect.Effect<Model, ModelError> =>
  Effect.mapError(
    Effect.fromOption(Catalogue.find(catalogue, name)),
    () =>
      new ModelError({
        model: name,
        obstacle: Obstacle.cases.Unknown.make({ known: catalogue.map((model) => model.name) })
      })
  )

/** Reads the catalogue, if any, that a plain directory offers next to the models. */
export const findOffered = Effect.fnUntraced(function* (
  model: string,
  options: Pick<InstallerOptions, "guard" | "source">
) {
  const none = Option.none<Catalogue.Catalogue>()
  if (options.source._tag === "Hub") return none
  const url = `${options.source.address}/${Catalogue.fileName}`
  return yield* GuardedDownload.open(
    { url, offset: 0, timeout: answerTimeout },
    Guard.make(options.guard)
  ).pipe(
    Effect.flatMap(({ content }) =>
      content.pipe(Stream.take(offeredChunkMax), Stream.decodeText(), Stream.mkString)
    ),
    Effect.map(Catalogue.fromText),
    Effect.catchIf(isRefusal, () => Effect.succeed(none)),
    Effect.mapError((error) => toUnreachable(model, options.source, error))
  )
}, Effect.scoped)

/** Maximum number of chunks in a catalogue: a megabyte, at 64 KiB each. */
const offeredChunkMax = 16

/** A download that writes nothing for this time is considered abandoned. */
const abandonedMillis = 90_000

const suffix = ".part"

/** Creates the error for a failed disk operation. */
type ToError = (cause: unknown) => ModelError

/** A file that gets its final name when its content is complete. */
interface PartialFile {
  readonly path: string
  /** Number of bytes already present. */
  readonly length: () => Promise<number>
  /** Writes a stream at an offset, and truncates the file at the end of the stream. */
  readonly write: <E>(
    content: Stream.Stream<Uint8Array, E>,
    offset: number
  ) => Effect.Effect<void, E | ModelError>
  /** Renames the file to its final name. */
  readonly publish: () => Promise<void>
  readonly discard: () => Promise<void>
}

/** Adopts the file that an earlier download left behind, or the latest of several such files. */
const adopt = async (target: string, own: string): Promise<void> => {
  const [folder, prefix] = [dirname(target), `.${basename(target)}.`]
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue
    const path = join(folder, name)
    const take = async () => {
      const { mtimeMs } = await stat(path)
      const isLeft = path === leftoverName(target) || Date.now() - mtimeMs > abandonedMillis
      if (isLeft) await rename(path, own)
    }
    // The rename fails if another download adopted the file first.
    await take().catch(() => undefined)
  }
}

const leftoverName = (target: string): string =>
  join(dirname(target), `.${basename(target)}.left${suffix}`)

const lengthOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0
  )

const appendContent = <E>(
  path: string,
  {
    content,
    offset,
    toError
  }: {
    readonly content: Stream.Stream<Uint8Array, E>
    readonly offset: number
    readonly toError: ToError
  }
): Effect.Effect<void, E | ModelError> => {
  const step = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: toError })
  return Effect.acquireUseRelease(
    step(() => open(path, "a", 0o600)),
    (handle) =>
      step(() => handle.truncate(offset)).pipe(
        Effect.andThen(Stream.runForEach(content, (chunk) => step(() => handle.appendFile(chunk)))),
        Effect.andThen(step(() => handle.sync()))
      ),
    (handle) => Effect.ignore(step(() => handle.close()))
  )
}

/**
 * Creates a file with a temporary name for the duration of a download. When the scope closes, the
 * downloaded bytes are kept for the next download, which adopts them. The first download to rename
 * a file owns it, so two downloads never write to the same file.
 */
const makePartialFile = (
  target: string,
  toError: ToError
): Effect.Effect<PartialFile, ModelError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async (): Promise<PartialFile> => {
        await mkdir(dirname(target), { recursive: true })
        const path = join(dirname(target), `.${basename(target)}.${randomUUID()}${suffix}`)
        await adopt(target, path)
        return {
          path,
          length: () => lengthOf(path),
          write: (content, offset) => appendContent(path, { content, offset, toError }),
          publish: () => rename(path, target),
          discard: () => rm(path, { force: true })
        }
      },
      catch: toError
    }),
    // The rename fails if the file was published or discarded.
    ({ path }) => Effect.ignore(Effect.tryPromise(() => rename(path, leftoverName(target))))
  )
