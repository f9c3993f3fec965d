/** What stands where there is nothing to show, or not yet: why, and what to do about it. */

import type { ComponentChildren } from "preact"
import { isAway } from "../Api.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import type { Source } from "./Loaded.ts"

/** Shows why there is nothing. */
export const Empty = (given: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty stack-3">
    <span class="empty-icon">
      <Icon name={given.icon} />
    </span>
    <h2>{given.title}</h2>
    <div class="empty-text stack">{given.children}</div>
  </div>
)

/** Shows what went wrong, and asks again. */
export const Fault = ({ again, text }: { readonly text: string; readonly again?: () => void }) => (
  <div class="fault cluster" role="alert">
    <Icon name="alert" />
    <p>{text}</p>
    {again === undefined ? null : <Button onClick={again}>Try again</Button>}
  </div>
)

/**
 * What went wrong with a list of which something is shown. That a server cannot be reached is told
 * above every screen.
 */
export const ListFault = (given: {
  readonly fault: string | undefined
  readonly again: () => void
}) =>
  given.fault === undefined || isAway.value ? null : (
    <Fault text={given.fault} again={given.again} />
  )

/** As large as the lines that will come. */
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

/** Shows what was fetched; before that as many lines as will come, or what went wrong. */
export const Loaded = <Value,>(given: {
  readonly source: Pick<Source<Value>, "reload" | "state">
  readonly lines: number
  readonly height: number
  readonly children: (value: Value) => ComponentChildren
}) => {
  const { children, height, lines, source } = given
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
