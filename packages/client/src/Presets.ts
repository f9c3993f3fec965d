/**
 * Versioned presets by name: made from the body of a request, read, compared, rolled back.
 */
import type { Client } from "openapi-fetch"
import {
  type CallOptions,
  type ConditionOptions,
  type CreateOptions,
  dropAbsent,
  type MakersBody,
  toInit,
  toRepeatable,
  unwrap
} from "./Calls.ts"
import type { components, paths } from "./Description.ts"
import { makeLabels } from "./Labels.ts"
import { type OffsetOptions, readOffsets } from "./Pages.ts"
import { unwrapRemoval } from "./Removal.ts"
import { makeResolutions } from "./Resolutions.ts"

type Schemas = components["schemas"]

type Preset = Schemas["Preset"]

/** A preset that was made, with the version that was only stored, where one was. */
export interface MadePreset extends Preset {
  readonly staged_version?: Schemas["PresetVersion"]
}

/** The preset that was made: a call by its name is never one that is only tried. */
const madeBy = async (
  calling: Promise<{ readonly data: MadePreset | Schemas["PresetPreview"] }>
): Promise<MadePreset> => (await calling).data as MadePreset

/** How a preset is made: `ifMatch` writes only while the version that was read is designated. */
export interface PresetOptions extends CreateOptions, ConditionOptions {
  /** Whether the version is only stored: the designated one stays, unless the preset is new. */
  readonly stage?: boolean | undefined
  /** The fields of the version that count in place of a request's own. */
  readonly wins?: ReadonlyArray<string> | undefined
  /** What its author says about the version. */
  readonly comment?: string | undefined
}

/** Which presets. */
export interface PresetListOptions extends OffsetOptions {
  readonly status?: Preset["status"] | undefined
  /** Those that have this label. */
  readonly label?: string | undefined
  /** Those with this text in their slug, name or description. */
  readonly text?: string | undefined
}

/** Two versions, each named by its number, by a label, or as `designated` or `latest`. */
export interface Comparison {
  readonly from: number | string
  readonly to: number | string
  /** The preset that `to` is of; the same one when it is left out. */
  readonly slug?: string | undefined
}

const at = (slug: string) => ({ path: { slug } })

/** Makes the calls that make versions. */
const makeCreations = (client: Client<paths>, isRepeating: boolean) => {
  const toCreation = (slug: string, { comment, stage, wins, ...options }: PresetOptions = {}) => {
    const query = dropAbsent({
      comment,
      stage: stage === true ? ("true" as const) : undefined,
      wins: wins?.join(",") || undefined
    })
    return { params: { ...at(slug), query }, ...toRepeatable(options, isRepeating) }
  }

  return {
    /** Makes a preset, or its next version, from the body of a Responses-style request. */
    createFromResponses: (
      slug: string,
      body: MakersBody<Schemas["ResponsesRequest"]>,
      options?: PresetOptions
    ): Promise<MadePreset> => {
      const init = { body: body as never, ...toCreation(slug, options) }
      return madeBy(unwrap(client.POST("/presets/{slug}/responses", init)))
    },

    /** Makes a preset, or its next version, from the body of a chat-completions request. */
    createFromChatCompletions: (
      slug: string,
      body: MakersBody<Schemas["ChatCompletionsRequest"]>,
      options?: PresetOptions
    ): Promise<MadePreset> => {
      const init = { body: body as never, ...toCreation(slug, options) }
      return madeBy(unwrap(client.POST("/presets/{slug}/chat/completions", init)))
    },

    /** Makes a preset, or its next version, from the body of a messages request. */
    createFromMessages: (
      slug: string,
      body: MakersBody<Schemas["MessagesRequest"]>,
      options?: PresetOptions
    ): Promise<MadePreset> => {
      const init = { body: body as never, ...toCreation(slug, options) }
      return madeBy(unwrap(client.POST("/presets/{slug}/messages", init)))
    },

    /** Makes the next version of a preset from one that it has, with some parts changed. */
    createFromVersion: (
      slug: string,
      body: Schemas["PresetParts"],
      options: CreateOptions & ConditionOptions = {}
    ): Promise<MadePreset> => {
      const init = { params: at(slug), body, ...toRepeatable(options, isRepeating) }
      return madeBy(unwrap(client.POST("/presets/{slug}/versions", init)))
    }
  }
}

