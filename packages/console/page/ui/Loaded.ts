/**
 * Data that is loaded, reloaded and shown. During a reload, the previous value stays. After an
 * outage, failed loads are retried.
 */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { isAway, sentenceOf } from "../Api.ts"

/** A source's state. */
interface Loaded<Value> {
  readonly value: Value | undefined
  readonly fault: string | undefined
  /** The error, for a caller that needs more than the sentence. */
  readonly cause?: unknown
  readonly isLoading: boolean
}

type Fetch<Value> = (signal: AbortSignal) => Promise<Value>

/** Loadable data. */
export interface Source<Value> {
  readonly state: ReadonlySignal<Loaded<Value>>
  readonly reload: () => Promise<void>
  /** Replaces the function that loads the data, and loads. */
  readonly update: (fetch: Fetch<Value>) => Promise<void>
  /** Sets a known value. */
  readonly put: (value: Value) => void
  readonly end: () => void
}

/** Makes a source, and loads it. */
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
  const ending = new AbortController()
  if (everyMillis !== undefined) {
    document.addEventListener(
      "visibilitychange",
      () => {
        if (!document.hidden && !isAway.value) void reload()
      },
      { signal: ending.signal }
    )
  }
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
      ending.abort()
      clearInterval(timer)
      stop()
    }
  }
}

/** The items read so far, and the cursor of the next page, which is null after the last page. */
interface Pages<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  readonly next: Cursor | null
}

/** Makes a source for a list that is read page by page. */
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
    /**
     * Reads the next page, unless the last read failed: scrolling at the end would repeat that
     * read.
     */
    more: async (): Promise<void> => {
      if (source.state.peek().fault === undefined) await readOn()
    },
    /** Retries the failed read. */
    again: (): Promise<void> =>
      (source.state.peek().value?.next ?? null) === null ? source.reload() : readOn()
  }
}

/** Returns a source for as long as a component is mounted, and a new source when `key` changes. */
export const useSource = <Made extends Pick<Source<unknown>, "end">>(
  key: string,
  make: () => Made
): Made => {
  const source = useMemo(make, [key])
  useEffect(() => source.end, [source])
  return source
}
