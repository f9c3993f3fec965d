/** Whether this server, its store, its media and its engine can do their work, and why not. */
import type { components } from "@verbatim/client"
import { fetchApi } from "../Api.ts"
import { pageHeader } from "../session/Session.ts"
import { Badge, Card } from "../ui/Card.tsx"
import { Fault, Skeleton } from "../ui/Empty.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"

type Health = components["schemas"]["Health"]

const pollMillis = 5_000

/** An answer of 503 is a report as well. */
const fetchHealth = async (signal: AbortSignal): Promise<Health> => {
  // With the key of an operator it says what an engine said.
  const headers = { [pageHeader]: "operator" }
  const response = await fetchApi("/health/ready", { headers, signal })
  if (response.ok || response.status === 503) return response.json()
  throw new Error(`The server answered with ${response.status}.`)
}

const Part = (given: {
  readonly name: string
  readonly isWell: boolean
  readonly word: string
  readonly detail?: string
}) => (
  <li class="line cluster">
    <Badge tone={given.isWell ? "good" : "bad"}>
      {given.word.charAt(0).toUpperCase() + given.word.slice(1)}
    </Badge>
    <span class="line-main">
      <span class="row-title">{given.name}</span>
      {given.detail === undefined || given.detail === "" ? null : (
        <span class="row-note hint is-wrapped">{given.detail}</span>
      )}
    </span>
  </li>
)

/** Shows the report of the process that answers. */
export const HealthCard = () => {
  const source = useSource("health", () => makeSource(fetchHealth, { everyMillis: pollMillis }))
  const { fault, value: health } = source.state.value
  if (health === undefined) {
    if (fault === undefined) return <Skeleton lines={3} height={56} />
    return <Fault text={fault} again={() => void source.reload()} />
  }
  const { media, reasons, store, transcriber, worker } = health
  return (
    <Card title="This server">
      {reasons.length === 0 ? (
        <p class="hint">Everything it needs is there.</p>
      ) : (
        <ul class="reasons stack-2">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <ul class="lines">
        <Part name="Database" isWell={store === "up"} word={store.replace("_", " ")} />
        <Part
          name="Media store"
          isWell={media.status === "ready"}
          word={media.status}
          detail={media.detail}
        />
        {transcriber === null ? null : (
          <Part
            name="Speech engine"
            isWell={transcriber.status === "ready"}
            word={transcriber.status}
            detail={transcriber.detail}
          />
        )}
        {worker === null ? null : (
          <Part
            name="Worker of this process"
            isWell={worker.out_of_reach.length === 0}
            word={worker.out_of_reach.length === 0 ? "works" : "waits"}
            detail={worker.out_of_reach.map((name) => `It cannot use the ${name}.`).join(" ")}
          />
        )}
      </ul>
    </Card>
  )
}
