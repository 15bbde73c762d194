/** Delays and limits of a session, with their reasons. Delays are in milliseconds. */

/** The delay between two commands (specification, section 9: "write delay 300 ms"). Acknowledgements are exempt. */
export const WRITE_DELAY_MS = 300;
/** Response timeout. A recorder responds within one connection interval; five seconds cover retransmissions. */
export const REQUEST_TIMEOUT_MS = 5000;
/** The delay before a session list is requested again after `busy` or a lost reply (specification, section 9). */
export const SESSION_LIST_RETRY_MS = 1000;
export const SESSION_LIST_ATTEMPTS = 5;
/**
 * Silence within a frame after which its remaining bytes count as lost. Longer than any pause of a
 * working link at the slowest interval, shorter than the request timeout.
 */
export const FRAME_GAP_MS = 2000;
/**
 * Silence after which a stream is restarted, unless the phone is still storing chunks. A session
 * that is still being recorded sends a chunk every 200 ms.
 */
export const STREAM_SILENCE_MS = 4000;
/** The owner has one minute to confirm on the recorder (specification: sleep after 1 min of pairing). */
export const BIND_CONFIRM_MS = 60_000;
/** Additional wait, so that the recorder's refusal arrives before the app's timeout. */
export const BIND_GRACE_MS = 5000;

/** Chunks that a recorder may send ahead of the last acknowledgement: 100 KB, several seconds at any payload size. */
export const STREAM_WINDOW_CHUNKS = 64;
/** Durable chunks between acknowledgements; a quarter of the window keeps the stream flowing. */
export const ACKNOWLEDGE_EVERY_CHUNKS = 16;
/** Silence of an HTTP response after which the network counts as lost. */
export const HTTP_SILENCE_MS = 10_000;
/** Attempts to send the missing part of a firmware image before giving up. */
export const OTA_ROUNDS = 3;
/** Consecutive restarts of a stream without a new chunk before giving up. */
export const STREAM_RESTARTS = 3;
