/**
 * `verbatim presets export`: a file for each preset, the same for the same preset in every store.
 */
import { pointedOf } from "@verbatim/core/preset"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { apiFlags, withApi } from "../../command/ApiFlags.ts"
import { printable } from "../../command/operation.ts"
import { Refusal } from "../../command/Refusal.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import type { FileFormat } from "../file/FileName.ts"
import { makeFolder, placeIn, readFolder, writeFiled } from "../file/PresetFolder.ts"
import { writePreset } from "../file/YamlText.ts"
import { type FoundPreset, listPresets, mustFind } from "../PresetCalls.ts"
import { toSeen, writeSeen } from "../plan/SeenPresets.ts"
import { toFile } from "./looking.ts"
import { folderFlag } from "./ReferenceArgument.ts"

/** Presets read at the same time. */
const concurrency = 4

const designatedOf = Effect.fnUntraced(function* (found: FoundPreset) {
  const version = pointedOf(found, null)
  if (version !== undefined) return version
  return yield* new Refusal({
    sentence: `The designated version of ${found.slug} is not readable.`
  })
})

const readAll = Effect.fnUntraced(function* (slugs: ReadonlyArray<string>) {
  const wanted = slugs.length > 0 ? slugs : (yield* listPresets({})).map(({ slug }) => slug)
  return yield* Effect.forEach(
    new Set(wanted),
    Effect.fnUntraced(function* (slug) {
      const found = yield* mustFind(slug)
      const version = yield* designatedOf(found)
      return { found, version, preset: toFile(found, version) }
    }),
    { concurrency }
  )
})

type Exported = Effect.Success<ReturnType<typeof readAll>>

/** Writes the files, and remembers what the workspace was like. */
const writeAll = Effect.fnUntraced(function* (
  presets: Exported,
  { dir, format }: { readonly dir: string; readonly format: FileFormat }
) {
  yield* makeFolder(dir)
  const there = yield* readFolder(dir)
  for (const { found, preset, version } of presets) {
    const file = yield* placeIn(dir, { slug: preset.slug, format, there })
    const isNew = yield* writeFiled({ file, preset })
    yield* Console.log(`${isNew ? "wrote" : "same "} ${printable(file)}`)
    const { description, name, status, workspaceId } = found
    const seen = new Map([[found.slug, toSeen(version, { name, description, status })]])
    yield* writeSeen(dir, { workspaceId, label: null, seen })
  }
})

/** Writes presets into files. */
export const exportPresets = Command.make(
  "export",
  {
    slugs: Argument.String("slug").pipe(
      Argument.withDescription("Presets to write; all of the workspace if left out"),
      Argument.variadic()
    ),
    dir: folderFlag,
    format: Flag.Literals("format", ["yaml", "json"]).pipe(
      Flag.withDescription("Of files that are not there yet"),
      Flag.withDefault("yaml" as const)
    ),
    stdout: makeSwitch("stdout", "Print one preset, and write no file"),
    ...apiFlags
  },
  Effect.fn(function* ({ dir, format, slugs, stdout, ...wish }) {
    const command = Effect.gen(function* () {
      const presets = yield* readAll(slugs)
      if (!stdout) return yield* writeAll(presets, { dir, format })
      const [only, ...others] = presets
      if (only === undefined || others.length > 0) {
        return yield* new Refusal({ sentence: "Name one preset to print." })
      }
      yield* Console.log(writePreset(only.preset, format).replace(/\n$/, ""))
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("Write presets into files, one for each"))
