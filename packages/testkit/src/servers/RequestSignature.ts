/** Whether a request to S3 is signed by a secret: version 4 of the scheme, from its description. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

const hmac = (key: string | Uint8Array, text: string) =>
  createHmac("sha256", key).update(text).digest()

/** As S3 spells a name: everything but letters, digits and `-._~` is escaped. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)

const fieldOf = (header: string, name: string) =>
  new RegExp(`${name}=([^,\\s]+)`).exec(header)?.[1] ?? ""

const canonicalQuery = (url: URL) =>
  [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join("&")

/** Judges the signature and the hash of the body that it covers. */
export const isSigned = (
  request: IncomingMessage,
  { body, secret, url }: { readonly url: URL; readonly body: Uint8Array; readonly secret: string }
): boolean => {
  const header = request.headers.authorization ?? ""
  const hash = String(request.headers["x-amz-content-sha256"])
  const scope = fieldOf(header, "Credential").split("/").slice(1)
  const names = fieldOf(header, "SignedHeaders").split(";")
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    names.join(";"),
    hash
  ].join("\n")
  const toSign = [
    "AWS4-HMAC-SHA256",
    request.headers["x-amz-date"],
    scope.join("/"),
    sha256(canonical)
  ].join("\n")
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const expected = hmac(key, toSign)
  const given = Buffer.from(fieldOf(header, "Signature"), "hex")
  return (
    hash === sha256(body) &&
    names.includes("host") &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}
