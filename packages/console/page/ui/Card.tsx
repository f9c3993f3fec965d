/** Shared parts of screens, such as headings, tabs, cards, tables, times and charts. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, TargetedPointerEvent } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { linkTo, withLastQuery } from "../Router.ts"
import { Icon, IconButton, type IconName } from "./Button.tsx"
import { formatAgo, formatExact, now } from "./Clock.ts"
import { notify, notifyFault } from "./Toasts.tsx"
import { formatCount, toWords } from "./Words.ts"

interface HeadProps {
  readonly title: string
  readonly windowTitle?: string
  readonly beside?: ComponentChildren
  readonly children?: ComponentChildren
}

export const ScreenHead = ({ beside, children, title, windowTitle = title }: HeadProps) => {
  useEffect(() => {
    document.title = `${windowTitle} – Verbatim`
  }, [windowTitle])
  return (
    <div class="screen-head cluster">
      <h1 class="breaks" dir="auto">
        {title}
      </h1>
      {beside}
      <div class="screen-tools">{children}</div>
    </div>
  )
}

type Tab = Readonly<{ word: string; to: string; isCurrent: boolean; count?: string | undefined }>
type TabsProps = Readonly<{ label: string; tabs: ReadonlyArray<Tab> }>
export const Tabs = ({ label, tabs }: TabsProps) => {
  const strip = useRef<HTMLElement>(null)
  // `scrollIntoView` would also scroll the page, whose position may have been restored.
  useEffect(() => {
    const nav = strip.current
    const tab = nav?.querySelector("[aria-current]")?.getBoundingClientRect()
    if (nav === null || tab === undefined) return
    const { left, width } = nav.getBoundingClientRect()
    nav.scrollBy({ left: tab.left - left - (width - tab.width) / 2, behavior: "instant" })
  }, [tabs.findIndex(({ isCurrent }) => isCurrent)])
  return (
    <nav class="tabs bar" aria-label={label} ref={strip}>
      {tabs.map(({ count, isCurrent, to, word }) => (
        <a key={word} class="tab" href={linkTo(to)} aria-current={isCurrent ? "page" : undefined}>
          {count === undefined ? word : `${word} ${count}`}
        </a>
      ))}
    </nav>
  )
}

const makeBox = (look: string, headLook = "") =>
  function Box(props: { readonly title: ComponentChildren; readonly children: ComponentChildren }) {
    const id = useId()
    return (
      <section class={look} aria-labelledby={id}>
        <h2 class={headLook} id={id}>
          {props.title}
        </h2>
        {props.children}
      </section>
    )
  }

export const Card = makeBox("card box stack")
export const Pane = makeBox("pane box is-flush", "pane-head cluster")

export const ScrollTable = (props: {
  readonly label: string
  readonly head: ReadonlyArray<Pick<Column<never>, "isNumber" | "title">>
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
  <section class="scroll" tabIndex={0} aria-label={props.label}>
    <table class="table">
      <thead>
        <tr>
          {props.head.map(({ isNumber, title }) => (
            <th scope="col" key={title} class={isNumber === true ? "is-number" : ""}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {props.children}
    </table>
  </section>
)

interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  readonly isNumber?: boolean
}

export const Table = <Row,>(props: {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
}) => (
  <ScrollTable label={props.label} head={props.columns}>
    <tbody>
      {props.rows.map((row) => (
        <tr key={props.keyOf(row)}>
          {props.columns.map(({ cell, isNumber, title }) => (
            <td key={title} class={isNumber === true ? "is-number" : ""}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </ScrollTable>
)

export const Line = (props: {
  readonly badge?: ComponentChildren
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  readonly end?: ComponentChildren
}) => (
  <li class="line cluster">
    {props.badge}
    <span class="line-main">
      <RowTitle>{props.title}</RowTitle>
      {props.children && <span class="row-note hint is-wrapped">{props.children}</span>}
    </span>
    {props.end}
  </li>
)

export const ButtonLink = (props: {
  readonly to: string
  readonly word: string
  readonly class?: string
  readonly icon?: IconName
  readonly download?: string
}) => (
  <a
    class={`button ${props.class ?? ""}`.trim()}
    href={props.download === undefined ? linkTo(props.to) : props.to}
    download={props.download}
  >
    {props.icon && <Icon name={props.icon} />}
    {props.word}
  </a>
)

export const Back = ({ to, word }: { readonly to: string; readonly word: string }) => (
  <a class="back hint" href={linkTo(withLastQuery(to))}>
    <Icon name="back" />
    {word}
  </a>
)

export const RowTitle = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="row-title" dir="auto">
    {children}
  </span>
)

export const Badge = (props: { readonly tone: string; readonly children: ComponentChildren }) => (
  <span class={`badge is-${props.tone}`}>
    <span class="badge-dot" aria-hidden="true" />
    {props.children}
  </span>
)

interface TimeProps {
  readonly at: string
  readonly isExact?: boolean
  readonly class?: string
  readonly children?: ComponentChildren
}

export const Time = ({ at, children, class: look, isExact = false }: TimeProps) => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>
  return (
    <time class={look} dateTime={at} title={`${formatExact(instant)} (${at})`}>
      {children ?? (isExact ? formatExact(instant) : formatAgo(instant, now.value))}
    </time>
  )
}

/** Copies text, and reports if the browser does not allow copying, as over plain `http`. */
export const copyText = async (text: string, said = "Copied."): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify(said)
  } catch {
    notifyFault(new Error("The browser does not allow copying here: select the text instead."))
  }
}

