/** A session's delays and limits. Delays are in milliseconds. */

/** Delay between commands (specification, section 9: "write delay 300 ms"). Acknowledgements aren't delayed. */
export const WRITE_DELAY_MS = 300;
/**
 * Response timeout. A recorder responds within one connection interval; five seconds leave time for retransmissions.
 */
export const REQUEST_TIMEOUT_MS = 5000;
/** Delay before requesting the session list again after `busy` or a lost response (specification, section 9). */
export const SESSION_LIST_RETRY_MS = 1000;
export const SESSION_LIST_ATTEMPTS = 5;
/**
 * After this much silence within a frame, the rest of it counts as lost. Longer than any pause on a working link at the
 * slowest connection interval, but shorter than the request timeout.
 */
export const FRAME_GAP_MS = 2000;
/**
 * After this much silence, a stream is restarted, unless the phone is still storing chunks. Even for a recording in
 * progress, a chunk arrives every 200 ms.
 */
export const STREAM_SILENCE_MS = 4000;
/** The user's time to confirm on the recorder (specification: sleep after 1 min of pairing). */
export const BIND_CONFIRM_MS = 60_000;
/** Extra time to let the recorder's refusal arrive before the app's own timeout. */
export const BIND_GRACE_MS = 5000;

/**
 * Number of chunks a recorder may send beyond the last acknowledgement. That's 100 KB, or several seconds at any
 * payload size.
 */
export const STREAM_WINDOW_CHUNKS = 64;
/** Number of stored chunks between acknowledgements: a quarter of the window, which keeps the stream from stalling. */
export const ACKNOWLEDGE_EVERY_CHUNKS = 16;
/** After this much silence in an HTTP response, the connection counts as lost. */
export const HTTP_SILENCE_MS = 10_000;
/** Maximum number of attempts to send the missing part of a firmware image. */
export const OTA_ROUNDS = 3;
/** Maximum number of consecutive stream restarts without a new chunk, after which reading fails. */
export const STREAM_RESTARTS = 3;
