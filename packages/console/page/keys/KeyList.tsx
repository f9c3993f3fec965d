/** The keys of a workspace: who may do what, since when, and how long still. */

import { useSignal } from "@preact/signals"
import { sentenceOf } from "../Api.ts"
import { mayWrite } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { removeLater } from "../ui/Deferred.ts"
import { useOpening } from "../ui/Dialog.tsx"
import { Empty, Loaded } from "../ui/Empty.tsx"
import { leaving } from "../ui/Leaving.ts"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { once } from "../ui/SteadyHand.ts"
import { Time } from "../ui/Time.tsx"
import { notify } from "../ui/Toasts.tsx"
import { type IssuedKey, type Key, type KeyCalls, nameOfKey, ownKeys } from "./KeyCalls.ts"
import { NewKey, Secret } from "./NewKey.tsx"

/** Long enough to put the new key everywhere. */
const overlapSeconds = 86_400

const isOver = ({ expires_at, revoked_at }: Key): boolean =>
  revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now.value)

const standingOf = (key: Key) => {
  if (key.revoked_at !== null) return { word: "Revoked", tone: "idle" }
  if (isOver(key)) return { word: "Expired", tone: "idle" }
  return key.expires_at === null
    ? { word: "Valid", tone: "good" }
    : { word: "Expires", tone: "warn" }
}

const Line = (given: {
  readonly item: Key
  readonly mayChange: boolean
  readonly onRotate: () => void
  readonly onRevoke: () => void
}) => {
  const { item, mayChange, onRevoke, onRotate } = given
  const { tone, word } = standingOf(item)
  const name = nameOfKey(item)
  return (
    <li class="line cluster">
      <span class={`badge is-${tone}`}>{word}</span>
      <span class="line-main">
        <span class="row-title" dir="auto">
          {name}
        </span>
        <span class="row-note hint is-wrapped">
          <code>{item.hint}</code> · {item.kind} ·{" "}
          {item.scopes === null ? "all that its kind may do" : item.scopes.join(", ")}
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
      {mayChange && !isOver(item) ? (
        <span class="row-actions">
          <IconButton
            icon="retry"
            label={`Rotate ${name}`}
            title="A new key like this one; this one goes on for a day"
            onClick={onRotate}
          />
          <IconButton icon="trash" label={`Revoke ${name}`} title="Revoke" onClick={onRevoke} />
        </span>
      ) : null}
    </li>
  )
}

/** The keys, and what is done to them. */
const useKeys = (of: string, calls: KeyCalls) => {
  const source = useSource(of, () => makeSource(calls.list))
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
        // A key may have been made though no answer came: the list shows it, and it can be revoked.
        void source.reload()
      }
    })
  const revoke = (key: Key): void =>
    removeLater(key.id, {
      said: `${key.name ?? key.hint} is revoked.`,
      stays: true,
      remove: () => calls.revoke(key.id).finally(source.reload)
    })
  return { issued, revoke, rotate, show, source }
}

const Lines = (given: {
  readonly keys: ReadonlyArray<Key>
  readonly mayChange: boolean
  readonly onRotate: (key: Key) => Promise<void>
  readonly onRevoke: (key: Key) => void
}) => {
  const keys = given.keys.filter(({ id }) => !leaving.value.has(id))
  return keys.length === 0 ? (
    <Empty icon="keys" title="No keys">
      <p>Nobody can call this workspace yet.</p>
    </Empty>
  ) : (
    <ul class="lines">
      {keys
        .sort((one, other) => Number(isOver(one)) - Number(isOver(other)))
        .map((key) => (
          <Line
            key={key.id}
            item={key}
            mayChange={given.mayChange}
            onRotate={() => void given.onRotate(key)}
            onRevoke={() => given.onRevoke(key)}
          />
        ))}
    </ul>
  )
}

/** Shows the keys, and makes new ones. */
export const KeyList = (given: {
  readonly of: string
  readonly calls: KeyCalls
  readonly mayChange: boolean
}) => {
  const { calls, mayChange } = given
  const { issued, revoke, rotate, show, source } = useKeys(given.of, calls)
  const making = useOpening()
  // One dialog after the other: the focus goes back to what opened the first.
  const showMade = (made: IssuedKey): void => {
    making.close()
    show(made)
  }
  return (
    <>
      {mayChange ? (
        <div class="card-tools">
          <Button class="is-primary" icon="plus" onClick={making.open}>
            New key
          </Button>
        </div>
      ) : null}
      <Loaded source={source} lines={3} height={60}>
        {(all) => <Lines keys={all} mayChange={mayChange} onRotate={rotate} onRevoke={revoke} />}
      </Loaded>
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

/** The screen. */
export const KeysScreen = () => (
  <>
    <div class="screen-head cluster">
      <h1>Keys</h1>
    </div>
    <Card title="Of this workspace">
      <KeyList of="own" calls={ownKeys} mayChange={mayWrite.value} />
    </Card>
  </>
)
