/** Lists all workspaces for operators, with balance and status. */
import { operatorApi } from "../Api.ts"
import { goTo, linkTo, query, setQuery } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { ButtonLink, RowTitle, ScreenHead, Time } from "../ui/Card.tsx"
import { FormDialog, QueryField, TextField, textIn, useOpening } from "../ui/Forms.tsx"
import { Empty, Load } from "../ui/Loaded.tsx"
import type { Pages } from "../ui/Pages.ts"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { formatCount, toWords } from "../ui/Words.ts"
import { type Account, findWorkspaces, isWholeId, readWorkspaces } from "./WorkspaceField.tsx"

const rowHeight = 60
const tones = { active: "good", disabled: "warn", deleting: "idle", deleted: "idle" } as const

const NewWorkspace = ({ onClose }: { readonly onClose: () => void }) => {
  const submit = async (form: FormData): Promise<void> => {
    const external_id = textIn(form, "external_id")
    const name = textIn(form, "name")
    const body = external_id === "" ? { name } : { name, external_id }
    goTo(`/workspaces/${(await operatorApi.workspaces.create(body)).id}`)
  }
  return (
    <FormDialog title="New workspace" action="Create workspace" submit={submit} onClose={onClose}>
      <TextField label="Name" name="name" required maxLength={255} />
      <TextField
        label="External id"
        hint="The id in your own system, if there is one. It must be unique."
        name="external_id"
        maxLength={255}
      />
    </FormDialog>
  )
}

const Nothing = ({ text }: { readonly text: string }) =>
  text !== "" ? (
    <Empty icon="search" title="No matching workspaces">
      {isWholeId(text.trim()) && (
        <ButtonLink to={`/workspaces/${text.trim()}`} word="Open the workspace with this id" />
      )}
      <Button onClick={() => setQuery("text", "")}>Show all workspaces</Button>
    </Empty>
  ) : (
    <Empty icon="workspaces" title="No workspaces">
      <p>Each customer gets a workspace with its own keys, jobs and presets.</p>
    </Empty>
  )

const List = ({ items, next }: Pages<Account, string>) => {
  const text = query.value.get("text") ?? ""
  const found = findWorkspaces(items, text)
  return (
    <>
      {found.length === 0 ? (
        <Nothing text={text} />
      ) : (
        <VirtualList
          label="Workspaces"
          items={found}
          heights={rowHeight}
          keyOf={({ id }) => id}
          render={(account) => (
            <div class="row bar">
              <span class={`badge is-${tones[account.status]}`}>{toWords(account.status)}</span>
              <a class="row-main grow" href={linkTo(`/workspaces/${account.id}`)}>
                <RowTitle>{account.name}</RowTitle>
                <span class="row-note hint">{account.external_id ?? account.id}</span>
              </a>
              <span class="row-number">{account.balance_minutes} min left</span>
              <Time class="row-time hint" at={account.created_at} />
            </div>
          )}
        />
      )}
      {next === null ? null : (
        <p class="hint">
          Only the first {formatCount(items.length)} workspaces are searched. Enter a full id to
          open any other.
        </p>
      )}
    </>
  )
}

export const WorkspacesScreen = () => {
  const making = useOpening()
  useShortcuts([{ keys: "n", does: "New workspace", run: making.open }])
  return (
    <>
      <ScreenHead title="Workspaces">
        <QueryField
          name="text"
          label="Search workspaces"
          shortcut="Search workspaces"
          placeholder="Name or id"
        />
        <Button class="is-primary" icon="plus" onClick={making.open} word="New workspace" />
      </ScreenHead>
      <Load of="workspaces" read={readWorkspaces} lines={5} height={rowHeight}>
        {(accounts) => <List {...accounts} />}
      </Load>
      {making.isOpen.value ? <NewWorkspace onClose={making.close} /> : null}
    </>
  )
}
