/** The preset screen: versions, comparison, request preview and history. */
import type { ComponentChildren } from "preact"
import { isGone } from "../Api.ts"
import { goTo, type Parameters, query, setQuery } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Badge, ButtonLink, ScreenHead, Tabs } from "../ui/Card.tsx"
import { Field, FormDialog, TextField, textIn, useOpening } from "../ui/Forms.tsx"
import { Loaded, useSource } from "../ui/Loaded.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { Comparison } from "./Comparison.tsx"
import { History } from "./History.tsx"
import { NewVersion, waitingDraft } from "./NewVersion.tsx"
import { changeDetails, changeStatus, removePreset } from "./PresetActions.ts"
import { designatedOf, makeModel, type PresetProps } from "./PresetModel.ts"
import {
  isNamed,
  type Preset,
  presetPath,
  statusTones,
  type Version,
  versionName,
  versionPath
} from "./PresetTraits.ts"
import { RequestPreview } from "./RequestPreview.tsx"
import { KnownVersion, Versions } from "./Versions.tsx"

const views = [
  { name: "versions", word: "Versions", key: "v", View: Versions },
  { name: "compare", word: "Compare", key: "c", View: Comparison },
  { name: "try", word: "Preview request", key: "r", View: RequestPreview },
  { name: "history", word: "History", key: "h", View: History }
] as const

/** Changes the name and the description, but not the slug, because requests use it. */
const DetailsDialog = (props: PresetProps & { readonly onClose: () => void }) => {
  const { onClose, state } = props
  const { description, name, slug } = state.preset
  const submit = (form: FormData): Promise<void> => {
    const details = { name: textIn(form, "name"), description: textIn(form, "description") || null }
    return changeDetails(props, details)
  }
  return (
    <FormDialog title={`Rename ${slug}`} action="Save" submit={submit} onClose={onClose}>
      <TextField label="Name" name="name" required maxLength={255} defaultValue={name} />
      <Field label="Description">
        <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
      </Field>
      <p class="hint">Requests keep using {slug}.</p>
    </FormDialog>
  )
}

const Tools = (props: PresetProps) => {
  const renaming = useOpening()
  const { status } = props.state.preset
  const change = (next: Preset["status"]) => () => void changeStatus(props, next)
  return (
    <>
      {status === "archived" ? null : (
        <>
          <Button onClick={renaming.open}>Rename…</Button>
          <Button onClick={change("archived")}>Archive</Button>
        </>
      )}
      <Button onClick={change(status === "active" ? "disabled" : "active")}>
        {status === "active" ? "Disable" : "Activate"}
      </Button>
      {renaming.isOpen.value && <DetailsDialog {...props} onClose={renaming.close} />}
    </>
  )
}

const Head = (props: { readonly preset: Preset; readonly children?: ComponentChildren }) => {
  const { description, name, slug, status } = props.preset
  const note = (
    <span class="screen-note soft breaks cluster">
      {isNamed(props.preset) ? <code>{slug}</code> : null}
      <Badge tone={statusTones[status]}>{status}</Badge>
    </span>
  )
  return (
    <>
      <Back to="/presets" word="Presets" />
      <ScreenHead title={name === "" ? slug : name} beside={note}>
        {props.children}
      </ScreenHead>
      {description === null ? null : (
        <p class="excerpt soft below" dir="auto">
          {description}
        </p>
      )}
    </>
  )
}

const newVersionPath = (slug: string, from: number): string =>
  `${presetPath(slug)}?view=new&version=${from}`

const Writing = (props: PresetProps) => {
  const { model, state } = props
  const from = Number(query.value.get("version")) || state.total
  const open = (version: number): void => goTo(versionPath(model.slug, version))
  return (
    <>
      <Head preset={state.preset} />
      <KnownVersion {...props} number={from}>
        {(version) => (
          <NewVersion {...props} from={version} onClose={() => open(from)} onMade={open} />
        )}
      </KnownVersion>
    </>
  )
}

const PresetView = ({ model, state }: PresetProps) => {
  const { preset, versions } = state
  const designated = designatedOf(state)
  const first = versions.find(({ version }) => version === designated) ?? versions[0]
  const open = (version: Version | undefined): void => {
    if (version === undefined || version.erased_at !== undefined) return
    goTo(newVersionPath(model.slug, version.version))
  }
  const isArchived = preset.status === "archived"
  const canChange = can("presets:write")
  const canWrite = canChange && !isArchived
  const waiting = canWrite ? waitingDraft(model.slug) : undefined
  useShortcuts([
    ...(canWrite ? [{ keys: "n", does: "New version", run: () => open(first) }] : []),
    ...views.map(({ key, name, word }) => {
      return { keys: key, does: `Go to ${word}`, run: () => setQuery("view", name) }
    })
  ])
  const wanted = query.value.get("view")
  if (canWrite && wanted === "new") return <Writing model={model} state={state} />
  const shown = views.find(({ name }) => name === wanted) ?? views[0]
  return (
    <>
      <Head preset={preset}>
        {canChange ? <Tools model={model} state={state} /> : null}
        {canWrite ? (
          <Button class="is-primary" icon="plus" onClick={() => open(first)} word="New version" />
        ) : null}
      </Head>
      {isArchived && canChange ? (
        <div class="note bar apart">
          <span>Requests cannot use this preset, because it is archived.</span>
          <Button class="is-danger" icon="trash" onClick={() => removePreset(preset)}>
            Remove permanently
          </Button>
        </div>
      ) : null}
      {waiting === undefined ? null : (
        <div class="note bar apart">
          <span>You have an unsaved draft from {versionName(waiting.from)}.</span>
          <ButtonLink
            class="is-small"
            to={newVersionPath(model.slug, waiting.from)}
            word="Continue writing"
          />
        </div>
      )}
      <Tabs
        label="Views of the preset"
        tabs={views.map(({ name, word }) => ({
          word,
          isCurrent: name === shown.name,
          to: `${presetPath(model.slug)}?view=${name}`
        }))}
      />
      <shown.View model={model} state={state} onNew={open} />
    </>
  )
}

export const PresetScreen = ({ params }: { readonly params: Parameters }) => {
  const slug = params.slug ?? ""
  const model = useSource(slug, () => makeModel(slug))
  const { cause, value } = model.state.value
  const missing = {
    icon: "presets",
    title: `Preset ${slug} not found`,
    link: { to: "/presets", word: "See all presets" },
    children: <p>It was removed, or it never existed.</p>
  } as const
  const isKnown = value !== undefined
  return (
    <>
      {isGone(cause) && isKnown && (
        <p class="note">This preset has been removed. This is its last state.</p>
      )}
      <Loaded source={model} lines={6} height={64} missing={isKnown ? undefined : missing}>
        {(state) => <PresetView model={model} state={state} />}
      </Loaded>
    </>
  )
}
