/** Lists a workspace's keys, with their scopes, last uses and expiry times. */

import { useSignal } from "@preact/signals"
import { sentenceOf } from "../Api.ts"
import { canWrite } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card, ScreenHead, Time } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Dialog, useOpening } from "../ui/Dialog.tsx"
import { Empty, Loaded } from "../ui/Empty.tsx"
import { useLoaded } from "../ui/Loaded.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import {
  type IssuedKey,
  type Key,
  type KeyCalls,
  limitWords,
  nameOfKey,
  ownKeys
} from "./KeyCalls.ts"
import { NewKey, Secret, scopeWords } from "./NewKey.tsx"

/**
 * How long both keys are valid after a rotation: a day is enough to install the new key everywhere.
 */
const overlapSeconds = 86_400

const isInactive = ({ expires_at, revoked_at }: Key): boolean =>
  revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now.value)

const keyStatus = (key: Key) => {
  if (key.revoked_at !== null) return { word: "Revoked", tone: "idle" }
  if (isInactive(key)) return { word: "Expired", tone: "idle" }
  return key.expires_at === null
    ? { word: "Valid", tone: "good" }
    : { word: "Expires", tone: "warn" }
}

/** Describes a key's kind, scopes and limits. */
const describeKey = ({ kind, limits, scopes }: Key): string => {
  const words = Object.entries(limits).flatMap(([name, limit]) =>
    limit === null ? [] : [`${limit} ${limitWords[name as keyof Key["limits"]].toLowerCase()}`]
  )
  return [kind, scopes?.map(scopeWords).join(", ") ?? "full access", ...words].join(" · ")
}

const Line = (props: {
  readonly item: Key
  readonly canChange: boolean
  readonly onRotate: () => void
  readonly onRevoke: () => void
}) => {
  const { item, canChange, onRevoke, onRotate } = props
  const { tone, word } = keyStatus(item)
  const name = nameOfKey(item)
  return (
    <li class="line cluster">
      <span class={`badge is-${tone}`}>{word}</span>
      <span class="line-main">
        <span class="row-title" dir="auto">
          {name}
        </span>
        <span class="row-note hint is-wrapped">
          <code>{item.hint}</code> · {describeKey(item)}
          {item.expires_at === null || item.revoked_at !== null ? null : (
            <>
              {" · "}
              {isInactive(item) ? "expired " : "expires "}
              <Time at={item.expires_at} />
            </>
          )}
          {item.user === null ? " · no person" : ` · person: ${item.user}`}
        </span>
      </span>
      <span class="row-note hint">
        {item.last_used_at === null ? (
          "never used"
        ) : (
          <>
            used <Time at={item.last_used_at} />
          </>
        )}
      </span>
      {canChange && !isInactive(item) ? (
        <span class="row-actions">
          <IconButton
            icon="retry"
            label={`Rotate ${name}`}
            title="Create a replacement; this key stays valid for a day"
            onClick={onRotate}
          />
          <IconButton icon="trash" label={`Revoke ${name}`} title="Revoke" onClick={onRevoke} />
        </span>
      ) : null}
    </li>
  )
}

/** The listed keys, and the actions on a key. */
const useKeys = (of: string, calls: KeyCalls) => {
  const source = useLoaded(of, calls.list)
  const issued = useSignal<IssuedKey | undefined>(undefined)
  const show = (made: IssuedKey): void => {
    issued.value = made
    void source.reload()
  }
  const rotate = ({ id }: Key): Promise<void> =>
    once(`key ${id}`, async () => {
      try {
        show(await calls.rotate(id, overlapSeconds))
      } catch (cause) {
        notify(sentenceOf(cause), { isFault: true })
        // Rereads the keys, because a key may have been created although no response arrived. The
        // user can then revoke that key.
        void source.reload()
      }
    })
  const revoke = (key: Key) =>
    once(`key ${key.id}`, async () => {
      try {
        await calls.revoke(key.id)
        notify(`${nameOfKey(key)} revoked.`)
      } catch (cause) {
        notify(sentenceOf(cause), { isFault: true })
      }
      void source.reload()
    })
  return { issued, revoke, rotate, show, source }
}

/** Asks before a key is revoked, because clients that use it fail at once. */
const Revocation = (props: {
  readonly item: Key
  readonly onRevoke: () => void
  readonly onClose: () => void
}) => (
  <Dialog title={`Revoke ${nameOfKey(props.item)}?`} onClose={props.onClose}>
    <p>Requests with this key are refused at once. A revoked key cannot be restored.</p>
    <div>
      <Button class="is-danger" onClick={props.onRevoke}>
        Revoke key
      </Button>
    </div>
  </Dialog>
)

const Lines = (props: {
  readonly keys: ReadonlyArray<Key>
  readonly canChange: boolean
  readonly onRotate: (key: Key) => Promise<void>
  readonly onRevoke: (key: Key) => void
}) => {
  const keys = [...props.keys]
  return keys.length === 0 ? (
    <Empty icon="keys" title="No keys">
      <p>No client can use this workspace yet.</p>
    </Empty>
  ) : (
    <ul class="lines">
      {keys
        .sort((one, other) => Number(isInactive(one)) - Number(isInactive(other)))
        .map((key) => (
          <Line
            key={key.id}
            item={key}
            canChange={props.canChange}
            onRotate={() => void props.onRotate(key)}
            onRevoke={() => props.onRevoke(key)}
          />
        ))}
    </ul>
  )
}

/** Shows the keys, and a form for a new key. */
export const KeyList = (props: {
  readonly of: string
  readonly calls: KeyCalls
  readonly canChange: boolean
}) => {
  const { calls, canChange } = props
  const { issued, revoke, rotate, show, source } = useKeys(props.of, calls)
  const making = useOpening()
  const revoking = useSignal<Key | undefined>(undefined)
  const choose = (key: Key | undefined): void => {
    revoking.value = key
  }
  // The first dialog closes before the second opens, so that the focus returns to the first
  // dialog's button.
  const showMade = (made: IssuedKey): void => {
    making.close()
    show(made)
  }
  return (
    <>
      {canChange ? (
        <div class="card-tools">
          <Button class="is-primary" icon="plus" onClick={making.open}>
            New key
          </Button>
        </div>
      ) : null}
      <Loaded source={source} lines={3} height={60}>
        {(all) => <Lines keys={all} canChange={canChange} onRotate={rotate} onRevoke={choose} />}
      </Loaded>
      {revoking.value === undefined ? null : (
        <Revocation
          item={revoking.value}
          onClose={() => choose(undefined)}
          onRevoke={() => {
            if (revoking.value !== undefined) void revoke(revoking.value)
            choose(undefined)
          }}
        />
      )}
      {making.isOpen.value ? (
        <NewKey calls={calls} onIssued={showMade} onClose={making.close} />
      ) : null}
      {issued.value === undefined ? null : (
        <Secret
          issued={issued.value}
          onClose={() => {
            issued.value = undefined
          }}
        />
      )}
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
