/**
 * Something that is fetched and shown: it loads, it is there, or it failed. What was there stays
 * while it is fetched again. Where the server comes back, what failed is asked for again.
 */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { isAway, sentenceOf } from "../Api.ts"

/** What is known of it. */
interface Loaded<Value> {
  readonly value: Value | undefined
  readonly fault: string | undefined
  /** What it failed with, for readers who want more than the sentence. */
  readonly cause?: unknown
  readonly isLoading: boolean
}

type Fetch<Value> = (signal: AbortSignal) => Promise<Value>

/** Something that is fetched, and asked for again. */
export interface Source<Value> {
  readonly state: ReadonlySignal<Loaded<Value>>
  readonly reload: () => Promise<void>
  /** Fetches something else in its place. */
  readonly update: (fetch: Fetch<Value>) => Promise<void>
  /** Puts something in its place that is known already. */
  readonly put: (value: Value) => void
  readonly end: () => void
}

/** Makes a source, and fetches for the first time. */
export const makeSource = <Value>(
  fetch: Fetch<Value>,
  { everyMillis }: { readonly everyMillis?: number } = {}
): Source<Value> => {
  const state = signal<Loaded<Value>>({ value: undefined, fault: undefined, isLoading: true })
  let controller = new AbortController()
  const update = async (fetch: Fetch<Value>): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal: own } = controller
    state.value = { ...state.value, isLoading: true }
    try {
      const value = await fetch(own)
      if (!own.aborted) state.value = { value, fault: undefined, isLoading: false }
    } catch (fault) {
      if (own.aborted) return
      state.value = { ...state.value, fault: sentenceOf(fault), cause: fault, isLoading: false }
    }
  }
  const reload = (): Promise<void> => update(fetch)
  const timer =
    everyMillis === undefined
      ? undefined
      : setInterval(() => {
          if (!state.value.isLoading && !isAway.value && !document.hidden) void reload()
        }, everyMillis)
  const stop = effect(() => {
    if (!isAway.value && state.peek().fault !== undefined) void untracked(reload)
  })
  void reload()
  return {
    state,
    reload,
    update,
    put: (value) => {
      state.value = { value, fault: undefined, isLoading: false }
    },
    end: () => {
      controller.abort()
      clearInterval(timer)
      stop()
    }
  }
}

/** As much of a list as was read, and where there is more of it; null where there is none. */
interface Pages<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  readonly next: Cursor | null
}

/** Makes a source of a list that is read page by page as it is wanted. */
export const makePages = <Item, Cursor>(
  read: (cursor: Cursor | undefined, signal: AbortSignal) => Promise<Pages<Item, Cursor>>
) => {
  const source = makeSource((signal) => read(undefined, signal))
  const readOn = async (): Promise<void> => {
    const { isLoading, value } = source.state.peek()
    const next = value?.next ?? null
    if (isLoading || value === undefined || next === null) return
    await source.update(async (signal) => {
      const page = await read(next, signal)
      return { items: [...value.items, ...page.items], next: page.next }
    })
  }
  return {
    ...source,
    /** Reads on, unless that has failed: scrolling past the end would ask with each line. */
    more: async (): Promise<void> => {
      if (source.state.peek().fault === undefined) await readOn()
    },
    /** Asks for what failed. */
    again: (): Promise<void> =>
      (source.state.peek().value?.next ?? null) === null ? source.reload() : readOn()
  }
}

/** A source for as long as a part of the page is there; another one where `key` is another. */
export const useSource = <Made extends Pick<Source<unknown>, "end">>(
  key: string,
  make: () => Made
): Made => {
  const source = useMemo(make, [key])
  useEffect(() => source.end, [source])
  return source
}
