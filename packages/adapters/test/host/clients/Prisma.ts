/** Prisma: `prisma.$transaction(async (transaction) => …)`. */
import type { HostConnection } from "@verbatim/adapters/postgres"

/** What a transaction of Prisma has. */
export interface Transaction {
  readonly $queryRawUnsafe: <A>(text: string, ...values: Array<unknown>) => PromiseLike<A>
}

export const connectionOf = (transaction: Transaction): HostConnection => ({
  query: async (text, values) => ({
    rows: await transaction.$queryRawUnsafe<ReadonlyArray<object>>(text, ...values)
  })
})
