/** A session's delays and limits. Delays are in milliseconds. */

/** The delay between two commands (specification, section 9: "write delay 300 ms"). Acknowledgements aren't delayed. */
export const WRITE_DELAY_MS = 300;
/**
 * Response timeout. A recorder responds within one connection interval, and five seconds leave time for
 * retransmissions.
 */
export const REQUEST_TIMEOUT_MS = 5000;
/**
 * How long to wait before requesting the session list again, after `busy` or a lost response (specification,
 * section 9).
 */
export const SESSION_LIST_RETRY_MS = 1000;
export const SESSION_LIST_ATTEMPTS = 5;
/**
 * After this much silence within a frame, the rest of the frame counts as lost. It's longer than any pause on a working
 * link at the slowest connection interval, and shorter than the request timeout.
 */
export const FRAME_GAP_MS = 2000;
/**
 * After this much silence, a stream is restarted, unless the phone is still storing chunks. Even a session that is
 * still being recorded sends a chunk every 200 ms.
 */
export const STREAM_SILENCE_MS = 4000;
/** How long the owner has to confirm on the recorder (specification: sleep after 1 min of pairing). */
export const BIND_CONFIRM_MS = 60_000;
/** Extra time, so that the app receives the recorder's refusal before its own timeout. */
export const BIND_GRACE_MS = 5000;

/**
 * How many chunks a recorder may send beyond the last acknowledgement. That's 100 KB, or several seconds at any payload
 * size.
 */
export const STREAM_WINDOW_CHUNKS = 64;
/** Stored chunks between acknowledgements. A quarter of the window keeps the stream from pausing. */
export const ACKNOWLEDGE_EVERY_CHUNKS = 16;
/** After this much silence in an HTTP response, the network counts as lost. */
export const HTTP_SILENCE_MS = 10_000;
/** How often to try sending the missing part of a firmware image. */
export const OTA_ROUNDS = 3;
/** Reading fails after this many consecutive restarts of the stream without a new chunk. */
export const STREAM_RESTARTS = 3;
