/**
 * Checks and cleans text, so that every store and format keeps it unchanged. Postgres refuses NUL
 * and lone surrogates, SQLite changes them, and they break webhook receivers.
 */

/** Whether text is free of NUL and lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/**
 * Matches any control character except tabs and line breaks. A terminal may execute control
 * characters as commands.
 */
const control = /[^\P{Cc}\t\n\v\f\r\u0085]/u
const controls = new RegExp(control, "gu")

/** Whether text has a control character other than tabs and line breaks. */
export const hasControl = (text: string): boolean => control.test(text)

/**
 * Makes external text storable. Lone surrogates and control characters (including NUL, but not tabs
 * and line breaks) are replaced with U+FFFD, and the text is truncated to `lengthMax`.
 */
export const storable = (text: string, lengthMax: number = Number.POSITIVE_INFINITY): string =>
  text.slice(0, lengthMax).toWellFormed().replace(controls, "\ufffd")

/** Maximum length of an input in a refusal. */
const shownMax = 100

/** Returns the beginning of an input, for use in an error message. */
export const toShown = (text: string): string => text.slice(0, shownMax).toWellFormed()
