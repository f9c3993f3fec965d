/** The presets of the workspace: by status, by label, by text, and the way to make one. */

import { api } from "../Api.ts"
import { goTo, linkTo, query, setQuery } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge } from "../ui/Card.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { Empty, Fault, ListFault, Skeleton } from "../ui/Empty.tsx"
import { leaving } from "../ui/Leaving.ts"
import { makePages, useSource } from "../ui/Loaded.ts"
import { SearchField, StatusField } from "../ui/SearchField.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { Time } from "../ui/Time.tsx"
import { VirtualList } from "../ui/VirtualList.tsx"
import { toWords } from "../ui/Words.ts"
import { NewPreset } from "./NewPreset.tsx"
import {
  type ListedPreset,
  labelPattern,
  presetPath,
  presetStatuses,
  statusTones
} from "./PresetTraits.ts"

/** As the style sheet has it. */
const rowHeight = 64

/** The most that the API gives at a time. */
const pageMax = 100

/** What is shown of the list. */
const wantedOf = () => ({
  status: presetStatuses.find((status) => status === query.value.get("status")),
  label: query.value.get("label") ?? "",
  text: query.value.get("text") ?? ""
})

const clear = (): void => {
  for (const name of ["status", "label", "text"]) setQuery(name, "")
}

/** The presets that are wanted, the last updated first. */
const makeFeed = ({ label, status, text }: ReturnType<typeof wantedOf>) =>
  makePages(async (offset: number | undefined = 0, signal) => {
    const filters = { label: label || undefined, text: text || undefined, status }
    const page = { offset, limit: pageMax, signal }
    const { data, total_count } = await api.presets.list({ ...filters, ...page })
    const end = offset + data.length
    return { items: data, next: end < total_count ? end : null }
  })

type Feed = ReturnType<typeof makeFeed>

const PresetRow = ({ preset }: { readonly preset: ListedPreset }) => (
  <div class="row bar preset-row">
    <a class="row-main grow" href={linkTo(presetPath(preset.slug))}>
      <span class="row-title" dir="auto">
        {preset.name === "" ? preset.slug : preset.name}
      </span>
      <span class="row-note hint">
        <code>{preset.slug}</code>
        {preset.description === null ? null : ` · ${preset.description}`}
      </span>
    </a>
    <span class="row-time hint">
      <Time at={preset.updated_at} />
    </span>
    <Badge tone={statusTones[preset.status]}>{preset.status}</Badge>
  </div>
)

const Nothing = ({ isFiltered, onNew }: { isFiltered: boolean; onNew: () => void }) =>
  isFiltered ? (
    <Empty icon="search" title="No preset is like that">
      <Button onClick={clear}>Show all presets</Button>
    </Empty>
  ) : (
    <Empty icon="presets" title="No presets yet">
      <p>A preset keeps a prompt and the settings of a model, in versions, under a name.</p>
      {may("presets:write") ? (
        <Button class="is-primary" onClick={onNew}>
          Make a preset
        </Button>
      ) : null}
    </Empty>
  )

const List = ({ feed, onNew }: { readonly feed: Feed; readonly onNew: () => void }) => {
  const { fault, value } = feed.state.value
  // One that was updated meanwhile may be on two pages.
  const presets = [...new Map(value?.items.map((preset) => [preset.id, preset])).values()].filter(
    ({ id }) => !leaving.value.has(id)
  )
  if (fault !== undefined && presets.length === 0) {
    return <Fault text={fault} again={() => void feed.again()} />
  }
  if (value === undefined) return <Skeleton lines={8} height={rowHeight} />
  const { label, status, text } = wantedOf()
  const isFiltered = status !== undefined || label !== "" || text !== ""
  if (presets.length === 0) return <Nothing isFiltered={isFiltered} onNew={onNew} />
  return (
    <>
      <VirtualList
        label="Presets"
        items={presets}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        onEnd={() => void feed.more()}
        render={(preset) => <PresetRow preset={preset} />}
      />
      <ListFault fault={fault} again={() => void feed.again()} />
    </>
  )
}

/** The screen. */
export const PresetsScreen = () => {
  const making = useOpening()
  const wanted = wantedOf()
  const feed = useSource(JSON.stringify(wanted), () => makeFeed(wanted))
  const mayWrite = may("presets:write")
  useShortcuts([
    {
      keys: "/",
      does: "Search presets",
      run: () => document.getElementById("presets-text")?.focus()
    },
    ...(mayWrite ? [{ keys: "n", does: "Make a preset", run: making.open }] : [])
  ])
  return (
    <>
      <div class="screen-head cluster">
        <h1>Presets</h1>
        <div class="screen-tools">
          <SearchField name="text" id="presets-text" label="Search presets" />
          <SearchField name="label" id="presets-label" label="Label" pattern={labelPattern} />
          <StatusField statuses={presetStatuses} wordOf={toWords} />
          {mayWrite ? (
            <Button class="is-primary" icon="plus" onClick={making.open}>
              New preset
            </Button>
          ) : null}
        </div>
      </div>
      <List feed={feed} onNew={making.open} />
      {making.isOpen.value ? (
        <NewPreset onClose={making.close} onMade={(slug) => goTo(presetPath(slug))} />
      ) : null}
    </>
  )
}
