/** A job that is not there, told with where it was looked for. */
import type { RequestNotFound } from "@verbatim/core/services"
import { NotFound } from "../Errors.ts"
import type { Owner } from "../view/Job.ts"

/** What a host catches: a job belongs to one workspace, and another one was meant perhaps. */
export const noSuchJob = ({ id, name }: Owner, cause: RequestNotFound): NotFound =>
  new NotFound({
    code: "RequestNotFound",
    message: `The workspace ${name === null ? id : JSON.stringify(name)} has no such job`,
    details: { workspace: { id, name } },
    cause
  })
