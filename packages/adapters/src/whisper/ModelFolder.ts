/**
 * Reads the model directory, which contains files at `<model>/<file>` and, optionally, a catalogue.
 * A file gets its final name only after verification, so checking the size before use is enough.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect, Option } from "effect"
import * as Catalogue from "./Catalogue.ts"
import type { Model, ModelFile } from "./Model.ts"
import { ModelError, Obstacle } from "./ModelError.ts"

/** Whether all, some or none of a model's files are present. */
export type Presence = "installed" | "incomplete" | "absent"

/** Returns the path to one of a model's files. */
export const pathOf = (
  folder: string,
  { file, model }: { readonly model: Pick<Model, "name">; readonly file: Pick<ModelFile, "name"> }
): string => join(folder, model.name, file.name)

/** Maximum size of a catalogue. A larger file is not a catalogue. */
const catalogueByteMax = 1_000_000

/** Returns the known models: this version's own, and those in the directory's catalogue. */
export const catalogue = (folder: string): Effect.Effect<Catalogue.Catalogue> =>
  Effect.tryPromise(async () => {
    const path = join(folder, Catalogue.fileName)
    const { size } = await stat(path)
    return size > catalogueByteMax ? "" : readFile(path, "utf8")
  }).pipe(
    Effect.orElseSucceed(() => "[]"),
    Effect.flatMap((text) =>
      Option.match(Catalogue.fromText(text), {
        onNone: () =>
          Effect.as(
            Effect.logWarning("The catalogue in the model directory is malformed and ignored"),
            Catalogue.builtIn
          ),
        onSome: (own) => Effect.succeed(Catalogue.mergeCatalogues(own, Catalogue.builtIn))
      })
    )
  )

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined
  )

/** Checks by size which files of a model are present. */
export const presence = (folder: string, model: Model): Effect.Effect<Presence> =>
  Effect.promise(async (): Promise<Presence> => {
    const sizes = await Promise.all(
      model.files.map((file) => sizeOf(pathOf(folder, { model, file })))
    )
    if (model.files.every(({ byteLength }, index) => byteLength === sizes[index])) {
      return "installed"
    }
    return sizes.every((size) => size === undefined) ? "absent" : "incomplete"
  })

/** Returns a file's SHA-256 hash in hexadecimal. */
export const digestOf = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest("hex")
}

/** Reads all files of a model, and returns the names of the files that differ or are missing. */
export const findDamaged = (folder: string, model: Model): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(model.files, (file) =>
    Effect.tryPromise((signal) => digestOf(pathOf(folder, { model, file }), signal)).pipe(
      Effect.map((digest) => digest !== file.sha256),
      Effect.orElseSucceed(() => true)
    )
  ).pipe(Effect.map((files) => files.map(({ name }) => name)))

/** Removes all files of a model. */
export const remove = (folder: string, model: Model): Effect.Effect<void, ModelError> =>
  Effect.tryPromise({
    try: () => rm(join(folder, model.name), { recursive: true, force: true }),
    catch: (cause) => folderError(folder, model, cause)
  })

/** Creates the error for an unusable model directory. */
export const folderError = (
  folder: string,
  model: Pick<Model, "name">,
  cause: unknown
): ModelError =>
  new ModelError({
    model: model.name,
    obstacle: Obstacle.cases.FolderUnusable.make({
      folder,
      detail: String(Object(cause).code ?? cause)
    })
  })
