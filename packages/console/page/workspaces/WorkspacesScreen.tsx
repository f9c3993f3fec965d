/** The list of all workspaces for operators, with balance and status. */

import type { components } from "@verbatim/client"
import { operatorApi } from "../Api.ts"
import { goTo, linkTo, query, setQuery } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { Empty, Loaded } from "../ui/Empty.tsx"
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { SearchField } from "../ui/SearchField.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { Time } from "../ui/Time.tsx"
import { VirtualList } from "../ui/VirtualList.tsx"
import { formatCount, toWords } from "../ui/Words.ts"

type Account = components["schemas"]["Account"]

/** The maximum page size of the API. */
const pageMax = 100

/** Maximum number of pages that are loaded. */
const pagesMax = 20

const rowHeight = 60

interface Accounts {
  readonly accounts: ReadonlyArray<Account>
  /** Whether there are more workspaces than were loaded. */
  readonly isCut: boolean
}

const readAll = async (signal: AbortSignal): Promise<Accounts> => {
  const found: Array<Account> = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await operatorApi.workspaces.list({ limit: pageMax, cursor, signal })
    found.push(...answer.data)
    if (answer.next_cursor === null) return { accounts: found, isCut: false }
    cursor = answer.next_cursor
  }
  return { accounts: found, isCut: true }
}

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const matchesText = ({ external_id, id, name }: Account, text: string): boolean =>
  [name, external_id, id].some((each) => each?.toLowerCase().includes(text.trim().toLowerCase()))

const tones = { active: "good", disabled: "warn", deleting: "idle", deleted: "idle" } as const

const Row = ({ account }: { readonly account: Account }) => (
  <div class="row bar job-row">
    <span class={`badge is-${tones[account.status]}`}>{toWords(account.status)}</span>
    <a class="row-main grow" href={linkTo(`/workspaces/${account.id}`)}>
      <span class="row-title" dir="auto">
        {account.name}
      </span>
      <span class="row-note hint">{account.external_id ?? account.id}</span>
    </a>
    <span class="row-number">{account.balance_minutes} min left</span>
    <span class="row-time hint">
      <Time at={account.created_at} />
    </span>
  </div>
)

const NewWorkspace = ({ onClose }: { readonly onClose: () => void }) => {
  const submit = async (form: FormData): Promise<void> => {
    const external = textIn(form, "external_id")
    const body = {
      name: textIn(form, "name"),
      ...(external === "" ? {} : { external_id: external })
    }
    const { id } = await operatorApi.workspaces.create(body)
    goTo(`/workspaces/${id}`)
  }
  return (
    <FormDialog title="New workspace" action="Create workspace" submit={submit} onClose={onClose}>
      <Field label="Name">
        <input class="input" name="name" required maxLength={255} />
      </Field>
      <Field label="External id">
        <input class="input" name="external_id" maxLength={255} aria-describedby="external-hint" />
      </Field>
      <p class="hint" id="external-hint">
        The id in your own system, if there is one. It must be unique.
      </p>
    </FormDialog>
  )
}

const Nothing = ({ text }: { readonly text: string }) =>
  text !== "" ? (
    <Empty icon="search" title="No matching workspaces">
      {wholeId.test(text.trim()) ? (
        <a class="button" href={linkTo(`/workspaces/${text.trim()}`)}>
          Open the workspace with this id
        </a>
      ) : null}
      <Button onClick={() => setQuery("text", "")}>Show all workspaces</Button>
    </Empty>
  ) : (
    <Empty icon="workspaces" title="No workspaces">
      <p>Each customer gets a workspace with its own keys, jobs and presets.</p>
    </Empty>
  )

const List = ({ accounts, isCut }: Accounts) => {
  const text = query.value.get("text") ?? ""
  const found = accounts.filter((account) => matchesText(account, text))
  return (
    <>
      {found.length === 0 ? (
        <Nothing text={text} />
      ) : (
        <VirtualList
          label="Workspaces"
          items={found}
          rowHeight={rowHeight}
          keyOf={({ id }) => id}
          render={(account) => <Row account={account} />}
        />
      )}
      {isCut ? (
        <p class="hint">
          Only the first {formatCount(accounts.length)} are searched. Enter a full id to open
          another one.
        </p>
      ) : null}
    </>
  )
}

/** Shows the screen. */
export const WorkspacesScreen = () => {
  const source = useSource("workspaces", () => makeSource(readAll))
  const making = useOpening()
  useShortcuts([
    { keys: "n", does: "New workspace", run: making.open },
    {
      keys: "/",
      does: "Search workspaces",
      run: () => document.getElementById("workspaces-text")?.focus()
    }
  ])
  return (
    <>
      <div class="screen-head cluster">
        <h1>Workspaces</h1>
        <div class="screen-tools">
          <SearchField
            name="text"
            id="workspaces-text"
            label="Search workspaces"
            placeholder="Name or id"
          />
          <Button class="is-primary" icon="plus" onClick={making.open}>
            New workspace
          </Button>
        </div>
      </div>
      <Loaded source={source} lines={5} height={rowHeight}>
        {(accounts) => <List {...accounts} />}
      </Loaded>
      {making.isOpen.value ? <NewWorkspace onClose={making.close} /> : null}
    </>
  )
}
