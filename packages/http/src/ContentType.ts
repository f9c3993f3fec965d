/**
 * Parses the header `Content-Type`.
 */

/** Parses the media type alone, in lower case; empty when there is none. */
export const parseEssence = (header: string | undefined): string =>
  (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Whether a text is in UTF-8, which is the default when no charset is given. */
export const isUtf8 = (header: string | undefined): boolean =>
  /^utf-?8$/i.test(charset.exec(header ?? "")?.[1] ?? "utf-8")
