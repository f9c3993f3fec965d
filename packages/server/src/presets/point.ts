/** `verbatim presets designate|label`: moves pointers to versions. */
import { findPointedVersion, type StoredPreset } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { Argument } from "effect/cli"
import { ApiRefusal, call } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { makeSwitch } from "../command/flags.ts"
import { Misuse } from "../command/Refusal.ts"
import { ChangedElsewhere } from "./files.ts"
import { mustFind, numberOf, toCondition } from "./PresetCalls.ts"
import { expectFlag, labelArgument, pointArgument, slugArgument } from "./ReferenceArgument.ts"

/** Returns the id of the expected version, if the command names a version. */
const fenceOf = Effect.fnUntraced(function* (
  found: StoredPreset,
  { expect, label }: { readonly expect: Option.Option<number>; readonly label: string | null }
) {
  if (Option.isNone(expect)) return undefined
  const pointed = findPointedVersion(found, label)
  if (pointed?.version === expect.value) return pointed.id
  const what = label === null ? "The designated version" : `The label ${label}`
  const now = pointed === undefined ? "nothing" : `version ${pointed.version}`
  const sentence = `${what} of ${found.slug} is ${now}, not version ${expect.value}.`
  return yield* new ChangedElsewhere({ sentence })
})

/** Explains the failure if another caller moved the pointer first. */
const explainRace = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(
    command,
    (error): Effect.Effect<never, E | ChangedElsewhere> =>
      error instanceof ApiRefusal && error.reason === "Changed"
        ? Effect.fail(new ChangedElsewhere({ sentence: `${error.sentence}.` }))
        : Effect.fail(error)
  )

/** Designates a version, which requests then get by default. */
export const designate = makeApiCommand("designate", {
  description: "Make a version live, for example to roll back",
  flags: { slug: slugArgument, version: pointArgument, expect: expectFlag },
  run: ({ expect, slug, version: point }) =>
    Effect.gen(function* () {
      const found = yield* mustFind(slug)
      const version = yield* numberOf(found, point)
      const fence = yield* fenceOf(found, { expect, label: null })
      const condition = toCondition(fence)
      const answer = yield* call(({ presets }) => presets.designate(slug, { version }, condition))
      return { answer, version }
    }).pipe(explainRace),
  answer: ({ answer }) => answer,
  text: ({ version }, { slug }) => `${slug}: version ${version} is designated.`
})

export const label = makeApiCommand("label", {
  description: "Point a label to a version, or remove the label",
  flags: {
    slug: slugArgument,
    label: labelArgument,
    version: pointArgument.pipe(Argument.optional),
    remove: makeSwitch("remove", "Remove the label"),
    expect: expectFlag
  },
  run: ({ expect, label: name, remove, slug, version: point }) =>
    Effect.gen(function* () {
      if (remove === Option.isSome(point)) {
        return yield* new Misuse({ sentence: "Give a version or --remove." })
      }
      const found = yield* mustFind(slug)
      const condition = toCondition(yield* fenceOf(found, { expect, label: name }))
      if (Option.isNone(point)) {
        yield* call(({ presets }) => presets.labels.remove(slug, name, condition))
        return undefined
      }
      const version = yield* numberOf(found, point.value)
      return yield* call(({ presets }) => presets.labels.move(slug, name, { version }, condition))
    }).pipe(explainRace),
  text: (moved, { label: name, slug }) =>
    moved === undefined
      ? `${slug}: ${name} is removed.`
      : `${slug}: ${name} points to version ${moved.version}.`
})
