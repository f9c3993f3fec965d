/**
 * Reads what the header `Content-Type` says about a body.
 */

/** The media type alone, in lower case; empty when there is none. */
export const essenceOf = (header: string | undefined): string =>
  (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Whether a text is UTF-8, as it is when nothing is said. */
export const isUtf8 = (header: string | undefined): boolean =>
  /^utf-?8$/i.test(charset.exec(header ?? "")?.[1] ?? "utf-8")
