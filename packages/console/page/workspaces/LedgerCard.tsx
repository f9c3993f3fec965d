/** Shows a workspace's ledger: all charges and credits, newest first. */
import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { linkTo } from "../Router.ts"
import { opensJobs } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Card, Table, Time } from "../ui/Card.tsx"
import { Loaded, makePages } from "../ui/Loaded.tsx"
import { Name, useNames } from "../usage/UsagePanel.tsx"

type LedgerLine = components["schemas"]["LedgerLine"]
const pageMax = 50

/** A reload starts over at the newest entry. */
export const makeLedger = (id: string) =>
  makePages(async (cursor: string | undefined, signal) => {
    const options = { limit: pageMax, cursor, signal }
    const { data, next_cursor } = await operatorApi.workspaces.ledger(id, options)
    return { items: data, next: next_cursor }
  })

const formatAmount = ({ millis, minutes }: LedgerLine): string => {
  if (millis === 0) return minutes
  return millis < 0 ? minutes.replace("-", "−") : `+${minutes}`
}

type ReasonProps = Readonly<{ line: LedgerLine; isOpen: boolean }>
const Reason = ({ isOpen, line: { credit_id, job_id, millis } }: ReasonProps) => {
  const id = <code class={isOpen && job_id !== null ? "" : "hint"}>{job_id ?? credit_id}</code>
  const word = job_id === null ? (millis < 0 ? "Debit" : "Credit") : "Job"
  return (
    <>
      {word} {isOpen && job_id !== null ? <a href={linkTo(`/jobs/${job_id}`)}>{id}</a> : id}
    </>
  )
}

export const LedgerCard = (props: {
  readonly workspace: string
  readonly source: ReturnType<typeof makeLedger>
}) => {
  const { source, workspace } = props
  const names = useNames({ isOperator: true, workspace, by: "key" })
  const isOpen = opensJobs(workspace)
  return (
    <Card title="Ledger">
      <Loaded source={source} lines={3} height={44}>
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <p class="hint">No charges or credits yet. Add minutes to start.</p>
            ) : (
              <Table
                label="Ledger, as a table"
                rows={items}
                keyOf={({ credit_id, job_id }) => job_id ?? `credit ${credit_id}`}
                columns={[
                  { title: "When", cell: ({ at }) => <Time at={at} isExact /> },
                  { title: "Minutes", cell: formatAmount, isNumber: true },
                  { title: "Reason", cell: (line) => <Reason line={line} isOpen={isOpen} /> },
                  {
                    title: "Key",
                    cell: ({ job_id, key_id }) =>
                      job_id && <Name id={key_id} names={names} none="No key" />
                  }
                ]}
              />
            )}
            {next === null ? null : (
              <Button class="is-wide" onClick={() => void source.again()}>
                Show older entries
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
