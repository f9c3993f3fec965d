/**
 * Writers of one slug through several servers, and whether what they were told can have happened
 * one after the other.
 */

import * as Preset from "@verbatim/core/preset"
import { type DesignatedPreset, PresetVersion, type PresetView } from "@verbatim/core/preset"
import { type Call, Command, explain } from "@verbatim/testkit/laws"
import { userId } from "@verbatim/testkit/samples"
import { Result, Schema } from "effect"
import { Client } from "undici"
import { sampleBody } from "../presets/SampleRequest.ts"

/** The answers that came within the time. */
export interface Written {
  readonly perSecond: number
  readonly attempts: ReadonlyArray<Call>
}

const decodeVersion = Schema.decodeUnknownSync(Schema.toCodecJson(PresetVersion))
const decodePreset = Schema.decodeUnknownSync(Schema.toCodecJson(Preset.State))

/** The answer as the machine knows it. Only versions were added, so the revision counts them. */
const answerOf = ({ designated_version: version, ...view }: PresetView): DesignatedPreset => {
  if (version === null) throw new Error("a preset without its version")
  return {
    version: decodeVersion({
      id: version.id,
      presetId: version.preset_id,
      version: version.version,
      creatorId: version.creator_id,
      systemPrompt: version.system_prompt,
      config: version.config,
      // The wire does not show these.
      format: "responses",
      comment: null,
      erased: null,
      createdAt: Date.parse(version.created_at),
      updatedAt: Date.parse(version.updated_at)
    }),
    preset: decodePreset({
      _tag: "Active",
      id: view.id,
      workspaceId: view.workspace_id,
      slug: view.slug,
      name: view.name,
      description: view.description,
      creatorUserId: view.creator_user_id,
      statusUpdatedAt: null,
      createdAt: Date.parse(view.created_at),
      updatedAt: Date.parse(view.updated_at),
      revision: version.version,
      latestVersion: version.version,
      designatedVersion: version.version,
      designatedVersionId: view.designated_version_id,
      labels: {}
    })
  }
}

interface Wanted {
  readonly addresses: ReadonlyArray<string>
  readonly key: string
  readonly writers: number
  readonly millis: number
}

/** Lets writers add versions to one slug for a time. Any answer but 200 fails. */
export const write = async ({ addresses, key, millis, writers }: Wanted): Promise<Written> => {
  const answers: Array<{ began: number; ended: number; text: string }> = []
  let moment = 0
  const startedAt = performance.now()
  const loop = async (client: Client) => {
    while (performance.now() - startedAt < millis) {
      moment += 1
      const began = moment
      const { body, statusCode } = await client.request({
        method: "POST",
        path: "/v1/presets/shared/responses",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: sampleBody
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
      moment += 1
      answers.push({ began, ended: moment, text })
    }
    await client.close()
  }
  const clients = Array.from(
    { length: writers },
    (_, index) => new Client(addresses[index % addresses.length] ?? "")
  )
  await Promise.all(clients.map(loop))
  const perSecond = (answers.length * 1000) / (performance.now() - startedAt)
  return {
    perSecond,
    attempts: answers.map(({ began, ended, text }) => ({
      command: Command.cases.Create.make({ stage: false }),
      by: userId(1),
      began,
      ended,
      outcome: Result.succeed(answerOf(JSON.parse(text).data))
    }))
  }
}

/** Fails unless the versions are 1, 2, 3 … and in an order in which they may have been made. */
export const check = (attempts: ReadonlyArray<Call>): void => {
  const told = explain(attempts)
  if (Result.isFailure(told)) throw new Error(`not linearizable: ${told.failure}`)
  const isDense = told.success.every(({ preset }, index) => preset.latestVersion === index + 1)
  if (!isDense || told.success.length !== attempts.length) throw new Error("versions are not dense")
}
