/**
 * `verbatim presets designate|label`: which version requests get.
 */
import { type HeldPreset, pointedOf } from "@verbatim/core/preset"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { ApiRefusal, call } from "../command/ApiCalls.ts"
import { apiFlags, withApi } from "../command/ApiFlags.ts"
import { makeSwitch } from "../command/flags.ts"
import { jsonFlag, print } from "../command/operation.ts"
import { Misuse } from "../command/Refusal.ts"
import { Drifted } from "./files.ts"
import { mustFind, numberOf, toCondition } from "./PresetCalls.ts"
import { expectFlag, labelArgument, pointArgument, slugArgument } from "./ReferenceArgument.ts"

/** The id of the version that must be pointed to, when one is expected. */
const fenceOf = Effect.fnUntraced(function* (
  found: HeldPreset,
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
      error instanceof ApiRefusal && error.reason === "Changed"
        ? Effect.fail(new Drifted({ sentence: `${error.sentence}.` }))
        : Effect.fail(error)
  )

/** Designates a version. */
export const designate = Command.make(
  "designate",
  { slug: slugArgument, version: pointArgument, expect: expectFlag, json: jsonFlag, ...apiFlags },
  Effect.fn(function* ({ expect, json, slug, version: point, ...wish }) {
    const command = Effect.gen(function* () {
      const found = yield* mustFind(slug)
      const version = yield* numberOf(found, point)
      const fence = yield* fenceOf(found, { expect, label: null })
      const answer = yield* call(({ presets }) =>
        presets.designate(slug, { version }, toCondition(fence))
      )
      yield* print(json, answer, () => `${slug}: version ${version} is designated.`)
    })
    yield* withApi(wish, explainRace(command))
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
    json: jsonFlag,
    ...apiFlags
  },
  Effect.fn(function* ({ expect, json, label: name, remove, slug, version: point, ...wish }) {
    if (remove === Option.isSome(point)) {
      return yield* new Misuse({ sentence: "Name a version, or say --remove." })
    }
    const command = Effect.gen(function* () {
      const found = yield* mustFind(slug)
      const fence = yield* fenceOf(found, { expect, label: name })
      if (Option.isNone(point)) {
        yield* call(({ presets }) => presets.labels.remove(slug, name, toCondition(fence)))
        return yield* Console.log(`${slug}: there is no label ${name} any more.`)
      }
      const version = yield* numberOf(found, point.value)
      const answer = yield* call(({ presets }) =>
        presets.labels.move(slug, name, { version }, toCondition(fence))
      )
      yield* print(json, answer, () => `${slug}: ${name} points to version ${version}.`)
    })
    yield* withApi(wish, explainRace(command))
  })
).pipe(Command.withDescription("Point a label of a preset to a version, or take it away"))
