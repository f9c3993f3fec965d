/** The preset screen: versions, comparison, request preview and history. */

import type { ComponentChildren } from "preact"
import { isGone } from "../Api.ts"
import { goTo, linkTo, type Parameters, query, setQuery } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Badge, ScreenHead, Tabs } from "../ui/Card.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { Empty, Loaded } from "../ui/Empty.tsx"
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { useTitle } from "../ui/Theme.ts"
import { Comparison } from "./Comparison.tsx"
import { History } from "./History.tsx"
import { NewVersion, waitingDraft } from "./NewVersion.tsx"
import { changeDetails, changeStatus, removePreset } from "./PresetActions.ts"
import { designatedOf, makeModel, type PresetProps, type PresetState } from "./PresetModel.ts"
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

const views = {
  versions: "Versions",
  compare: "Compare",
  try: "Preview request",
  history: "History"
} as const

type View = keyof typeof views

const viewNow = (): View =>
  (Object.keys(views) as ReadonlyArray<View>).find((view) => view === query.value.get("view")) ??
  "versions"

const tabsOf = (slug: string) =>
  Object.entries(views).map(([view, word]) => ({
    word,
    to: `${presetPath(slug)}?view=${view}`,
    isCurrent: view === viewNow()
  }))

/**
 * A dialog for changing the name and the description. The slug stays unchanged, because requests
 * use it.
 */
const DetailsDialog = (props: PresetProps & { readonly onClose: () => void }) => {
  const { model, onClose, state } = props
  const { description, name, slug } = state.preset
  const submit = (form: FormData): Promise<void> => {
    const about = textIn(form, "description")
    const details = { name: textIn(form, "name"), description: about === "" ? null : about }
    return changeDetails(model, state, details)
  }
  return (
    <FormDialog title={`Rename ${slug}`} action="Save" submit={submit} onClose={onClose}>
      <Field label="Name">
        <input class="input" name="name" required maxLength={255} defaultValue={name} />
      </Field>
      <Field label="Description">
        <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
      </Field>
      <p class="hint">Requests keep using {slug}.</p>
    </FormDialog>
  )
}

/** Actions on the preset as a whole. */
const Tools = ({ model, state }: PresetProps) => {
  const renaming = useOpening()
  const { status } = state.preset
  const change = (next: Preset["status"]) => () => void changeStatus(model, state, next)
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
      {renaming.isOpen.value ? (
        <DetailsDialog model={model} state={state} onClose={renaming.close} />
      ) : null}
    </>
  )
}

interface HeadProps {
  readonly state: PresetState
  readonly children?: ComponentChildren
}

const Head = ({ children, state }: HeadProps) => {
  const { description, name, slug, status } = state.preset
  const note = (
    <span class="screen-note cluster">
      {isNamed(state.preset) ? <code>{slug}</code> : null}
      <Badge tone={statusTones[status]}>{status}</Badge>
    </span>
  )
  return (
    <>
      <Back to="/presets" word="Presets" />
      <ScreenHead title={name === "" ? slug : name} beside={note}>
        {children}
      </ScreenHead>
      {description === null ? null : (
        <p class="preset-about" dir="auto">
          {description}
        </p>
      )}
    </>
  )
}

type BodyProps = PresetProps & { readonly onNew: (from: Version) => void }

const Body = ({ model, onNew, state }: BodyProps) => {
  const view = viewNow()
  if (view === "compare") return <Comparison model={model} state={state} />
  if (view === "try") return <RequestPreview model={model} state={state} />
  if (view === "history") return <History model={model} state={state} />
  return <Versions model={model} state={state} onNew={onNew} />
}

/** Returns the path to the form for a new version. */
const newVersionPath = (slug: string, from: number): string =>
  `${presetPath(slug)}?view=new&version=${from}`

/** Shows the form for a new version instead of the preset's views. */
const Writing = ({ model, state }: PresetProps) => {
  const from = Number(query.value.get("version")) || state.total
  return (
    <KnownVersion model={model} state={state} number={from}>
      {(version) => (
        <NewVersion
          model={model}
          state={state}
          from={version}
          onClose={() => goTo(versionPath(model.slug, from))}
          onMade={(made) => goTo(versionPath(model.slug, made))}
        />
      )}
    </KnownVersion>
  )
}

const PresetView = ({ model, state }: PresetProps) => {
  const designated = designatedOf(state)
  const first = state.versions.find(({ version }) => version === designated) ?? state.versions[0]
  const open = (version: Version | undefined): void => {
    if (version === undefined || version.erased_at !== undefined) return
    goTo(newVersionPath(model.slug, version.version))
  }
  const canWrite = can("presets:write") && state.preset.status !== "archived"
  const waiting = canWrite ? waitingDraft(model.slug) : undefined
  const view = (name: View) => () => setQuery("view", name)
  useShortcuts([
    ...(canWrite ? [{ keys: "n", does: "New version", run: () => open(first) }] : []),
    { keys: "v", does: "Show versions", run: view("versions") },
    { keys: "c", does: "Compare versions", run: view("compare") },
    { keys: "r", does: "Preview a request", run: view("try") },
    { keys: "h", does: "Show history", run: view("history") }
  ])
  if (canWrite && query.value.get("view") === "new") {
    return (
      <>
        <Head state={state} />
        <Writing model={model} state={state} />
      </>
    )
  }
  return (
    <>
      <Head state={state}>
        {can("presets:write") ? <Tools model={model} state={state} /> : null}
        {canWrite ? (
          <Button class="is-primary" icon="plus" onClick={() => open(first)}>
            New version
          </Button>
        ) : null}
      </Head>
      {state.preset.status === "archived" && can("presets:write") ? (
        <div class="note apart">
          <span>Requests cannot use this preset, because it is archived.</span>
          <Button class="is-danger" icon="trash" onClick={() => removePreset(state.preset)}>
            Remove permanently
          </Button>
        </div>
      ) : null}
      {waiting === undefined ? null : (
        <div class="note apart">
          <span>You have an unsaved draft from {versionName(waiting.from)}.</span>
          <a class="button is-small" href={linkTo(newVersionPath(model.slug, waiting.from))}>
            Continue writing
          </a>
        </div>
      )}
      <Tabs label="Views of the preset" tabs={tabsOf(model.slug)} />
      <Body model={model} state={state} onNew={open} />
    </>
  )
}

const Missing = ({ slug }: { readonly slug: string }) => (
  <>
    <h1 class="hidden">{slug}</h1>
    <Empty
      icon="presets"
      title={`Preset ${slug} not found`}
      link={{ to: "/presets", word: "See all presets" }}
    >
      <p>It was removed, or it never existed.</p>
    </Empty>
  </>
)

export const PresetScreen = ({ params }: { readonly params: Parameters }) => {
  const slug = params.slug ?? ""
  const model = useSource(slug, () => makeModel(slug))
  const { cause, value } = model.state.value
  const name = value?.preset.name ?? ""
  useTitle(name === "" ? slug : name)
  if (isGone(cause) && value === undefined) return <Missing slug={slug} />
  return (
    <>
      {isGone(cause) ? (
        <p class="note">This preset has been removed. This is its last state.</p>
      ) : null}
      <Loaded source={model} lines={6} height={64}>
        {(state) => <PresetView model={model} state={state} />}
      </Loaded>
    </>
  )
}
