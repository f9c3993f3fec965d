/**
 * Tests that no route reveals anything about another workspace. The routes come from the API's
 * description, so the test covers new ones automatically.
 */
import { assert, layer } from "@effect/vitest"
import { ApiKeys } from "@verbatim/core/services"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"
import { states, store } from "../transcription/JobStates.ts"
import { type Parameters, permitted, type Route, routes, toCall } from "./Routes.ts"
import {
  dataOf,
  fetchJson,
  issueKey,
  makeTenant,
  send,
  type WorkspaceCall
} from "./WorkspaceCalls.ts"

const jobIn = (transcription: string, delivery: string): string =>
  states.find((state) => state.transcription === transcription && state.delivery === delivery)
    ?.id ?? ""

/** Jobs for the operations that need one of a particular kind. */
const jobs: Readonly<Record<string, string>> = {
  "post /transcriptions/{id}/retry": jobIn("Broken", "-"),
  "post /transcriptions/{id}/webhook": jobIn("Transcribed", "Delivered"),
  // These operations need other jobs, because a workspace key has deleted the usual one by then.
  "post /work/jobs/{id}/retry": jobIn("Broken", "-"),
  "post /work/jobs/{id}/webhook": jobIn("Transcribed", "Failed"),
  "delete /work/jobs/{id}": jobIn("Transcribed", "Failed")
}

const slug = "slug-of-a"
const label = "label-of-a"
const prompt = "the prompt of A"

/** Creates a workspace with data of every kind. */
const makeA = Effect.gen(function* () {
  const tenant = yield* makeTenant("name of A", "external-id-of-a")
  const key = tenant.management.token
  const path = `/presets/${slug}/responses`
  const { id: presetId } = yield* dataOf({ path, key, json: { instructions: prompt } })
  yield* dataOf({ path, key, json: { instructions: `${prompt}, later` } })
  const pointing = { path: `/presets/${slug}/labels/${label}`, method: "PUT" }
  yield* dataOf({ ...pointing, key, json: { version: 2 } })
  const moving = yield* issueKey(tenant.id, {
    kind: "management",
    scopes: ["presets:write", `labels:${label}`]
  })
  const keys = yield* ApiKeys
  const { userId, workspaceId } = yield* keys.authenticate(Redacted.make(key))
  yield* store(workspaceId)
  const speakers = `/transcriptions/${jobIn("Transcribed", "-")}/speakers`
  yield* fetchJson({ path: speakers, method: "PUT", key, json: { speaker_0: "Ana" } })
  const spare = yield* dataOf({
    path: "/keys",
    key,
    json: { kind: "inference", user: "user of A" }
  })
  return { tenant, presetId, spare, userId, moving }
})

type A = Effect.Success<typeof makeA>

const parametersOf = ({ tenant, spare }: A, { name, path }: Route): Parameters => ({
  slug,
  label,
  version: "1",
  modifier: "paragraph_text",
  model: "whisper-1",
  // The operator and the management key each revoke a different key.
  key_id: path.startsWith("/workspaces") ? tenant.inference.id : spare.id,
  external_id: "external-id-of-a",
  id: path.startsWith("/workspaces") ? tenant.id : (jobs[name] ?? jobIn("Transcribed", "-"))
})

/** Lists texts that occur only in the data of workspace A. */
const secretsOf = ({ presetId, spare, tenant, userId }: A): ReadonlyArray<string> => [
  tenant.id,
  tenant.management.id,
  tenant.management.token,
  tenant.inference.id,
  tenant.inference.token,
  spare.id,
  spare.token,
  spare.user_id,
  userId,
  presetId,
  slug,
  label,
  prompt,
  "name of A",
  "user of A",
  "external-id-of-a",
  "Hello there",
  ...states.map(({ id }) => id)
]

/** Lists texts from workspace A that a response contains and its request does not. */
const leakedIn = (a: A, call: WorkspaceCall, answer: string): ReadonlyArray<string> => {
  const sent = `${call.path} ${String(call.body)}`
  return secretsOf(a).filter((secret) => answer.includes(secret) && !sent.includes(secret))
}

/** Whether a route is about one preset, job or key of a workspace. */
const isAboutThing = ({ name, path }: Route): boolean =>
  name === "post /resolve" || /\{(?:slug|id|key_id)\}/.test(path)

const isCreation = ({ name }: Route): boolean =>
  /^post \/presets\/\{slug\}\/(?:responses|chat\/completions|messages)$/.test(name)

