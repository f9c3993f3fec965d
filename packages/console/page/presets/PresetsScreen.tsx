/** The list of presets, filtered by status, label and text, and the form for a new preset. */
import { useEffect, useRef } from "preact/hooks"
import { api } from "../Api.ts"
import { Person } from "../keys/Keys.tsx"
import { goTo, linkTo, query, setQuery } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, RowTitle, ScreenHead, Time } from "../ui/Card.tsx"
import { deletedItems } from "../ui/Deferred.ts"
import { QueryField, Select, useOpening } from "../ui/Forms.tsx"
import {
  Empty,
  Fault,
  ListFault,
  makePages,
  Skeleton,
  useLoaded,
  useSource
} from "../ui/Loaded.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { formatCount, toWords } from "../ui/Words.ts"
import { NewPreset } from "./NewVersion.tsx"
import { presetWrites } from "./PresetActions.ts"
import { readKeys } from "./PresetModel.ts"
import {
  isNamed,
  type ListedPreset,
  labelPattern,
  presetPath,
  presetStatuses,
  statusTones,
  versionName
} from "./PresetTraits.ts"

const rowHeight = 64

const wholeLabel = { pattern: labelPattern, placeholder: "Label, whole name" }

const pageMax = 100

const currentFilters = () => ({
  status: presetStatuses.find((status) => status === query.value.get("status")),
  label: query.value.get("label") ?? "",
  text: query.value.get("text") ?? ""
})

const statuses = presetStatuses.map((status) => [status, toWords(status)] as const)

const clear = (): void => {
  for (const name of ["status", "label", "text"]) setQuery(name, "")
}

const makeFeed = ({ label, status, text }: ReturnType<typeof currentFilters>) =>
  makePages(async (offset: number | undefined = 0, signal) => {
    const filters = { label: label || undefined, text: text || undefined, status }
    const page = { offset, limit: pageMax, signal }
    const { data, total_count } = await api.presets.list({ ...filters, ...page })
    const end = offset + data.length
    return { items: data, next: end < total_count ? end : null }
  })

type Feed = ReturnType<typeof makeFeed>

const Pointers = ({ preset }: { readonly preset: ListedPreset }) => {
  const { designated_version_number, labels, latest_version_number: count, status } = preset
  const live = { label: "live", version: designated_version_number }
  return (
    <span class="row-note hint">
      {count === 1 ? "1 version" : `${formatCount(count)} versions`}
      {[...(status === "active" ? [live] : []), ...labels].map(({ label, version }) => (
        <span class="label-chip" key={label}>{`${label} ${versionName(version)}`}</span>
      ))}
    </span>
  )
}

const Nothing = ({ isFiltered, onNew }: { isFiltered: boolean; onNew: () => void }) =>
  isFiltered ? (
    <Empty icon="search" title="No matching presets">
      <Button onClick={clear}>Show all presets</Button>
    </Empty>
  ) : (
    <Empty icon="presets" title="No presets yet">
      <p>A preset stores a prompt and model settings under a name, in versions.</p>
      {can("presets:write") && <Button class="is-primary" onClick={onNew} word="Create a preset" />}
    </Empty>
  )

const List = ({ feed, onNew }: { readonly feed: Feed; readonly onNew: () => void }) => {
  const { fault, value } = feed.state.value
  const keys = useLoaded("keys", readKeys).state.value.value ?? []
  // A preset that is updated between two reads can appear on two pages.
  const presets = [...new Map(value?.items.map((preset) => [preset.id, preset])).values()].filter(
    ({ id }) => !deletedItems.value.has(id)
  )
  const showRow = (preset: ListedPreset) => (
    <div class="row bar preset-row">
      <a class="row-main grow" href={linkTo(presetPath(preset.slug))}>
        <span class="preset-line">
          <RowTitle>{isNamed(preset) ? preset.name : preset.slug}</RowTitle>
          <Pointers preset={preset} />
        </span>
        <span class="row-note hint">
          {isNamed(preset) ? <code>{preset.slug}</code> : null}
          {isNamed(preset) ? " · " : ""}
          {versionName(preset.latest_version_number)} by{" "}
          <Person id={preset.latest_creator_id} keys={keys} />
          {preset.description === null ? "" : " · "}
          {preset.description}
        </span>
      </a>
      <span class="row-time hint">
        changed <Time at={preset.updated_at} />
      </span>
      <Badge tone={statusTones[preset.status]}>{preset.status}</Badge>
    </div>
  )
  if (fault !== undefined && presets.length === 0) {
    return <Fault text={fault} again={() => void feed.again()} />
  }
  if (value === undefined) return <Skeleton lines={8} height={rowHeight} />
  const isFiltered = Object.values(currentFilters()).some((part) => (part ?? "") !== "")
  if (presets.length === 0) return <Nothing isFiltered={isFiltered} onNew={onNew} />
  return (
    <>
      <VirtualList
        label="Presets"
        items={presets}
        heights={rowHeight}
        keyOf={({ id }) => id}
        onEnd={() => void feed.more()}
        render={showRow}
      />
      <ListFault fault={fault} again={() => void feed.again()} />
    </>
  )
}

export const PresetsScreen = () => {
  const making = useOpening()
  const wanted = currentFilters()
  const feed = useSource(JSON.stringify(wanted), () => makeFeed(wanted))
  const canWrite = can("presets:write")
  const writes = useRef(presetWrites.value)
  useEffect(() => {
    if (writes.current !== presetWrites.value) void feed.reload()
    writes.current = presetWrites.value
  }, [presetWrites.value])
  useShortcuts(canWrite ? [{ keys: "n", does: "Create a preset", run: making.open }] : [])
  return (
    <>
      <ScreenHead title="Presets">
        <QueryField name="text" label="Search presets" shortcut="Search presets" />
        <QueryField name="label" label="Label" {...wholeLabel} />
        <Select
          label="Status"
          options={[["", "All statuses"], ...statuses]}
          value={wanted.status ?? ""}
          onChange={(status) => setQuery("status", status)}
        />
        {canWrite ? (
          <Button class="is-primary" icon="plus" onClick={making.open} word="New preset" />
        ) : null}
      </ScreenHead>
      <List feed={feed} onNew={making.open} />
      {making.isOpen.value ? (
        <NewPreset onClose={making.close} onMade={(slug) => goTo(presetPath(slug))} />
      ) : null}
    </>
  )
}
