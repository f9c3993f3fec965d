/** Instants and days as requests write them. */
import { DateTime, Option } from "effect"

/** Instants as RFC 3339 writes them: with seconds, and with their zone. */
export const instantForm: RegExp =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** A day, or an instant, as one pattern for the description. */
export const timePattern: string = `${dayForm.source}|${instantForm.source}`

/** Whether an instant can be written as requests write them: its year, in UTC, has four digits. */
export const isTellable = (instant: DateTime.Utc): boolean =>
  instantForm.test(DateTime.formatIso(instant))

/** Reads an instant. The parser alone would take the 30th of February for a day in March. */
export const readInstant = (text: string): Option.Option<DateTime.Utc> => {
  if (!instantForm.test(text)) return Option.none()
  const local = DateTime.make(`${text.slice(0, 19)}Z`)
  const isThere = Option.exists(
    local,
    (found) => DateTime.formatIso(found).slice(0, 19) === text.slice(0, 19)
  )
  if (!isThere) return Option.none()
  return Option.filter(Option.map(DateTime.make(text), DateTime.toUtc), isTellable)
}

/** Reads an instant, or a day of UTC, which stands for its first instant. */
export const readTime = (text: string): Option.Option<DateTime.Utc> =>
  readInstant(dayForm.test(text) ? `${text}T00:00:00Z` : text)
