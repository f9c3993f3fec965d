/**
 * The promises of a `PresetStore` about lists of the presets that pass some filters.
 */
import { type PresetPage, PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event } from "@verbatim/core/preset"
import { Effect } from "effect"
import { workspaceId } from "../../../samples/Ids.ts"
import {
  label,
  makeDraft,
  moveLabel,
  revisePreset,
  slug,
  whole
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

interface Listed {
  readonly slug: string
  readonly name?: string
  readonly description?: string
  readonly labels?: ReadonlyArray<string>
  readonly isDisabled?: boolean
}

/** Presets as they are listed: the last one was updated last. */
const presets: ReadonlyArray<Listed> = [
  { slug: "Notes-EN", name: "Sales notes", labels: ["production", "prod"] },
  { slug: "summary", description: "Takes 100% of the notes", isDisabled: true },
  { slug: "a_b", name: "Straße Ärger", labels: ["prod_x"] },
  { slug: "axb", name: "back\\slash!", description: "NOTES", labels: ["version", "constructor"] },
  { slug: "plain", labels: ["prodax", "staging"], isDisabled: true }
]

const store = Effect.fnUntraced(function* (wanted: Listed, index: number) {
  const { append } = yield* PresetStore
  const at = (millis: number) => later(100 * index + millis)
  const { preset, version } = yield* append(
    makeDraft(index + 1, { slug: slug(wanted.slug), at: at(0) })
  )
  const described = Event.cases.Described.make({
    at: at(1),
    name: wanted.name ?? wanted.slug,
    description: wanted.description ?? null
  })
  const labels = (wanted.labels ?? []).map((text) => moveLabel(text, version, at(2)))
  const suspended = wanted.isDisabled === true ? [Event.cases.Suspended.make({ at: at(3) })] : []
  let stored = preset
  for (const event of [described, ...labels, ...suspended]) {
    stored = yield* revisePreset(stored, event)
  }
})

type Row = readonly [filter: Omit<PresetPage, "limit" | "offset">, slugs: ReadonlyArray<string>]

/** Filters, and the presets that pass them, newest updated first. */
const rows: ReadonlyArray<Row> = [
  [{}, ["plain", "axb", "a_b", "summary", "Notes-EN"]],
  [{ text: "" }, ["plain", "axb", "a_b", "summary", "Notes-EN"]],
  [{ text: "notes" }, ["axb", "summary", "Notes-EN"]],
  [{ text: "nOtEs" }, ["axb", "summary", "Notes-EN"]],
  [{ text: "NOTES-en" }, ["Notes-EN"]],
  [{ text: "%" }, ["summary"]],
  [{ text: "100% of" }, ["summary"]],
  [{ text: "a_b" }, ["a_b"]],
  [{ text: "_" }, ["a_b"]],
  [{ text: "!" }, ["axb"]],
  [{ text: "k\\s" }, ["axb"]],
  // Letters beyond ASCII are compared as they are.
  [{ text: "straße" }, ["a_b"]],
  [{ text: "ärger" }, []],
  [{ text: "Ärger" }, ["a_b"]],
  [{ text: "notes'; --" }, []],
  [{ label: label("production") }, ["Notes-EN"]],
  [{ label: label("prod") }, ["Notes-EN"]],
  [{ label: label("prod_x") }, ["a_b"]],
  [{ label: label("version") }, ["axb"]],
  [{ label: label("constructor") }, ["axb"]],
  [{ label: label("movedat") }, []],
  [{ label: label("staging") }, ["plain"]],
  [{ state: "Disabled", text: "notes" }, ["summary"]],
  [{ state: "Disabled", label: label("staging"), text: "PLAIN" }, ["plain"]],
  [{ state: "Active", label: label("staging") }, []]
]

/** What a `PresetStore` promises about filters. */
export const filterCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"lists and counts the presets that have a label or a text in them, and no others"() {
    const { list } = yield* PresetStore
    yield* Effect.forEach(presets, store, { discard: true })
    for (const [filter, slugs] of rows) {
      const found = yield* list(workspaceId(1), { ...whole, ...filter })
      yield* Expect.that(`presets with ${JSON.stringify(filter)}`, {
        slugs: found.presets.map((preset): string => preset.slug),
        total: found.total
      }).is({ slugs: [...slugs], total: slugs.length })
    }
  },
  *"answers the stretch of the presets that pass the filters, page by page"() {
    const { list } = yield* PresetStore
    yield* Effect.forEach(presets, store, { discard: true })
    const page = { offset: 1, limit: 1, text: "notes" }
    const { presets: shown, total } = yield* list(workspaceId(1), page)
    yield* Expect.that("the second of three", {
      slugs: shown.map((preset): string => preset.slug),
      total
    }).is({ slugs: ["summary"], total: 3 })
  }
})
