/** Which workers there are and what is owed, as the wire shows it. */
import { Schema } from "effect"

const Instant = Schema.String.annotate({
  format: "date-time",
  description: "ISO 8601 UTC with milliseconds."
})

const WorkerView = Schema.Struct({
  id: Schema.String,
  name: Schema.String.annotate({ description: "For people: the machine and the process." }),
  alive: Schema.Boolean.annotate({
    description: "Whether it gave a sign within the time that its leases hold."
  }),
  started_at: Instant,
  seen_at: Instant,
  running: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "How many attempts of each task run there."
  })
}).annotate({ identifier: "WorkerView" })

const DebtView = Schema.Struct({
  kind: Schema.String.annotate({
    description: "A task, or `Isolate`: one that runs alone, because a process died with it."
  }),
  due: Schema.Int.annotate({ description: "Due, and held by no worker." }),
  later: Schema.Int.annotate({ description: "Not due yet." }),
  leased: Schema.Int.annotate({ description: "Held by a worker." }),
  due_since: Schema.NullOr(Instant).annotate({
    description: "Since when the first of those that are due has been waiting."
  })
}).annotate({ identifier: "Debt" })

const examples = [
  {
    data: {
      at: "2030-01-02T03:04:05.678Z",
      workers: [
        {
          id: "0194246d-2f2e-4c5d-9e6f-7a8b9c0d1e2f",
          name: "host-1:4242",
          alive: true,
          started_at: "2030-01-02T01:00:00.000Z",
          seen_at: "2030-01-02T03:04:01.000Z",
          running: { Transcribe: 2 }
        }
      ],
      owed: [
        {
          kind: "Transcribe",
          due: 3,
          later: 0,
          leased: 2,
          due_since: "2030-01-02T03:03:59.000Z"
        }
      ]
    }
  }
]

/** The answer. */
export const WorkAnswer = Schema.Struct({
  data: Schema.Struct({
    at: Instant,
    workers: Schema.Array(WorkerView),
    owed: Schema.Array(DebtView)
  })
}).annotate({
  identifier: "WorkAnswer",
  description: "The workers, the oldest first, and what is owed by kind.",
  examples
})
