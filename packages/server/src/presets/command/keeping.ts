/**
 * `verbatim presets versions|history|erase|remove`: what was there, and what of it goes for good.
 */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { printable, quoted } from "../../command/operation.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { type FoundPreset, type ListedVersion, PresetDoor } from "../door/PresetDoor.ts"
import { doorFlags, withDoor } from "./DoorFlags.ts"
import { mustFind } from "./looking.ts"
import { labelFlag, slugArgument, versionArgument } from "./ReferenceArgument.ts"

const json = makeSwitch("json", "JSON for programs, one object in a line")

/** What points to a version. */
const pointersOf = (found: FoundPreset, version: number): ReadonlyArray<string> => [
  ...(version === found.designatedVersion ? ["designated"] : []),
  ...[...found.labels].flatMap(([label, at]) => (at === version ? [label] : []))
]

const tellVersion = (
  { at, by, comment, erasedAt, version }: ListedVersion,
  pointers: ReadonlyArray<string>
): string =>
  [
    String(version).padStart(4),
    at,
    printable(by),
    ...(pointers.length === 0 ? [] : [pointers.join(", ")]),
    ...(erasedAt === null ? [] : [`erased ${erasedAt}`]),
    ...(comment === null ? [] : [quoted(comment)])
  ].join("  ")

/** Lists the versions of a preset. */
export const versions = Command.make(
  "versions",
  { slug: slugArgument, json, ...doorFlags },
  Effect.fn(function* ({ json, slug, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const found = yield* mustFind(slug)
      for (const each of yield* door.versions(slug)) {
        const { at, by, comment, erasedAt, version } = each
        const pointers = pointersOf(found, version)
        const view = {
          version,
          created_at: at,
          creator_id: by,
          comment,
          erased_at: erasedAt,
          pointers
        }
        yield* Console.log(json ? JSON.stringify(view) : tellVersion(each, pointers))
      }
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("List the versions of a preset, with what points to them"))

const tellPoint = (version: number | null): string => (version === null ? "nothing" : `${version}`)

/** Tells how the designation, or a label, was moved. */
export const history = Command.make(
  "history",
  {
    slug: slugArgument,
    label: labelFlag.pipe(Flag.withDescription("Of this label, instead of the designation")),
    json,
    ...doorFlags
  },
  Effect.fn(function* ({ json, label, slug, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      yield* mustFind(slug)
      for (const { at, by, from, to } of yield* door.moves({ slug, label })) {
        const line = `${at}  ${tellPoint(from)} → ${tellPoint(to)}  by ${printable(by)}`
        yield* Console.log(json ? JSON.stringify({ from, to, by, at }) : line)
      }
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Tell who designated which version, or moved a label, and when"))

/** Erases what a version says. */
export const erase = Command.make(
  "erase",
  { slug: slugArgument, version: versionArgument, ...doorFlags },
  Effect.fn(function* ({ slug, version, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      yield* door.erase({ slug, version })
      yield* Console.log(`${slug}: the content of version ${version} is erased.`)
    })
    yield* withDoor(wish, command)
  })
).pipe(
  Command.withDescription(
    "Erase the content of a version for good, a secret for example; nothing may point to it"
  )
)

/** Removes a preset. */
export const remove = Command.make(
  "remove",
  { slug: slugArgument, ...doorFlags },
  Effect.fn(function* ({ slug, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      yield* door.remove(slug)
      yield* Console.log(`${slug} is removed, and its name is free.`)
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Remove an archived preset for good, with all of its versions"))
