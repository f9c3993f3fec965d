/** Parses timestamps and days in requests. */
import { DateTime, Option } from "effect"

/** Matches RFC 3339 timestamps with seconds and a time zone. */
export const instantForm: RegExp =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** Pattern for a day or a timestamp, used in the API description. */
export const timePattern: string = `${dayForm.source}|${instantForm.source}`

/** Whether a timestamp can be written in a request: its UTC year must have four digits. */
export const hasFourDigitYear = (instant: DateTime.Utc): boolean =>
  instantForm.test(DateTime.formatIso(instant))

/** Parses a timestamp. The date parser alone would accept February 30 as a day in March. */
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

/** Parses a timestamp, or a UTC day, which means the first moment of that day. */
export const readTime = (text: string): Option.Option<DateTime.Utc> =>
  readInstant(dayForm.test(text) ? `${text}T00:00:00Z` : text)
