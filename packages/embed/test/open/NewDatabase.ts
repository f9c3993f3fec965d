/** Databases on the Postgres that tests share. */
import pg from "pg"
import { inject, onTestFinished } from "vitest"

/** Creates an empty database and returns its URL. */
export const newDatabase = async (name: string): Promise<string> => {
  const url = new URL(await (await fetch(inject("postgres"))).text())
  const server = new pg.Client({ connectionString: url.href })
  await server.connect()
  await server.query(`DROP DATABASE IF EXISTS ${name}`)
  await server.query(`CREATE DATABASE ${name}`)
  await server.end()
  url.pathname = `/${name}`
  return url.href
}

/** Creates an empty database, and a host's pool of it, which ends after the test. */
export const newPool = async (name: string): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: await newDatabase(name) })
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  return pool
}
