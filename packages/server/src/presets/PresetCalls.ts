/** What commands read of presets, and write to them, through the API. */
import type { components, MadePreset, VerbatimClient } from "@verbatim/client"
import {
  type HeldPreset,
  type HeldVersion,
  type PresetContent,
  PresetVersionId,
  toRequestBody
} from "@verbatim/core/preset"
import { fromWireFormat } from "@verbatim/core/request"
import { Effect, Option } from "effect"
import { Api, ApiRefusal, call } from "../command/ApiCalls.ts"
import { printable } from "../command/operation.ts"
import { type ListWish, listAll } from "./PresetPages.ts"

type Schemas = components["schemas"]

/** A preset as it is, with the workspace that it is in. */
export interface FoundPreset extends HeldPreset {
  readonly workspaceId: string
}

/** The number of a version, a label, `designated` or `latest`. */
export type Point = number | string

/** A preset and a version of it. */
export interface Pointed {
  readonly slug: string
  readonly point: Point
}

/** The version that a thing must point to; null where there must be no such thing. */
export type Fence = string | null

/** A fence as calls take it; left out, nothing is required. */
export const toCondition = (fence: Fence | undefined) =>
  fence === null ? { ifNoneMatch: "*" } : { ifMatch: fence }

/** A body or a part of one: its numbers may be exact, which no type of the client says. */
export const toBody = <Body>(json: unknown): Body => json as Body

/** What the server always sends, though the words of the API let it be null. */
const present = <A>(sent: A | null): A => {
  if (sent === null) throw new TypeError("null")
  return sent
}

/** The version that was made. */
export const madeOf = (made: MadePreset) => present(made.staged_version ?? made.designated_version)

/** Older servers send neither `format` nor `wins`, and none does with a preset. */
type WireVersion = Schemas["PresetVersion"] & Partial<Schemas["FullPresetVersion"]>

/** A version in the words of plans. */
const toHeld = (version: WireVersion): HeldVersion => ({
  id: PresetVersionId.make(version.id),
  version: version.version,
  format: version.format === undefined ? null : fromWireFormat(version.format),
  systemPrompt: version.system_prompt,
  config: toBody(version.config),
  wins: version.wins ?? []
})

/** The workspace, where it is known without a preset or there is one. */
export const findWorkspaceId = Effect.flatMap(Api, ({ workspaceId }) =>
  workspaceId === undefined
    ? call(async ({ presets }) => (await presets.list({ limit: 1 })).data[0]?.workspace_id ?? null)
    : Effect.succeed(workspaceId)
)

/** All presets that pass a filter, by slug. */
export const listPresets = (wish: ListWish) =>
  call(({ presets }) => listAll((page) => presets.list({ ...wish, ...page })))

const readPreset = async ({ presets }: VerbatimClient, slug: string): Promise<FoundPreset> => {
  const preset = await presets.get(slug)
  const [listed, { total_count: latestVersion }] = await Promise.all([
    presets.labels.list(slug),
    presets.versions(slug, { limit: 1 })
  ])
  const labels = new Map(listed.map(({ label, version }) => [label, version]))
  const designatedVersion = present(preset.designated_version).version
  const numbers = new Set([designatedVersion, latestVersion, ...labels.values()])
  // One that cannot be read right now is not one that is not there.
  const versions = await Promise.all([...numbers].map((number) => presets.version(slug, number)))
  const { description, name, status, workspace_id: workspaceId } = preset
  return {
    ...{ slug: preset.slug, workspaceId: present(workspaceId), name, description, status },
    ...{ designatedVersion, latestVersion, labels },
    versions: versions.filter((version) => version.erased_at === undefined).map(toHeld)
  }
}

/** A preset with the versions that something points to, and the latest one. */
export const findPreset = (slug: string) =>
  call((client) => readPreset(client, slug)).pipe(
    Effect.asSome,
    Effect.catchIf(
      ({ reason }) => reason === "NotFound",
      () => Effect.succeed(Option.none<FoundPreset>())
    )
  )

/** A preset that must be there. */
export const mustFind = Effect.fnUntraced(function* (slug: string) {
  const found = yield* findPreset(slug)
  if (Option.isSome(found)) return found.value
  const sentence = `There is no preset ${printable(slug)}`
  return yield* new ApiRefusal({ reason: "NotFound", sentence })
})

/** The number of the version that a point of a preset means. */
export const numberOf = (found: FoundPreset, point: Point) => {
  const { designatedVersion, labels, latestVersion, slug } = found
  const named = new Map([
    ...labels,
    ["designated", designatedVersion] as const,
    ["latest", latestVersion] as const
  ])
  const version = typeof point === "number" ? point : named.get(point)
  const sentence = `The preset ${slug} has no label ${point}`
  return version === undefined
    ? Effect.fail(new ApiRefusal({ reason: "NotFound", sentence }))
    : Effect.succeed(version)
}

/** What a version of a preset says. */
export const readVersion = Effect.fnUntraced(function* (found: FoundPreset, point: Point) {
  const { slug } = found
  const number = yield* numberOf(found, point)
  const version = yield* call(({ presets }) => presets.version(slug, number))
  if (version.erased_at === undefined) return toHeld(version)
  const sentence = `The content of version ${number} of the preset ${slug} was erased`
  return yield* new ApiRefusal({ reason: "Refused", sentence })
})

const creators = {
  responses: "createFromResponses",
  chatCompletions: "createFromChatCompletions",
  messages: "createFromMessages"
} as const

/** A version to be. */
interface Addition {
  readonly slug: string
  readonly content: PresetContent
  readonly comment: string | null
  /** Whether the designated version stays. */
  readonly stage: boolean
  /** What the designated version must be; left out, nothing is required. */
  readonly fence: Fence | undefined
  /** The same addition under the same key is made once. */
  readonly key: string
}

/** Makes a version, and a preset where there is none. `Changed` when the fence is broken. */
export const addVersion = ({ comment, content, fence, key, slug, stage }: Addition) =>
  call(async ({ presets }) => {
    const made = await presets[creators[content.format]](slug, toBody(toRequestBody(content)), {
      ...toCondition(fence),
      comment: comment ?? undefined,
      stage: stage ? true : undefined,
      wins: content.wins,
      idempotencyKey: key
    })
    return toHeld(madeOf(made))
  })
