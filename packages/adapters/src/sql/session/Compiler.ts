/** Creates statement compilers for the databases, without their drivers. */
import { type SqlClient, Statement } from "effect/sql"

/** The syntax that all Postgres drivers share. No store uses the compiler's update syntax. */
const postgresCompiler = () =>
  Statement.makeCompiler({
    dialect: "pg",
    placeholder: (number) => `$${number}`,
    onIdentifier: Statement.defaultEscape('"'),
    onRecordUpdate: (placeholders, alias, columns, values) => [
      `(values ${placeholders}) AS ${alias}${columns}`,
      values.flat()
    ],
    onCustom: () => ["NULL", []]
  })

/** Whether a client is for Postgres. */
export const isPostgresClient = (client: SqlClient.SqlClient): boolean =>
  client.onDialectOrElse({ pg: () => true, orElse: () => false })

/** Creates the compiler for a client's database. */
export const compilerFor = (client: SqlClient.SqlClient): Statement.Compiler =>
  isPostgresClient(client) ? postgresCompiler() : Statement.makeCompilerSqlite()
