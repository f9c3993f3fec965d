/**
 * Creates the client's methods from the operation table, which the build generates from the OpenAPI
 * document.
 */
import type { Client } from "openapi-fetch"
import { type ConditionOptions, type CreateOptions, settle, toInit, toRepeatable } from "./Calls.ts"
import type { paths } from "./generated/Description.ts"
import { type Operations, rows } from "./generated/Operations.ts"
import { wasRepeated } from "./Transport.ts"
import { unsent, VerbatimError } from "./VerbatimError.ts"

type Method = (...given: ReadonlyArray<unknown>) => unknown

/** An operation in the operation table. */
interface Row {
  readonly verb: string
  readonly path: string
  /** The path parameters, in order. */
  readonly names: ReadonlyArray<string>
  /**
   * `body`: the operation takes a body. `key`: it takes an `Idempotency-Key`. `data`: its response
   * has no field except `data`. `offset` and `cursor`: it is a list with this kind of paging.
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
    if (Number.isNaN(value.getTime())) throw unsent("An option is an invalid date")
    return value.toISOString()
  }
  return Array.isArray(value) ? value.join(",") || undefined : value
}

/** Builds the query from the options that have a value. */
const toQuery = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, toText(value)])
      .filter(([, value]) => value !== undefined && value !== null)
  )

type Given = CreateOptions & ConditionOptions & Readonly<Record<string, unknown>>

type Send = (
  verb: string,
  path: string,
  init: object
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>

/** Creates all methods of a client. */
export const makeOperations = (client: Client<paths>, isRepeating: boolean): Operations => {
  const send = client.request as unknown as Send

  const call = async ({ names, path, traits, verb }: Row, given: ReadonlyArray<unknown>) => {
    const rest = given.slice(names.length)
    const body = traits.has("body") ? rest.shift() : undefined
    const options = (rest[0] ?? {}) as Given
    const { headers, idempotencyKey, ifMatch, ifNoneMatch, requestId, signal, ...query } = options
    const calling = send(verb.toLowerCase(), path, {
      params: {
        path: Object.fromEntries(names.map((name, index) => [name, given[index]])),
        query: toQuery(query)
      },
      ...(body === undefined ? {} : { body }),
      ...(traits.has("key") ? toRepeatable(options, isRepeating) : toInit(options))
    })
    // If a delete was retried and finds nothing, it succeeds, because an earlier attempt may have
    // deleted the entity.
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
  /** The cursor of the next page, in lists with cursor paging. */
  readonly next_cursor?: string | null
  /** The total number of elements, in lists with offset paging. */
  readonly total_count?: number
}

/** Yields all elements of a list, starting with its first page. */
type Walk = (
  first: Promise<unknown>,
  read: (point: { readonly cursor?: string; readonly offset?: number }) => Promise<unknown>
) => AsyncGenerator<unknown, void, undefined>

/** Reads all pages by cursor. */
const readCursors: Walk = async function* (first, read) {
  let page = (await first) as Page
  let cursor: string | null | undefined
  // The loop ends, because each cursor must come after the previous one.
  for (;;) {
    yield* page.data
    const { next_cursor: next = null } = page
    if (next === null) return
    if (next === cursor) {
      const message = "The list does not end: its cursor does not advance"
      throw new VerbatimError({ kind: "unreadable", message })
    }
    cursor = next
    page = (await read({ cursor })) as Page
  }
}

/** Reads all pages by offset. */
const readOffsets = (from: number): Walk =>
  async function* (first, read) {
    let page = (await first) as Page
    let offset = from
    // The loop ends when it reaches the total count or an empty page.
    for (;;) {
      const { data, total_count = 0 } = page
      yield* data
      offset += data.length
      if (data.length === 0 || offset >= total_count) return
      page = (await read({ offset })) as Page
    }
  }
