/**
 * `verbatim presets list|show|diff|resolve`: shows presets, compares versions, and resolves
 * requests with them.
 */
import { encodeFile, type StoredPreset } from "@verbatim/core/preset"
import { ExactNumber, readInstant } from "@verbatim/core/schema"
import { Console, DateTime, Effect, Option, type Schema, Stream } from "effect"
import { Flag } from "effect/cli"
import { call } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { filterFlag, optional, textArgument, textFlag } from "../command/flags.ts"
import { printable } from "../command/operation.ts"
import { misuse } from "../command/Refusal.ts"
import { contentLines } from "./PlanText.ts"
import { listPresets, mustFind, readVersion, toBody, toFile } from "./PresetCalls.ts"
import { readTextOf } from "./PresetFolder.ts"
import { writePreset } from "./PresetWriter.ts"
import { labelFlag, makeReferenceArgument } from "./ReferenceArgument.ts"

export const list = makeApiCommand("list", {
  description: "List presets by slug",
  flags: {
    status: optional(
      Flag.Literals("status", ["active", "disabled", "archived"]),
      "Only presets with this status"
    ),
    label: labelFlag.pipe(Flag.withDescription("List only presets that have this label")),
    text: filterFlag("text", "Only presets with this text in slug, name or description")
  },
  run: ({ label, status, text }) =>
    Stream.fromIterableEffect(listPresets({ status, text, label: label ?? undefined })),
  text: {
    row: ({ name, slug, status, updated_at: changed }) => ({
      slug,
      status,
      changed,
      name: name === slug ? "" : printable(name)
    })
  }
})

const labelsOf = ({ labels }: StoredPreset): string =>
  [...labels].map(([label, version]) => `${label} → ${version}`).join(", ")

const headOf = (found: StoredPreset, version: number): string => {
  const isDesignated = version === found.designatedVersion
  const standing = isDesignated ? "designated" : `designated is ${found.designatedVersion}`
  const labels = found.labels.size === 0 ? "no labels" : labelsOf(found)
  return `# version ${version} of ${found.latestVersion}, ${standing}; ${labels}`
}

/** Shows a preset in file format, with its pointers. */
export const show = makeApiCommand("show", {
  description: "Show a version of a preset in file format",
  flags: { preset: makeReferenceArgument("preset", "notes, notes@3, notes@production") },
  run: ({ preset }) =>
    Effect.gen(function* () {
      const found = yield* mustFind(preset.slug)
      const version = yield* readVersion(found, preset.point)
      return { found, version, file: toFile(found, version) }
    }),
  answer: ({ file, found, version }) => ({
    version: version.version,
    version_id: version.id,
    designated_version: found.designatedVersion,
    latest_version: found.latestVersion,
    labels: Object.fromEntries(found.labels),
    preset: encodeFile(file)
  }),
  text: ({ file, found, version }) =>
    `${headOf(found, version.version)}\n${writePreset(file, "yaml").trimEnd()}`
})

export const diff = makeApiCommand("diff", {
  description: "Compare two versions of one or two presets",
  flags: {
    from: makeReferenceArgument(
      "from",
      "Version to compare with, such as notes@3 or notes@production"
    ),
    to: makeReferenceArgument("to", "Version to compare, such as notes@latest")
  },
  run: ({ from, to }) => {
    const slug = to.slug === from.slug ? undefined : to.slug
    const points = { from: from.point, to: to.point, slug }
    return call(({ presets }) => presets.diff(from.slug, points))
  },
  text: (content) => contentLines(toBody(content)).join("\n") || "No differences."
})

const readRequest = Effect.fnUntraced(function* (file: string | undefined) {
  if (file === undefined) return {}
  const text = yield* readTextOf(file)
  const parsed = Option.getOrNull(ExactNumber.parse(text))
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Schema.JsonObject
  }
  return yield* misuse(`${file} is not a JSON object.`)
})

export const resolve = makeApiCommand("resolve", {
  description: "Print the request that a preset and a request resolve to",
  flags: {
    preset: textArgument("preset", "notes, notes@3, notes@production"),
    request: textFlag(
      "request",
      "File with the request as JSON, or - for standard input (default: {})"
    ),
    variables: optional(
      Flag.KeyValuePair("variable"),
      "Value of {{name}} in the prompt, as name=value (repeatable)"
    ),
    format: optional(
      Flag.Literals("format", ["responses", "chat_completions", "messages"]),
      "Request format (default: detected from its fields)"
    ),
    at: optional(
      Flag.String("at").pipe(
        Flag.filterMap(readInstant, () => "a timestamp such as 2030-01-02T03:04:05Z")
      ),
      "Resolve as of this time, such as 2030-01-02T03:04:05Z"
    )
  },
  run: ({ at, format, preset: reference, request: file, variables }) =>
    Effect.gen(function* () {
      const read = yield* readRequest(file)
      const given = variables && { variables: { ...Object(read.variables), ...variables } }
      const wanted = { format, at: at && DateTime.formatIso(at) }
      return yield* call(({ presets }) =>
        presets.resolve(reference, toBody({ ...read, ...given }), wanted)
      )
    }),
  text: ({ left_out: leftOut, request }) =>
    Effect.as(
      Effect.forEach(leftOut, ({ field, reason }) =>
        Console.error(`${printable(field)} is left out: ${reason}`)
      ),
      JSON.stringify(request, undefined, 2)
    )
})
