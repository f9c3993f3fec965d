/** The operations on work as values. They take an operator key. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { WorkspaceErrors } from "../workspace/WorkspaceErrors.ts"
import { QueueHistoryAnswer, WorkAnswer } from "./WorkViews.ts"

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
