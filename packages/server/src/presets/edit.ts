/** `verbatim presets edit`: creates a version from another one with changes. */
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, type Schema } from "effect"
import { Flag } from "effect/cli"
import { call } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { makeSwitch, textFlag } from "../command/flags.ts"
import { misuse } from "../command/Refusal.ts"
import { madeOf, toBody } from "./PresetCalls.ts"
import { readTextOf } from "./PresetFolder.ts"
import { makeReferenceArgument } from "./ReferenceArgument.ts"

/** Parses a field with its value. A value that is not JSON is read as a string. */
const toField = (text: string): Option.Option<readonly [string, Schema.Json]> => {
  const end = text.indexOf("=")
  if (end < 1) return Option.none()
  const value = text.slice(end + 1)
  const parsed = Option.getOrElse(ExactNumber.parse(value), () => value)
  return Option.some([text.slice(0, end), parsed as Schema.Json])
}

const list = (name: string, does: string) =>
  Flag.map(textFlag(name, does), (text) => text?.split(",").filter((each) => each !== ""))

const editFlags = {
  set: Flag.String("set").pipe(
    Flag.withDescription("Field and value, such as temperature=0.2; JSON or text (repeatable)"),
    Flag.filterMap(toField, () => "a field and its value, such as temperature=0.2"),
    Flag.atLeast(0)
  ),
  unset: list("unset", "Fields to remove, separated by commas"),
  prompt: textFlag("system-prompt", "File with a new system prompt, or - for standard input"),
  noPrompt: makeSwitch("no-system-prompt", "Remove the system prompt"),
  wins: list(
    "wins",
    "Fields that take precedence over requests, separated by commas (may be empty)"
  ),
  comment: textFlag("comment", "Comment on the version"),
  stage: makeSwitch("stage", "Store the version without designating it")
}

/** Reads the new system prompt from a file, if one is given. */
const readPrompt = Effect.fnUntraced(function* (file: string | undefined, isNone: boolean) {
  if (file === undefined) return isNone ? { system_prompt: null } : {}
  if (isNone) {
    return yield* misuse("Give --system-prompt or --no-system-prompt, not both.")
  }
  const text = yield* readTextOf(file)
  return { system_prompt: text.replace(/\r?\n$/, "") }
})

/** Reports the created version, and the fields that were not stored. */
const describeVersion = (
  { config, version }: ReturnType<typeof madeOf>,
  { set, slug, stage }: { readonly set: object; readonly slug: string; readonly stage: boolean }
): string => {
  const lost = Object.entries(set)
    .filter(([name, value]) => JSON.stringify(config[name]) !== JSON.stringify(value))
    .map(([name]) => name)
  return [
    `${slug}: version ${version} is ${stage ? "staged" : "designated"}.`,
    ...(lost.length === 0 ? [] : [`Not stored, or stored only in part: ${lost.join(", ")}.`])
  ].join("\n")
}

export const edit = makeApiCommand("edit", {
  description: "Create a version by changing another version",
  flags: {
    preset: makeReferenceArgument("preset", "notes, notes@3, notes@production"),
    ...editFlags
  },
  run: ({ comment, noPrompt, preset, prompt, set, stage, unset, wins }) =>
    Effect.gen(function* () {
      const { point: from, slug } = preset
      const requested = yield* readPrompt(prompt, noPrompt)
      const changes = { set: Object.fromEntries(set), unset, wins, ...requested }
      const parts = { from, ...changes, comment, stage }
      return yield* call(({ presets }) => presets.createFromVersion(slug, toBody(parts)))
    }),
  text: (answer, { preset: { slug }, set, stage }) =>
    Effect.map(
      call(async () => madeOf(answer)),
      (made) => describeVersion(made, { slug, stage, set: Object.fromEntries(set) })
    )
})
