/**
 * The folder that holds a file for each preset. A file is replaced as a whole, so that whoever is
 * stopped while writing leaves the old one or the new one.
 */
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { PresetFile } from "@verbatim/core/preset"
import { fileReasonOf } from "@verbatim/embed/trouble"
import { Effect } from "effect"
import { type FileFormat, fileNameOf, formatOfName, isPresetFile } from "./FileName.ts"
import { FileProblem } from "./FileProblem.ts"
import { readPreset, writePreset } from "./PresetText.ts"
import { fileLengthMax } from "./YamlReader.ts"

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

/** The text of a file, which must be UTF-8. */
export const readTextOf = Effect.fnUntraced(function* (file: string) {
  const { size } = yield* onDisk(file, () => stat(file))
  const fail = (sentence: string) => new FileProblem({ file, line: null, sentence })
  if (size > byteMax) return yield* fail(`longer than ${fileLengthMax / 1_048_576} MiB`)
  const bytes = yield* onDisk(file, () => readFile(file))
  return yield* Effect.try({
    try: () => decoder.decode(bytes),
    catch: () => fail("it is not UTF-8")
  })
})

/** The preset in a file. */
const readFiled = Effect.fnUntraced(function* (file: string) {
  const text = yield* readTextOf(file)
  const preset = yield* Effect.fromResult(readPreset({ file, text, format: formatOfName(file) }))
  return { file, preset }
})

/** The names of the files in a folder that may hold presets, in the order of the alphabet. */
const listNames = Effect.fnUntraced(function* (folder: string) {
  const names = (yield* onDisk(folder, () => readdir(folder))).filter(isPresetFile)
  if (names.length <= fileMax) return names.toSorted()
  const sentence = `more than ${fileMax} files`
  return yield* new FileProblem({ file: folder, line: null, sentence })
})

/** All presets of a folder by their slugs; two files for one are refused. */
export const readFolder = Effect.fnUntraced(function* (folder: string) {
  const found = new Map<string, FiledPreset>()
  for (const name of yield* listNames(folder)) {
    const filed = yield* readFiled(join(folder, name))
    const { slug } = filed.preset
    const other = found.get(slug)
    if (other !== undefined) {
      const sentence = `the preset ${slug} is in ${other.file} already`
      return yield* new FileProblem({ file: filed.file, line: null, sentence })
    }
    found.set(slug, filed)
  }
  return found
})

/** Writes a file as a whole. */
export const writeWhole = (file: string, text: string) =>
  onDisk(file, async () => {
    const unfinished = `${file}.${process.pid}.tmp`
    await writeFile(unfinished, text)
    await rename(unfinished, file)
  })

/** Makes a folder where there is none. */
export const makeFolder = (folder: string) =>
  onDisk(folder, () => mkdir(folder, { recursive: true }))

/** Where a preset is written: into the file that has it, or else into one named by its slug. */
export const placeIn = (
  folder: string,
  {
    format,
    slug,
    there
  }: {
    readonly slug: string
    readonly format: FileFormat
    readonly there: ReadonlyMap<string, FiledPreset>
  }
): string => there.get(slug)?.file ?? join(folder, fileNameOf(slug, format))

/** Writes a preset into a file; whether that changed the file. */
export const writeFiled = Effect.fnUntraced(function* ({ file, preset }: FiledPreset) {
  const text = writePreset(preset, formatOfName(file))
  const before = yield* Effect.orElseSucceed(readTextOf(file), () => undefined)
  if (before === text) return false
  yield* writeWhole(file, text)
  return true
})
