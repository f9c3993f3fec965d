/**
 * The folder that packages are unpacked into. It carries a list of its files with their sizes, so
 * that one that lost a part, to a cleaner or a power cut, is noticed before it is used.
 */
import { join, posix, sep } from "node:path"
import { ByteSize, Effect, FileSystem, Schema } from "effect"

/** The files of a tree by their path inside it, with their sizes in bytes. */
type Files = ReadonlyMap<string, number>

/** The name of the list inside the tree. */
const listName = "files.json"

const List = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))

/** A tree holds some hundred files; past this the folder is not ours, and is read no further. */
const entryMax = 10_000

/** Every file of a tree, links included; its own list is left out. */
const read = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(root, { recursive: true })
  const files = yield* Effect.forEach(names.slice(0, entryMax), (name) =>
    Effect.map(fs.lstat(join(root, name)), ({ size, type }) => ({
      path: name.split(sep).join(posix.sep),
      isFile: type !== "Directory",
      size: ByteSize.toNumberUnsafe(size)
    }))
  )
  return new Map(
    files
      .filter(({ isFile, path }) => isFile && path !== listName)
      .map(({ path, size }) => [path, size] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
})

/** Writes the list of a tree that has just been unpacked. */
export const seal = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* read(root)
  const list = yield* Effect.orDie(Schema.encodeEffect(List)(Object.fromEntries(files)))
  yield* fs.writeFileString(join(root, listName), list)
})

/** The files of a tree that is as its list says; none where anything is missing, added or cut. */
export const intact = Effect.fnUntraced(
  function* (root: string) {
    const fs = yield* FileSystem.FileSystem
    const list = yield* fs.readFileString(join(root, listName))
    const sealed = yield* Schema.decodeEffect(List)(list)
    const files: Files = yield* read(root)
    const isSame =
      files.size === Object.keys(sealed).length &&
      Array.from(files).every(([path, size]) => sealed[path] === size)
    return isSame ? files : undefined
  },
  Effect.orElseSucceed(() => undefined)
)
