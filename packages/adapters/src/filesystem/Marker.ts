/**
 * The file by which a folder of media is recognised. A folder that is not mounted has none.
 */
import { link, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import type { MarkOptions, MediaStoreError } from "@verbatim/core/ports"
import { Effect, Option, type Scope, Stream } from "effect"
import { attempt, hasCode, hasNoLinks, syncFolder } from "./FileAttempt.ts"
import * as Staging from "./Staging.ts"

/** No key begins with a dot. */
const name = ".verbatim-media"

/** The text of the marker. An operator's editor may have ended it with a line feed. */
export const read = (directory: string): Effect.Effect<Option.Option<string>, MediaStoreError> =>
  attempt("marker", () => readFile(join(directory, name), "utf8")).pipe(
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchIf(hasCode("ENOENT"), () => Effect.succeedNone)
  )

/** Gives the folder its marker unless it keeps the one that it has, and returns that. */
export const write = Effect.fnUntraced(function* (
  directory: string,
  text: string,
  { isReplacing }: MarkOptions = { isReplacing: false }
): Effect.fn.Return<string, MediaStoreError, Scope.Scope> {
  const staged = yield* Staging.file(directory)
  yield* Staging.write(staged, { content: Stream.make(Buffer.from(text)), byteMax: Infinity })
  const path = join(directory, name)
  const replace = attempt("mark", () => rename(staged.path, path))
  const add = attempt("mark", () => link(staged.path, path)).pipe(
    // Without hard links, two that mark a new folder at once may both believe they are first.
    Effect.catchIf(hasNoLinks, () =>
      Effect.flatMap(read(directory), (found) => (Option.isSome(found) ? Effect.void : replace))
    ),
    Effect.catchIf(hasCode("EEXIST"), () => Effect.void)
  )
  yield* isReplacing ? replace : add
  // Even if it was there: whoever wrote it may have died before this line.
  yield* attempt("mark", () => syncFolder(directory))
  return Option.getOrElse(yield* read(directory), () => text)
}, Effect.scoped)
