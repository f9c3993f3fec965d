/**
 * Text that every store and every format keeps as it is. Postgres refuses NUL and half a surrogate
 * pair, SQLite changes them, and receivers of webhooks choke on them.
 */

/** Whether a text is free of NUL and of lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/** The text with U+FFFD in place of what cannot be stored. A longer one is cut. */
export const storable = (text: string, lengthMax: number = Number.POSITIVE_INFINITY): string =>
  text.slice(0, lengthMax).toWellFormed().replaceAll("\0", "\ufffd")
