/**
 * `verbatim presets designate|label`: which version requests get.
 */
import { pointedOf } from "@verbatim/core/preset"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { Misuse, Refusal } from "../../command/Refusal.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { DoorRefusal, type FoundPreset, type Point, PresetDoor } from "../door/PresetDoor.ts"
import { Drifted } from "./Differing.ts"
import { doorFlags, withDoor } from "./DoorFlags.ts"
import { mustFind } from "./looking.ts"
import { expectFlag, labelArgument, pointArgument, slugArgument } from "./ReferenceArgument.ts"

const numberOf = Effect.fnUntraced(function* (found: FoundPreset, point: Point) {
  if (typeof point === "number") return point
  if (point === "designated") return found.designatedVersion
  if (point === "latest") return found.latestVersion
  const version = found.labels.get(point)
  if (version !== undefined) return version
  return yield* new Refusal({ sentence: `The preset ${found.slug} has no label ${point}.` })
})

/** The id of the version that must be pointed to, when one is expected. */
const fenceOf = Effect.fnUntraced(function* (
  found: FoundPreset,
  { expect, label }: { readonly expect: Option.Option<number>; readonly label: string | null }
) {
  if (Option.isNone(expect)) return undefined
  const pointed = pointedOf(found, label)
  if (pointed?.version === expect.value) return pointed.id
  const what = label === null ? "The designated version" : `The label ${label}`
  const now = pointed === undefined ? "nothing" : `version ${pointed.version}`
  const sentence = `${what} of ${found.slug} is ${now}, not version ${expect.value}.`
  return yield* new Drifted({ sentence })
})

/** Somebody was faster. */
const explainRace = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(
    command,
    (error): Effect.Effect<never, E | Drifted> =>
      error instanceof DoorRefusal && error.reason === "Changed"
        ? Effect.fail(new Drifted({ sentence: `${error.sentence}.` }))
        : Effect.fail(error)
  )

/** Designates a version. */
export const designate = Command.make(
  "designate",
  { slug: slugArgument, version: pointArgument, expect: expectFlag, ...doorFlags },
  Effect.fn(function* ({ expect, slug, version: point, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const found = yield* mustFind(slug)
      const version = yield* numberOf(found, point)
      const fence = yield* fenceOf(found, { expect, label: null })
      yield* door.designate({ slug, version, fence })
      yield* Console.log(`${slug}: version ${version} is designated.`)
    })
    yield* withDoor(wish, explainRace(command))
  })
).pipe(Command.withDescription("Designate a version: what requests get that name no other"))

/** Moves a label, or takes it away. */
export const label = Command.make(
  "label",
  {
    slug: slugArgument,
    label: labelArgument,
    version: pointArgument.pipe(Argument.optional),
    remove: makeSwitch("remove", "Take the label away"),
    expect: expectFlag,
    ...doorFlags
  },
  Effect.fn(function* ({ expect, label: name, remove, slug, version: point, ...wish }) {
    if (remove === Option.isSome(point)) {
      return yield* new Misuse({ sentence: "Name a version, or say --remove." })
    }
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const found = yield* mustFind(slug)
      const fence = yield* fenceOf(found, { expect, label: name })
      if (Option.isNone(point)) {
        yield* door.removeLabel({ slug, label: name, fence })
        return yield* Console.log(`${slug}: there is no label ${name} any more.`)
      }
      const version = yield* numberOf(found, point.value)
      yield* door.moveLabel({ slug, label: name, version, fence })
      yield* Console.log(`${slug}: ${name} points to version ${version}.`)
    })
    yield* withDoor(wish, explainRace(command))
  })
).pipe(Command.withDescription("Point a label of a preset to a version, or take it away"))
