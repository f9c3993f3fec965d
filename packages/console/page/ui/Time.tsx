/** An instant in the reader's zone, and the whole of it where the pointer rests. */
import { now, writeAgo, writeExact } from "./Clock.ts"

/** Shows an instant. */
export const Time = ({
  at,
  isExact = false
}: {
  readonly at: string
  readonly isExact?: boolean
}) => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>
  return (
    <time dateTime={at} title={`${writeExact(instant)} (${at})`}>
      {isExact ? writeExact(instant) : writeAgo(instant, now.value)}
    </time>
  )
}
