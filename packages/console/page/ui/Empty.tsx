/** Placeholders: empty lists, errors and loading content. */

import type { ComponentChildren } from "preact"
import { isAway } from "../Api.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import type { Source } from "./Loaded.ts"

/** Shows an empty state. */
export const Empty = (props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty stack-3">
    <span class="empty-icon">
      <Icon name={props.icon} />
    </span>
    <h2>{props.title}</h2>
    <div class="empty-text stack">{props.children}</div>
  </div>
)

/** Shows an error with a button to retry. */
export const Fault = ({ again, text }: { readonly text: string; readonly again?: () => void }) => (
  <div class="fault cluster" role="alert">
    <Icon name="alert" />
    <p>{text}</p>
    {again === undefined ? null : <Button onClick={again}>Try again</Button>}
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

/** A placeholder with the height of the expected rows. */
export const Skeleton = ({
  height,
  lines
}: {
  readonly lines: number
  readonly height: number
}) => (
  <div class="skeletons box" aria-hidden="true">
    {Array.from({ length: lines }, (_, line) => (
      <div class="skeleton" key={line} style={{ height: `${height}px` }} />
    ))}
  </div>
)

/** Shows loaded content or, until it is loaded, a placeholder or an error. */
export const Loaded = <Value,>(props: {
  readonly source: Pick<Source<Value>, "reload" | "state">
  readonly lines: number
  readonly height: number
  readonly children: (value: Value) => ComponentChildren
}) => {
  const { children, height, lines, source } = props
  const { fault, value } = source.state.value
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
