/**
 * The machines of a job, as the domain has them when the page is built, and the path that a job has
 * taken through one of them.
 */
import type { components } from "@verbatim/client"
import type { Job } from "../jobs/JobTraits.ts"

/** What happened to a job. */
export type History = components["schemas"]["JobHistory"]

/** One thing that happened. */
export type Happening = History["events"][number]

/** For each state, the events that it takes and where they lead. */
export type Edges = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Written by whoever builds the page. */
declare const MACHINE_EDGES: Readonly<
  Record<"notice" | "summary" | "transcription" | "webhook", Edges>
>

/** A machine, and how a job goes through it. */
export interface Machine {
  readonly about: keyof typeof MACHINE_EDGES
  readonly title: string
  readonly edges: Edges
  /** Where a job may begin: an upload is queued at once. */
  readonly starts: ReadonlyArray<string>
}

/** In the order in which a job goes through them. */
export const machines: ReadonlyArray<Machine> = [
  {
    about: "transcription",
    title: "Transcription",
    edges: MACHINE_EDGES.transcription,
    starts: ["AwaitingMedia", "Queued"]
  },
  { about: "summary", title: "Summary", edges: MACHINE_EDGES.summary, starts: ["Waiting"] },
  { about: "webhook", title: "Webhook", edges: MACHINE_EDGES.webhook, starts: ["Waiting"] }
]

/** A step: the event, from where, and to where. */
interface Step {
  readonly from: string
  readonly to: string
  readonly at: string
  readonly event: string
}

/** A way through a machine, and where it has led. */
export interface Path {
  readonly steps: ReadonlyArray<Step>
  readonly state: string
}

/** Events as the edges name them. */
const toTag = (event: string): string =>
  event.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What begins a machine anew. */
const renewing = new Set(["retry_requested", "redelivery_requested"])

/** Where a transcription is while a job has that status. */
const fitting: Readonly<Record<string, ReadonlyArray<string>>> = {
  ACCEPTED: ["AwaitingMedia", "Fetching"],
  IN_QUEUE: ["Queued"],
  IN_PROGRESS: ["Running"],
  FAILED: ["Failed"]
}

const move = (paths: ReadonlyArray<Path>, edges: Edges, { at, event }: Happening) =>
  paths.flatMap(({ state, steps }): ReadonlyArray<Path> => {
    const to = edges[state]?.[toTag(event)]
    return to === undefined
      ? []
      : [{ state: to, steps: [...steps, { from: state, to, at, event }] }]
  })

/**
 * The way of a job through a machine. Histories do not say where it began, so every beginning is
 * followed, and the one is taken that ends where the job is.
 */
export const followPath = (machine: Machine, job: Job, events: ReadonlyArray<Happening>): Path => {
  const { about, edges, starts } = machine
  const begin = (steps: ReadonlyArray<Step>) => starts.map((state): Path => ({ state, steps }))
  let paths: ReadonlyArray<Path> = begin([])
  for (const happening of events) {
    if (renewing.has(happening.event)) {
      if (happening.about === "job" || happening.about === about) {
        paths = begin(paths[0]?.steps ?? [])
      }
    } else if (happening.about === about) {
      const moved = move(paths, edges, happening)
      if (moved.length > 0) paths = moved
    }
  }
  const wanted = about === "transcription" ? fitting[job.transcription_status] : undefined
  const fits = ({ state }: Path): boolean => wanted?.includes(state) ?? true
  // Most recordings are uploads: where nothing tells, the later beginning is meant.
  return paths.findLast(fits) ?? paths[0] ?? { state: starts[0] ?? "", steps: [] }
}
