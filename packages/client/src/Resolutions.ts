/**
 * Presets in use by name: what a reference means, the request that is meant, and what a body would
 * become.
 */
import type { Client } from "openapi-fetch"
import { type CallOptions, dropAbsent, type MakersBody, toInit, unwrap } from "./Calls.ts"
import type { components, paths } from "./Description.ts"

type Schemas = components["schemas"]

/** When a reference is read. */
interface TimeOptions extends CallOptions {
  /** Asks for what was designated, or labelled, at that instant. */
  readonly at?: Date | undefined
}

/** Which version of a preset is meant; without one, the designated version. */
export interface PinOptions extends TimeOptions {
  readonly version?: number | undefined
  readonly label?: string | undefined
}

/** The format of a request. */
interface FormatOptions {
  /** Told by the fields of the request when it is left out. */
  readonly format?: Schemas["Resolution"]["format"] | undefined
}

/** How a request is laid over a preset. */
export interface ResolveOptions extends PinOptions, FormatOptions {}

/** How a request is laid over the preset that it names. */
export interface ResolveNamedOptions extends TimeOptions, FormatOptions {}

/** What a body would become part of. */
export interface PreviewOptions extends CallOptions, FormatOptions {
  readonly slug?: string | undefined
}

const toPinQuery = ({ at, label, version }: PinOptions) =>
  dropAbsent({ label, version, at: at?.toISOString() })

/** Makes the calls on presets in use. */
export const makeResolutions = (client: Client<paths>) => {
  const at = (slug: string) => ({ path: { slug } })

  return {
    /** Reads the version that is meant, with what it takes to lay requests over it. */
    pin: async (slug: string, options: PinOptions = {}): Promise<Schemas["Pin"]> => {
      const init = { params: { ...at(slug), query: toPinQuery(options) }, ...toInit(options) }
      return (await unwrap(client.GET("/presets/{slug}/pin", init))).data
    },

    /** Lays a request over a preset: the request that is meant, in its own format. */
    resolve: async (
      slug: string,
      body: MakersBody<Schemas["AnyRequest"]>,
      options: ResolveOptions = {}
    ): Promise<Schemas["Resolution"]> => {
      const query = { ...toPinQuery(options), ...dropAbsent({ format: options.format }) }
      const init = { params: { ...at(slug), query }, body, ...toInit(options) }
      return (await unwrap(client.POST("/presets/{slug}/resolve", init))).data
    },

    /** The same over the preset that the request names, in `preset` or in `model`. */
    resolveNamed: async (
      body: MakersBody<Schemas["NamingRequest"]>,
      { at, format, ...options }: ResolveNamedOptions = {}
    ): Promise<Schemas["Resolution"]> => {
      const query = dropAbsent({ at: at?.toISOString(), format })
      const init = { params: { query }, body, ...toInit(options) }
      return (await unwrap(client.POST("/resolve", init))).data
    },

    /** Tells what a body would become, and what would change; nothing is stored. */
    preview: async (
      body: MakersBody<Schemas["AnyRequest"]>,
      { format, slug, ...options }: PreviewOptions = {}
    ): Promise<Schemas["PresetPreview"]> => {
      const init = { params: { query: dropAbsent({ format, slug }) }, body, ...toInit(options) }
      return (await unwrap(client.POST("/presets/preview", init))).data
    }
  }
}
