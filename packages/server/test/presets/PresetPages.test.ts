/** The list of presets, while others change what is on it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { PageWanted } from "#src/presets/door/Pages"
import type { ListedPreset } from "#src/presets/door/PresetDoor"
import { readPresets } from "#src/presets/door/PresetPages"

const slugOf = (number: number) => `preset-${String(number).padStart(3, "0")}`

/** A workspace of so many presets, the last updated first, in which something happens. */
const makeWorkspace = (count: number, happen: (reading: number) => void = () => undefined) => {
  let clock = 0
  let readings = 0
  const presets: Array<ListedPreset> = []
  const remove = (number: number) => {
    const place = presets.findIndex(({ slug }) => slug === slugOf(number))
    if (place !== -1) presets.splice(place, 1)
  }
  const touch = (number: number) => {
    remove(number)
    clock += 1
    const slug = slugOf(number)
    presets.unshift({ slug, name: slug, status: "active", updatedAt: `${clock}` })
  }
  for (let number = count; number > 0; number -= 1) touch(number)
  const read = ({ limit, offset }: PageWanted) =>
    Effect.sync(() => {
      const page = { presets: presets.slice(offset, offset + limit), total: presets.length }
      readings += 1
      happen(readings)
      return page
    })
  return { read, remove, touch, count: () => readings, presets }
}

const expected = ({ presets }: ReturnType<typeof makeWorkspace>) =>
  presets.map(({ slug }) => slug).sort()

const slugs = (found: ReadonlyArray<ListedPreset>) => found.map(({ slug }) => slug)

describe("all presets", () => {
  it.effect("are read page by page, and the front of them twice", () =>
    Effect.gen(function* () {
      for (const [count, readings] of [
        [0, 1],
        [100, 1],
        [101, 3],
        [250, 4]
      ] as const) {
        const workspace = makeWorkspace(count)
        assert.deepStrictEqual(slugs(yield* readPresets(workspace.read)), expected(workspace))
        assert.strictEqual(workspace.count(), readings)
      }
    })
  )

  it.effect("are there once each, though one moves to the front meanwhile", () =>
    Effect.gen(function* () {
      const workspace = makeWorkspace(250, (reading) => {
        if (reading === 1) workspace.touch(240)
      })
      assert.deepStrictEqual(slugs(yield* readPresets(workspace.read)), expected(workspace))
    })
  )

  it.effect("are there, though one of those before them goes", () =>
    Effect.gen(function* () {
      const workspace = makeWorkspace(250, (reading) => {
        if (reading === 1) workspace.remove(1)
      })
      const found = yield* readPresets(workspace.read)
      assert.deepStrictEqual(slugs(found), expected(workspace))
      assert.lengthOf(found, 249)
    })
  )

  it.effect("are read to the end, whatever a page leaves out", () =>
    Effect.gen(function* () {
      const { presets, read } = makeWorkspace(250)
      const found = yield* readPresets((page) =>
        Effect.map(read(page), ({ presets, total }) => ({ presets: presets.slice(1), total }))
      )
      assert.lengthOf(found, presets.length - 3)
    })
  )

  it.effect("come to an end, though somebody changes one all the time", () =>
    Effect.gen(function* () {
      const workspace = makeWorkspace(250, () => workspace.touch(125))
      assert.deepStrictEqual(slugs(yield* readPresets(workspace.read)), expected(workspace))
      assert.isAtMost(workspace.count(), 20)
    })
  )
})
