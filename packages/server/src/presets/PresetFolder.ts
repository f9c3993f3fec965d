/**
 * The folder that holds a file for each preset. A file is replaced as a whole, so that whoever is
 * stopped while writing leaves the old one or the new one.
 */
import { createHash } from "node:crypto"
import { constants, existsSync } from "node:fs"
import {
  chmod,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile
} from "node:fs/promises"
import { basename, join } from "node:path"
import type { PresetFile } from "@verbatim/core/preset"
import { fileReasonOf } from "@verbatim/embed/trouble"
import { Array as Arr, Effect, Result } from "effect"
import { type FileFormat, FileProblem, fileLengthMax } from "./FileProblem.ts"
import { writePreset } from "./PresetWriter.ts"

/** Names that Windows keeps for devices, whatever comes after a dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/** Longest slug that names a file as it is; most disks take 255 bytes. */
const plainMax = 200

/** How much of another slug is told. */
const shownMax = 100

/** No tilde, which begins the digest of the others. */
const isPlain = (slug: string): boolean =>
  /^[a-z0-9_][a-z0-9._-]*$/.test(slug) &&
  !slug.endsWith(".") &&
  slug.length <= plainMax &&
  !devices.test(slug)

/** The name of a file that says by a digest whose it is. */
const digestNameOf = (slug: string, format: FileFormat): string => {
  const digest = createHash("sha256").update(slug).digest("hex").slice(0, 16)
  const shown = slug
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-")
    .slice(0, shownMax)
  return `_${shown}~${digest}.${format}`
}

/**
 * The names of a file, the first one first: the same on every disk and for no other slug. Slugs may
 * differ in nothing but case, be as long as a name on a disk may be, or be names that some system
 * keeps for itself; names of files may not.
 */
export const fileNamesOf = (slug: string, format: FileFormat): ReadonlyArray<string> => [
  ...(isPlain(slug) ? [`${slug}.${format}`] : []),
  digestNameOf(slug, format)
]

/** Whether a file of that name may hold a preset. */
const isPresetFile = (name: string): boolean =>
  /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith(".")

/** The format that the name of a file tells. */
const formatOfName = (name: string): FileFormat => (/\.json$/i.test(name) ? "json" : "yaml")

/** A preset, and the file that holds it. */
export interface FiledPreset {
  readonly file: string
  readonly preset: PresetFile
}

/** Presets of one folder at most: a typing error may name a whole disk. */
const fileMax = 10_000

/** UTF-8 has up to three bytes for each unit of a text. */
const byteMax = 3 * fileLengthMax

/** Runs what the system may refuse. */
const onDisk = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, FileProblem> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const sentence = fileReasonOf(cause) ?? (cause instanceof Error ? cause.message : "refused")
      return new FileProblem({ file, line: null, sentence })
    }
  })

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Opens a pipe without waiting for its writer. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const notRegular = "it is a pipe, a device or a socket, not a regular file"

/** The bytes of a stream, and no more than one piece above the limit. */
const readStream = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  for await (const piece of stream) {
    pieces.push(piece)
    length += piece.length
    if (length > byteMax) break
  }
  return Buffer.concat(pieces)
}

/** The bytes of a regular file, and no more than one above the limit. */
const readRegular = async (file: string): Promise<Uint8Array> => {
  const handle = await open(file, flags)
  try {
    const found = await handle.stat()
    // Says in the words of the system that it is a folder.
    if (found.isDirectory()) return await handle.readFile()
    if (!found.isFile()) throw new Error(notRegular)
    return await readStream(handle.createReadStream({ autoClose: false, end: byteMax }))
  } finally {
    await handle.close()
  }
}

/** The text of a file, or of the input for `-`, which must be UTF-8. */
export const readTextOf = Effect.fnUntraced(function* (file: string) {
  const fail = (sentence: string) => new FileProblem({ file, line: null, sentence })
  const bytes = yield* onDisk(file, () =>
    file === "-" ? readStream(process.stdin) : readRegular(file)
  )
  if (bytes.length > byteMax) return yield* fail(`longer than ${fileLengthMax / 1_048_576} MiB`)
  return yield* Effect.try({
    try: () => decoder.decode(bytes),
    catch: () => fail("it is not UTF-8")
  })
})

/** The preset in a file. */
const readFiled = Effect.fnUntraced(function* (file: string) {
  const text = yield* readTextOf(file)
  const { readPreset } = yield* Effect.promise(() => import("./PresetReader.ts"))
  const preset = yield* Effect.fromResult(readPreset({ file, text, format: formatOfName(file) }))
  return { file, preset }
})

