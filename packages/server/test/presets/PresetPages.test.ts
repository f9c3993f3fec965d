/** The list of presets, while others change what is on it. */
import { assert, describe, it } from "vitest"
import { type ListedPreset, listAll } from "#src/presets/PresetPages"

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
    presets.unshift({ slug, updated_at: `${clock}` } as ListedPreset)
  }
  for (let number = count; number > 0; number -= 1) touch(number)
  const read = async ({ limit, offset }: { readonly limit: number; readonly offset: number }) => {
    const page = { data: presets.slice(offset, offset + limit), total_count: presets.length }
    readings += 1
    happen(readings)
    return page
  }
  return { read, remove, touch, count: () => readings, presets }
}

const expected = ({ presets }: ReturnType<typeof makeWorkspace>) =>
  presets.map(({ slug }) => slug).sort()

const slugs = (found: ReadonlyArray<ListedPreset>) => found.map(({ slug }) => slug)

describe("all presets", () => {
  it("are read page by page, and the front of them twice", async () => {
    for (const [count, readings] of [
      [0, 1],
      [100, 1],
      [101, 3],
      [250, 4]
    ] as const) {
      const workspace = makeWorkspace(count)
      assert.deepStrictEqual(slugs(await listAll(workspace.read)), expected(workspace))
      assert.strictEqual(workspace.count(), readings)
    }
  })

  it("are there once each, though one moves to the front in between", async () => {
    const workspace = makeWorkspace(250, (reading) => {
      if (reading === 1) workspace.touch(240)
    })
    assert.deepStrictEqual(slugs(await listAll(workspace.read)), expected(workspace))
  })

  it("are there, though one of those before them goes", async () => {
    const workspace = makeWorkspace(250, (reading) => {
      if (reading === 1) workspace.remove(1)
    })
    const found = await listAll(workspace.read)
    assert.deepStrictEqual(slugs(found), expected(workspace))
    assert.lengthOf(found, 249)
  })

  it("are read to the end, whatever a page leaves out", async () => {
    const { presets, read } = makeWorkspace(250)
    const found = await listAll(async (page) => {
      const { data, total_count } = await read(page)
      return { data: data.slice(1), total_count }
    })
    assert.lengthOf(found, presets.length - 3)
  })

  it("come to an end, though one changes all the time", async () => {
    const workspace = makeWorkspace(250, () => workspace.touch(125))
    assert.deepStrictEqual(slugs(await listAll(workspace.read)), expected(workspace))
    assert.isAtMost(workspace.count(), 20)
  })
})
