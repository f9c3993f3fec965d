/** Contract cases for `PresetStore` about the order and the pages of lists. */
import {
  type Page,
  type PresetPage,
  PresetStore,
  type PresetStoreError,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Event, type Preset, type PresetDraft, type PresetVersion } from "@verbatim/core/preset"
import { type DateTime, Effect, Option } from "effect"
import {
  designate as backTo,
  designationsOf,
  label,
  later,
  makeDraft,
  moveLabel,
  presetId,
  revisePreset,
  slug,
  upTo,
  userId,
  versionsOf,
  whole,
  withWorkspace,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

/** Adds a version to the first preset. */
const foundVersion = (number: number, overrides: Partial<PresetDraft>) =>
  PresetStore.use((store) =>
    store.append(makeDraft(number, { ...overrides, presetId: presetId(1) }))
  )

/** Number of versions. There are so many that their numbers sort differently as strings. */
const length = 12

/** Boundary cases of pages: empty, first and last ones, and some that reach or exceed the end. */
const pages: ReadonlyArray<Page> = [
  { offset: 0, limit: 0 },
  { offset: 0, limit: length + 1 },
  { offset: 1, limit: 2 },
  { offset: 9, limit: 4 },
  { offset: length - 1, limit: 1 },
  { offset: length, limit: 1 },
  { offset: 1_000_000, limit: 100 }
]

/** Fails unless each page equals the matching part of the list. */
const expectPages = Effect.fnUntraced(function* <A, E, R>(
  list: ReadonlyArray<A>,
  page: (page: Page) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  yield* Expect.that("the list has its length", list.length).is(length)
  for (const each of pages) {
    yield* Expect.that(`${each.limit} after ${each.offset}`, yield* page(each)).is(
      list.slice(each.offset, each.offset + each.limit)
    )
  }
})

const listPage = (page: Page) => PresetStore.use((store) => store.list(workspaceId(1), page))

const listedSlugs = Effect.map(listPage(whole), ({ presets }) =>
  presets.map(({ slug }): string => slug)
)

/** Appends a version to the preset `text` at the given millisecond; `number` determines the ids. */
const appendDraft = (number: number, text: string, millis: number) =>
  PresetStore.use((store) =>
    store.append(makeDraft(number, { slug: slug(text), at: later(millis) }))
  )

/** Checks the pages of a preset's versions or designations. */
const checkPages = <A>(
  all: (id: Preset["id"]) => Effect.Effect<ReadonlyArray<A>, PresetStoreError, PresetStore>,
  read: (
    store: PresetStore["Service"],
    page: Page
  ) => Effect.Effect<ReadonlyArray<A>, PresetStoreError>
) =>
  withWorkspace(function* () {
    for (const number of upTo(length)) yield* appendDraft(number, "a", number)
    const store = yield* PresetStore
    yield* expectPages(yield* all(presetId(1)), (page) => read(store, page))
  })

export const pagingCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"lists a workspace's presets, most recently updated first"(store) {
    yield* appendDraft(1, "a", 1)
    const second = yield* appendDraft(2, "b", 2)
    yield* appendDraft(3, "c", 3)
    yield* listedSlugs.pipe(Expect.gives("presets are listed by creation", ["c", "b", "a"]))
    yield* store.append(makeDraft(4, { slug: slug("a"), at: later(4), stage: true }))
    yield* listedSlugs.pipe(Expect.gives("after a staged version", ["a", "c", "b"]))
    yield* appendDraft(5, "c", 5)
    yield* listedSlugs.pipe(Expect.gives("after a designated version", ["c", "a", "b"]))
    const disabled = yield* revisePreset(
      second.preset,
      Event.cases.Suspended.make({ at: later(6) })
    )
    yield* listedSlugs.pipe(Expect.gives("after a change", ["b", "c", "a"]))
    const { presets, total } = yield* listPage(whole)
    const complete = { ...disabled, latestCreatorId: userId(2) }
    yield* Expect.that("the preset is complete", presets[0]).is(complete)
    const authors = presets.map(({ latestCreatorId }) => latestCreatorId)
    yield* Expect.that("the latest versions' authors", authors).is([2, 5, 4].map(userId))
    yield* Expect.that("there are three", total).is(3)
    const others = store.list(workspaceId(2), whole)
    yield* others.pipe(Expect.gives("another workspace has no presets", { presets: [], total: 0 }))
  },
  *"lists presets updated at the same time in descending order of id"() {
    // The expected order is neither the order of the writes nor that of the slugs.
    for (const number of [2, 5, 1, 4, 3]) yield* appendDraft(number, `p${number % 3}${number}`, 7)
    const { presets } = yield* listPage(whole)
    const ids = presets.map(({ id }) => id)
    yield* Expect.that("the ids are descending", ids).is([5, 4, 3, 2, 1].map(presetId))
  },
  *"returns the requested page of presets, and the total number of presets"() {
    for (const number of upTo(length)) yield* appendDraft(number, `p${number}`, number)
    const { presets } = yield* listPage(whole)
    yield* expectPages(presets, (page) => Effect.map(listPage(page), ({ presets }) => presets))
    const totals = yield* Effect.forEach(pages, (page) =>
      Effect.map(listPage(page), ({ total }) => total)
    )
    yield* Expect.that("every page knows the total", totals).is(pages.map(() => length))
  },
  "returns the requested page of versions": checkPages(versionsOf, (store, page) =>
    store.versions(presetId(1), page)
  ),
  *"returns as many versions as fit on a page, but at least one"(store) {
    const sizes = [1_000, 10, 10, 5_000, 10, 900, 900]
    for (const [index, size] of sizes.entries()) {
      const overrides = { slug: slug("a"), systemPrompt: "é".repeat(size / 2), config: {} }
      yield* foundVersion(index + 1, overrides)
    }
    const numbers = (offset: number, byteMax: number, limit = sizes.length) =>
      Effect.map(store.versions(presetId(1), { offset, limit, byteMax }), (found) =>
        found.map(({ version }) => version)
      )
    yield* Expect.that("the page has the versions that fit", [
      yield* numbers(0, 1_100),
      yield* numbers(0, 1_100, 2),
      yield* numbers(1, 1_100),
      yield* numbers(3, 1_100),
      yield* numbers(4, 1_100),
      yield* numbers(4, 100_000),
      yield* numbers(0, 0),
      yield* numbers(7, 1_100)
    ]).is([[1, 2, 3], [1, 2], [2, 3], [4], [5, 6], [5, 6, 7], [1], []])
  },
  "returns the requested page of designations": checkPages(designationsOf, (store, page) =>
    store.designations(presetId(1), page)
  ),
  *"counts each preset's designations, and returns 0 for an unknown preset"(store) {
    for (const number of upTo(length)) yield* appendDraft(number, "a", number)
    yield* appendDraft(length + 1, "b", 1)
    const [first, second] = [presetId(1), presetId(length + 1)]
    yield* Effect.forEach([first, second, presetId(2)], store.designationCount).pipe(
      Expect.gives(`${length}, one and none`, [length, 1, 0])
    )
  },
  *"finds each version by its number, and finds nothing under an unused number"(store) {
    const answers = yield* Effect.forEach(upTo(length), (number) =>
      appendDraft(number, "a", number)
    )
    yield* appendDraft(length + 1, "b", 1)
    const read = (number: number, preset = 1) =>
      Effect.map(store.version(presetId(preset), number), Option.getOrNull)
    const found = yield* Effect.forEach(upTo(length), (number) => read(number))
    yield* Expect.that("each version is found", found).is(answers.map(({ version }) => version))
    for (const number of [0, -1, length + 1, Number.MAX_SAFE_INTEGER]) {
      yield* read(number).pipe(Expect.gives(`there is no version ${number}`, null))
    }
    yield* read(1, 99).pipe(Expect.gives("an unknown preset has no version", null))
  }
})

