/** A webhook receiver for any server that answers a `Request` with a `Response`. */
import { InvalidWebhook, verify, type WebhookEvent } from "@verbatim/client/webhooks"

/** `store` must ignore an id that it has already stored, because a webhook can arrive twice. */
export const makeReceiver =
  (secrets: string, store: (event: WebhookEvent) => Promise<void>) =>
  async (request: Request): Promise<Response> => {
    try {
      // The signature covers the bytes as received.
      await store(await verify(await request.arrayBuffer(), request.headers, secrets))
      return new Response(null, { status: 204 })
    } catch (error) {
      if (!(error instanceof InvalidWebhook)) throw error
      return new Response(error.message, { status: 401 })
    }
  }
