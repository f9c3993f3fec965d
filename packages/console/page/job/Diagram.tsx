/**
 * A machine as a picture: its states and arrows, the way that a job took through them, numbered,
 * and where it is now. Its label says the same in words.
 */
import { useId } from "preact/hooks"
import { isNarrow } from "../ui/Screen.ts"
import { toWords } from "../ui/Words.ts"
import { type PlacedEdge, type PlacedState, place } from "./DiagramLayout.ts"
import { makePlaces, type Places, type Point } from "./DiagramLines.ts"
import type { Machine, Path } from "./Machines.ts"

const keyOf = (from: string, to: string): string => `${from}>${to}`

/** For each arrow, the numbers of the steps that took it. */
const numberSteps = ({ steps }: Path): ReadonlyMap<string, ReadonlyArray<number>> => {
  const numbers = new Map<string, ReadonlyArray<number>>()
  for (const [index, { from, to }] of steps.entries()) {
    const key = keyOf(from, to)
    numbers.set(key, [...(numbers.get(key) ?? []), index + 1])
  }
  return numbers
}

/** Which steps they were, or, where they are many, how many. */
const writeNumbers = (numbers: ReadonlyArray<number>): string =>
  numbers.length > 2 ? `${numbers.length} ×` : numbers.join(", ")

const Arrow = (given: {
  readonly arrow: PlacedEdge
  readonly numbers: ReadonlyArray<number>
  readonly tip: string
  readonly places: Places
}) => {
  const { arrow, numbers, places, tip } = given
  const { line, middle } = places.curveOf(arrow)
  const isTaken = numbers.length > 0
  const text = writeNumbers(numbers)
  const width = 12 + 7 * text.length
  return (
    <g class={isTaken ? "arrow is-taken" : "arrow"}>
      <path d={line} marker-end={`url(#${tip}${isTaken ? "t" : ""})`} />
      {isTaken ? (
        <>
          <rect x={middle.x - width / 2} y={middle.y - 9} width={width} height={18} rx={9} />
          <text x={middle.x} y={middle.y + 4}>
            {text}
          </text>
        </>
      ) : null}
    </g>
  )
}

const Tip = ({ id, isTaken }: { readonly id: string; readonly isTaken: boolean }) => (
  <marker
    id={id}
    class={isTaken ? "tip is-taken" : "tip"}
    viewBox="0 0 8 8"
    refX="5"
    refY="4"
    markerWidth="7"
    markerHeight="7"
    orient="auto"
  >
    <path d="M0 0 8 4 0 8z" />
  </marker>
)

/** In words, for whoever does not see the picture. */
const describe = ({ title }: Machine, { state, steps }: Path): string => {
  const way = steps.map(({ event, to }) => `${toWords(event)}: ${toWords(to)}`).join("; ")
  return `${title}: now ${toWords(state)}. ${way === "" ? "Nothing has happened yet." : way}`
}

/** Shows the picture. */
export const Diagram = ({ machine, path }: { readonly machine: Machine; readonly path: Path }) => {
  const id = useId().replaceAll(":", "")
  const { arrows, states } = place(machine.edges)
  const places = makePlaces(isNarrow.value)
  const numbers = numberSteps(path)
  const visited = new Set(path.steps.flatMap(({ from, to }) => [from, to]))
  const { height, width } = places.boundsOf(states)
  return (
    <svg
      class="diagram"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={describe(machine, path)}
    >
      <defs>
        <Tip id={id} isTaken={false} />
        <Tip id={`${id}t`} isTaken={true} />
      </defs>
      {[...arrows]
        .sort((one, other) => Number(isIn(one, numbers)) - Number(isIn(other, numbers)))
        .map((arrow) => (
          <Arrow
            key={keyOf(arrow.from.name, arrow.to.name)}
            arrow={arrow}
            numbers={numbers.get(keyOf(arrow.from.name, arrow.to.name)) ?? []}
            tip={id}
            places={places}
          />
        ))}
      {states.map((state) => (
        <State
          key={state.name}
          state={state}
          corner={places.cornerOf(state)}
          sizes={places.sizes}
          look={lookOf(state.name, path.state, visited)}
        />
      ))}
    </svg>
  )
}

const isIn = ({ from, to }: PlacedEdge, numbers: ReadonlyMap<string, unknown>): boolean =>
  numbers.has(keyOf(from.name, to.name))

const lookOf = (name: string, now: string, visited: ReadonlySet<string>): string => {
  if (name === now) return name === "Failed" ? "is-now is-bad" : "is-now"
  return visited.has(name) ? "is-visited" : ""
}

const State = (given: {
  readonly state: PlacedState
  readonly corner: Point
  readonly sizes: Places["sizes"]
  readonly look: string
}) => {
  const { corner, look, sizes, state } = given
  const { height, width } = sizes
  return (
    <g class={`state ${look}`}>
      <rect x={corner.x} y={corner.y} width={width} height={height} rx={9} />
      <text x={corner.x + width / 2} y={corner.y + height / 2 + 4.5}>
        {toWords(state.name)}
      </text>
    </g>
  )
}
