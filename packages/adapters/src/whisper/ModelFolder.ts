/**
 * The directory of models: `<model>/<file>`, and perhaps a catalogue of its own. A file gets its
 * name only once it was verified, so checking the size is enough before it is used.
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

/** Which files of a model are there. */
export type Presence = "installed" | "incomplete" | "absent"

/** Where a file of a model is. */
export const pathOf = (
  folder: string,
  { file, model }: { readonly model: Pick<Model, "name">; readonly file: Pick<ModelFile, "name"> }
): string => join(folder, model.name, file.name)

/** Anything larger is not a catalogue. */
const catalogueByteMax = 1_000_000

/** The models that are known: those of this version, and those of the directory's own catalogue. */
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
            Effect.logWarning("The catalogue beside the models is malformed, and is left out"),
            Catalogue.builtIn
          ),
        onSome: (own) => Effect.succeed(Catalogue.over(own, Catalogue.builtIn))
      })
    )
  )

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined
  )

/** Which files of a model are there, judged by their sizes. */
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

/** The SHA-256 of a file, in hexadecimal. */
export const digestOf = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest("hex")
}

/** Reads a model whole: the names of files that are not what they should be. */
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
    catch: (cause) => unusable(folder, model, cause)
  })

/** The directory of models failed. */
export const unusable = (folder: string, model: Pick<Model, "name">, cause: unknown): ModelError =>
  new ModelError({
    model: model.name,
    obstacle: Obstacle.cases.FolderUnusable.make({
      folder,
      detail: String(Object(cause).code ?? cause)
    })
  })