/** Whether the route needs a label's scope, which only one of A's keys has. */
const isAboutProtection = ({ scope }: Route): boolean => scope?.startsWith("labels:") === true

/** Returns the expected status if the other workspace's management key calls a route. */
const expectedFor = (route: Route): number => {
  if (route.scheme === "operator" || isAboutProtection(route)) return 403
  // The transcription call is invalid here, because it has no file.
  if (permitted(route).includes(400)) return 400
  return isAboutThing(route) && !isCreation(route) ? 404 : 200
}

/** Whether an inference key is refused for lack of permission before anything else is checked. */
const isManagement = ({ path, scope }: Route): boolean =>
  scope === "presets:write" || path.startsWith("/keys")

/**
 * Routes on which operators read all workspaces or the state of the queue, which changes every
 * minute.
 */
const aboutAll: ReadonlySet<string> = new Set([
  "get /workspaces",
  "get /work",
  "get /work/history",
  "get /work/jobs"
])

/**
 * Reads everything that workspace A and an operator can read about A, except the times when keys
 * were last used.
 */
const readAll = Effect.fnUntraced(function* (a: A) {
  const readable = routes.filter(({ method }) => method === "GET")
  return yield* Effect.forEach(readable, (route) => {
    const key = route.scheme === "operator" ? Deployment.operatorKey : a.tenant.management.token
    const call = toCall(route, parametersOf(a, route))
    return Effect.map(send({ ...call, key }), ({ status, text }) => [
      route.name,
      status,
      aboutAll.has(route.name) ? "" : text.replace(/"last_used_at":[^,}]+/g, "")
    ])
  })
})

layer(Deployment.layer(), { excludeTestServices: true })("another workspace", (it) => {
  let shared: A | undefined
  const a = Effect.suspend(() =>
    shared === undefined
      ? Effect.tap(makeA, (made) =>
          Effect.sync(() => {
            shared = made
          })
        )
      : Effect.succeed(shared)
  )
  let before: unknown

  it.effect("is tested against a workspace that can read all its own data", () =>
    Effect.gen(function* () {
      const all = yield* readAll(yield* a)
      before = all
      for (const [name, status] of all) {
        // The recording was deleted when its transcript was stored.
        const isGone = name === "get /transcriptions/{id}/media"
        assert.strictEqual(status, isGone ? 409 : 200, String(name))
      }
      assert.isAtLeast(routes.length, 34)
    })
  )

  for (const route of routes) {
    const expected = expectedFor(route)
    it.effect(`learns nothing from ${route.name}: ${expected}`, () =>
      Effect.gen(function* () {
        const found = yield* a
        const b = yield* makeTenant("B")
        const call = toCall(route, parametersOf(found, route))
        const rows = [
          [b.management.token, expected],
          [b.inference.token, isManagement(route) ? 403 : expected]
        ] as const
        for (const [key, status] of rows) {
          const answer = yield* send({ ...call, key })
          assert.strictEqual(answer.status, status, answer.text)
          assert.deepStrictEqual(leakedIn(found, call, answer.text), [])
        }
      })
    )
  }

  it.effect("leaves the first workspace's data unchanged", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readAll(yield* a), before)
    })
  )

  // The same requests succeed with a permitted key, which proves that the data exists. Data is
  // removed last, and the workspace after it.
  const isRemoval = ({ method, name }: Route): number =>
    name === "delete /workspaces/{id}" ? 2 : Number(method === "DELETE")
  const isOperators = ({ scheme }: Route): number => (scheme === "operator" ? 1 : 0)
  const inOrder = routes.toSorted(
    (one, other) =>
      isOperators(one) - isOperators(other) ||
      isRemoval(one) - isRemoval(other) ||
      other.path.length - one.path.length
  )
  for (const route of inOrder) {
    it.effect(`could use this route if it had the first workspace's key: ${route.name}`, () =>
      Effect.gen(function* () {
        const found = yield* a
        // Changing the status of the preset also needs the scope of its label, because the label is
        // protected.
        const isMoving =
          isAboutProtection(route) ||
          route.labelScope !== undefined ||
          route.name === "patch /presets/{slug}"
        const own = isMoving ? found.moving.token : found.tenant.management.token
        const key = route.scheme === "operator" ? Deployment.operatorKey : own
        const call = toCall(route, parametersOf(found, route))
        const answer = yield* send({ ...call, key })
        const fitting = permitted(route).filter((status) => status !== 404)
        assert.include(fitting, answer.status, answer.text)
      })
    )
  }
})
