/**
 * The origins that an operator lists, as a browser writes them: other spellings would never match.
 */
import type { Origins } from "@verbatim/http"

/** An operator lists some; each request is compared with them. */
const originMax = 100

/** Schemes of the web, and those that applications with a browser inside them have. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/

/** Whether a text is an origin as a browser writes it: `https://app.example.com:8443`. */
const isOrigin = (text: string): boolean => {
  if (!originPattern.test(text) || text !== text.toLowerCase()) return false
  const url = URL.parse(text)
  return url !== null && (!/^https?:$/.test(url.protocol) || url.origin === text)
}

/** Reads a list of origins, separated by commas, or `*`; nothing where it is neither. */
export const originsFrom = (text: string): Origins | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length === 1 && parts[0] === "*") return "*"
  return parts.length <= originMax && parts.every(isOrigin) ? new Set(parts) : undefined
}
