/** An instant in the reader's zone, with the exact time as a tooltip. */
import { formatAgo, formatExact, now } from "./Clock.ts"

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
    <time dateTime={at} title={`${formatExact(instant)} (${at})`}>
      {isExact ? formatExact(instant) : formatAgo(instant, now.value)}
    </time>
  )
}
