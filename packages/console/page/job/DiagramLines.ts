/**
 * The lines of a picture of a machine. They are reckoned along the way of a job and across it, and
 * then laid from left to right, or from top to bottom where the window is narrow.
 */
import type { PlacedEdge, PlacedState } from "./DiagramLayout.ts"

/** A place in the picture. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A place along the way and across it. */
interface Spot {
  readonly along: number
  readonly across: number
}

/** A box, and how far it is from one to the next. */
interface Sizes {
  readonly width: number
  readonly height: number
  readonly rank: number
  readonly track: number
  /** How far from its middle an arrow back leaves a box, so that none hides another. */
  readonly shift: number
}

const wide: Sizes = { width: 116, height: 36, rank: 172, track: 78, shift: 16 }
const narrow: Sizes = { width: 104, height: 36, rank: 78, track: 130, shift: 7 }

/** How far a line that goes around something goes aside; and room for the tip of an arrow. */
const reach = 34
const tip = 5

/** Beside the boxes, for lines that go around, and for the stroke of the last box. */
const marginBefore = 30
const marginAfter = 2

/** A curve with its two handles. */
interface Curve {
  readonly line: string
  /** Its middle, where a number stands. */
  readonly middle: Point
}

/** How a picture is laid: half a box along the way and across it, and where a spot is drawn. */
interface Frame {
  readonly sizes: Sizes
  readonly long: number
  readonly broad: number
  readonly toPoint: (spot: Spot) => Point
}

const makeFrame = (isVertical: boolean): Frame => {
  const sizes = isVertical ? narrow : wide
  return {
    sizes,
    long: (isVertical ? sizes.height : sizes.width) / 2,
    broad: (isVertical ? sizes.width : sizes.height) / 2,
    toPoint: ({ across, along }) => (isVertical ? { x: across, y: along } : { x: along, y: across })
  }
}

/** Makes what draws from one box to another. */
const makeCurves = ({ broad, long, sizes: { shift }, toPoint }: Frame) => {
  const draw = (...spots: readonly [Spot, Spot, Spot, Spot]): Curve => {
    const [p, q, r, s] = spots.map(toPoint) as [Point, Point, Point, Point]
    return {
      line: `M${p.x} ${p.y}C${q.x} ${q.y} ${r.x} ${r.y} ${s.x} ${s.y}`,
      middle: { x: (p.x + 3 * q.x + 3 * r.x + s.x) / 8, y: (p.y + 3 * q.y + 3 * r.y + s.y) / 8 }
    }
  }

  const drawNext = (from: Spot, to: Spot): Curve => {
    const begin = { along: from.along + long, across: from.across }
    const end = { along: to.along - long - tip, across: to.across }
    const bend = (end.along - begin.along) / 2
    return draw(
      begin,
      { ...begin, along: begin.along + bend },
      { ...end, along: end.along - bend },
      end
    )
  }

  /** Around the corner, to what is beside the line. */
  const drawAside = (from: Spot, to: Spot): Curve => {
    const begin = { along: from.along, across: from.across + broad }
    const end = { along: to.along - long - tip, across: to.across }
    const corner = { along: begin.along, across: end.across }
    return draw(begin, corner, corner, end)
  }

  /** On one side over what is between, on the other one back. */
  const drawAround = (from: Spot, to: Spot, side: 1 | -1): Curve => {
    const apart = side === 1 ? shift : 0
    const begin = { along: from.along - apart, across: from.across + side * broad }
    const end = { along: to.along + apart, across: to.across + side * (broad + tip) }
    return draw(
      begin,
      { ...begin, across: begin.across + side * reach },
      { ...end, across: end.across + side * reach },
      end
    )
  }

  return { drawNext, drawAside, drawAround }
}

/** Makes what says where things are drawn. */
export const makePlaces = (isVertical: boolean) => {
  const frame = makeFrame(isVertical)
  const { broad, long, sizes, toPoint } = frame
  const { drawAround, drawAside, drawNext } = makeCurves(frame)
  const spotOf = (state: PlacedState): Spot => ({
    along: marginAfter + long + state.rank * sizes.rank,
    across: marginBefore + broad + state.track * sizes.track
  })
  return {
    sizes,
    cornerOf: (state: PlacedState): Point => {
      const { x, y } = toPoint(spotOf(state))
      return { x: x - sizes.width / 2, y: y - sizes.height / 2 }
    },
    curveOf: ({ course, from, to }: PlacedEdge): Curve => {
      const [begin, end] = [spotOf(from), spotOf(to)]
      if (course === "next") return drawNext(begin, end)
      if (course === "back") return drawAround(begin, end, 1)
      return to.track > 0 ? drawAside(begin, end) : drawAround(begin, end, -1)
    },
    boundsOf: (states: ReadonlyArray<PlacedState>): { width: number; height: number } => {
      const spots = states.map(spotOf)
      const last = toPoint({
        along: Math.max(...spots.map(({ along }) => along)) + long + marginAfter,
        // A single track has its arrows back beside it.
        across:
          Math.max(...spots.map(({ across }) => across)) +
          broad +
          (states.some((state) => state.track > 0) ? marginAfter : marginBefore)
      })
      return { width: last.x, height: last.y }
    }
  }
}

/** Where things are drawn. */
export type Places = ReturnType<typeof makePlaces>
