/**
 * The promises of a `PresetStore` about many writers at once.
 */
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import type { DesignatedPreset } from "@verbatim/core/preset/DesignatedPreset"
import { Effect, Option } from "effect"
import { upTo } from "../../samples/Ids.ts"
import { draft, foundPreset, slug } from "../../samples/SamplePreset.ts"
import { founded } from "../../samples/SampleWorkspace.ts"
import { atOnce, type Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** Enough to collide on every store that was tried, whatever its pool. */
const writers = 64

const sortedNumbers = (answers: ReadonlyArray<DesignatedPreset>): ReadonlyArray<number> =>
  answers.map(({ version }) => version.version).sort((a, b) => a - b)

/** What many writers at once see. */
export const racing: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = [
  {
    title: "gives 64 writers of one new slug one preset with the versions 1 to 64",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* PresetStore
      const append = (number: number) => store.append(draft(number))
      const answers = yield* atOnce(upTo(writers), append)
      yield* Expect.that("no number is missing or given twice", {
        actual: sortedNumbers(answers),
        expected: upTo(writers)
      })
      yield* Expect.that("there is one preset", {
        actual: new Set(answers.map(({ preset }) => preset.id)).size,
        expected: 1
      })
      const [first] = answers
      const versions = first === undefined ? [] : yield* store.versions(first.preset.id)
      yield* Expect.that("the versions are those that were answered", {
        actual: versions,
        expected: answers.map(({ version }) => version).toSorted((a, b) => a.version - b.version)
      })
      yield* Expect.that("the latest version is designated", {
        actual: Option.map(yield* foundPreset(), ({ preset, version }) => [
          preset.latestVersion,
          preset.designatedVersion,
          preset.designatedVersionId === version.id && version.version
        ]),
        expected: Option.some([writers, writers, writers])
      })
    })
  },
  {
    title: "keeps the versions of several slugs apart under writers of all of them",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* PresetStore
      const slugs = ["a", "A", "b", "c"]
      const rounds = 16
      const append = (number: number) =>
        store.append(draft(number, { slug: slug(slugs[number % slugs.length] ?? "a") }))
      const answers = yield* atOnce(upTo(slugs.length * rounds), append)
      for (const each of slugs) {
        yield* Expect.that(`the versions of ${each} are dense`, {
          actual: sortedNumbers(answers.filter(({ preset }) => preset.slug === each)),
          expected: upTo(rounds)
        })
        yield* Expect.that(`the latest version of ${each} is designated`, {
          actual: Option.map(yield* foundPreset(each), ({ version }) => version.version),
          expected: Option.some(rounds)
        })
      }
    })
  },
  {
    title: "lets readers see a preset only with the version it designates",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* PresetStore
      yield* store.append(draft(1))
      const write = (number: number) => Effect.asVoid(store.append(draft(number + 1)))
      const read = Effect.flatMap(foundPreset(), (seen) =>
        Expect.holds(
          "the version is the designated one",
          Option.exists(
            seen,
            ({ preset, version }) =>
              preset.designatedVersion === version.version &&
              preset.designatedVersionId === version.id
          )
        )
      )
      const both = upTo(16).flatMap((number) => [write(number), read])
      yield* atOnce(both, (each) => each)
    })
  }
]
