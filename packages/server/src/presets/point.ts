/**
 * `verbatim presets designate|label|labels`: moves pointers to versions, and protects labels so
 * that only some keys can move them.
 */

import type { Answer } from "@verbatim/client"
import { findPointedVersion, type StoredPreset } from "@verbatim/core/preset"
import { DateTime, Effect, Option, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, ApiRefusal, call } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { isKeyValid, makeSwitch } from "../command/flags.ts"
import { quoted } from "../command/operation.ts"
import { misuse, type Refusal } from "../command/Refusal.ts"
import { refuseChanged } from "./files.ts"
import { mustFind, numberOf, toCondition } from "./PresetCalls.ts"
import { expectFlag, labelArgument, pointArgument, slugArgument } from "./ReferenceArgument.ts"

/**
 * Returns the id of the expected version, if the user names one. Fails if the pointer refers to
 * another.
 */
const fenceOf = Effect.fnUntraced(function* (
  found: StoredPreset,
  { expect, label }: { readonly expect: number | undefined; readonly label: string | null }
) {
  if (expect === undefined) return undefined
  const pointed = findPointedVersion(found, label)
  if (pointed?.version === expect) return pointed.id
  const what = label === null ? "The designated version" : `The label ${label}`
  const now = pointed === undefined ? "nothing" : `version ${pointed.version}`
  return yield* refuseChanged(`${what} of ${found.slug} is ${now}, not version ${expect}.`)
})

/** Explains the failure of a command if another caller moved the pointer first. */
const explainRace = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(
    command,
    (error): Effect.Effect<never, E | Refusal> =>
      error instanceof ApiRefusal && error.reason === "Changed"
        ? refuseChanged(`${error.sentence}.`)
        : Effect.fail(error)
  )

/** Designates a version, so that requests get it by default. */
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
        return yield* misuse("Give a version or --remove.")
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

type Key = Answer<"keys.list">["data"][number]

/**
 * A protected label, with the keys that can move it. These keys are unknown if the caller cannot
 * list keys.
 */
type Protection = Answer<"presets.labels.listProtected">[number] & {
  readonly movers: ReadonlyArray<Key> | null
}

const toMover = ({ hint, id, name }: Key) => ({ id, hint, name })

const describeMover = ({ hint, id, name }: Key): string =>
  ["  moved by", id, hint, ...(name === null ? [] : [quoted(name)])].join("  ")

const describeMovers = ({ label, movers }: Protection): ReadonlyArray<string> => {
  if (movers === null) return ["  (only callers that manage keys can see which keys move it)"]
  return movers.length === 0
    ? [`  no key has the scope labels:${label}`]
    : movers.map((mover) => describeMover(mover))
}

const describeProtection = (protection: Protection): string => {
  const { label, protected_at: since, protected_by: by } = protection
  const head = [label.padEnd(24), since, by === null ? "by an operator" : `by ${by}`].join("  ")
  return [head, ...describeMovers(protection)].join("\n")
}

const readProtections = Effect.gen(function* () {
  const labels = yield* call(({ presets }) => presets.labels.listProtected())
  // A refusal is ignored, because most keys are not allowed to list keys.
  const keys = Option.getOrUndefined(yield* Effect.option(call(({ keys }) => keys.list())))
  const now = yield* DateTime.now
  const valid = keys?.data.filter((key) => isKeyValid(key, now))
  return labels.map((each): Protection => {
    const isMover = ({ scopes }: Key) => scopes?.includes(`labels:${each.label}`) ?? false
    return { ...each, movers: valid?.filter(isMover) ?? null }
  })
})

/**
 * Protects or unprotects a label. If the caller is an operator, calls the operation for operators.
 */
const decide = Effect.fnUntraced(function* (name: "protect" | "unprotect", label: string) {
  const { operator, workspaceId } = yield* Api
  return yield* call(({ presets }) =>
    operator === undefined || workspaceId === undefined
      ? presets.labels[name](label)
      : operator.workspaces.labels[name](workspaceId, label)
  )
})

const list = makeApiCommand("list", {
  description: "List protected labels and the keys that can move them",
  flags: {},
  run: () => Stream.fromIterableEffect(readProtections),
  answer: ({ movers, ...answer }) => ({ ...answer, keys: movers?.map(toMover) ?? null }),
  text: describeProtection
})

const protect = makeApiCommand("protect", {
  description: "Protect a label: only keys with its scope can move it, in all presets",
  flags: { label: labelArgument },
  run: ({ label }) => decide("protect", label),
  text: (_, { label }) =>
    `${label} is protected: only keys with the scope labels:${label} can move it.`
})

const unprotect = makeApiCommand("unprotect", {
  description: "Remove the protection of a label",
  flags: { label: labelArgument },
  run: ({ label }) => decide("unprotect", label),
  text: (_, { label }) =>
    `${label} is not protected: any key that can designate versions can move it.`
})

export const labels = Command.make("labels").pipe(
  Command.withDescription("Manage protected labels"),
  Command.withSubcommands([list, protect, unprotect])
)
