/**
 * The operations of the API as methods, made from the table that the build writes from the OpenAPI
 * document.
 */
import type { Client } from "openapi-fetch"
import { type ConditionOptions, type CreateOptions, settle, toInit, toRepeatable } from "./Calls.ts"
import type { paths } from "./generated/Description.ts"
import { type Operations, rows } from "./generated/Operations.ts"
import { wasRepeated } from "./Transport.ts"
import { unsent, VerbatimError } from "./VerbatimError.ts"

type Method = (...given: ReadonlyArray<unknown>) => unknown

/** An operation as the table has it. */
interface Row {
  readonly verb: string
  readonly path: string
  /** The names of its parameters, in their order. */
  readonly names: ReadonlyArray<string>
  /**
   * `body`: takes one. `key`: takes an `Idempotency-Key`. `data`: the answer has nothing else.
   * `offset` or `cursor`: how it is read page by page.
   */
  readonly traits: ReadonlySet<string>
}

const toRow = (text: string): Row => {
  const [verb = "", path = "", ...traits] = text.split(" ")
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  return { verb, path, names, traits: new Set(traits) }
}

const table = Object.entries(rows).map(([id, text]) => {
  const parts = id.split(".")
  return { groups: parts.slice(0, -1), name: parts.at(-1) ?? "", row: toRow(text) }
})

const toText = (value: unknown): unknown => {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw unsent("A date of the options is no instant")
    return value.toISOString()
  }
  return Array.isArray(value) ? value.join(",") || undefined : value
}

/** The fields that have a value, as the query has them. */
const toQuery = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, toText(value)])
      .filter(([, value]) => value !== undefined && value !== null)
  )

type Asked = CreateOptions & ConditionOptions & Readonly<Record<string, unknown>>

type Send = (
  verb: string,
  path: string,
  init: object
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>

/** Makes the calls of a client by name. */
export const makeOperations = (client: Client<paths>, isRepeating: boolean): Operations => {
  const send = client.request as unknown as Send

  const call = async ({ names, path, traits, verb }: Row, given: ReadonlyArray<unknown>) => {
    const rest = given.slice(names.length)
    const body = traits.has("body") ? rest.shift() : undefined
    const asked = (rest[0] ?? {}) as Asked
    const { headers, idempotencyKey, ifMatch, ifNoneMatch, requestId, signal, ...query } = asked
    const calling = send(verb.toLowerCase(), path, {
      params: {
        path: Object.fromEntries(names.map((name, index) => [name, given[index]])),
        query: toQuery(query)
      },
      ...(body === undefined ? {} : { body }),
      ...(traits.has("key") ? toRepeatable(asked, isRepeating) : toInit(asked))
    })
    // An attempt whose answer was lost may have removed it: then there is nothing to find.
    if (verb === "DELETE") {
      const { response } = await calling.catch(() => ({ response: undefined }))
      if (response?.status === 404 && wasRepeated(response)) return undefined
    }
    const { data } = await settle(calling)
    return traits.has("data") ? Object(data).data : data
  }

  const list = (row: Row, given: ReadonlyArray<unknown>) => {
    const { names, traits } = row
    const fixed = given.slice(0, names.length)
    const options = Object(given[names.length])
    const first = call(row, given)
    const read = (point: object) => call(row, [...fixed, { ...options, ...point }])
    const walk = traits.has("offset") ? readOffsets(Number(options.offset ?? 0)) : readCursors
    return Object.assign(first, { [Symbol.asyncIterator]: () => walk(first, read) })
  }

  const toMethod = (row: Row): Method =>
    row.traits.has("offset") || row.traits.has("cursor")
      ? (...given) => list(row, given)
      : (...given) => call(row, given)

  const root: Record<string, unknown> = {}
  for (const { groups, name, row } of table) {
    const group = groups.reduce((within: Record<string, unknown>, part) => {
      within[part] ??= {}
      return within[part] as Record<string, unknown>
    }, root)
    group[name] = toMethod(row)
  }
  return root as unknown as Operations
}

interface Page {
  readonly data: ReadonlyArray<unknown>
  /** Of a list whose pages name the next one. */
  readonly next_cursor?: string | null
  /** Of a list whose pages are counted. */
  readonly total_count?: number
}

/** All elements of a list, from its first page on; the others are read by where they begin. */
type Walk = (
  first: Promise<unknown>,
  read: (point: { readonly cursor?: string; readonly offset?: number }) => Promise<unknown>
) => AsyncGenerator<unknown, void, undefined>

/** Walks through pages that name the next one. */
const readCursors: Walk = async function* (first, read) {
  let page = (await first) as Page
  let cursor: string | null | undefined
  // Ends on the last page: each cursor lies behind the one before.
  for (;;) {
    yield* page.data
    const { next_cursor: next = null } = page
    if (next === null) return
    if (next === cursor) {
      const message = "The list does not end: a page names itself as the next one"
      throw new VerbatimError({ kind: "unreadable", message })
    }
    cursor = next
    page = (await read({ cursor })) as Page
  }
}

/** Walks through pages that are counted, from an offset on. */
const readOffsets = (from: number): Walk =>
  async function* (first, read) {
    let page = (await first) as Page
    let offset = from
    // Ends at the count, or at a page with nothing in it.
    for (;;) {
      const { data, total_count = 0 } = page
      yield* data
      offset += data.length
      if (data.length === 0 || offset >= total_count) return
      page = (await read({ offset })) as Page
    }
  }
