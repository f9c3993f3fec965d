/** Texts that every database keeps as they are: elsewhere two of them could become one. */

/** Whether a text has neither NUL nor a lone surrogate. */
export const isKept = (text: unknown): text is string =>
  typeof text === "string" && text.isWellFormed() && !text.includes("\0")
