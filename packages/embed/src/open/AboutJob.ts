/**
 * What a host asks about a job. A job belongs to one workspace, and perhaps another one was meant:
 * a host whose job is not found is told in which workspace it was looked for.
 */
import { RequestNotFound } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { type Context, Effect } from "effect"
import { NotFound } from "../Errors.ts"
import type { Owner } from "../view/Job.ts"
import type { JobReference } from "./JobReference.ts"
import type { Asker, Owners } from "./Workspaces.ts"

const noSuchJob = ({ id, name }: Owner, cause: RequestNotFound): NotFound =>
  new NotFound({
    code: "RequestNotFound",
    message: `The workspace ${name === null ? id : JSON.stringify(name)} has no such job`,
    details: { workspace: { id, name } },
    cause
  })

type Ask<Shape, A, E, R> = (service: Shape, principal: Principal) => Effect.Effect<A, E, R>

/** Makes the questions to a service of core, in the name of whoever asks. */
export const makeAsk =
  <Identifier, Shape>(owners: Owners, key: Context.Key<Identifier, Shape>) =>
  <A, E, R>(asker: Asker, ask: Ask<Shape, A, E, R>) =>
    Effect.flatMap(Effect.all([owners.find(asker), key]), ([{ owner, principal }, service]) =>
      Effect.mapError(ask(service, principal), (error) =>
        error instanceof RequestNotFound ? noSuchJob(owner, error) : error
      )
    )

/** The same in the name of the workspace alone. */
export const makeAbout = <Identifier, Shape>(
  owners: Owners,
  key: Context.Key<Identifier, Shape>
) => {
  const askAs = makeAsk(owners, key)
  return <A, E, R>({ workspace }: JobReference, ask: Ask<Shape, A, E, R>) =>
    askAs({ workspace }, ask)
}