interface Listed {
  readonly slug: string
  readonly name?: string
  readonly description?: string
  readonly labels?: ReadonlyArray<string>
  readonly isDisabled?: boolean
}

/** Presets from the least to the most recently updated one. */
const presets: ReadonlyArray<Listed> = [
  { slug: "Notes-EN", name: "Sales notes", labels: ["production", "prod"] },
  { slug: "summary", description: "Takes 100% of the notes", isDisabled: true },
  { slug: "a_b", name: "Straße Ärger", labels: ["prod_x"] },
  { slug: "axb", name: "back\\slash!", description: "NOTES", labels: ["version", "constructor"] },
  { slug: "plain", labels: ["prodax", "staging"], isDisabled: true }
]

const addListed = Effect.fnUntraced(function* (wanted: Listed, index: number) {
  const { append } = yield* PresetStore
  const at = (millis: number) => later(100 * index + millis)
  const draft = makeDraft(index + 1, { slug: slug(wanted.slug), at: at(0) })
  const { preset, version } = yield* append(draft)
  const { description = null, isDisabled = false, labels = [], name = wanted.slug } = wanted
  const events = [
    Event.cases.Described.make({ at: at(1), name, description }),
    ...labels.map((text) => moveLabel(text, version, at(2))),
    ...(isDisabled ? [Event.cases.Suspended.make({ at: at(3) })] : [])
  ]
  let stored = preset
  for (const event of events) stored = yield* revisePreset(stored, event)
})

