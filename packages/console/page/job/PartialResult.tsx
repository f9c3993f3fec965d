/** Shows the text recognised so far. The newest lines stay in view unless the reader scrolls up. */
import { useMemo } from "preact/hooks"
import type { JobDetails } from "../jobs/JobTraits.ts"
import { toBlocks, toSegments } from "../transcript/Blocks.ts"
import { Badge } from "../ui/Card.tsx"

type Props = Readonly<{ partial: NonNullable<JobDetails["partial_output"]> }>

/** Screen readers announce the job's status sentence instead of each piece. */
export const PartialResult = ({ partial }: Props) => {
  const blocks = useMemo(() => toBlocks(toSegments(partial.list), partial.language), [partial])
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
