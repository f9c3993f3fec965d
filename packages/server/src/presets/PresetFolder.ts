/**
 * Reads and writes a folder with one file for each preset. A file is replaced as a whole, so an
 * interrupted write leaves either the old or the new file.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile
} from "node:fs/promises"
import { basename, join } from "node:path"
import { buffer } from "node:stream/consumers"
import type { PresetFile } from "@verbatim/core/preset"
import { fileReasonOf } from "@verbatim/embed/trouble"
import { Array as Arr, Effect, Result } from "effect"
import { type FileFormat, FileProblem, fileLengthMax } from "./FileProblem.ts"
import { writePreset } from "./PresetWriter.ts"

/** Matches names that Windows reserves for devices, whatever their extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/** Maximum length of a slug that is used as a file name. Most disks allow 255 bytes. */
const plainMax = 200

/** The name of any other file contains at most this many characters of the slug. */
const shownMax = 100

/**
 * Whether a slug can be used as a file name. A slug with a tilde cannot, because a tilde precedes
 * the hash in other names.
 */
const isPlain = (slug: string): boolean =>
  /^[a-z0-9_][a-z0-9._-]*$/.test(slug) &&
  !slug.endsWith(".") &&
  slug.length <= plainMax &&
  !devices.test(slug)

/** Returns a file name that contains a hash of the slug. */
const digestNameOf = (slug: string, format: FileFormat): string => {
  const digest = createHash("sha256").update(slug).digest("hex").slice(0, 16)
  const shown = slug
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-")
    .slice(0, shownMax)
  return `_${shown}~${digest}.${format}`
}

/**
 * Returns the possible file names for a slug, with the preferred one first. These names are the
 * same on every disk, and unique to the slug. A slug itself may not work as a file name: it can be
 * very long, be a reserved name, or differ from another only by case.
 */
export const fileNamesOf = (slug: string, format: FileFormat): ReadonlyArray<string> => [
  ...(isPlain(slug) ? [`${slug}.${format}`] : []),
  digestNameOf(slug, format)
]

/** Whether a file name can belong to a preset. */
const isPresetFile = (name: string): boolean =>
  /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith(".")

/** Returns the format that a file name implies. */
const formatOfName = (name: string): FileFormat => (/\.json$/i.test(name) ? "json" : "yaml")

export interface FiledPreset {
  readonly file: string
  readonly preset: PresetFile
}

/** Maximum number of presets in a folder. With a typo, a user could name a whole disk. */
const fileMax = 10_000

/** UTF-8 needs up to three bytes for each UTF-16 unit. */
const byteMax = 3 * fileLengthMax

/** Runs a file operation and explains its failure. */
const onDisk = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, FileProblem> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const sentence = fileReasonOf(cause) ?? (cause instanceof Error ? cause.message : "refused")
      return new FileProblem({ file, line: null, sentence })
    }
  })

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const notRegular = "it is a pipe, a device or a socket, not a regular file"

const tooLong = `longer than ${fileLengthMax / 1_048_576} MiB`

/** Reads a regular file. A pipe is never opened, because opening it would wait for its writer. */
const readRegular = async (file: string): Promise<Uint8Array> => {
  const found = await stat(file)
  // For a folder, reading fails with the error of the system.
  if (!found.isFile() && !found.isDirectory()) throw new Error(notRegular)
  if (found.size > byteMax) throw new Error(tooLong)
  return readFile(file)
}

/** Reads UTF-8 text from a file, or from standard input for `-`. */
export const readTextOf = Effect.fnUntraced(function* (file: string) {
  const fail = (sentence: string) => new FileProblem({ file, line: null, sentence })
  const bytes = yield* onDisk(file, () =>
    file === "-" ? buffer(process.stdin) : readRegular(file)
  )
  if (bytes.length > byteMax) return yield* fail(tooLong)
  return yield* Effect.try({
    try: () => decoder.decode(bytes),
    catch: () => fail("it is not UTF-8")
  })
})

