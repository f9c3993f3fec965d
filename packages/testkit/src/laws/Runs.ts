/**
 * Decides how much to test. `npm test` tests little, to stay short; `npm run test:all` tests more
 * and sets `VERBATIM_TEST` to `all`.
 */

const isWhole = process.env.VERBATIM_TEST === "all"

/** Returns the usual number of runs, or three times as many in `npm run test:all`. */
export const scaleRuns = (usual: number): number => (isWhole ? 3 * usual : usual)

/** Returns one in `share` similar cases, or all of them in `npm run test:all`. */
export const chooseCases = <A>(cases: ReadonlyArray<A>, share: number): ReadonlyArray<A> =>
  isWhole ? cases : cases.filter((_, index) => index % share === 0)
