/** Shared parts of screens, such as headings, tabs, cards, tables, times and charts. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { linkTo, withLastQuery } from "../Router.ts"
import { Icon, IconButton, type IconName } from "./Button.tsx"
import { formatAgo, formatExact, now } from "./Clock.ts"
import { notify, notifyFault } from "./Toasts.tsx"

interface HeadProps {
  readonly title: string
  /** The title of the window. Default: the title of the screen. */
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
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: Iterable<Tab> }) => {
  const all = [...tabs]
  const strip = useRef<HTMLElement>(null)
  // `scrollIntoView` would also scroll the page, whose position may have been restored.
  useEffect(() => {
    const nav = strip.current
    const tab = nav?.querySelector("[aria-current]")?.getBoundingClientRect()
    if (nav === null || tab === undefined) return
    const { left, width } = nav.getBoundingClientRect()
    nav.scrollBy({ left: tab.left - left - (width - tab.width) / 2, behavior: "instant" })
  }, [all.findIndex(({ isCurrent }) => isCurrent)])
  return (
    <nav class="tabs bar" aria-label={label} ref={strip}>
      {all.map(({ count, isCurrent, to, word }) => (
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

/** Shows a line of a list: a badge, a title with a note below, and further content at the end. */
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

/** Shows a link that looks like a button, to a screen or to a file to download. */
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

type TimeProps = Readonly<{ at: string; isExact?: boolean; class?: string }>
export const Time = ({ at, class: look, isExact = false }: TimeProps) => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>
  return (
    <time class={look} dateTime={at} title={`${formatExact(instant)} (${at})`}>
      {isExact ? formatExact(instant) : formatAgo(instant, now.value)}
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

interface ChartColumn {
  /** The tooltip, which is different for each column. */
  readonly title: string
  readonly size: number
  readonly badSize?: number
}

type ColumnChartProps = Readonly<{ columns: ReadonlyArray<ChartColumn>; words: string }>
export const ColumnChart = ({ columns, words }: ColumnChartProps) => {
  const most = Math.max(...columns.map(({ badSize = 0, size }) => size + badSize), 0.01)
  const step = chart.width / columns.length
  const heightOf = (size: number): number =>
    size === 0 ? 0 : Math.max(3, (size / most) * (chart.height - 8))
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {columns.map(({ badSize = 0, size, title }, index) => {
        const [height, badHeight] = [heightOf(size), heightOf(badSize)]
        const place = { x: index * step + step * 0.14, width: step * 0.72, rx: 2 }
        const [top, isEmpty] = [chart.height - height, height + badHeight === 0]
        return (
          <g key={title}>
            <title>{title}</title>
            <rect
              class={isEmpty ? "column is-empty" : "column"}
              y={isEmpty ? top - 1 : top}
              height={isEmpty ? 1 : height}
              {...place}
            />
            <rect class="column is-bad" y={top - badHeight} height={badHeight} {...place} />
          </g>
        )
      })}
    </svg>
  )
}
