/**
 * `verbatim presets versions|history|erase|remove`: the past of a preset, and its removal.
 */
import type { Answer } from "@verbatim/client"
import type { HeldPreset } from "@verbatim/core/preset"
import { Console, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { call, callEach, pageMax } from "../command/ApiCalls.ts"
import { apiFlags, withApi } from "../command/ApiFlags.ts"
import { jsonFlag as json, print, printable, quoted } from "../command/operation.ts"
import { mustFind } from "./PresetCalls.ts"
import { labelFlag, slugArgument, versionArgument } from "./ReferenceArgument.ts"

/** As many on a page as there may be. */
const all = { limit: pageMax }

/** What points to a version. */
const pointersOf = (found: HeldPreset, version: number): ReadonlyArray<string> => [
  ...(version === found.designatedVersion ? ["designated"] : []),
  ...[...found.labels].flatMap(([label, at]) => (at === version ? [label] : []))
]

type ListedVersion = Answer<"presets.versions">["data"][number]

const tellVersion = (
  { comment, created_at, creator_id, erased_at, version }: ListedVersion,
  pointers: ReadonlyArray<string>
): string =>
  [
    String(version).padStart(4),
    created_at,
    printable(creator_id),
    ...(pointers.length === 0 ? [] : [pointers.join(", ")]),
    ...(erased_at === undefined ? [] : [`erased ${erased_at}`]),
    ...(comment === undefined ? [] : [quoted(comment)])
  ].join("  ")

/** Lists the versions of a preset. */
export const versions = Command.make(
  "versions",
  { slug: slugArgument, json, ...apiFlags },
  Effect.fn(function* ({ json, slug, ...wish }) {
    const command = Effect.gen(function* () {
      const found = yield* mustFind(slug)
      const versions = callEach(({ presets }) => presets.versions(slug, all))
      yield* Stream.runForEach(versions, (each) => {
        const pointers = pointersOf(found, each.version)
        return print(json, { ...each, pointers }, (answer) => tellVersion(answer, pointers))
      })
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("List the versions of a preset, with what points to them"))

const tellPoint = (version: number | null): string => (version === null ? "nothing" : `${version}`)

type Move =
  | Answer<"presets.designations">["data"][number]
  | Answer<"presets.labels.moves">["data"][number]

const tellMove = (move: Move): string => {
  const [at, by] =
    "moved_at" in move ? [move.moved_at, move.moved_by] : [move.designated_at, move.designated_by]
  return `${at}  ${tellPoint(move.from)} → ${tellPoint(move.to)}  by ${printable(by)}`
}

/** Tells how the designation, or a label, was moved. */
export const history = Command.make(
  "history",
  {
    slug: slugArgument,
    label: labelFlag.pipe(Flag.withDescription("Of this label, instead of the designation")),
    json,
    ...apiFlags
  },
  Effect.fn(function* ({ json, label, slug, ...wish }) {
    const command = Effect.gen(function* () {
      yield* mustFind(slug)
      const moves = callEach<Move>(({ presets }) =>
        label === null ? presets.designations(slug, all) : presets.labels.moves(slug, label, all)
      )
      yield* Stream.runForEach(moves, (move) => print(json, move, tellMove))
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("Tell who designated which version, or moved a label, and when"))

/** Erases what a version says. */
export const erase = Command.make(
  "erase",
  { slug: slugArgument, version: versionArgument, json, ...apiFlags },
  Effect.fn(function* ({ json, slug, version, ...wish }) {
    const command = Effect.gen(function* () {
      const answer = yield* call(({ presets }) => presets.erase(slug, version))
      yield* print(json, answer, () => `${slug}: the content of version ${version} is erased.`)
    })
    yield* withApi(wish, command)
  })
).pipe(
  Command.withDescription(
    "Erase the content of a version for good, a secret for example; nothing may point to it"
  )
)

/** Removes a preset. */
export const remove = Command.make(
  "remove",
  { slug: slugArgument, ...apiFlags },
  Effect.fn(function* ({ slug, ...wish }) {
    const command = Effect.gen(function* () {
      yield* call(({ presets }) => presets.remove(slug))
      yield* Console.log(`${slug} is removed, and its name is free.`)
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("Remove an archived preset for good, with all of its versions"))
