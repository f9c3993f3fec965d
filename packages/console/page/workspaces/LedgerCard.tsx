/** What changed the balance of a workspace: each charge and each credit, the newest first. */

import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { linkTo } from "../Router.ts"
import { may, session } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Card, TablePlace } from "../ui/Card.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { makePages, makeSource, useSource } from "../ui/Loaded.ts"
import { Time } from "../ui/Time.tsx"
import { readNames } from "../usage/UsageCalls.ts"
import { Name } from "../usage/UsagePanel.tsx"

/** A charge or a credit. */
type LedgerLine = components["schemas"]["LedgerLine"]

/** Lines fetched at a time. */
const pageMax = 50

/** Makes the ledger of a workspace; it begins again where it is asked for again. */
export const makeLedger = (id: string) =>
  makePages(async (cursor: string | undefined, signal) => {
    const options = { limit: pageMax, cursor, signal }
    const { data, next_cursor } = await operatorApi.workspaces.ledger(id, options)
    return { items: data, next: next_cursor }
  })

/** Minutes with a sign: what was added, or what was taken. */
const writeAmount = ({ millis, minutes }: LedgerLine): string => {
  if (millis === 0) return minutes
  return millis < 0 ? minutes.replace("-", "−") : `+${minutes}`
}

/** Jobs are opened with a key of their workspace, not with that of an operator. */
const opensJobs = (workspace: string): boolean =>
  session.value?.workspace?.workspace_id === workspace && may("transcriptions:read")

const Reason = ({ line, isOpen }: { readonly line: LedgerLine; readonly isOpen: boolean }) => {
  const { credit_id, job_id, millis } = line
  if (job_id === null) {
    return (
      <>
        {millis < 0 ? "Taken" : "Given"} <code class="hint">{credit_id}</code>
      </>
    )
  }
  return (
    <>
      Job{" "}
      {isOpen ? (
        <a href={linkTo(`/jobs/${job_id}`)}>
          <code>{job_id}</code>
        </a>
      ) : (
        <code class="hint">{job_id}</code>
      )}
    </>
  )
}

const Lines = (given: {
  readonly lines: ReadonlyArray<LedgerLine>
  readonly names: ReadonlyMap<string, string>
  readonly isOpen: boolean
}) => (
  <TablePlace label="Ledger, as a table">
    <thead>
      <tr>
        <th scope="col">When</th>
        <th scope="col" class="is-number">
          Minutes
        </th>
        <th scope="col">What for</th>
        <th scope="col">Key</th>
      </tr>
    </thead>
    <tbody>
      {given.lines.map((line) => (
        <tr key={line.job_id ?? `credit ${line.credit_id}`}>
          <td class="is-whole">
            <Time at={line.at} isExact />
          </td>
          <td class="is-number">{writeAmount(line)}</td>
          <td class="is-whole">
            <Reason line={line} isOpen={given.isOpen} />
          </td>
          <td class="is-whole">
            {line.job_id === null ? null : (
              <Name id={line.key_id} names={given.names} none="No key" />
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </TablePlace>
)

const noNames: ReadonlyMap<string, string> = new Map()

/** Shows the ledger. */
export const LedgerCard = (given: {
  readonly workspace: string
  readonly source: ReturnType<typeof makeLedger>
}) => {
  const { source, workspace } = given
  const names = useSource(workspace, () =>
    makeSource((signal) => readNames({ isOperator: true, workspace, by: "key" }, signal))
  )
  return (
    <Card title="Ledger">
      <Loaded source={source} lines={3} height={44}>
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <p class="hint">Nothing was charged or credited. Give minutes to begin with.</p>
            ) : (
              <Lines
                lines={items}
                names={names.state.value.value ?? noNames}
                isOpen={opensJobs(workspace)}
              />
            )}
            {next === null ? null : (
              <Button class="is-wide" onClick={() => void source.again()}>
                Show older lines
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
