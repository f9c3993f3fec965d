/** Tests `verbatim config`, and the `serve` flags that override settings. */
import { assert, describe, it } from "vitest"
import { allParts, environmentName } from "#src/settings/Variables"
import { startCountingListener } from "./countingListener.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

const all = allParts.flatMap((part) =>
  part.variables.map((variable) => ({ ...variable, name: environmentName(variable.name, part) }))
)

const secret = "hush7Kq2vX9mZp4RtLw8BnYc3JdFgHs5"

/** Valid values for secrets that must have a specific form. */
const formed: Readonly<Record<string, string>> = {
  VERBATIM_DATABASE_URL: `postgres://me:${secret}@db.example:5433/jobs`,
  VERBATIM_WEBHOOK_SECRET: `whsec_${btoa(secret)}`,
  OTEL_EXPORTER_OTLP_HEADERS: `api-key=${secret}`
}

const secrets = Object.fromEntries(
  all.flatMap(({ isSecret, name }) =>
    // The value depends on the name, because two keys with the same value are refused.
    isSecret === true ? [[name, formed[name] ?? `${secret}-${name.length}`]] : []
  )
)

const config = async (settings: Readonly<Record<string, string>>, flags: ReadonlyArray<string>) => {
  await using directory = await dataDirectory()
  return operateInProcess(directory.path, ["config", ...flags], settings)
}

describe("verbatim config", () => {
  it("shows every setting with its source, but shows no secret", async () => {
    const settings = {
      ...secrets,
      VERBATIM_S3_ACCESS_KEY_ID: "id",
      VERBATIM_PORT: "",
      PORT: "9000"
    }
    const { stderr, status, stdout } = await config(settings, ["--json"])
    assert.strictEqual(status, 0, stderr)
    const views = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      views.map(({ name }) => name),
      all.map(({ name }) => name)
    )
    const viewOf = (name: string) => views.find((view) => view.name === name)
    const port = { name: "VERBATIM_PORT", value: "9000", source: "PORT" }
    assert.deepStrictEqual(viewOf("VERBATIM_PORT"), port)
    const database = { value: "postgres://db.example:5433/jobs", source: "environment" }
    assert.deepInclude(viewOf("VERBATIM_DATABASE_URL"), database)
    assert.deepInclude(viewOf("VERBATIM_CONSOLE"), { value: "true", source: "default" })
    for (const name of Object.keys(secrets)) {
      assert.strictEqual(viewOf(name).source, "environment", name)
    }
    const text = await config(settings, [])
    for (const shown of [stdout, text.stdout]) {
      assert.notMatch(shown, /hush/)
      assert.notInclude(shown, btoa(secret))
    }
  })

  it("hides every setting that can contain a secret", () => {
    const named = all.filter(({ name }) => /(?:_URL|KEY|TOKEN|SECRET|HEADERS)$/.test(name))
    const shown = named.flatMap(({ isSecret, name }) => (isSecret === true ? [] : [name]))
    assert.deepStrictEqual(shown, [
      "VERBATIM_REQUESTS_PER_KEY",
      "VERBATIM_LISTENERS_PER_KEY",
      // These settings refuse a URL with a password.
      "VERBATIM_MEDIA_URL",
      "VERBATIM_OPENAI_BASE_URL",
      "VERBATIM_OPENAI_SUMMARY_BASE_URL"
    ])
  })

  it("lists all mistakes in invalid settings", async () => {
    const { status, stderr, stdout } = await config({ VERBATIM_PORT: "a", VERBATIM_ROLES: "b" }, [])
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.match(stderr, /VERBATIM_PORT must be [\s\S]*VERBATIM_ROLES must be /)
  })
})

describe("verbatim serve", () => {
  it("listens on the address given by its flags, regardless of the settings", async () => {
    await using directory = await dataDirectory()
    using other = await startCountingListener()
    const at = ["--host", "127.0.0.1", "--port", `${other.port}`]
    const { status, stderr } = await operate(directory.path, ["serve", ...at], {
      VERBATIM_HOST: "192.0.2.1"
    })
    assert.strictEqual(status, 1)
    assert.include(stderr, `Cannot listen on 127.0.0.1:${other.port}: another program`)
    const wrong = await operateInProcess(directory.path, ["serve", "--port", "65536"])
    assert.strictEqual(wrong.status, 2)
  })
})
