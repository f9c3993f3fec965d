/** Lists a workspace's keys, rotates and revokes them, and creates keys. */
import { useSignal } from "@preact/signals"
import { canWrite, session } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card, copyText, Line, ScreenHead, Time } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import {
  Dialog,
  FormDialog,
  NumberFields,
  readNumbers,
  SelectField,
  TextField,
  textIn,
  useOpening
} from "../ui/Forms.tsx"
import { Empty, Loaded, useLoaded } from "../ui/Loaded.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify, notifyFault } from "../ui/Toasts.tsx"
import {
  type IssuedKey,
  type Key,
  type KeyCalls,
  type KeyOrder,
  limitWords,
  nameOfKey,
  ownKeys
} from "./Keys.tsx"

/** After a rotation, both keys are valid for a day, so that the new key can be installed. */
const overlapSeconds = 86_400

const isExpired = ({ expires_at }: Key): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.value
const isInactive = (key: Key): boolean => key.revoked_at !== null || isExpired(key)

const statusOf = (item: Key): readonly [tone: string, word: string] => {
  if (item.revoked_at !== null) return ["idle", "Revoked"]
  if (isInactive(item)) return ["idle", "Expired"]
  return item.expires_at === null ? ["good", "Valid"] : ["warn", "Expires"]
}

const isOwn = ({ id }: Key): boolean => session.value?.workspace?.key_id === id

const describeKey = ({ kind, limits, scopes }: Key): string => {
  const words = Object.entries(limits).flatMap(([name, limit]) =>
    limit === null ? [] : [`${limit} ${limitWords[name as keyof Key["limits"]].toLowerCase()}`]
  )
  const allowed = scopes?.map((scope) => scopeWords[scope] ?? scope).join(", ")
  return [kind, allowed ?? "full access", ...words].join(" · ")
}

const showTime = (what: string, at: string) => (
  <>
    {what} <Time at={at} />
  </>
)

const useKeys = (of: string, calls: KeyCalls) => {
  const source = useLoaded(of, calls.list)
  const issued = useSignal<IssuedKey | undefined>(undefined)
  const run = (key: Key, action: () => Promise<void>) =>
    once(`key ${key.id}`, async () => {
      await action().catch(notifyFault)
      // After a fault too: a key may exist although no response arrived, and can be revoked.
      void source.reload()
    })
  const rotate = (key: Key) =>
    run(key, async () => {
      issued.value = await calls.rotate(key.id, overlapSeconds)
    })
  const revoke = (key: Key) =>
    run(key, async () => {
      await calls.revoke(key.id)
      notify(`${nameOfKey(key)} revoked.`)
    })
  return { issued, revoke, rotate, source }
}

type KeyListProps = Readonly<{ of: string; calls: KeyCalls; canChange: boolean }>
export const KeyList = (props: KeyListProps) => {
  const { calls, canChange, of } = props
  const { issued, revoke, rotate, source } = useKeys(of, calls)
  const making = useOpening()
  const revoking = useSignal<Key | undefined>(undefined)
  const choose = (key?: Key): void => {
    revoking.value = key
  }
  const confirm = (key: Key): void => {
    void revoke(key)
    choose()
  }
  const show = (made?: IssuedKey): void => {
    // The focus returns to the first dialog's button before the second dialog opens.
    making.close()
    issued.value = made
    if (made !== undefined) void source.reload()
  }
  const showKey = (item: Key) => {
    const { expires_at, hint, last_used_at, revoked_at, user } = item
    const name = nameOfKey(item)
    const [tone, word] = statusOf(item)
    const badge = <span class={`badge is-${tone}`}>{word}</span>
    const title = isOwn(item) ? `${name} (this session's key)` : name
    const end = (
      <>
        <span class="row-note hint">
          {last_used_at === null ? "never used" : showTime("used", last_used_at)}
        </span>
        {canChange && !isInactive(item) ? (
          <span class="row-actions">
            <IconButton
              icon="retry"
              label={`Rotate ${name}`}
              title="Create a replacement; this key stays valid for a day"
              onClick={() => void rotate(item)}
            />
            <IconButton icon="trash" label={`Revoke ${name}`} onClick={() => choose(item)} />
          </span>
        ) : null}
      </>
    )
    return (
      <Line key={item.id} badge={badge} title={title} end={end}>
        <code>{hint}</code> · {describeKey(item)}
        {expires_at && showTime(isExpired(item) ? " · expired" : " · expires", expires_at)}
        {revoked_at && showTime(" · revoked", revoked_at)}
        {user === null ? " · no person" : ` · person: ${user}`}
      </Line>
    )
  }
  const showAll = (keys: ReadonlyArray<Key>) =>
    keys.length === 0 ? (
      <Empty icon="keys" title="No keys">
        <p>No client can use this workspace yet.</p>
      </Empty>
    ) : (
      <ul class="lines">
        {keys
          .toSorted((one, other) => Number(isInactive(one)) - Number(isInactive(other)))
          .map(showKey)}
      </ul>
    )
  const chosen = revoking.value
  return (
    <>
      {canChange ? (
        <div class="card-tools">
          <Button class="is-primary" icon="plus" onClick={making.open} word="New key" />
        </div>
      ) : null}
      <Loaded source={source} lines={3} height={60}>
        {showAll}
      </Loaded>
      {chosen && (
        <Dialog title={`Revoke ${nameOfKey(chosen)} (${chosen.hint})?`} onClose={choose}>
          <p>
            {isOwn(chosen) && "This session uses this key. "}
            Requests with this key are refused at once. A revoked key cannot be restored.
          </p>
          <div>
            <Button class="is-danger" onClick={() => confirm(chosen)} word="Revoke key" />
          </div>
        </Dialog>
      )}
      {making.isOpen.value ? <NewKey calls={calls} onIssued={show} onClose={making.close} /> : null}
      {issued.value && <Secret issued={issued.value} onClose={show} />}
    </>
  )
}

