/**
 * Labels of presets by name: named pointers to versions, moved like the designation.
 */
import type { Client } from "openapi-fetch"
import { type CallOptions, type ConditionOptions, dropAbsent, toInit, unwrap } from "./Calls.ts"
import type { components, paths } from "./Description.ts"
import { type OffsetOptions, readOffsets } from "./Pages.ts"
import { unwrapRemoval } from "./Removal.ts"

type Schemas = components["schemas"]

/** How a label is moved: `ifMatch` is the `version_id` where the caller has seen it point to. */
export type LabelOptions = ConditionOptions

/** Makes the calls on labels. */
export const makeLabels = (client: Client<paths>) => {
  const at = (slug: string, label: string) => ({ path: { slug, label } })

  const labelMoves = (
    slug: string,
    label: string,
    { limit, offset, ...options }: OffsetOptions = {}
  ): Promise<Schemas["LabelMovePage"]> =>
    unwrap(
      client.GET("/presets/{slug}/labels/{label}/moves", {
        params: { ...at(slug, label), query: dropAbsent({ limit, offset }) },
        ...toInit(options)
      })
    )

  return {
    /** Reads all labels of a preset, by name. */
    labels: async (
      slug: string,
      options?: CallOptions
    ): Promise<ReadonlyArray<Schemas["Label"]>> => {
      const init = { params: { path: { slug } }, ...toInit(options) }
      return (await unwrap(client.GET("/presets/{slug}/labels", init))).data
    },

    /** Reads where a label points. */
    label: async (
      slug: string,
      label: string,
      options?: CallOptions
    ): Promise<Schemas["Label"]> => {
      const init = { params: at(slug, label), ...toInit(options) }
      return (await unwrap(client.GET("/presets/{slug}/labels/{label}", init))).data
    },

    /**
     * Points a label to a version: its number, another label, `designated` or `latest`. Makes the
     * label where there is none.
     */
    moveLabel: async (
      slug: string,
      { label, version }: { readonly label: string; readonly version: number | string },
      options?: LabelOptions
    ): Promise<Schemas["MovedLabel"]> => {
      const init = { params: at(slug, label), body: { version }, ...toInit(options) }
      return (await unwrap(client.PUT("/presets/{slug}/labels/{label}", init))).data
    },

    /** Takes a label away; its history stays. */
    removeLabel: async (slug: string, label: string, options?: LabelOptions): Promise<void> => {
      const init = { params: at(slug, label), ...toInit(options) }
      await unwrapRemoval(client.DELETE("/presets/{slug}/labels/{label}", init))
    },

    /** Reads a page of who moved a label when, in the order in which it happened. */
    labelMoves,

    /** All moves of a label. */
    allLabelMoves: (slug: string, label: string, options: Omit<OffsetOptions, "offset"> = {}) =>
      readOffsets((offset) => labelMoves(slug, label, { ...options, offset })),

    /** Reads which labels only some keys may move. */
    protectedLabels: async (
      options?: CallOptions
    ): Promise<ReadonlyArray<Schemas["ProtectedLabel"]>> =>
      (await unwrap(client.GET("/labels/protected", toInit(options)))).data,

    /**
     * From now on only keys with the scope `labels:<name>` move that label, in all presets of the
     * workspace; the key of the call has it.
     */
    protectLabel: async (label: string, options?: CallOptions): Promise<void> => {
      const init = { params: { path: { label } }, ...toInit(options) }
      await unwrap(client.PUT("/labels/protected/{label}", init))
    },

    /** From now on every key that designates versions moves that label. */
    unprotectLabel: async (label: string, options?: CallOptions): Promise<void> => {
      const init = { params: { path: { label } }, ...toInit(options) }
      await unwrap(client.DELETE("/labels/protected/{label}", init))
    }
  }
}
