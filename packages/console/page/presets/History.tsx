/** Shows the history of the live version and the labels as a timeline and as a list of moves. */
import { api } from "../Api.ts"
import { Person } from "../keys/Keys.tsx"
import { goTo, linkTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Time } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Field, textIn } from "../ui/Forms.tsx"
import { Load } from "../ui/Loaded.tsx"
import { designate } from "./PresetActions.ts"
import { designatedOf, type PresetProps, readNewest } from "./PresetModel.ts"
import { lastInstant, presetPath, versionName, versionPath } from "./PresetTraits.ts"

interface Move extends Readonly<Record<"at" | "by" | "pointer", string>> {
  readonly from: number | null
  readonly to: number | null
}

/** The name that stands for the designation among the pointers. */
const designation = "designated"

const moveMax = 100

/** Maximum number of labels in the timeline. A preset can have fifty labels, too many to read. */
const trackMax = 12

const readMoves = ({ model: { slug }, state }: PresetProps, signal: AbortSignal) => {
  const { designations, labels } = api.presets
  const newest = { count: moveMax, guess: moveMax }
  const readDesignations = async (): Promise<ReadonlyArray<Move>> => {
    const { items } = await readNewest((page) => designations(slug, { ...page, signal }), newest)
    return items.map(({ designated_at: at, designated_by: by, from, to }) => {
      return { pointer: designation, from, to, by, at }
    })
  }
  const readLabel = async (pointer: string): Promise<ReadonlyArray<Move>> => {
    const { items } = await readNewest(
      (page) => labels.moves(slug, pointer, { ...page, signal }),
      newest
    )
    return items.map(({ from, moved_at: at, moved_by: by, to }) => ({ pointer, from, to, by, at }))
  }
  const shown = state.labels.slice(0, trackMax)
  return Promise.all([readDesignations(), ...shown.map(({ label }) => readLabel(label))])
}

const shades = 4

/** Minimum time span shown by the timeline, for a preset that was just created. */
const spanMin = 1_000

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })
const Chart = ({ tracks }: { readonly tracks: ReadonlyArray<ReadonlyArray<Move>> }) => {
  const times = tracks.flat().map(({ at }) => Date.parse(at))
  const until = Math.max(now.value, ...times)
  const from = Math.min(until - spanMin, ...times)
  const showTrack = (moves: ReadonlyArray<Move>) => {
    const pointer = moves[0]?.pointer
    const name = pointer === designation ? "Live" : pointer
    return (
      <div class="track stack-3" key={pointer}>
        <span class="track-name">{name}</span>
        <ol class="track-spans" aria-label={`${name} over time`}>
          {moves.toReversed().map(({ at, to }, index, all) => {
            if (to === null) return null
            const next = all[index + 1]
            const [begin, end] = [Date.parse(at), next === undefined ? until : Date.parse(next.at)]
            const percent = (millis: number) => `${(100 * millis) / (until - from)}%`
            const times = `${day.format(begin)} – ${next === undefined ? "now" : day.format(end)}`
            return (
              <li
                key={at}
                class={next === undefined ? "is-now" : ""}
                style={{ right: percent(until - end), width: percent(end - begin) }}
              >
                <span class={`span is-shade-${to % shades}`} title={`${versionName(to)}: ${times}`}>
                  {versionName(to)}
                  <span class="hidden">, {times}</span>
                </span>
              </li>
            )
          })}
        </ol>
      </div>
    )
  }
  return (
    <section class="pane box stack-2" aria-label="Timeline">
      {tracks.map(showTrack)}
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

const ServedAtForm = ({ slug }: { readonly slug: string }) => (
  <form
    class="pane box inline-form"
    onSubmit={(event) => {
      event.preventDefault()
      const at = textIn(new FormData(event.currentTarget), "at")
      const instant = encodeURIComponent(new Date(at).toISOString())
      goTo(`${presetPath(slug)}?view=try&a=designated&aat=${instant}`)
    }}
  >
    <Field label="What was served at">
      <input class="input" name="at" type="datetime-local" step="1" max={lastInstant} required />
    </Field>
    <Button type="submit">Show</Button>
  </form>
)

const sentenceOf = ({ from, pointer, to }: Move): string => {
  const [before, after] = [from, to].map((version) => versionName(version ?? 0))
  if (to === null) return `${pointer} was removed from ${before}`
  if (pointer === designation) {
    if (from === null) return `${after} went live with the preset`
    return to < from
      ? `rolled back from ${before} to ${after}`
      : `${after} replaced ${before} as the live version`
  }
  return from === null
    ? `${pointer} was created at ${after}`
    : `${pointer} moved ${to < from ? "back " : ""}from ${before} to ${after}`
}

export const History = (props: PresetProps) => {
  const { model, state } = props
  const { labels, preset } = state
  const pointers = [
    model.slug,
    preset.designated_version_id,
    ...labels.map(({ label, version_id }) => [label, version_id])
  ]
  const showMove = (move: Move, last: Move | undefined) => {
    const { at, by, from, pointer, to } = move
    const said = sentenceOf(move)
    const isCurrent = move === last && to === designatedOf(state)
    return (
      <li class="line cluster" key={`${pointer} ${at} ${to}`}>
        <span class={pointer === designation ? "move-dot is-good" : "move-dot is-busy"} />
        <span class="grow">
          {to === null ? said : <a href={linkTo(versionPath(model.slug, to))}>{said}</a>}
          <span class="hint">
            {" "}
            by <Person id={by} keys={state.keys} />
          </span>
        </span>
        <Time class="row-time hint" at={at} />
        {isCurrent && from !== null && can("presets:write") ? (
          <Button class="is-small" onClick={() => void designate(props, from)}>
            Roll back to {versionName(from)}
          </Button>
        ) : null}
      </li>
    )
  }
  return (
    <Load of={pointers.join()} read={(signal) => readMoves(props, signal)} keepsPrevious>
      {(tracks) => (
        <div class="stack">
          <Chart tracks={tracks} />
          {labels.length > trackMax && (
            <p class="hint">{`${trackMax} of ${labels.length} labels are shown.`}</p>
          )}
          <ServedAtForm slug={model.slug} />
          <p class="hint">The moves of removed labels are not listed.</p>
          <ol class="moves lines box" aria-label="Changes, newest first">
            {tracks
              .flat()
              .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
              .map((move) => showMove(move, tracks[0]?.[0]))}
          </ol>
        </div>
      )}
    </Load>
  )
}
