/** A preset: its versions, two of them side by side, what it makes of requests, and its history. */

import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { isAway, isGone } from "../Api.ts"
import { linkTo, type Parameters, query, setQuery } from "../Router.ts"
import { keepDraft } from "../session/Drafts.ts"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Badge } from "../ui/Card.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { Empty, Fault, Skeleton } from "../ui/Empty.tsx"
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { useTitle } from "../ui/Theme.ts"
import { Comparison } from "./Comparison.tsx"
import { History } from "./History.tsx"
import { NewVersion } from "./NewVersion.tsx"
import { changeStatus, changeTraits, removePreset } from "./PresetActions.ts"
import { designatedOf, makeModel, type Shown, type Standing } from "./PresetModel.ts"
import { type Preset, presetPath, statusTones, type Version } from "./PresetTraits.ts"
import { Trial } from "./Trial.tsx"
import { Versions } from "./Versions.tsx"

const views = { versions: "Versions", compare: "Compare", try: "Try", history: "History" } as const

type View = keyof typeof views

const viewNow = (): View =>
  (Object.keys(views) as ReadonlyArray<View>).find((view) => view === query.value.get("view")) ??
  "versions"

const Tabs = ({ slug }: { readonly slug: string }) => {
  const now = viewNow()
  // On a phone they are wider than the window.
  useEffect(() => {
    const tab = document.querySelector(".tab[aria-current]")
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [now])
  return (
    <nav class="tabs" aria-label="Views of the preset">
      {Object.entries(views).map(([view, word]) => (
        <a
          key={view}
          class="tab"
          href={linkTo(`${presetPath(slug)}?view=${view}`)}
          aria-current={view === now ? "page" : undefined}
        >
          {word}
        </a>
      ))}
    </nav>
  )
}

/** Name and description of a preset; requests keep using its slug. */
const TraitsDialog = (
  given: Shown & {
    readonly onClose: () => void
  }
) => {
  const { model, onClose, standing } = given
  const { description, name, slug } = standing.preset
  const submit = (form: FormData): Promise<void> => {
    const about = textIn(form, "description")
    const traits = { name: textIn(form, "name"), description: about === "" ? null : about }
    return changeTraits(model, standing, traits)
  }
  return (
    <FormDialog title={`Rename ${slug}`} action="Save" submit={submit} onClose={onClose}>
      <Field label="Name">
        <input class="input" name="name" required maxLength={255} defaultValue={name} />
      </Field>
      <Field label="Description">
        <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
      </Field>
      <p class="hint">Requests go on using {slug}.</p>
    </FormDialog>
  )
}

/** What is done to the preset as a whole. */
const Tools = ({ model, standing }: Shown) => {
  const renaming = useOpening()
  const { status } = standing.preset
  const change = (next: Preset["status"]) => () => void changeStatus(model, standing, next)
  return (
    <>
      {status === "archived" ? (
        <Button class="is-danger" icon="trash" onClick={() => removePreset(standing.preset)}>
          Remove for good
        </Button>
      ) : (
        <>
          <Button onClick={renaming.open}>Rename…</Button>
          <Button onClick={change("archived")}>Archive</Button>
        </>
      )}
      <Button onClick={change(status === "active" ? "disabled" : "active")}>
        {status === "active" ? "Disable" : "Activate"}
      </Button>
      {renaming.isOpen.value ? (
        <TraitsDialog model={model} standing={standing} onClose={renaming.close} />
      ) : null}
    </>
  )
}

const Head = ({
  children,
  standing
}: {
  readonly standing: Standing
  readonly children: ComponentChildren
}) => {
  const { description, name, slug, status } = standing.preset
  return (
    <>
      <Back to="/presets" word="Presets" />
      <div class="screen-head cluster">
        <div class="screen-title breaks">
          <h1 dir="auto">{name === "" ? slug : name}</h1>
          <p class="screen-note cluster">
            <code>{slug}</code>
            <Badge tone={statusTones[status]}>{status}</Badge>
          </p>
        </div>
        <div class="screen-tools">{children}</div>
      </div>
      {description === null ? null : (
        <p class="preset-about" dir="auto">
          {description}
        </p>
      )}
    </>
  )
}

const Body = ({
  model,
  onNew,
  standing
}: Shown & {
  readonly onNew: (from: Version) => void
}) => {
  const view = viewNow()
  if (view === "compare") return <Comparison model={model} standing={standing} />
  if (view === "try") return <Trial model={model} standing={standing} />
  if (view === "history") return <History model={model} standing={standing} />
  return <Versions model={model} standing={standing} onNew={onNew} />
}

const Whole = ({ model, standing }: Shown) => {
  // Whoever comes back, or logs in again, goes on writing.
  const place = keepDraft<Version>(`open version of ${model.slug}`)
  const from = useSignal(place.read())
  const designated = designatedOf(standing)
  const first =
    standing.versions.find(({ version }) => version === designated) ?? standing.versions[0]
  const open = (version: Version | undefined): void => {
    if (version?.erased_at !== undefined) return
    from.value = version
    place.write(version, false)
  }
  const mayWrite = may("presets:write") && standing.preset.status !== "archived"
  const view = (name: View) => () => setQuery("view", name)
  useShortcuts([
    ...(mayWrite ? [{ keys: "n", does: "Make a version", run: () => open(first) }] : []),
    { keys: "v", does: "See the versions", run: view("versions") },
    { keys: "c", does: "Compare two versions", run: view("compare") },
    { keys: "r", does: "Try a request", run: view("try") },
    { keys: "h", does: "See the history", run: view("history") }
  ])
  return (
    <>
      <Head standing={standing}>
        {may("presets:write") ? <Tools model={model} standing={standing} /> : null}
        {mayWrite ? (
          <Button class="is-primary" icon="plus" onClick={() => open(first)}>
            New version
          </Button>
        ) : null}
      </Head>
      <Tabs slug={model.slug} />
      <Body model={model} standing={standing} onNew={open} />
      {from.value === undefined ? null : (
        <NewVersion
          model={model}
          standing={standing}
          from={from.value}
          onClose={() => open(undefined)}
          onMade={(version) => {
            open(undefined)
            setQuery("view", "versions")
            setQuery("version", String(version))
          }}
        />
      )}
    </>
  )
}

const Missing = ({ slug }: { readonly slug: string }) => (
  <>
    <h1 class="hidden">{slug}</h1>
    <Empty icon="presets" title={`There is no preset ${slug}`}>
      <p>It was removed, or it never was.</p>
      <a class="button" href={linkTo("/presets")}>
        See all presets
      </a>
    </Empty>
  </>
)

/** The screen. */
export const PresetScreen = ({ params }: { readonly params: Parameters }) => {
  const slug = params.slug ?? ""
  const model = useSource(slug, () => makeModel(slug))
  const { cause, fault, value } = model.state.value
  const name = value?.preset.name ?? ""
  useTitle(name === "" ? slug : name)
  if (value !== undefined) {
    const gone = "This preset was removed meanwhile: what you see is how it was."
    const shown = isGone(cause) ? gone : fault
    return (
      <>
        {shown === undefined || isAway.value ? null : (
          <Fault text={shown} again={() => void model.reload()} />
        )}
        <Whole model={model} standing={value} />
      </>
    )
  }
  if (isGone(cause)) return <Missing slug={slug} />
  if (fault !== undefined) return <Fault text={fault} again={() => void model.reload()} />
  return <Skeleton lines={6} height={64} />
}
