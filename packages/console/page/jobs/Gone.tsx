/** A job that is not there, and where others are. */
import { linkTo } from "../Router.ts"
import { Empty } from "../ui/Empty.tsx"

/** Shows that there is none. */
export const Gone = () => (
  <Empty icon="trash" title="There is no such job">
    <p>It was deleted, its time was over, or it is of another workspace.</p>
    <a class="button" href={linkTo("/jobs")}>
      See all jobs
    </a>
  </Empty>
)
