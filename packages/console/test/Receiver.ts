/** A local webhook receiver with a fixed answer. */
import { listen } from "./Listener.ts"

/** Starts the receiver. */
export const startReceiver = async (status: number, text = "") => {
  const listener = await listen((request, response) => {
    request.resume()
    request.once("end", () => response.writeHead(status).end(text))
  })
  return { ...listener, url: `${listener.address}/hook` }
}