const readFiled = Effect.fnUntraced(function* (file: string) {
  const text = yield* readTextOf(file)
  const { readPreset } = yield* Effect.promise(() => import("./PresetReader.ts"))
  const preset = yield* Effect.fromResult(readPreset({ file, text, format: formatOfName(file) }))
  return { file, preset }
})

/** Lists possible preset files in a folder, sorted. */
const listNames = Effect.fnUntraced(function* (folder: string) {
  const listed = onDisk(folder, async () => {
    if (!existsSync(folder))
      throw new Error("there is no such folder; `verbatim presets export` creates one")
    return readdir(folder)
  })
  const names = (yield* listed).filter(isPresetFile)
  if (names.length <= fileMax) return names.toSorted()
  const sentence = `more than ${fileMax} files`
  return yield* new FileProblem({ file: folder, line: null, sentence })
})

/** Maximum number of files with problems that one error reports. */
const problemMax = 20

/** Joins several problems into one, with a line for each. */
const joinProblems = ([first, ...others]: Arr.NonEmptyReadonlyArray<FileProblem>): FileProblem => {
  const named = others.slice(0, problemMax - 1).map(({ message }) => message)
  const more = others.length - named.length
  const rest = more === 0 ? [] : [`${more} more files cannot be read`]
  const { file, line, sentence } = first
  return new FileProblem({ file, line, sentence: [sentence, ...named, ...rest].join("\n") })
}

/** Reads all presets in a folder, by slug. Two files for one preset are refused. */
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

/**
 * Resolves links and reads the permissions of a file. Returns undefined if the file does not exist.
 */
const findTarget = async (file: string) => {
  try {
    const target = await realpath(file)
    const found = await stat(target)
    return { target, mode: found.mode, isRegular: found.isFile() }
  } catch {
    return undefined
  }
}

/** Permissions of a new file, before the user's umask. */
const newMode = 0o666

/**
 * Writes a file as a whole. If the file is a link, its target is written and keeps its permissions.
 * A user without access to the file cannot read an unfinished copy either, even if the writing
 * process was killed.
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

/** Creates a folder if it is missing. */
export const makeFolder = (folder: string) =>
  onDisk(folder, () => mkdir(folder, { recursive: true }))

interface Placing {
  readonly slug: string
  readonly format: FileFormat
  /** The files in the folder, keyed by slug. */
  readonly there: ReadonlyMap<string, FiledPreset>
}

/**
 * Chooses the file of a preset: its existing file, or a new one named after the slug. Files can
 * have any name, so a file with that name may contain another preset; it is not overwritten.
 */
export const placeIn = (
  folder: string,
  { format, slug, there }: Placing
): Effect.Effect<string, FileProblem> => {
  const own = there.get(slug)
  if (own !== undefined) return Effect.succeed(own.file)
  // File names are compared case-insensitively, because some disks ignore case.
  const holders = new Map(
    [...there].map(([holder, { file }]) => [basename(file).toLowerCase(), holder])
  )
  const names = fileNamesOf(slug, format)
  const free = names.find((name) => !holders.has(name.toLowerCase()))
  if (free !== undefined) return Effect.succeed(join(folder, free))
  const [name = ""] = names
  const holder = holders.get(name.toLowerCase())
  const sentence = `it holds the preset ${holder}: rename it to free the name for ${slug}`
  return Effect.fail(new FileProblem({ file: join(folder, name), line: null, sentence }))
}

/** Writes a preset to a file. Returns whether the file changed. */
export const writeFiled = Effect.fnUntraced(function* ({ file, preset }: FiledPreset) {
  const text = writePreset(preset, formatOfName(file))
  const before = yield* Effect.orElseSucceed(readTextOf(file), () => undefined)
  if (before === text) return false
  yield* writeWhole(file, text)
  return true
})
