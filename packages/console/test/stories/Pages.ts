/** Lists of several pages, of which one cannot be read. */
import type { Page } from "playwright-core"
import { it } from "vitest"
import type { Stage } from "../Stage.ts"
import { goTo } from "../Visit.ts"

const firstCount = 100

/** A page of a list. */
interface Wanted {
  readonly place: string
  /** A request for a page, and whether it is one for the second. */
  readonly path: RegExp
  readonly isSecond: (query: URLSearchParams) => boolean
  /** What a member is, by its number, and how a page of them is answered. */
  readonly toMember: (at: number) => object
  readonly toAnswer: (data: ReadonlyArray<object>, isLast: boolean) => object
}

/** Makes a first page of many and a second one of a single member, out of any that there is. */
const listed = async (page: Page, wanted: Wanted) => {
  const state = { isBroken: true }
  await page.route(wanted.path, async (route) => {
    const url = new URL(route.request().url())
    const isLast = wanted.isSecond(url.searchParams)
    if (isLast && state.isBroken) return route.fulfill({ status: 404, json: { detail: "No." } })
    for (const name of ["offset", "cursor"]) url.searchParams.delete(name)
    const response = await route.fetch({ url: String(url) })
    const { data } = await response.json()
    const count = isLast ? 1 : firstCount
    const members = Array.from({ length: count }, (_, index) => ({
      ...data[0],
      ...wanted.toMember(isLast ? firstCount : index)
    }))
    return route.fulfill({ response, json: wanted.toAnswer(members, isLast) })
  })
  await goTo(page, wanted.place)
  await page.getByText("call-0", { exact: true }).waitFor()
  await page.keyboard.press("End")
  await page.getByText("No.", { exact: true }).waitFor()
  return state
}

export const pages = (stage: () => Stage): void => {
  it("say so, and are read on", async () => {
    const body = JSON.stringify({ model: "any/model" })
    const init = { method: "POST", headers: { "content-type": "application/json" }, body }
    await stage().server.request("/v1/presets/long/responses", init)
    await stage().visit(async (page) => {
      const state = await listed(page, {
        place: "/presets",
        path: /\/api\/v1\/presets\?/,
        isSecond: (query) => Number(query.get("offset")) > 0,
        toMember: (at) => ({ id: `${at}`, slug: `call-${at}` }),
        toAnswer: (data) => ({ data, total_count: firstCount + 1 })
      })
      state.isBroken = false
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByText(`call-${firstCount}`, { exact: true }).waitFor()
      await page.getByText("No.", { exact: true }).waitFor({ state: "detached" })
    })
  })

  it("are read on by themselves where they are looked at again", async () => {
    await stage().upload({ callback_id: "long" })
    await stage().visit(async (page) => {
      const state = await listed(page, {
        place: "/jobs",
        path: /\/api\/v1\/transcriptions\?/,
        isSecond: (query) => query.has("cursor"),
        toMember: (at) => ({ id: `${900 - at}`, callback_id: `call-${at}` }),
        toAnswer: (data, isLast) => ({ data, next_cursor: isLast ? null : "next" })
      })
      state.isBroken = false
      await page.getByText(`call-${firstCount}`, { exact: true }).waitFor()
      await page.getByText("No.", { exact: true }).waitFor({ state: "detached" })
    })
  })
}
