/**
 * `verbatim presets list|show|diff|resolve`: what is there, and what it means.
 */
import { encodeFile, type HeldPreset } from "@verbatim/core/preset"
import { ExactNumber, readInstant } from "@verbatim/core/schema"
import { Console, DateTime, Effect, Option, type Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { call } from "../command/ApiCalls.ts"
import { apiFlags, withApi } from "../command/ApiFlags.ts"
import { jsonFlag as json, print, printable } from "../command/operation.ts"
import { Misuse } from "../command/Refusal.ts"
import { contentLines } from "./PlanText.ts"
import { listPresets, mustFind, readVersion, toBody, toFile } from "./PresetCalls.ts"
import { readTextOf } from "./PresetFolder.ts"
import { writePreset } from "./PresetWriter.ts"
import { labelFlag, makeReferenceArgument } from "./ReferenceArgument.ts"

const optionalText = (name: string, does: string) =>
  Flag.String(name).pipe(Flag.withDescription(does), Flag.optional, Flag.map(Option.getOrUndefined))

/** Lists presets. */
export const list = Command.make(
  "list",
  {
    ...apiFlags,
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
      for (const each of yield* listPresets({ status, text, label: label ?? undefined })) {
        yield* print(json, each, ({ name, slug, status, updated_at }) =>
          [slug.padEnd(32), status.padEnd(8), updated_at, printable(name)].join("  ")
        )
      }
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("List presets by slug"))

const labelsOf = ({ labels }: HeldPreset): string =>
  [...labels].map(([label, version]) => `${label} → ${version}`).join(", ")

const headOf = (found: HeldPreset, version: number): string => {
  const isDesignated = version === found.designatedVersion
  const standing = isDesignated ? "designated" : `designated is ${found.designatedVersion}`
  const labels = found.labels.size === 0 ? "no labels" : labelsOf(found)
  return `# version ${version} of ${found.latestVersion}, ${standing}; ${labels}`
}

/** Shows a preset as its file would be, with where things point. */
export const show = Command.make(
  "show",
  {
    preset: makeReferenceArgument("preset", "notes, notes@3, notes@production"),
    json,
    ...apiFlags
  },
  Effect.fn(function* ({ json, preset, ...wish }) {
    const command = Effect.gen(function* () {
      const found = yield* mustFind(preset.slug)
      const version = yield* readVersion(found, preset.point)
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
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("Show a version of a preset as its file would be"))

/** Compares two versions. */
export const diff = Command.make(
  "diff",
  {
    from: makeReferenceArgument("from", "What to compare with, as notes@3 or notes@production"),
    to: makeReferenceArgument("to", "What is compared, as notes@latest"),
    json,
    ...apiFlags
  },
  Effect.fn(function* ({ from, json, to, ...wish }) {
    const command = Effect.gen(function* () {
      const slug = to.slug === from.slug ? undefined : to.slug
      const points = { from: from.point, to: to.point, slug }
      const content = yield* call(({ presets }) => presets.diff(from.slug, points))
      if (json) return yield* Console.log(JSON.stringify(content))
      const lines = contentLines(toBody(content))
      yield* Console.log(lines.length === 0 ? "Both say the same." : lines.join("\n"))
    })
    yield* withApi(wish, command)
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
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    at: Flag.String("at").pipe(
      Flag.withDescription("As it was meant at that instant, as 2030-01-02T03:04:05Z"),
      Flag.filterMap(readInstant, () => "an instant such as 2030-01-02T03:04:05Z"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    ...apiFlags
  },
  Effect.fn(function* ({ at, format, preset: reference, request: file, variables, ...wish }) {
    const command = Effect.gen(function* () {
      const read = yield* readRequest(file)
      const given = Option.match(variables, {
        onNone: () => ({}),
        onSome: (values) => ({ variables: { ...Object(read.variables), ...values } })
      })
      const request = { ...read, ...given }
      const wanted = { format, at: at && DateTime.formatIso(at) }
      const { left_out: leftOut, request: meant } = yield* call(({ presets }) =>
        presets.resolve(reference, toBody(request), wanted)
      )
      yield* Console.log(JSON.stringify(meant, undefined, 2))
      for (const { field, reason } of leftOut) {
        yield* Console.error(`${printable(field)} is left out: ${reason}`)
      }
    })
    yield* withApi(wish, command)
  })
).pipe(Command.withDescription("Print the request that is meant when one is laid over a preset"))
