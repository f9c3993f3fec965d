/** Shows the health of this server: database, media store, engine and worker. */
import type { components } from "@verbatim/client"
import { Badge, Card } from "../ui/Card.tsx"
import { Load } from "../ui/Loaded.tsx"
import { toWords } from "../ui/Words.ts"
import { fetchHealth } from "./Blockers.tsx"

type Health = components["schemas"]["Health"]
const pollMillis = 30_000

const Part = (props: {
  readonly name: string
  readonly isWell: boolean
  readonly word: string
  readonly detail?: string
}) => (
  <li class="line cluster">
    <Badge tone={props.isWell ? "good" : "bad"}>{toWords(props.word)}</Badge>
    <span class="line-main">
      <span class="row-title">{props.name}</span>
      {props.detail === undefined || props.detail === "" ? null : (
        <span class="row-note hint is-wrapped">{props.detail}</span>
      )}
    </span>
  </li>
)

const Report = ({ health }: { readonly health: Health }) => {
  const { media, reasons, store, transcriber, worker } = health
  // A reason that is listed is not repeated as the detail of a part.
  const detailOf = (detail: string): string => (reasons.includes(detail) ? "" : detail)
  return (
    <Card title="This server">
      {reasons.length === 0 ? (
        <p class="hint">Everything that this server needs is available.</p>
      ) : (
        <ul class="note stack-2">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <ul class="lines">
        <Part name="Database" isWell={store === "up"} word={store} />
        <Part
          name="Media store"
          isWell={media.status === "ready"}
          word={media.status}
          detail={detailOf(media.detail)}
        />
        {transcriber === null ? null : (
          <Part
            name="Speech engine"
            isWell={transcriber.status === "ready"}
            word={transcriber.status}
            detail={detailOf(transcriber.detail)}
          />
        )}
        {worker === null ? null : (
          <Part
            name="Worker in this process"
            isWell={worker.outages.length === 0}
            word={worker.outages.length === 0 ? "ready" : "waiting"}
          />
        )}
      </ul>
    </Card>
  )
}

export const HealthCard = () => (
  <Load
    of="health"
    read={(signal) => fetchHealth("operator", signal)}
    everyMillis={pollMillis}
    lines={3}
    height={56}
  >
    {(health) => <Report health={health} />}
  </Load>
)
