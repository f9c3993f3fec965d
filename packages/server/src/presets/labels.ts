/**
 * `verbatim presets labels list|protect|unprotect`: manages labels that only some keys can move,
 * across all presets of a workspace.
 */
import type { Answer } from "@verbatim/client"
import { DateTime, Effect, Option, Stream } from "effect"
import { Command } from "effect/cli"
import { Api, call } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { isKeyValid } from "../command/flags.ts"
import { quoted } from "../command/operation.ts"
import { labelArgument } from "./ReferenceArgument.ts"

type Key = Answer<"keys.list">["data"][number]

/** A protected label. The keys that can move a label are unknown if the caller cannot list keys. */
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

/** Protects or unprotects a label, as an operator if the caller has an operator key. */
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
