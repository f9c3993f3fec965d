/**
 * A file during its download, under a temporary name. The next download adopts the file that a
 * failed one left. The first download to rename a file owns it, so two downloads never write to the
 * same file.
 */
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect, type Scope, Stream } from "effect"
import type { ModelError } from "./ModelError.ts"

/** Time without a write after which a download counts as abandoned. */
const abandonedMillis = 90_000

const suffix = ".part"

/** Makes the error for a failed operation on the disk. */
type ToError = (cause: unknown) => ModelError

/** A file that gets its final name when it is complete. */
export interface PartialFile {
  readonly path: string
  /** Number of bytes already present. */
  readonly length: () => Promise<number>
  /** Writes a stream at an offset, and discards all earlier bytes after it. */
  readonly write: <E>(
    content: Stream.Stream<Uint8Array, E>,
    offset: number
  ) => Effect.Effect<void, E | ModelError>
  /** Renames the file to its final name. */
  readonly publish: () => Promise<void>
  readonly discard: () => Promise<void>
}

/** Adopts the file that an earlier download left. If there are several, it takes the latest. */
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
    // The rename fails if another download was faster.
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
 * Makes a partial file for a target. When the scope closes, the downloaded bytes are kept for the
 * next download.
 */
export const makePartialFile = (
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
    // This fails if the file was published or discarded.
    ({ path }) => Effect.ignore(Effect.tryPromise(() => rename(path, leftoverName(target))))
  )
