/** Text from outside in a form that may be kept in a log or a history. Pure. */

/** As much as a log line or a history entry holds. */
const characterMax = 500

/** The text on one line, printable and short. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, characterMax)
    .toWellFormed()