/** Makes the calls on presets. */
export const makePresets = (client: Client<paths>, isRepeating: boolean) => {
  const list = ({
    label,
    limit,
    offset,
    status,
    text,
    ...options
  }: PresetListOptions = {}): Promise<Schemas["PresetPage"]> =>
    unwrap(
      client.GET("/presets", {
        params: { query: dropAbsent({ label, limit, offset, status, text }) },
        ...toInit(options)
      })
    )

  const versions = (
    slug: string,
    { limit, offset, ...options }: OffsetOptions = {}
  ): Promise<Schemas["PresetVersionPage"]> =>
    unwrap(
      client.GET("/presets/{slug}/versions", {
        params: { ...at(slug), query: dropAbsent({ limit, offset }) },
        ...toInit(options)
      })
    )

  const designations = (
    slug: string,
    { limit, offset, ...options }: OffsetOptions = {}
  ): Promise<Schemas["DesignationPage"]> =>
    unwrap(
      client.GET("/presets/{slug}/designations", {
        params: { ...at(slug), query: dropAbsent({ limit, offset }) },
        ...toInit(options)
      })
    )

  return {
    ...makeCreations(client, isRepeating),

    /** Reads a preset with its designated version. */
    get: async (slug: string, options?: CallOptions): Promise<Preset> =>
      (await unwrap(client.GET("/presets/{slug}", { params: at(slug), ...toInit(options) }))).data,

    /** Changes status, name or description. */
    revise: async (
      slug: string,
      body: Schemas["PresetChange"],
      options?: ConditionOptions
    ): Promise<Preset> => {
      const init = { params: at(slug), body, ...toInit(options) }
      return (await unwrap(client.PATCH("/presets/{slug}", init))).data
    },

    /** Reads a page of presets, the last updated first. */
    list,

    /** All presets. One that is updated meanwhile moves to the front, and may be missed. */
    all: (options: Omit<PresetListOptions, "offset"> = {}) =>
      readOffsets((offset) => list({ ...options, offset })),

    /** Reads a page of versions, the oldest first. */
    versions,

    /** All versions of a preset, the oldest first. */
    allVersions: (slug: string, options: Omit<OffsetOptions, "offset"> = {}) =>
      readOffsets((offset) => versions(slug, { ...options, offset })),

    /** Reads one version. It changes in one way: its content may be erased. */
    version: async (
      slug: string,
      version: number,
      options?: CallOptions
    ): Promise<Schemas["FullPresetVersion"]> => {
      const init = { params: { path: { slug, version } }, ...toInit(options) }
      return (await unwrap(client.GET("/presets/{slug}/versions/{version}", init))).data
    },

    /** Designates a version, to roll back for example. */
    designate: async (
      slug: string,
      version: number,
      options?: ConditionOptions
    ): Promise<Preset> => {
      const init = { params: at(slug), body: { version }, ...toInit(options) }
      return (await unwrap(client.PUT("/presets/{slug}/designated-version", init))).data
    },

    /** Reads a page of who designated which version when, in the order in which it happened. */
    designations,

    /** All designations of a preset. */
    allDesignations: (slug: string, options: Omit<OffsetOptions, "offset"> = {}) =>
      readOffsets((offset) => designations(slug, { ...options, offset })),

    /** Compares two versions, of one preset or of two. */
    diff: async (
      slug: string,
      { from, slug: other, to }: Comparison,
      options?: CallOptions
    ): Promise<Schemas["PresetDiff"]> => {
      const query = { from, to, ...dropAbsent({ slug: other }) }
      const init = { params: { ...at(slug), query }, ...toInit(options) }
      return (await unwrap(client.GET("/presets/{slug}/diff", init))).data
    },

    /** Erases the content of a version to which nothing points; its number stays. */
    erase: async (
      slug: string,
      version: number,
      options?: ConditionOptions
    ): Promise<Schemas["FullPresetVersion"]> => {
      const init = { params: { path: { slug, version } }, ...toInit(options) }
      const path = "/presets/{slug}/versions/{version}/content"
      return (await unwrap(client.DELETE(path, init))).data
    },

    /** Removes an archived preset for good; its slug is free. */
    remove: async (slug: string, options?: ConditionOptions): Promise<void> => {
      const init = { params: at(slug), ...toInit(options) }
      await unwrapRemoval(client.DELETE("/presets/{slug}", init))
    },

    ...makeResolutions(client),
    ...makeLabels(client)
  }
}
