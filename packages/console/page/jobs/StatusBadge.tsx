/** How a job stands: a word and a colour, never a colour alone. */
import { type ListedJob, toShown } from "./JobTraits.ts"

/** Shows the status of a job, with how far it is. */
export const StatusBadge = ({ job }: { readonly job: ListedJob }) => {
  const { tone, word } = toShown(job.status)
  const share = job.progress
  return (
    <span class={`badge is-${tone}`}>
      <span class="badge-dot" aria-hidden="true" />
      {word}
      {share === undefined ? null : <span class="badge-more">{Math.round(share * 100)} %</span>}
    </span>
  )
}
