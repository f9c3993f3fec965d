/**
 * The path of a request as the router reads it: what is escaped needlessly is the same path, and
 * what cannot be read reaches its operation all the same.
 */
import { Option } from "effect"

const isDecodable = (path: string): boolean =>
  Option.isSome(Option.liftThrowable(decodeURIComponent)(path))

/**
 * The router cuts a path at a semicolon, and finds nothing where an escape is broken. Read
 * literally, such a path reaches its operation, which refuses the parameter in its own words.
 */
export const toReadable = (url: string): string => {
  const end = url.indexOf("?")
  const path = end === -1 ? url : url.slice(0, end)
  if (!/[;#%]/.test(path)) return url
  const whole = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (isDecodable(whole) ? whole : whole.replaceAll("%", "%25")) + url.slice(path.length)
}

/** How a proxy asks: with the whole URL. */
const beforePath = /^https?:\/\/.*?\//

/**
 * The parts of a path between its slashes, as the router compares them: decoded, but for what would
 * divide it (`%2F`). A slash at the end means nothing.
 */
export const segmentsOf = (path: string): ReadonlyArray<string> =>
  decodeURI(toReadable(path.replace(beforePath, "/")))
    .replace(/\/$/, "")
    .split("/")