/** The names of the files in a folder that may hold presets, in the order of the alphabet. */
const listNames = Effect.fnUntraced(function* (folder: string) {
  const listed = onDisk(folder, async () => {
    if (!existsSync(folder)) throw new Error("there is no such folder")
    return readdir(folder)
  })
  const names = (yield* listed).filter(isPresetFile)
  if (names.length <= fileMax) return names.toSorted()
  const sentence = `more than ${fileMax} files`
  return yield* new FileProblem({ file: folder, line: null, sentence })
})

/** Most files of which a problem is named at once. */
const problemMax = 20

/** One problem that names them all, one in a line. */
const joinProblems = ([first, ...others]: Arr.NonEmptyReadonlyArray<FileProblem>): FileProblem => {
  const named = others.slice(0, problemMax - 1).map(({ message }) => message)
  const more = others.length - named.length
  const rest = more === 0 ? [] : [`${more} more files cannot be read`]
  const { file, line, sentence } = first
  return new FileProblem({ file, line, sentence: [sentence, ...named, ...rest].join("\n") })
}

/** All presets of a folder by their slugs; two files for one are refused. */
export const readFolder = Effect.fnUntraced(function* (folder: string) {
  const found = new Map<string, FiledPreset>()
  const problems: Array<FileProblem> = []
  for (const name of yield* listNames(folder)) {
    const read = yield* Effect.result(readFiled(join(folder, name)))
    if (Result.isFailure(read)) {
      problems.push(read.failure)
      continue
    }
    const { file, preset } = read.success
    const other = found.get(preset.slug)
    if (other === undefined) found.set(preset.slug, read.success)
    else {
      const sentence = `the preset ${preset.slug} is already in ${other.file}`
      problems.push(new FileProblem({ file, line: null, sentence }))
    }
  }
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* joinProblems(problems)
  return found
})

/** Where a file is, by a link perhaps, and who may read it; nothing where there is none. */
const findTarget = async (file: string) => {
  try {
    const target = await realpath(file)
    const found = await stat(target)
    return { target, mode: found.mode, isRegular: found.isFile() }
  } catch {
    return undefined
  }
}

/** Permissions of a new file, from which the system takes those that its user gives nobody. */
const newMode = 0o666

/**
 * Writes a file as a whole. What a link leads to is written, and its permissions stay: nobody who
 * may not read the file reads it while it is written, or what a killed writer leaves of it.
 */
export const writeWhole = (file: string, text: string) =>
  onDisk(file, async () => {
    const found = await findTarget(file)
    if (found?.isRegular === false) throw new Error(notRegular)
    const target = found?.target ?? file
    const unfinished = `${target}.${process.pid}.tmp`
    try {
      await writeFile(unfinished, text, { mode: found?.mode ?? newMode })
      if (found !== undefined) await chmod(unfinished, found.mode)
      await rename(unfinished, target)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  })

/** Makes a folder where there is none. */
export const makeFolder = (folder: string) =>
  onDisk(folder, () => mkdir(folder, { recursive: true }))

interface Placing {
  readonly slug: string
  readonly format: FileFormat
  /** By their slugs. */
  readonly there: ReadonlyMap<string, FiledPreset>
}

/**
 * Where a preset is written: into the file that has it, or else into one named by its slug. A file
 * may be called anything, so that one may hold another preset: it stays as it is.
 */
export const placeIn = (
  folder: string,
  { format, slug, there }: Placing
): Effect.Effect<string, FileProblem> => {
  const own = there.get(slug)
  if (own !== undefined) return Effect.succeed(own.file)
  // Some disks do not tell capital letters from others.
  const holders = new Map(
    [...there].map(([holder, { file }]) => [basename(file).toLowerCase(), holder])
  )
  const names = fileNamesOf(slug, format)
  const free = names.find((name) => !holders.has(name.toLowerCase()))
  if (free !== undefined) return Effect.succeed(join(folder, free))
  const [name = ""] = names
  const holder = holders.get(name.toLowerCase())
  const sentence = `it holds the preset ${holder}: rename it to make room for ${slug}`
  return Effect.fail(new FileProblem({ file: join(folder, name), line: null, sentence }))
}

/** Writes a preset into a file; whether that changed the file. */
export const writeFiled = Effect.fnUntraced(function* ({ file, preset }: FiledPreset) {
  const text = writePreset(preset, formatOfName(file))
  const before = yield* Effect.orElseSucceed(readTextOf(file), () => undefined)
  if (before === text) return false
  yield* writeWhole(file, text)
  return true
})
