/**
 * That a version shall only be stored, as a request says it: `stage=true` in its query, or the
 * preference `handling=stage` (RFC 7240).
 */

/** The preference, as requests send it and answers name it. */
export const stagePreference = "handling=stage"

/** A quoted value; it may hold what elsewhere parts one preference from the next. */
const quoted = /"((?:[^"\\]|\\.)*)"/g

const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text)

/** Whether the preference is sent. Of several values of one preference the first counts. */
export const prefersStage = (header = ""): boolean => {
  const plain = header.replace(quoted, (_, value: string) => (isToken(value) ? value : ""))
  const [handling] = plain
    .split(",")
    .map((preference) => (preference.split(";", 1)[0] ?? "").split("=").map((part) => part.trim()))
    .filter(([name]) => name?.toLowerCase() === "handling")
  return handling?.[1] === "stage"
}
