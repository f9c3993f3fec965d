/** Shows the history of the live version and the labels as a timeline and as a list of moves. */

import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Person } from "../keys/Person.tsx"
import { goTo, linkTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Time } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Loaded } from "../ui/Empty.tsx"
import { Field } from "../ui/Forms.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { designation, type Move, readMoves, type Track, toTracks, trackMax } from "./Moves.ts"
import { designate } from "./PresetActions.ts"
import { designatedOf, type PresetProps } from "./PresetModel.ts"
import { lastInstant, presetPath, versionName, versionPath } from "./PresetTraits.ts"

/** Number of colours, so that adjacent versions get different colours. */
const shades = 4

/** Minimum time span shown by the timeline, for a preset that was just created. */
const spanMin = 1_000

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })

/** Returns the name to show for a pointer. */
const nameOf = (pointer: string): string => (pointer === designation ? "Live" : pointer)

interface TrackProps {
  readonly track: Track
  readonly from: number
  readonly until: number
}

const TrackLine = ({ from, track, until }: TrackProps) => (
  <div class="track stack-3">
    <span class="track-name">{nameOf(track.pointer)}</span>
    <ol class="track-spans" aria-label={`${nameOf(track.pointer)} over time`}>
      {track.spans.map((span) => {
        const right = (100 * (until - span.to)) / (until - from)
        const width = (100 * (span.to - span.from)) / (until - from)
        const name = versionName(span.version)
        const times = `${day.format(span.from)} – ${span.isNow ? "now" : day.format(span.to)}`
        return (
          <li
            key={span.from}
            class={span.isNow ? "is-now" : ""}
            style={{ right: `${right}%`, width: `${width}%` }}
          >
            <span class={`span is-shade-${span.version % shades}`} title={`${name}: ${times}`}>
              {name}
              <span class="hidden">, {times}</span>
            </span>
          </li>
        )
      })}
    </ol>
  </div>
)

const Chart = ({ moves }: { readonly moves: ReadonlyArray<Move> }) => {
  const until = Math.max(now.value, Date.parse(moves.at(-1)?.at ?? ""))
  const from = Math.min(Date.parse(moves[0]?.at ?? ""), until - spanMin)
  return (
    <section class="pane box stack-2" aria-label="Timeline">
      {toTracks(moves, until).map((track) => (
        <TrackLine key={track.pointer} track={track} from={from} until={until} />
      ))}
      <div class="track stack-3 hint" aria-hidden="true">
        <span />
        <span class="apart">
          <span>{day.format(from)}</span>
          <span>now</span>
        </span>
      </div>
    </section>
  )
}

const ServedAtForm = ({ slug }: { readonly slug: string }) => {
  const at = useSignal("")
  return (
    <form
      class="pane box inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        const instant = new Date(at.value).toISOString()
        goTo(`${presetPath(slug)}?view=try&a=designated&aat=${encodeURIComponent(instant)}`)
      }}
    >
      <Field label="What was served at">
        <input
          class="input"
          type="datetime-local"
          step="1"
          max={lastInstant}
          required
          value={at.value}
          onInput={(event) => {
            at.value = event.currentTarget.value
          }}
        />
      </Field>
      <Button type="submit">Show</Button>
    </form>
  )
}

const sentenceOf = ({ from, pointer, to }: Move): string => {
  const words = (version: number | null) => (version === null ? "" : versionName(version))
  if (to === null) return `${pointer} was removed from ${words(from)}`
  if (pointer === designation) {
    return from === null
      ? `${words(to)} went live with the preset`
      : `${words(to)} replaced ${words(from)} as the live version`
  }
  return from === null
    ? `${pointer} was created at ${words(to)}`
    : `${pointer} moved from ${words(from)} to ${words(to)}`
}

interface MoveProps extends PresetProps {
  readonly move: Move
  /** Whether a move is the designation's last move, which can be rolled back. */
  readonly isLast: boolean
}

const MoveLine = ({ isLast, model, move, state }: MoveProps) => {
  const { from } = move
  const isCurrent = isLast && move.to === designatedOf(state)
  return (
    <li class="line cluster">
      <span class={move.pointer === designation ? "move-dot" : "move-dot is-label"} />
      <span class="grow breaks">
        {move.to === null ? (
          sentenceOf(move)
        ) : (
          <a href={linkTo(versionPath(model.slug, move.to))}>{sentenceOf(move)}</a>
        )}
        <span class="hint">
          {" "}
          by <Person id={move.by} keys={state.keys} />
        </span>
      </span>
      <span class="row-time hint">
        <Time at={move.at} />
      </span>
      {isCurrent && from !== null && can("presets:write") ? (
        <Button class="is-small" onClick={() => void designate(model, state, from)}>
          Roll back to {versionName(from)}
        </Button>
      ) : null}
    </li>
  )
}

export const History = ({ model, state }: PresetProps) => {
  const source = useSource(model.slug, () =>
    // Reads the labels when the source loads, so that a reload uses the latest labels.
    makeSource((signal) => readMoves(model.slug, model.state.peek().value ?? state, signal))
  )
  const seen = `${state.preset.designated_version_id} ${state.labels
    .map(({ label, version_id }) => label + version_id)
    .join()}`
  useEffect(() => {
    if (source.state.peek().value !== undefined) void source.reload()
  }, [seen])
  const showMoves = (moves: ReadonlyArray<Move>) => (
    <div class="stack">
      <Chart moves={moves} />
      {state.labels.length > trackMax ? (
        <p class="hint">
          {trackMax} of {state.labels.length} labels are shown.
        </p>
      ) : null}
      <ServedAtForm slug={model.slug} />
      <ol class="moves lines box" aria-label="Changes, newest first">
        {moves.toReversed().map((move) => (
          <MoveLine
            key={`${move.pointer} ${move.at} ${move.to}`}
            model={model}
            move={move}
            state={state}
            isLast={moves.findLast(({ pointer }) => pointer === designation) === move}
          />
        ))}
      </ol>
    </div>
  )
  return (
    <Loaded source={source} lines={4} height={56}>
      {showMoves}
    </Loaded>
  )
}
