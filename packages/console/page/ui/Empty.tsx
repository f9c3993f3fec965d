/** Placeholders for empty lists, errors and loading content. */
import type { ComponentChildren } from "preact"
import { isAway, isGone } from "../Api.ts"
import { linkTo } from "../Router.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import { type Fetch, type LoadOptions, type Source, useLoaded } from "./Loaded.ts"

export const Empty = (props: {
  readonly icon: IconName
  readonly title: string
  readonly link?: { readonly to: string; readonly word: string }
  readonly children?: ComponentChildren
}) => (
  <div class="empty stack-3">
    <span class="empty-icon">
      <Icon name={props.icon} />
    </span>
    <h2>{props.title}</h2>
    <div class="empty-text stack">
      {props.children}
      {props.link === undefined ? null : (
        <a class="button" href={linkTo(props.link.to)}>
          {props.link.word}
        </a>
      )}
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

/** Shows an error next to a loaded list. An unreachable server is shown above all screens. */
export const ListFault = (props: {
  readonly fault: string | undefined
  readonly again: () => void
}) =>
  props.fault === undefined || isAway.value ? null : (
    <Fault text={props.fault} again={props.again} />
  )

export const Skeleton = (props: { readonly lines: number; readonly height: number }) => (
  <div class="skeletons box" aria-hidden="true">
    {Array.from({ length: props.lines }, (_, line) => (
      <div class="skeleton" key={line} style={{ height: `${props.height}px` }} />
    ))}
  </div>
)

interface LoadedProps<Value> {
  readonly lines: number
  readonly height: number
  /** The content to show instead if the resource does not exist. */
  readonly missing?: ComponentChildren
  readonly children: (value: Value) => ComponentChildren
}

export const Loaded = <Value,>(
  props: LoadedProps<Value> & { readonly source: Pick<Source<Value>, "reload" | "state"> }
) => {
  const { children, height, lines, missing, source } = props
  const { cause, fault, value } = source.state.value
  if (missing !== undefined && isGone(cause)) return <>{missing}</>
  return (
    <>
      {fault === undefined ? null : <Fault text={fault} again={() => void source.reload()} />}
      {value === undefined && fault === undefined ? (
        <Skeleton lines={lines} height={height} />
      ) : null}
      {value === undefined ? null : children(value)}
    </>
  )
}

/** Loads content and shows it, and reloads it whenever `of` changes. */
export const Load = <Value,>({
  everyMillis,
  keepsPrevious,
  of,
  read,
  ...props
}: LoadedProps<Value> & LoadOptions & { readonly of: string; readonly read: Fetch<Value> }) => (
  <Loaded source={useLoaded(of, read, { everyMillis, keepsPrevious })} {...props} />
)
