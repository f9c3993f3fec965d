/** The workspace screen: balance, limits, retention, keys, usage and ledger. */
import type { components } from "@verbatim/client"
import { useRef } from "preact/hooks"
import { operatorApi } from "../Api.ts"
import { FactList } from "../job/Facts.tsx"
import { KeyList } from "../keys/KeyList.tsx"
import { keysOf, limitWords } from "../keys/Keys.tsx"
import { linkTo, type Parameters } from "../Router.ts"
import { opensJobs } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, ButtonLink, Card, Copy, ScreenHead, Table, Time } from "../ui/Card.tsx"
import { FieldFault, NumberForm, TextField, useSubmission } from "../ui/Forms.tsx"
import { Loaded, makePages, type Source, useLoaded, useSource } from "../ui/Loaded.tsx"
import { toPage } from "../ui/Pages.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify, notifyFault } from "../ui/Toasts.tsx"
import { makeId, toWords } from "../ui/Words.ts"
import { Name, UsagePanel, useNames } from "../usage/UsagePanel.tsx"
import type { Account } from "./WorkspaceField.tsx"

type Schemas = components["schemas"]
const dayWords = {
  media_days: "Days to keep recordings",
  transcript_days: "Days to keep transcripts",
  job_days: "Days to keep jobs"
} as const

type WorkspaceChange = Schemas["WorkspaceChange"]
type Change = (body: WorkspaceChange, said: string, undo?: () => void) => Promise<void>

const makeChange =
  (id: string, source: Source<Account>): Change =>
  async (body, said, undo) => {
    const revised = await operatorApi.workspaces.revise(id, body)
    // The change is shown at once, because the next click builds on it.
    const before = source.state.peek().value
    if (before !== undefined) source.put({ ...before, ...revised })
    // A read that had already started may return an older state.
    void source.reload()
    notify(said, undo === undefined ? {} : { undo })
  }

const Credit = ({ id, onDone }: { readonly id: string; readonly onDone: () => void }) => {
  // A credit that is sent again after a lost response has the same id, and counts once.
  const creditId = useRef(makeId())
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const minutes = Number(new FormData(form).get("minutes"))
    await operatorApi.workspaces.credit(id, { minutes, credit_id: creditId.current })
    notify(`${Math.abs(minutes)} minutes ${minutes < 0 ? "removed" : "added"}.`)
    form.reset()
    creditId.current = makeId()
    onDone()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <TextField
        label="Add minutes"
        name="minutes"
        type="number"
        step="0.01"
        required
        readOnly={isBusy.value}
        placeholder="600"
        onInput={() => {
          // A different number of minutes gets a new id, because it is a different credit.
          creditId.current = makeId()
        }}
      />
      <Button type="submit" aria-disabled={isBusy.value} word="Add" />
      <p class="hint">Jobs are accepted while the balance is more than 60 minutes.</p>
      <FieldFault text={fault.value} />
    </form>
  )
}

const WorkspaceView = ({ account, source }: { account: Account; source: Source<Account> }) => {
  const { balance_minutes, created_at, external_id, id, limits, name, retention, status } = account
  const ledger = useSource(id, () => makeLedger(id))
  const names = useNames({ isOperator: true, workspace: id, by: "key" })
  const change = makeChange(id, source)
  const isOpen = status === "active" || status === "disabled"
  const set = (to: "active" | "disabled", said: string, undo?: () => void): void =>
    void once(`workspace ${id}`, () => change({ status: to }, said, undo).catch(notifyFault))
  const [before, to] =
    status === "active" ? (["active", "disabled"] as const) : (["disabled", "active"] as const)
  const undo = () => set(before, `The workspace is ${before} again.`)
  const readAgain = (): void => {
    for (const each of [source, ledger]) void each.reload()
  }
  const badge = (
    <span class={`badge is-${status === "active" ? "good" : "warn"}`}>{toWords(status)}</span>
  )
  const showSettings = () => (
    <>
      <Card title="Minutes and limits">
        <Credit id={id} onDone={readAgain} />
        <NumberForm
          words={limitWords}
          values={limits}
          hint="Empty: no limit."
          save={(changed) => change({ limits: changed }, "Limits saved.")}
        />
      </Card>
      <Card title="Retention">
        <NumberForm
          words={dayWords}
          values={retention}
          hint="Empty: the server's default."
          save={(changed) => change({ retention: changed }, "Retention saved.")}
        />
      </Card>
      <Card title="Keys">
        <KeyList of={id} calls={keysOf(id)} canChange={true} />
      </Card>
    </>
  )
  return (
    <>
      <ScreenHead title={name} beside={badge}>
        <ButtonLink
          to={opensJobs(id) ? "/jobs" : `/jobs?of=all&workspace=${id}`}
          word="Show jobs"
        />
        {isOpen && (
          <Button onClick={() => set(to, `The workspace is ${to}.`, undo)}>
            {to === "disabled" ? "Disable" : "Enable"}
          </Button>
        )}
      </ScreenHead>
      <FactList
        facts={{
          Balance: `${balance_minutes} min`,
          Created: <Time at={created_at} isExact />,
          "External id": external_id ?? undefined,
          Id: <Copy text={id} />
        }}
      />
      {isOpen && showSettings()}
      <UsagePanel isOperator={true} workspace={id} by="key" balance={balance_minutes} />
      <Card title="Ledger">
        <Loaded source={ledger} lines={3} height={44}>
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
                    {
                      title: "Reason",
                      cell: (line) => <Reason line={line} isOpen={opensJobs(id)} />
                    },
                    {
                      title: "Key",
                      cell: ({ job_id, key_id }) =>
                        job_id && <Name id={key_id} names={names} none="No key" />
                    }
                  ]}
                />
              )}
              {next === null ? null : (
                <Button class="is-wide" onClick={() => void ledger.again()}>
                  Show older entries
                </Button>
              )}
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}

const missing = {
  icon: "workspaces",
  title: "Workspace not found",
  children: <p>The address may be wrong, or the workspace belongs to another server.</p>
} as const

export const WorkspaceScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const source = useLoaded(id, (signal) => operatorApi.workspaces.get(id, { signal }))
  return (
    <>
      <Back to="/workspaces" word="Workspaces" />
      <Loaded source={source} lines={4} height={120} missing={missing}>
        {(account) => <WorkspaceView account={account} source={source} />}
      </Loaded>
    </>
  )
}

type LedgerLine = Schemas["LedgerLine"]
const pageMax = 50

/** A reload starts over at the newest entry. */
const makeLedger = (id: string) =>
  makePages(async (cursor: string | undefined, signal) => {
    const options = { limit: pageMax, cursor, signal }
    return toPage(await operatorApi.workspaces.ledger(id, options))
  })

const formatAmount = ({ millis, minutes }: LedgerLine): string => {
  if (millis === 0) return minutes
  return millis < 0 ? minutes.replace("-", "−") : `+${minutes}`
}

type ReasonProps = Readonly<{ line: LedgerLine; isOpen: boolean }>
const Reason = ({ isOpen, line: { credit_id, job_id, millis } }: ReasonProps) => {
  const word = job_id === null ? (millis < 0 ? "Debit" : "Credit") : "Job"
  const id = <code>{job_id ?? credit_id}</code>
  const link = isOpen && job_id !== null ? linkTo(`/jobs/${job_id}`) : undefined
  return (
    <>
      {word} {link === undefined ? <span class="hint">{id}</span> : <a href={link}>{id}</a>}
    </>
  )
}
