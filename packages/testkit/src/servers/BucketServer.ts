/**
 * An HTTP server for the part of S3 that a media store needs. It rejects requests that its account
 * did not sign, replaces whole objects, and fails on demand.
 */

import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { join } from "node:path"
import { Readable } from "node:stream"

/**
 * An object. Its content is in files, so that in this process only the store under test uses memory
 * for it.
 */
interface Stored {
  /** The files of the object's parts, in order. */
  readonly paths: ReadonlyArray<string>
  readonly tag: string
  at: number
}

interface Upload {
  readonly key: string
  readonly parts: Map<number, Stored>
  at: number
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Files to send instead of `body`. */
  readonly paths?: ReadonlyArray<string>
}

/** The credentials that the bucket server accepts by default. */
export const account = { accessKeyId: "VERBATIM", secretAccessKey: "correct horse battery staple" }

/** Number of objects per page. It is small, so that lists span several pages. */
const pageMax = 3

const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`
})

const element = (name: string, content: string) => `<${name}>${content}</${name}>`

const xml = (name: string, ...content: ReadonlyArray<string>): Answer => ({
  status: 200,
  headers: { "content-type": "application/xml" },
  body: element(name, content.join(""))
})

/** Returns the whole object, or the requested range. */
const readObject = ({ paths, tag }: Stored, range: string | undefined): Answer => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? []
  if (from === undefined || to === undefined) return { status: 200, headers: { etag: tag }, paths }
  const bytes = Buffer.concat([...readEach(paths)]).subarray(Number(from), Number(to) + 1)
  return { status: 206, headers: { etag: tag }, body: bytes }
}

/** Reads the parts in order, keeping only one in memory at a time. */
function* readEach(paths: ReadonlyArray<string>): Generator<Uint8Array> {
  for (const path of paths) yield readFileSync(path)
}

const tagOf = (content: Uint8Array) => `"${createHash("md5").update(content).digest("hex")}"`

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export class BucketServer {
  readonly objects = new Map<string, Stored>()
  readonly uploads = new Map<string, Upload>()
  /** The credentials that signed the requests: `<key id>/<date>/<region>/s3/aws4_request`. */
  readonly signers = new Set<string>()
  /** How many of the next requests get the status 503. */
  busy = 0
  /** How many of the next requests take effect but get no response. */
  silent = 0
  readonly #bucket: string
  readonly #folder: string
  readonly #owner: typeof account
  readonly #server: Server

  constructor(bucket: string, folder: string, owner = account) {
    this.#bucket = bucket
    this.#folder = folder
    this.#owner = owner
    this.#server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "/", `http://${request.headers.host}`)
      const body = await bodyOf(request).catch(() => undefined)
      // The sender has disconnected, so its request has no effect.
      if (body === undefined) return
      const { body: text = "", headers, paths, status } = this.#answer(request, { url, body })
      if (this.silent > 0) {
        this.silent -= 1
        request.socket.destroy()
        return
      }
      response.writeHead(status, headers)
      if (paths === undefined) response.end(text)
      else Readable.from(readEach(paths)).pipe(response)
    })
  }

  async listen(): Promise<number> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening")
    return Object(this.#server.address()).port
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  age(millis: number): void {
    for (const stored of [...this.objects.values(), ...this.uploads.values()]) stored.at -= millis
  }

  put(key: string, content: Uint8Array, at = Date.now()): Stored {
    const stored = this.#keep(content, at)
    this.objects.set(key, stored)
    return stored
  }

  contentOf(key: string): Uint8Array | undefined {
    const stored = this.objects.get(key)
    return stored && Buffer.concat([...readEach(stored.paths)])
  }

  #keep(content: Uint8Array, at = Date.now()): Stored {
    const path = join(this.#folder, randomUUID())
    writeFileSync(path, content)
    return { paths: [path], tag: tagOf(content), at }
  }

  #answer(request: IncomingMessage, { body, url }: { url: URL; body: Uint8Array }): Answer {
    if (this.busy > 0) {
      this.busy -= 1
      return refusal(503, "SlowDown")
    }
    const { accessKeyId, secretAccessKey: secret } = this.#owner
    const signer = fieldOf(request.headers.authorization ?? "", "Credential")
    if (!signer.startsWith(`${accessKeyId}/`)) return refusal(403, "InvalidAccessKeyId")
    if (!isSigned(request, { url, body, secret })) return refusal(403, "SignatureDoesNotMatch")
    this.signers.add(signer)
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/")
    if (bucket !== this.#bucket) return refusal(404, "NoSuchBucket")
    const key = rest.join("/")
    if (key === "") return this.#list(url.searchParams)
    const uploadId = url.searchParams.get("uploadId")
    if (uploadId !== null) return this.#multipart(request, { key, uploadId, url, body })
    return this.#object(request, { key, url, body })
  }

  #object(
    { headers, method }: IncomingMessage,
    { body, key, url }: { key: string; url: URL; body: Uint8Array }
  ): Answer {
    const found = this.objects.get(key)
    const isNew = headers["if-none-match"] === "*"
    switch (method) {
      case "POST": {
        if (!url.searchParams.has("uploads")) return refusal(400, "InvalidRequest")
        const id = randomUUID()
        this.uploads.set(id, { key, parts: new Map(), at: Date.now() })
        return xml("InitiateMultipartUploadResult", element("UploadId", id))
      }
      case "PUT":
        if (isNew && found !== undefined) return refusal(412, "PreconditionFailed")
        return { status: 200, headers: { etag: this.put(key, body).tag } }
      case "DELETE":
        this.objects.delete(key)
        return { status: 204 }
      default:
        return found === undefined ? refusal(404, "NoSuchKey") : readObject(found, headers.range)
    }
  }

  #multipart(
    { method }: IncomingMessage,
    sent: { key: string; uploadId: string; url: URL; body: Uint8Array }
  ): Answer {
    const upload = this.uploads.get(sent.uploadId)
    if (upload === undefined || upload.key !== sent.key) return refusal(404, "NoSuchUpload")
    switch (method) {
      case "PUT": {
        const part = this.#keep(sent.body)
        upload.parts.set(Number(sent.url.searchParams.get("partNumber")), part)
        return { status: 200, headers: { etag: part.tag } }
      }
      case "POST": {
        const wanted = [...String(Buffer.from(sent.body)).matchAll(/<PartNumber>(\d+)</g)]
        const parts = wanted.flatMap(([, number]) => upload.parts.get(Number(number)) ?? [])
        if (parts.length < wanted.length) return refusal(400, "InvalidPart")
        // Amazon S3 also requires that all parts but the last are at least 5 MiB.
        const paths = parts.flatMap((part) => part.paths)
        if (paths.slice(0, -1).some((path) => statSync(path).size < 5_242_880)) {
          return refusal(400, "EntityTooSmall")
        }
        const tag = tagOf(Buffer.from(parts.map((part) => part.tag).join("")))
        this.objects.set(sent.key, { paths, tag, at: Date.now() })
        this.uploads.delete(sent.uploadId)
        return xml("CompleteMultipartUploadResult", element("ETag", tag))
      }
      default:
        this.uploads.delete(sent.uploadId)
        return { status: 204 }
    }
  }

  #list(query: URLSearchParams): Answer {
    const prefix = query.get("prefix") ?? ""
    if (query.has("uploads")) {
      const found = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix))
      const uploads = found.map(([id, { at, key }]) =>
        element(
          "Upload",
          element("Key", key) +
            element("UploadId", id) +
            element("Initiated", new Date(at).toISOString())
        )
      )
      return xml("ListMultipartUploadsResult", ...uploads)
    }
    const after = query.get("continuation-token") ?? ""
    const names = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const left = names.filter((key) => key > after)
    const shown = left.slice(0, pageMax)
    const contents = shown.map((key) => {
      const at = new Date(this.objects.get(key)?.at ?? 0).toISOString()
      return element("Contents", element("Key", key) + element("LastModified", at))
    })
    const next = left.length > pageMax ? element("NextContinuationToken", `${shown.at(-1)}`) : ""
    return xml("ListBucketResult", element("IsTruncated", `${next !== ""}`), next, ...contents)
  }
}

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

const hmac = (key: string | Uint8Array, text: string) =>
  createHmac("sha256", key).update(text).digest()

/** Escapes a name as S3 does: all characters except letters, digits and `-._~`. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)

const fieldOf = (header: string, name: string) =>
  new RegExp(`${name}=([^,\\s]+)`).exec(header)?.[1] ?? ""

const canonicalQuery = (url: URL) =>
  [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join("&")

/** Verifies the signature, and the body hash that it covers. */
const isSigned = (
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
