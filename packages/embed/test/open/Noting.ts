/** Hooks of a test, and what became of their notices. */
import type { Call, Job, Verbatim } from "@verbatim/embed"

/** A hook that notes its calls, and a promise of the first. */
export const noting = (then: () => Promise<void> = async () => undefined) => {
  const calls: Array<{ job: Job; call: Call }> = []
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const hook = (job: Job, call: Call): Promise<void> => {
    calls.push({ job, call })
    resolve()
    return then()
  }
  return { calls, called, hook }
}

/** Looks until a job stands so. */
export const untilNotice = async (
  { jobs }: Verbatim,
  reference: Pick<Job, "id" | "workspace">,
  holds: (job: Job) => boolean
): Promise<Job> => {
  while (true) {
    const job = await jobs.get(reference)
    if (holds(job)) return job
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
