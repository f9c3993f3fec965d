/**
 * What a client takes of encodings (RFC 9110, 12.5.3). Whatever it says, an answer as it is can be
 * sent: nobody is refused for a header that cannot be read.
 */

/** One encoding and its weight, between 0 and 1 with three digits at most. */
const member = /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** The old name is the same encoding (RFC 9110, 8.4.1.3). */
const names = new Map([["x-gzip", "gzip"]])

/** Reads the weights: none of what cannot be read, and of two for one encoding the lower. */
const readWeights = (header: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(",")) {
    const [, sent, weight = "1"] = member.exec(part.trim()) ?? []
    if (sent === undefined) continue
    const name = names.get(sent) ?? sent
    weights.set(name, Math.min(weights.get(name) ?? 1, Number(weight)))
  }
  return weights
}

/** Whether a client wants gzip, and an answer as it is no more than that. */
export const prefersGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const weights = readWeights(header)
  const others = weights.get("*") ?? 0
  const gzip = weights.get("gzip") ?? others
  // What is sent as it is may always be sent, and comes last where nothing is said of it.
  return gzip > 0 && gzip >= (weights.get("identity") ?? others)
}
