/** Reads and writes presets through the API, for commands. */
import type { Answer, CreatedPreset, Options, VerbatimClient } from "@verbatim/client"
import {
  findPointedVersion,
  type PresetContent,
  type PresetFile,
  PresetVersionId,
  type StoredPreset,
  type StoredVersion
} from "@verbatim/core/preset"
import { fromWireFormat } from "@verbatim/core/request"
import { Effect, Option, Stream } from "effect"
import { call, callEach, orNone, pageMax } from "../command/ApiCalls.ts"
import { printable } from "../command/operation.ts"
import { refuse } from "../command/Refusal.ts"

/** Selects a version by number, by label, or as `designated` or `latest`. */
export type Point = number | string

/** A preset and one of its versions. */
export interface Pointed {
  readonly slug: string
  readonly point: Point
}

/**
 * The id of the version that a pointer must refer to. If it is null, the pointer must not exist.
 */
export type Fence = string | null

/** Converts the expected version to the precondition of a call. Undefined sets none. */
export const toCondition = (fence: Fence | undefined) =>
  fence === null ? { ifNoneMatch: "*" } : { ifMatch: fence }

/** Casts a body or a part of it, because the client's types cannot express exact numbers. */
export const toBody = <Body>(json: unknown): Body => json as Body

/** Returns a value that the server always sends, although the type of the API allows null. */
const present = <A>(sent: A | null): A => {
  if (sent === null) throw new TypeError("null")
  return sent
}

/** Returns the created version from a response. */
export const madeOf = (made: CreatedPreset) =>
  present(made.staged_version ?? made.designated_version)

/** Converts a version to the form that plans use. */
const toHeldVersion = (version: Answer<"presets.version">): StoredVersion => ({
  id: PresetVersionId.make(version.id),
  version: version.version,
  format: fromWireFormat(version.format),
  systemPrompt: version.system_prompt,
  config: toBody(version.config),
  wins: version.wins
})

type ListOptions = Pick<Options<"presets.list">, "label" | "status" | "text">

/**
 * Lists the presets that match a filter, sorted by slug. If a preset changes while the list is
 * read, it may move to another page and be missing from the list.
 */
export const listPresets = Effect.fnUntraced(function* (options: ListOptions) {
  const listed = callEach(({ presets }) => presets.list({ ...options, limit: pageMax }))
  const all = new Map((yield* Stream.runCollect(listed)).map((each) => [each.slug, each]))
  return [...all.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1))
})

const readPreset = async ({ presets }: VerbatimClient, slug: string): Promise<StoredPreset> => {
  const preset = await presets.get(slug)
  const [listed, { total_count: latestVersion }] = await Promise.all([
    presets.labels.list(slug),
    presets.versions(slug, { limit: 1 })
  ])
  const labels = new Map(listed.map(({ label, version }) => [label, version]))
  const designatedVersion = present(preset.designated_version).version
  const numbers = new Set([designatedVersion, latestVersion, ...labels.values()])
  // The call fails if a version cannot be read now, because that does not mean that it is missing.
  const versions = await Promise.all([...numbers].map((number) => presets.version(slug, number)))
  const { description, name, status } = preset
  return {
    ...{ slug: preset.slug, name, description, status },
    ...{ designatedVersion, latestVersion, labels },
    versions: versions.filter((version) => version.erased_at === undefined).map(toHeldVersion)
  }
}

/** Finds a preset, with its latest version and the versions that have pointers. */
export const findPreset = (slug: string) => orNone(call((client) => readPreset(client, slug)))

/** Returns an existing preset, or fails. */
export const mustFind = Effect.fnUntraced(function* (slug: string) {
  const found = yield* findPreset(slug)
  if (Option.isSome(found)) return found.value
  return yield* refuse(`There is no preset ${printable(slug)}.`)
})

/** Returns the number of the version that a pointer refers to. */
export const numberOf = (found: StoredPreset, point: Point) => {
  const { designatedVersion, labels, latestVersion, slug } = found
  const named = new Map([
    ...labels,
    ["designated", designatedVersion] as const,
    ["latest", latestVersion] as const
  ])
  const version = typeof point === "number" ? point : named.get(point)
  return version === undefined
    ? refuse(`The preset ${slug} has no label ${point}.`)
    : Effect.succeed(version)
}

export const readVersion = Effect.fnUntraced(function* (found: StoredPreset, point: Point) {
  const { slug } = found
  const number = yield* numberOf(found, point)
  const version = yield* call(({ presets }) => presets.version(slug, number))
  if (version.erased_at === undefined) return toHeldVersion(version)
  return yield* refuse(`The content of version ${number} of the preset ${slug} was erased.`)
})

/** Returns the preset file for one version. */
export const toFile = (
  { description, name, slug, status }: StoredPreset,
  content: PresetContent
): PresetFile => {
  const { config, systemPrompt, wins } = content
  return {
    ...{ slug: slug as PresetFile["slug"], name, description, status },
    content: { format: content.format, systemPrompt, config, wins }
  }
}

/** Returns the preset file for the designated version. */
export const toDesignatedFile = (found: StoredPreset) => {
  const version = findPointedVersion(found, null)
  return version === undefined
    ? refuse(`The designated version of ${found.slug} cannot be read.`)
    : Effect.succeed(toFile(found, version))
}
