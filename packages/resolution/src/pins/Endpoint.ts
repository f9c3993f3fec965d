/**
 * Where inference requests go: the end of a path tells the format, whoever the provider is.
 */
import type { Format } from "../Format.ts"

const endings: ReadonlyArray<readonly [ending: string, format: Format]> = [
  ["/responses", "responses"],
  ["/chat/completions", "chatCompletions"],
  ["/messages", "messages"]
]

/** A path of a page is read against anything. */
const anywhere = "https://verbatim.example"

/** The format that an endpoint takes; undefined for every other one. */
export const formatOfPath = (url: string): Format | undefined => {
  if (!URL.canParse(url, anywhere)) return undefined
  const path = new URL(url, anywhere).pathname.replace(/\/$/, "")
  return endings.find(([ending]) => path.endsWith(ending))?.[1]
}
