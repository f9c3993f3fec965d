/** Shows the text recognised so far. The newest lines stay in view unless the reader scrolls up. */
import { useMemo } from "preact/hooks"
import type { JobDetails } from "../jobs/JobTraits.ts"
import { toBlocks } from "../transcript/Blocks.ts"
import { Badge } from "../ui/Card.tsx"

/** Screen readers announce the job's status sentence instead of each piece. */
export const PartialResult = ({
  partial
}: {
  readonly partial: NonNullable<JobDetails["partial_output"]>
}) => {
  const blocks = useMemo(() => {
    const segments = partial.list.map(({ end, start, text }) => ({
      start: Number(start),
      end: Number(end),
      speaker: "",
      text
    }))
    return toBlocks(segments, partial.language)
  }, [partial])
  return (
    <>
      <p class="hint">
        <Badge tone="busy">Partial</Badge> The transcript is made at the end and can differ.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section class="heard" tabIndex={0} aria-label="Text recognised so far">
        <div class="excerpt stack">
          {blocks.map(({ first, text }) => (
            <p key={first} dir="auto">
              {text}
            </p>
          ))}
        </div>
      </section>
    </>
  )
}
