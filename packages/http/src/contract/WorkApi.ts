/**
 * The operations on work, for operators: which workers there are, and what is pending.
 */
import { pendingMax } from "@verbatim/core/attempt"
import { shownLanesMax } from "@verbatim/core/job"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorAuthentication } from "./Authentication.ts"
import { WorkspaceErrors } from "./Errors.ts"
import { describe } from "./Operation.ts"
import { DependencyName } from "./SystemApi.ts"

const Instant = Schema.String.annotate({
  format: "date-time",
  description: "ISO 8601 UTC with milliseconds."
})

const OutageView = Schema.Struct({
  name: DependencyName,
  failures: Schema.Int.annotate({ description: "How often it failed in a row." }),
  cause: Schema.optionalKey(
    Schema.String.annotate({
      description: "What it said, in its own words and without secrets, where it said something."
    })
  )
}).annotate({ identifier: "OutageView" })

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
  }),
  outages: Schema.Array(OutageView).annotate({
    description: "What it needs and cannot use: the work that needs it waits."
  })
}).annotate({ identifier: "WorkerView" })

const amountFields = {
  due: Schema.Int.annotate({ description: "Due, and held by no worker." }),
  later: Schema.Int.annotate({ description: "Not due yet." }),
  leased: Schema.Int.annotate({ description: "Held by a worker." })
}

const countFields = {
  ...amountFields,
  due_since: Schema.NullOr(Instant).annotate({
    description: "Since when the first of those that are due has been waiting."
  })
}

const LaneDebtView = Schema.Struct({
  workspace_id: Schema.String.annotate({
    description: "Whose it is; empty where an older program has left it out."
  }),
  lane: Schema.String.annotate({
    description: "Where it goes: the origin of a webhook, or `from` and the origin of a download."
  }),
  ...countFields
}).annotate({ identifier: "LaneDebt" })

const DebtView = Schema.Struct({
  kind: Schema.String.annotate({
    description: "A task, or `Isolate`: one that runs alone, because a process died with it."
  }),
  ...countFields,
  lane_count: Schema.Int.annotate({
    description: "In how many lanes it is. What goes to no other host is in none."
  }),
  lanes: Schema.Array(LaneDebtView).annotate({
    description: `The lanes with most that is due first, ${shownLanesMax} of them at most.`
  })
}).annotate({ identifier: "Debt" })

const workExamples = [
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
          running: { Transcribe: 2 },
          outages: [
            {
              name: "summarizer" as const,
              failures: 3,
              cause: "401 invalid_api_key: Incorrect API key provided: [key]."
            }
          ]
        }
      ],
      owed: [
        {
          kind: "Deliver",
          due: 0,
          later: 1,
          leased: 0,
          due_since: null,
          lane_count: 1,
          lanes: [
            {
              workspace_id: "0194246d-0000-7000-8000-000000000001",
              lane: "https://hooks.example.com",
              due: 0,
              later: 1,
              leased: 0,
              due_since: null
            }
          ]
        },
        {
          kind: "Transcribe",
          due: 3,
          later: 0,
          leased: 2,
          due_since: "2030-01-02T03:03:59.000Z",
          lane_count: 0,
          lanes: []
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
  description: "The workers, the oldest first, and what is owed by kind and lane.",
  examples: workExamples
})

/** What was owed of all kinds together, at an instant. */
export const QueueSampleView = Schema.Struct({ at: Instant, ...amountFields }).annotate({
  identifier: "QueueSample",
  description: `What was owed then, of each kind up to ${pendingMax} pieces.`
})

/** The answer about the last day. */
const QueueHistoryAnswer = Schema.Struct({
  data: Schema.Array(QueueSampleView)
}).annotate({
  identifier: "QueueHistory",
  description: "How much was owed, the oldest sample first.",
  examples: [
    {
      data: [
        { at: "2030-01-02T03:03:05.678Z", due: 0, later: 1, leased: 2 },
        { at: "2030-01-02T03:04:05.678Z", due: 3, later: 1, leased: 2 }
      ]
    }
  ]
})

const survey = HttpApiEndpoint.get("survey", "/v1/work", {
  success: WorkAnswer,
  error: [WorkspaceErrors[429]]
}).annotateMerge(
  describe(
    "Read which workers there are, and what is owed",
    "Of all processes and all workspaces. For people to look at: an answer may be two seconds old."
  )
)

const queueHistory = HttpApiEndpoint.get("queueHistory", "/v1/work/history", {
  success: QueueHistoryAnswer,
  error: [WorkspaceErrors[429]]
}).annotateMerge(
  describe(
    "Read how much was owed over the last day",
    "Of all processes and all workspaces, as the process that answers has counted it: once a " +
      "minute since its start. A minute in which the store did not answer is missing."
  )
)

/** What is done and owed, as operators see it. */
export const WorkApi = HttpApiGroup.make("work")
  .add(survey, queueHistory)
  .middleware(OperatorAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Work",
      description: "Workers and what they have to do. Takes an operator key."
    })
  )
