/** The fixed radio model, with values typical of a phone's Bluetooth LE link. */

/** Interval between connection events, in milliseconds. */
export const CONNECTION_INTERVAL_MS = 30;
/** Number of notifications per connection event. */
export const PACKETS_PER_EVENT = 4;
/** Payload sizes of a notification, in bytes: no MTU exchange, older iPhones, data length extension, MTU 498. */
export const PAYLOADS = [20, 182, 244, 495] as const;
export type Payload = (typeof PAYLOADS)[number];

export function isPayload(value: number): value is Payload {
  return (PAYLOADS as readonly number[]).includes(value);
}

/** Returns the maximum throughput of the model in bytes per second. */
export function maxBytesPerSecond(payload: Payload): number {
  return (PACKETS_PER_EVENT * payload * 1000) / CONNECTION_INTERVAL_MS;
}