export const Copy = ({ text }: { readonly text: string }) => (
  <span class="copy">
    <code>{text}</code>
    <IconButton
      class="is-small"
      icon="copy"
      label={`Copy ${text}`}
      onClick={() => void copyText(text)}
    />
  </span>
)

const chart = { width: 720, height: 150 }
type ChartColumn = Readonly<{ at: string; sizes: ReadonlyArray<number> }>

const sum = (sizes: ReadonlyArray<number>) => sizes.reduce((one, other) => one + other, 0)

const toTableColumn = (name: string, part: number) => ({
  title: toWords(name),
  cell: ({ sizes: { [part]: size } }: ChartColumn) =>
    size === undefined ? "–" : formatCount(size),
  isNumber: true
})

interface ColumnChartProps {
  readonly label: string
  readonly words: string
  /** The tones of a column's parts, from the bottom up, by their words. */
  readonly parts: Readonly<Record<string, string>>
  /** The sizes of a column's parts. Empty if nothing was counted. */
  readonly columns: ReadonlyArray<ChartColumn>
  /** The words below the first and the last column. */
  readonly ends: readonly [start: string, end: string]
  readonly children: ComponentChildren
}

export const ColumnChart = (props: ColumnChartProps) => {
  const { children, columns, ends, label, parts, words } = props
  const pointed = useSignal<ChartColumn | undefined>(undefined)
  const most = Math.max(...columns.map(({ sizes }) => sum(sizes)), 0.01)
  const heightOf = (size: number): number =>
    size === 0 ? 0 : Math.max(3, (size / most) * (chart.height - 8))
  const table = `${label}, as a table`
  const names = Object.keys(parts)
  const describe = ({ at, sizes }: ChartColumn): string => {
    const counts = sizes.map((size, part) => `${formatCount(size)} ${names[part]}`)
    return `${at}: ${counts.join(", ") || "not counted"}`
  }
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    pointed.value = columns[Math.floor(((clientX - left) / width) * columns.length)]
  }
  const step = chart.width / columns.length
  const showColumn = ({ sizes }: ChartColumn, index: number) => {
    const place = { x: (index + 0.14) * step, width: 0.72 * step, rx: 2 }
    const heights = sizes.map(heightOf)
    if (sizes.length === 0)
      return <rect class="column is-missing" height={chart.height} {...place} />
    return Object.values(parts).map((tone, part) => {
      const y = chart.height - sum(heights.slice(0, part + 1))
      return <rect class={`column is-${tone}`} y={y} height={heights[part]} {...place} />
    })
  }
  return (
    <figure class="stack-3">
      <figcaption>{children}</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        onPointerMove={point}
        onPointerLeave={() => {
          pointed.value = undefined
        }}
      >
        {columns.map(showColumn)}
      </svg>
      <p class="apart hint">
        <span>{ends[0]}</span>
        <span>{pointed.value === undefined ? ends[1] : describe(pointed.value)}</span>
      </p>
      <details>
        <summary>{table}</summary>
        <Table
          label={table}
          rows={columns.toReversed()}
          keyOf={({ at }) => at}
          columns={[{ title: "Time", cell: ({ at }) => at }, ...names.map(toTableColumn)]}
        />
      </details>
    </figure>
  )
}
