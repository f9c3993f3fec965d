/**
 * How much is tried of what could be tried without end: little in `npm test`, so that it stays
 * short, and more in `npm run test:all`, which sets `VERBATIM_TEST` to `all`.
 */

const isWhole = process.env.VERBATIM_TEST === "all"

/** As many runs as usual; three times as many where everything is tried. */
export const scaleRuns = (usual: number): number => (isWhole ? 3 * usual : usual)

/** Of cases that are alike, every `share`-th; all of them where everything is tried. */
export const chooseCases = <A>(cases: ReadonlyArray<A>, share: number): ReadonlyArray<A> =>
  isWhole ? cases : cases.filter((_, index) => index % share === 0)
