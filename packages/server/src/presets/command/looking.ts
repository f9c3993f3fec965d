/**
 * `verbatim presets list|show|diff|resolve`: what is there, and what it means.
 */
import { encodeFile, formatOf, type PresetContent, type PresetFile } from "@verbatim/core/preset"
import { ExactNumber, readInstant } from "@verbatim/core/schema"
import { Console, Effect, Option, type Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { printable } from "../../command/operation.ts"
import { Misuse, Refusal } from "../../command/Refusal.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { type FoundPreset, PresetDoor } from "../door/PresetDoor.ts"
import { readTextOf } from "../file/PresetFolder.ts"
import { writePreset } from "../file/PresetText.ts"
import { contentLines } from "../plan/Telling.ts"
import { doorFlags, withDoor } from "./DoorFlags.ts"
import { labelFlag, makeReferenceArgument } from "./ReferenceArgument.ts"

const json = makeSwitch("json", "JSON for programs, one object in a line")

const optionalText = (name: string, does: string) =>
  Flag.String(name).pipe(Flag.withDescription(does), Flag.optional, Flag.map(Option.getOrUndefined))

/** Lists presets. */
export const list = Command.make(
  "list",
  {
    ...doorFlags,
    status: Flag.Literals("status", ["active", "disabled", "archived"]).pipe(
      Flag.withDescription("Only presets of this status"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    label: labelFlag.pipe(Flag.withDescription("Only presets that have this label")),
    text: optionalText("text", "Only presets with this text in slug, name or description"),
    json
  },
  Effect.fn(function* ({ json, label, status, text, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      for (const each of yield* door.list({ status, text, label: label ?? undefined })) {
        const { name, slug, status, updatedAt } = each
        const row = [slug.padEnd(32), status.padEnd(8), updatedAt, printable(name)]
        const view = { slug, name, status, updated_at: updatedAt }
        yield* Console.log(json ? JSON.stringify(view) : row.join("  "))
      }
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("List presets by slug"))

const labelsOf = ({ labels }: FoundPreset): string =>
  [...labels].map(([label, version]) => `${label} → ${version}`).join(", ")

const headOf = (found: FoundPreset, version: number): string => {
  const isDesignated = version === found.designatedVersion
  const standing = isDesignated ? "designated" : `designated is ${found.designatedVersion}`
  const labels = found.labels.size === 0 ? "no labels" : labelsOf(found)
  return `# version ${version} of ${found.latestVersion}, ${standing}; ${labels}`
}

/** Finds a preset that must be there. */
export const mustFind = Effect.fnUntraced(function* (slug: string) {
  const door = yield* PresetDoor
  const found = yield* door.find(slug)
  if (Option.isSome(found)) return found.value
  return yield* new Refusal({ sentence: `There is no preset ${printable(slug)}.` })
})

/** A preset with the content of one of its versions, as a file says it. */
export const toFile = (
  { description, name, slug, status }: FoundPreset,
  content: Parameters<typeof formatOf>[0]
): PresetFile => ({
  slug: slug as PresetFile["slug"],
  name,
  description,
  status,
  content: {
    format: formatOf(content),
    systemPrompt: content.systemPrompt,
    config: content.config,
    wins: content.wins
  }
})

/** Shows a preset as its file would be, with where things point. */
export const show = Command.make(
  "show",
  {
    preset: makeReferenceArgument("preset", "notes, notes@3, notes@production"),
    json,
    ...doorFlags
  },
  Effect.fn(function* ({ json, preset, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const found = yield* mustFind(preset.slug)
      const version = yield* door.version(preset)
      const file = toFile(found, version)
      const view = {
        version: version.version,
        version_id: version.id,
        designated_version: found.designatedVersion,
        latest_version: found.latestVersion,
        labels: Object.fromEntries(found.labels),
        preset: encodeFile(file)
      }
      yield* json
        ? Console.log(JSON.stringify(view))
        : Console.log(`${headOf(found, version.version)}\n${writePreset(file, "yaml").trimEnd()}`)
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Show a version of a preset as its file would be"))

/** Compares two versions. */
export const diff = Command.make(
  "diff",
  {
    from: makeReferenceArgument("from", "What to compare with, as notes@3 or notes@production"),
    to: makeReferenceArgument("to", "What is compared, as notes@latest"),
    json,
    ...doorFlags
  },
  Effect.fn(function* ({ from, json, to, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const content = yield* door.diff(from, to)
      if (json) return yield* Console.log(JSON.stringify(content))
      const lines = contentLines(content)
      yield* Console.log(lines.length === 0 ? "Both say the same." : lines.join("\n"))
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Compare two versions, of one preset or of two"))

const readRequest = Effect.fnUntraced(function* (file: string | undefined) {
  if (file === undefined) return {}
  const text = yield* readTextOf(file)
  const parsed = Option.getOrNull(ExactNumber.parse(text))
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Schema.JsonObject
  }
  return yield* new Misuse({ sentence: `${file} is no JSON object.` })
})

const formats = {
  responses: "responses",
  chat_completions: "chatCompletions",
  messages: "messages"
} as const satisfies Record<string, PresetContent["format"]>

/** Lays a request over a preset. */
export const resolve = Command.make(
  "resolve",
  {
    preset: Argument.String("preset").pipe(
      Argument.withDescription("notes, notes@3, notes@production")
    ),
    request: optionalText("request", "File with the request as JSON, - for the input; else {}"),
    variables: Flag.KeyValuePair("variable").pipe(
      Flag.withDescription("A value of {{name}} in the prompt, as name=value; as often as needed"),
      Flag.optional
    ),
    format: Flag.Literals("format", ["responses", "chat_completions", "messages"]).pipe(
      Flag.withDescription("Format of the request; its fields tell it if left out"),
      Flag.optional
    ),
    at: Flag.String("at").pipe(
      Flag.withDescription("As it was meant at that instant, as 2030-01-02T03:04:05Z"),
      Flag.filterMap(readInstant, () => "an instant such as 2030-01-02T03:04:05Z"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    ...doorFlags
  },
  Effect.fn(function* ({ at, format, preset: reference, request: file, variables, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      const read = yield* readRequest(file)
      const given = Option.match(variables, {
        onNone: () => ({}),
        onSome: (values) => ({ variables: { ...Object(read.variables), ...values } })
      })
      const request = { ...read, ...given }
      const named = Option.map(format, (name) => formats[name])
      const { leftOut, request: meant } = yield* door.resolve({
        reference,
        request,
        at,
        format: Option.getOrUndefined(named)
      })
      yield* Console.log(JSON.stringify(meant, undefined, 2))
      for (const { field, reason } of leftOut) {
        yield* Console.error(`${printable(field)} is left out: ${reason}`)
      }
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Print the request that is meant when one is laid over a preset"))
