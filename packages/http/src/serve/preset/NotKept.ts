/**
 * The header that names the paths of a request which its version does not have. The body of the
 * answer is the specification's, so what was left out is said beside it.
 */

/** The name of the header. */
export const notKeptName = "x-verbatim-not-kept"

/** Most bytes of the header: proxies limit all headers of an answer together. */
const bytesMax = 1_024

/** An ellipsis, encoded as the paths are: Node writes other characters in two ways. */
const more = encodeURIComponent("…")

/** A path in visible ASCII: a name may hold anything, commas and line feeds too. */
const encode = (path: string): string =>
  path.replace(/[^!-+\--~]|%/gu, (character) => encodeURIComponent(character.toWellFormed()))

/** The header; none where everything was kept. It ends in an ellipsis where paths do not fit. */
export const notKeptHeader = (paths: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  let text = ""
  for (const path of paths) {
    const next = `${text}${text === "" ? "" : ", "}${encode(path)}`
    if (next.length > bytesMax - more.length - 2) {
      return { [notKeptName]: text === "" ? more : `${text}, ${more}` }
    }
    text = next
  }
  return text === "" ? {} : { [notKeptName]: text }
}