/** Returns the slugs on a page of presets, and the total number of presets. */
const findListed = (page: PresetPage) =>
  PresetStore.use((store) =>
    Effect.map(store.list(workspaceId(1), page), ({ presets, total }) => ({
      slugs: presets.map((preset): string => preset.slug),
      total
    }))
  )

type Row = readonly [filter: Omit<PresetPage, "limit" | "offset">, slugs: ReadonlyArray<string>]

/** Filters and the presets that match them, most recently updated first. */
const filterRows: ReadonlyArray<Row> = [
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
  // Outside ASCII, upper and lower case letters differ.
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
  [{ state: "Disabled" }, ["plain", "summary"]],
  [{ state: "Active" }, ["axb", "a_b", "Notes-EN"]],
  [{ state: "Archived" }, []],
  [{ state: "Disabled", text: "notes" }, ["summary"]],
  [{ state: "Disabled", label: label("staging"), text: "PLAIN" }, ["plain"]],
  [{ state: "Active", label: label("staging") }, []]
]

export const filterCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"lists and counts only the presets that have a given label or contain a given text"() {
    yield* Effect.forEach(presets, addListed, { discard: true })
    for (const [filter, slugs] of filterRows) {
      const expected = { slugs: [...slugs], total: slugs.length }
      const what = `presets with ${JSON.stringify(filter)}`
      yield* findListed({ ...whole, ...filter }).pipe(Expect.gives(what, expected))
    }
    const second = findListed({ offset: 1, limit: 1, text: "notes" })
    yield* second.pipe(Expect.gives("the second of three", { slugs: ["summary"], total: 3 }))
  }
})

/**
 * Fails unless a read at each time, in milliseconds after the first timestamp, returns the expected
 * version.
 */
export const expectAt = Effect.fnUntraced(function* <E, R>(
  read: (at: DateTime.Utc) => Effect.Effect<Option.Option<PresetVersion>, E, R>,
  expected: Readonly<Record<string, number | null>>
) {
  const actual = yield* Effect.forEach(Object.keys(expected), (millis) =>
    Effect.map(read(later(Number(millis))), (found) => [
      millis,
      Option.getOrNull(Option.map(found, ({ version }): number => version))
    ])
  )
  yield* Expect.that("the designated versions by millisecond", Object.fromEntries(actual)).is(
    expected
  )
})

export const designationCases: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"returns the version that was designated at a given time, even if a clock was set back"(store) {
    const first = yield* store.append(makeDraft(1, { at: later(10) }))
    const second = yield* store.append(makeDraft(2, { at: later(20) }))
    yield* revisePreset(second.preset, backTo(first.version, later(30)))
    const read = (at: DateTime.Utc) => store.designatedAt(presetId(1), at)
    yield* expectAt(read, { "-1": null, 9: null, 10: 1, 19: 1, 20: 2, 29: 2, 30: 1, 1000000: 1 })
    yield* store
      .designatedAt(presetId(1), later(25))
      .pipe(Expect.gives("the whole version is returned", Option.some(second.version)))
    // The machine that makes this change has a slow clock. The change is recorded last, but applies
    // from its own timestamp.
    yield* store.append(makeDraft(3, { at: later(25) }))
    yield* expectAt(read, { 19: 1, 24: 2, 25: 3, 29: 3, 30: 3, 1000000: 3 })
  }
})
