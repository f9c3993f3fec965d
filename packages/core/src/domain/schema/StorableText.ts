/**
 * Text that every store and every format keeps as it is. Postgres refuses NUL and half a surrogate
 * pair, SQLite changes them, and receivers of webhooks choke on them.
 */

/** Whether a text is free of NUL and of lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/** Every control character but tabs and line breaks. A terminal that shows one may obey it. */
const control = /[^\P{Cc}\t\n\v\f\r\u0085]/u
const controls = new RegExp(control, "gu")

/** Whether a text has a control character that is neither a tab nor a line break. */
export const hasControl = (text: string): boolean => control.test(text)

/**
 * A text from outside as it is stored: U+FFFD stands for half of a character and for each control
 * character, NUL included, except tabs and line breaks. A longer one is cut.
 */
export const storable = (text: string, lengthMax: number = Number.POSITIVE_INFINITY): string =>
  text.slice(0, lengthMax).toWellFormed().replace(controls, "\ufffd")
