/** Instants and days in the notation of requests. */
import { DateTime, Option } from "effect"

/** Instants in RFC 3339, with seconds and a time zone. */
export const instantForm: RegExp =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** Pattern for a day or an instant, used in the API description. */
export const timePattern: string = `${dayForm.source}|${instantForm.source}`

/** Whether an instant can be written in a request: its UTC year has four digits. */
export const hasFourDigitYear = (instant: DateTime.Utc): boolean =>
  instantForm.test(DateTime.formatIso(instant))

/** Parses an instant. The date parser alone would accept February 30 as a day in March. */
export const readInstant = (text: string): Option.Option<DateTime.Utc> => {
  if (!instantForm.test(text)) return Option.none()
  const local = DateTime.make(`${text.slice(0, 19)}Z`)
  const isThere = Option.exists(
    local,
    (found) => DateTime.formatIso(found).slice(0, 19) === text.slice(0, 19)
  )
  if (!isThere) return Option.none()
  return Option.filter(Option.map(DateTime.make(text), DateTime.toUtc), hasFourDigitYear)
}

/** Parses an instant, or a UTC day, which stands for its first instant. */
export const readTime = (text: string): Option.Option<DateTime.Utc> =>
  readInstant(dayForm.test(text) ? `${text}T00:00:00Z` : text)
