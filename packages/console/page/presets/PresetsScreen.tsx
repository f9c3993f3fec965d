/** The presets of the workspace: by status, by label, by text, and the way to make one. */

import { useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { goTo, linkTo, query, setQuery } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Empty, Fault, ListFault, Skeleton } from "../ui/Empty.tsx"
import { leaving } from "../ui/Leaving.ts"
import { SearchField, StatusField } from "../ui/SearchField.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { Time } from "../ui/Time.tsx"
import { VirtualList } from "../ui/VirtualList.tsx"
import { toWords } from "../ui/Words.ts"
import { NewPreset } from "./NewPreset.tsx"
import { makePresetFeed, type PresetFeed } from "./PresetFeed.ts"
import {
  type ListedPreset,
  labelPattern,
  presetPath,
  presetStatuses,
  statusTones
} from "./PresetTraits.ts"

/** As the style sheet has it. */
const rowHeight = 64

const wantedOf = () => ({
  status: presetStatuses.find((status) => status === query.value.get("status")),
  label: query.value.get("label") ?? "",
  text: query.value.get("text") ?? ""
})

const clear = (): void => {
  for (const name of ["status", "label", "text"]) setQuery(name, "")
}

const PresetRow = ({ preset }: { readonly preset: ListedPreset }) => (
  <div class="row preset-row">
    <a class="row-main" href={linkTo(presetPath(preset.slug))}>
      <span class="row-title" dir="auto">
        {preset.name === "" ? preset.slug : preset.name}
      </span>
      <span class="row-note">
        <code>{preset.slug}</code>
        {preset.description === null ? null : ` · ${preset.description}`}
      </span>
    </a>
    <span class="row-time">
      <Time at={preset.updated_at} />
    </span>
    <span class={`badge is-${statusTones[preset.status]}`}>
      <span class="badge-dot" aria-hidden="true" />
      {preset.status}
    </span>
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
        <Button look="is-primary" onClick={onNew}>
          Make a preset
        </Button>
      ) : null}
    </Empty>
  )

const List = ({ feed, onNew }: { readonly feed: PresetFeed; readonly onNew: () => void }) => {
  const presets = feed.presets.value.filter(({ id }) => !leaving.value.has(id))
  if (feed.fault.value !== undefined && presets.length === 0) {
    return <Fault text={feed.fault.value} again={() => void feed.again()} />
  }
  if (feed.total.value === undefined) return <Skeleton lines={8} height={rowHeight} />
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
        onEnd={feed.more}
        render={(preset) => <PresetRow preset={preset} />}
      />
      <ListFault fault={feed.fault.value} again={() => void feed.again()} />
    </>
  )
}

/** The screen. */
export const PresetsScreen = () => {
  const isNewOpen = useSignal(false)
  const wanted = wantedOf()
  const feed = useMemo(() => makePresetFeed(wanted), [wanted.status, wanted.label, wanted.text])
  useEffect(() => feed.end, [feed])
  const open = (): void => {
    isNewOpen.value = true
  }
  const mayWrite = may("presets:write")
  useShortcuts([
    {
      keys: "/",
      does: "Search presets",
      run: () => document.getElementById("presets-text")?.focus()
    },
    ...(mayWrite ? [{ keys: "n", does: "Make a preset", run: open }] : [])
  ])
  return (
    <>
      <div class="screen-head">
        <h1>Presets</h1>
        <div class="screen-tools">
          <SearchField name="text" id="presets-text" label="Search presets" />
          <SearchField name="label" id="presets-label" label="Label" pattern={labelPattern} />
          <StatusField statuses={presetStatuses} wordOf={toWords} />
          {mayWrite ? (
            <Button look="is-primary" icon="plus" onClick={open}>
              New preset
            </Button>
          ) : null}
        </div>
      </div>
      <List feed={feed} onNew={open} />
      {isNewOpen.value ? (
        <NewPreset
          onClose={() => {
            isNewOpen.value = false
          }}
          onMade={(slug) => goTo(presetPath(slug))}
        />
      ) : null}
    </>
  )
}
