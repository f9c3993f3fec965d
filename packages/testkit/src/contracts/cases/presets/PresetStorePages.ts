/**
 * The promises of a `PresetStore` about lists: their order, and the pages of them.
 */

import {
  type Page,
  PresetStore,
  type PresetStoreError,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Event, type Preset, type PresetDraft } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  designationsOf,
  makeDraft,
  revisePreset,
  slug,
  versionsOf,
  whole
} from "../../../samples/SamplePreset.ts"
import { later, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Adds a version to the first preset. */
const foundVersion = (number: number, wishes: Partial<PresetDraft>) =>
  Effect.flatMap(PresetStore, (store) =>
    store.append(makeDraft(number, { ...wishes, presetId: presetId(1) }))
  )

/** Enough for texts to sort differently from numbers. */
const length = 12

/** Where pages go wrong: nothing, the first, the last, across the end, at it and beyond. */
const pages: ReadonlyArray<Page> = [
  { offset: 0, limit: 0 },
  { offset: 0, limit: 1 },
  { offset: 0, limit: length },
  { offset: 0, limit: length + 1 },
  { offset: 1, limit: 1 },
  { offset: 1, limit: 2 },
  { offset: 5, limit: 0 },
  { offset: 8, limit: 4 },
  { offset: 9, limit: 4 },
  { offset: length - 1, limit: 1 },
  { offset: length, limit: 1 },
  { offset: length + 1, limit: 5 },
  { offset: 1_000_000, limit: 100 }
]

/** Fails unless each page is that stretch of the list. */
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

const listPage = (page: Page) =>
  Effect.flatMap(PresetStore, (store) => store.list(workspaceId(1), page))

const listedSlugs = Effect.map(listPage(whole), ({ presets }) =>
  presets.map(({ slug }): string => slug)
)

/** Appends a version of the preset `text` at that millisecond; `number` gives the ids. */
const appendDraft = (number: number, text: string, millis: number) =>
  Effect.flatMap(PresetStore, (store) =>
    store.append(makeDraft(number, { slug: slug(text), at: later(millis) }))
  )

/** Pages of what a preset with many versions has: of its versions, or of its designations. */
const answersStretches = <A>(
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

/** What a reader of lists sees. */
export const pagingCases: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"lists the presets of a workspace, newest updated first"() {
      yield* appendDraft(1, "a", 1)
      const second = yield* appendDraft(2, "b", 2)
      yield* appendDraft(3, "c", 3)
      yield* listedSlugs.pipe(Expect.gives("as created", ["c", "b", "a"]))
      yield* appendDraft(4, "a", 4)
      yield* listedSlugs.pipe(Expect.gives("after a version", ["a", "c", "b"]))
      const disabled = yield* revisePreset(
        second.preset,
        Event.cases.Suspended.make({ at: later(5) })
      )
      const { presets, total } = yield* listPage(whole)
      yield* Expect.that(
        "after a change",
        presets.map(({ slug }): string => slug)
      ).is(["b", "a", "c"])
      yield* Expect.that("the preset is whole", presets[0]).is(disabled)
      yield* Expect.that("there are three", total).is(3)
    },
    *"lists presets that were updated at one instant by their ids, newest first"() {
      // Neither the order in which they were written nor that of their slugs.
      for (const number of [2, 5, 1, 4, 3]) yield* appendDraft(number, `p${number % 3}${number}`, 7)
      const { presets } = yield* listPage(whole)
      yield* Expect.that(
        "the ids fall",
        presets.map(({ id }) => id)
      ).is([5, 4, 3, 2, 1].map(presetId))
    },
    *"lists and counts the presets in one state, page by page"(store) {
      for (const number of [1, 2, 3, 4]) {
        const { preset } = yield* appendDraft(number, `p${number}`, number)
        const { Shelved, Suspended } = Event.cases
        const event = number < 3 ? Suspended.make({ at: later(number) }) : undefined
        if (event !== undefined) yield* revisePreset(preset, event)
        if (number === 4) yield* revisePreset(preset, Shelved.make({ at: later(number) }))
      }
      const listed = (state: Preset["_tag"], limit = 9, offset = 0) =>
        Effect.map(store.list(workspaceId(1), { limit, offset, state }), ({ presets, total }) => [
          total,
          presets.map(({ slug }): string => slug).join()
        ])
      yield* Expect.that("each state has its own", [
        yield* listed("Active"),
        yield* listed("Disabled"),
        yield* listed("Archived"),
        yield* listed("Disabled", 1),
        yield* listed("Disabled", 1, 1),
        yield* listed("Disabled", 1, 2)
      ]).is([
        [1, "p3"],
        [2, "p2,p1"],
        [1, "p4"],
        [2, "p2"],
        [2, "p1"],
        [2, ""]
      ])
    },
    *"lists none of another workspace"(store) {
      yield* appendDraft(1, "a", 1)
      yield* Expect.that("there is nothing", yield* store.list(workspaceId(2), whole)).is({
        presets: [],
        total: 0
      })
    },
    *"answers the stretch of the presets that a page asks for, and how many there are"() {
      for (const number of upTo(length)) yield* appendDraft(number, `p${number}`, number)
      const { presets } = yield* listPage(whole)
      yield* expectPages(presets, (page) => Effect.map(listPage(page), ({ presets }) => presets))
      const totals = yield* Effect.forEach(pages, (page) =>
        Effect.map(listPage(page), ({ total }) => total)
      )
      yield* Expect.that("every page knows the total", totals).is(pages.map(() => length))
    },
    "answers the stretch of the versions that a page asks for": answersStretches(
      versionsOf,
      (store, page) => store.versions(presetId(1), page)
    ),
    *"answers as many versions as fit, and the first one in any case"(store) {
      const sizes = [1_000, 10, 10, 5_000, 10, 900, 900]
      for (const [index, size] of sizes.entries()) {
        const wishes = { slug: slug("a"), systemPrompt: "é".repeat(size / 2), config: {} }
        yield* foundVersion(index + 1, wishes)
      }
      const numbers = (offset: number, byteMax: number, limit = sizes.length) =>
        Effect.map(store.versions(presetId(1), { offset, limit, byteMax }), (found) =>
          found.map(({ version }) => version)
        )
      yield* Expect.that("they are those that fit", [
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
    "answers the stretch of the designations that a page asks for": answersStretches(
      designationsOf,
      (store, page) => store.designations(presetId(1), page)
    ),
    *"counts the designations of each preset, and none of an unknown one"(store) {
      for (const number of upTo(length)) yield* appendDraft(number, "a", number)
      yield* appendDraft(length + 1, "b", 1)
      const [first, second] = [presetId(1), presetId(length + 1)]
      yield* Expect.that(
        `${length}, one and none`,
        yield* Effect.forEach([first, second, presetId(2)], store.designationCount)
      ).is([length, 1, 0])
    },
    *"has each version by its number, and none of another number"(store) {
      const answers = yield* Effect.forEach(upTo(length), (number) =>
        appendDraft(number, "a", number)
      )
      yield* appendDraft(length + 1, "b", 1)
      for (const { version } of answers) {
        yield* Expect.that(
          `version ${version.version}`,
          yield* store.version(presetId(1), version.version)
        ).is(Option.some(version))
      }
      for (const number of [0, -1, length + 1, Number.MAX_SAFE_INTEGER]) {
        yield* Expect.that(
          `there is no version ${number}`,
          yield* store.version(presetId(1), number)
        ).is(Option.none())
      }
      yield* Expect.that(
        "an unknown preset has no version",
        yield* store.version(presetId(99), 1)
      ).is(Option.none())
    }
  }
)
