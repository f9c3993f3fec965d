/**
 * Which presets and versions of the memory a page shows.
 */
import type { Page, PresetPage } from "@verbatim/core/ports"
import { type Preset, type PresetVersion, targetOf } from "@verbatim/core/preset"
import { DateTime, Order } from "effect"

/** Newest updated first; ties by id, newest first. */
export const newestFirst: Order.Order<Preset> = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, ({ updatedAt }: Preset) => updatedAt),
    Order.mapInput(Order.String, ({ id }: Preset) => id)
  )
)

/** A stretch of a list. */
export const pageOf = <A>(
  list: ReadonlyArray<A> | undefined,
  { limit, offset }: Page
): ReadonlyArray<A> => (list ?? []).slice(offset, offset + limit)

/** One form of texts that differ in the case of their ASCII letters alone. */
const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether a preset passes the filters of a page. */
export const passes =
  ({ label, state, text }: PresetPage) =>
  ({ _tag, description, labels, name, slug }: Preset): boolean =>
    (state === undefined || _tag === state) &&
    (label === undefined || targetOf(labels, label) !== undefined) &&
    (text === undefined ||
      [slug, name, description ?? ""].some((each) => fold(each).includes(fold(text))))

const bytes = new TextEncoder()

/** The versions that fit, and the first one in any case. */
export const takeFitting = (
  page: ReadonlyArray<PresetVersion>,
  byteMax: number | undefined
): ReadonlyArray<PresetVersion> => {
  if (byteMax === undefined) return page
  let byteLength = 0
  const end = page.findIndex(({ config, systemPrompt }, index) => {
    byteLength += bytes.encode(JSON.stringify(config) + (systemPrompt ?? "")).length
    return index > 0 && byteLength > byteMax
  })
  return end === -1 ? page : page.slice(0, end)
}