export const KeysScreen = () => (
  <>
    <ScreenHead title="Keys" />
    <Card title="Workspace keys">
      <KeyList of="own" calls={ownKeys} canChange={canWrite.value} />
    </Card>
  </>
)

const scopeWords: Readonly<Record<string, string>> = {
  "transcriptions:read": "Read jobs and transcripts",
  "transcriptions:write": "Upload recordings, change and delete jobs",
  "presets:read": "Read and resolve presets",
  "presets:write": "Change presets (only management keys)",
  "usage:read": "Read usage"
}

const Secret = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <Dialog title="Your new key" onClose={onClose}>
    <p>This key is shown only once. If you lose it, create another one and revoke this one.</p>
    <p class="hint">A key that is replaced by rotation expires in a day.</p>
    <p class="tip">
      <code>{issued.token}</code>
    </p>
    <Button class="is-primary" icon="copy" onClick={() => void copyText(issued.token)}>
      Copy key
    </Button>
  </Dialog>
)

const readOrder = (form: FormData): KeyOrder => {
  const chosen = form.getAll("scope") as NonNullable<KeyOrder["scopes"]>
  const name = textIn(form, "name")
  const lastDay = textIn(form, "last_day")
  const user = textIn(form, "user") || name
  return {
    kind: textIn(form, "kind") as KeyOrder["kind"],
    limits: readNumbers(form, limitWords),
    ...(lastDay === "" ? {} : { expires_at: new Date(`${lastDay}T23:59:59.999`).toISOString() }),
    ...(name === "" ? {} : { name }),
    ...(user === "" ? {} : { user }),
    ...(chosen.length === 0 ? {} : { scopes: chosen })
  }
}

const kinds = {
  inference: "Inference: can transcribe and read presets",
  management: "Management: can also change presets and keys"
}

const NewKey = (props: {
  readonly calls: KeyCalls
  readonly onIssued: (issued: IssuedKey) => void
  readonly onClose: () => void
}) => {
  const kind = useSignal("inference")
  const submit = async (form: FormData) => props.onIssued(await props.calls.issue(readOrder(form)))
  return (
    <FormDialog title="New key" action="Create key" submit={submit} onClose={props.onClose}>
      <TextField label="Name" name="name" maxLength={255} placeholder="Upload service" />
      <TextField
        label="Person"
        hint="Shown as the author of what the key changes. Empty: the key's name."
        name="user"
        maxLength={255}
      />
      <SelectField
        label="Kind"
        name="kind"
        options={Object.entries(kinds)}
        value={kind.value}
        onChange={(chosen) => {
          kind.value = chosen
        }}
      />
      <fieldset class="stack-2">
        <legend class="field-label">Scopes</legend>
        <p class="hint">If none is selected, the key can do everything that its kind allows.</p>
        {Object.entries(scopeWords).map(([scope, word]) => (
          <label class="switch bar" key={scope}>
            <input
              type="checkbox"
              name="scope"
              value={scope}
              disabled={scope === "presets:write" && kind.value !== "management"}
            />
            {word}
          </label>
        ))}
      </fieldset>
      <TextField
        label="Last valid day"
        hint="The key expires at the end of this day. Empty: the key never expires."
        type="date"
        name="last_day"
        max="9999-12-31"
      />
      <fieldset class="stack-2">
        <legend class="field-label">Limits</legend>
        <p class="hint">These apply in addition to the workspace's limits. Empty: no limit.</p>
        <div class="field-pair">
          <NumberFields words={limitWords} />
        </div>
      </fieldset>
    </FormDialog>
  )
}
