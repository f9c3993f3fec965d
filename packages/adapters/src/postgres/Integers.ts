/**
 * Integers of 64 bits as numbers, as SQLite gives them: instants in milliseconds, balances and
 * counts are exact in both.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const { int8 } = PgTypes.OID

/** A value that no number holds exactly stays a `bigint`, which its column's schema refuses. */
const exact = (integer: bigint): number | bigint => {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

const read = (bytes: Uint8Array, offset: number): number | bigint =>
  exact(new DataView(bytes.buffer, bytes.byteOffset + offset).getBigInt64(0))

/** The codecs of the driver, with that one changed. */
export const registry = (): PgTypes.Registry => {
  const types = PgTypes.makeRegistry()
  types.register<number | bigint>(int8, {
    encode: (integer) => PgTypes.encode(BigInt(integer), int8),
    decode: (bytes) => Result.succeed(read(bytes, 0)),
    read: (bytes, offset) => Result.succeed(read(bytes, offset))
  })
  return types
}
