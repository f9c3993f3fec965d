/** Loads data for screens, and shows it, or a placeholder or an error instead. */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { isAway, isGone, sentenceOf } from "../Api.ts"
import { Button, Icon, type IconName } from "./Button.tsx"
import { ButtonLink } from "./Card.tsx"
import { type IsReadAgain, type Pages, readPages } from "./Pages.ts"

interface State<Value> {
  readonly value: Value | undefined
  readonly fault: string | undefined
  readonly cause?: unknown
  readonly isLoading: boolean
}

export type Fetch<Value> = (signal: AbortSignal) => Promise<Value>

interface LoadOptions {
  readonly everyMillis?: number | undefined
  readonly keepsPrevious?: boolean | undefined
}

export const makeSource = <Value,>(fetch: Fetch<Value>, { everyMillis }: LoadOptions = {}) => {
  const state = signal<State<Value>>({ value: undefined, fault: undefined, isLoading: true })
  const ending = new AbortController()
  let controller = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const load = async (fetch: Fetch<Value>, own: AbortSignal): Promise<void> => {
    try {
      // `fetch` may use the source, which does not exist yet when the first load begins.
      const value = await Promise.resolve(own).then(fetch)
      if (!own.aborted) state.value = { value, fault: undefined, isLoading: false }
    } catch (fault) {
      if (own.aborted) return
      state.value = { ...state.value, fault: sentenceOf(fault), cause: fault, isLoading: false }
    }
  }
  const update = (fetch: Fetch<Value>): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    state.value = { ...state.value, isLoading: true }
    running = load(fetch, AbortSignal.any([ending.signal, controller.signal]))
    return running
  }
  const reload = (): Promise<void> => update(fetch)
  const poll = (): void => {
    if (!state.value.isLoading && !isAway.value && !document.hidden) void reload()
  }
  const timer = everyMillis === undefined ? undefined : setInterval(poll, everyMillis)
  if (timer !== undefined) {
    document.addEventListener("visibilitychange", poll, { signal: ending.signal })
  }
  const stop = effect(() => {
    if (!isAway.value && state.peek().fault !== undefined) void untracked(reload)
  })
  void reload()
  return {
    state: state as ReadonlySignal<State<Value>>,
    /** Aborted when the source ends. */
    ended: ending.signal,
    reload,
    update,
    settled: async (): Promise<void> => {
      let seen: Promise<void>
      do {
        seen = running
        await seen
      } while (seen !== running)
    },
    put: (value: Value): void => {
      state.value = { ...state.value, value, fault: undefined }
    },
    end: (): void => {
      ending.abort()
      clearInterval(timer)
      stop()
    }
  }
}

export type Source<Value> = ReturnType<typeof makeSource<Value>>

/** Maximum number of attempts to read a page. A reload can interrupt each attempt. */
const triesMax = 5

/** Creates a source for a list that is read page by page. A reload reads as many pages again. */
export const makePages = <Item, Cursor>(
  read: (cursor: Cursor | undefined, signal: AbortSignal) => Promise<Pages<Item, Cursor>>,
  isReadAgain: IsReadAgain<Item> = (items, before) => items.length >= before.length
) => {
  const source = makeSource<Pages<Item, Cursor>>((signal) =>
    readPages(
      (cursor) => read(cursor, signal),
      (items) => isReadAgain(items, itemsNow())
    )
  )
  const itemsNow = (): ReadonlyArray<Item> => source.state.peek().value?.items ?? []
  const readOn = async (): Promise<void> => {
    const { value } = source.state.peek()
    const next = value?.next ?? null
    if (value === undefined || next === null) return
    await source.update(async (signal) => {
      const page = await read(next, signal)
      return { items: [...value.items, ...page.items], next: page.next }
    })
  }
  const readMore = async (): Promise<void> => {
    await source.settled()
    const { length } = itemsNow()
    // A reload interrupts the read of the next page, which then starts over.
    for (let tries = 0; tries < triesMax && itemsNow().length <= length; tries += 1) {
      if (source.state.peek().fault !== undefined) break
      await readOn()
      await source.settled()
    }
    reading = undefined
  }
  let reading: Promise<void> | undefined
  return {
    ...source,
    /** Does nothing after a failure, which scrolling at the end would repeat. */
    more: (): Promise<void> => {
      reading ??= readMore()
      return reading
    },
    again: (): Promise<void> =>
      (source.state.peek().value?.next ?? null) === null ? source.reload() : readOn()
  }
}

type Ending = Readonly<{ end: () => void }>

export const useSource = <Made extends Ending>(key: string, make: () => Made): Made => {
  const source = useMemo(make, [key])
  useEffect(() => source.end, [source])
  return source
}

export const useLoaded = <Value,>(key: string, fetch: Fetch<Value>, options: LoadOptions = {}) => {
  const last = useRef<Source<Value> | undefined>(undefined)
  last.current = useSource(key, () => {
    const source = makeSource(fetch, options)
    const before = last.current?.state.peek().value
    if (options.keepsPrevious === true && before !== undefined) source.put(before)
    return source
  })
  return last.current
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  /** The level of the title. A screen that shows nothing else begins with `h1`. */
  readonly level?: "h1" | "h2"
  readonly link?: { readonly to: string; readonly word: string }
  readonly children?: ComponentChildren
}

export const Empty = ({ level: Title = "h2", ...props }: EmptyProps) => (
  <div class="empty stack-3">
    <span class="empty-icon">
      <Icon name={props.icon} />
    </span>
    <Title>{props.title}</Title>
    <div class="empty-text stack">
      {props.children}
      {props.link && <ButtonLink {...props.link} />}
    </div>
  </div>
)

export const Fault = ({ again, text }: { readonly text: string; readonly again: () => void }) => (
  <div class="note is-fault cluster" role="alert">
    <Icon name="alert" />
    <p>{text}</p>
    <Button onClick={again}>Try again</Button>
  </div>
)

type ListFaultProps = Readonly<{ fault: string | undefined; again: () => void }>

/** Shows an error next to a loaded list. An unreachable server is shown above all screens. */
export const ListFault = ({ again, fault }: ListFaultProps) =>
  fault === undefined || isAway.value ? null : <Fault text={fault} again={again} />

export const Skeleton = (props: { readonly lines: number; readonly height: number }) => (
  <div class="skeletons box" aria-hidden="true">
    {Array.from({ length: props.lines }, (_, line) => (
      <div class="skeleton" key={line} style={{ height: `${props.height}px` }} />
    ))}
  </div>
)

interface LoadedProps<Value> {
  /** The number and the height of the rows in the placeholder. */
  readonly lines?: number
  readonly height?: number
  readonly missing?: EmptyProps | undefined
  readonly children: (value: Value) => ComponentChildren
}

export const Loaded = <Value,>(
  props: LoadedProps<Value> & { readonly source: Pick<Source<Value>, "reload" | "state"> }
) => {
  const { children, height = 56, lines = 4, missing, source } = props
  const { cause, fault, value } = source.state.value
  if (missing !== undefined && isGone(cause)) return <Empty level="h1" {...missing} />
  return (
    <>
      {fault === undefined ? null : <Fault text={fault} again={() => void source.reload()} />}
      {value === undefined && fault === undefined && <Skeleton lines={lines} height={height} />}
      {value === undefined ? null : children(value)}
    </>
  )
}

interface LoadProps<Value> extends LoadedProps<Value>, LoadOptions {
  readonly of: string
  readonly read: Fetch<Value>
}

export const Load = <Value,>({ of, read, ...props }: LoadProps<Value>) => (
  <Loaded source={useLoaded(of, read, props)} {...props} />
)
