/** The delays and limits of a session. Delays are in milliseconds. */

/** The delay between two commands (specification, section 9: "write delay 300 ms"). Acknowledgements are not delayed. */
export const WRITE_DELAY_MS = 300;
/** The timeout of a response. A recorder responds within one connection interval; five seconds allow retransmissions. */
export const REQUEST_TIMEOUT_MS = 5000;
/** The delay before the session list is requested again after `busy` or a lost response (specification, section 9). */
export const SESSION_LIST_RETRY_MS = 1000;
export const SESSION_LIST_ATTEMPTS = 5;
/**
 * The silence within a frame after which its remaining bytes count as lost. It is longer than any pause of a working link
 * at the slowest connection interval, and shorter than the request timeout.
 */
export const FRAME_GAP_MS = 2000;
/**
 * The silence after which a stream is restarted, unless the phone is still storing chunks. Even a session that is being
 * recorded sends a chunk every 200 ms.
 */
export const STREAM_SILENCE_MS = 4000;
/** The time for the owner to confirm on the recorder (specification: sleep after 1 min of pairing). */
export const BIND_CONFIRM_MS = 60_000;
/** Additional time, so that the app receives the recorder's refusal before its own timeout. */
export const BIND_GRACE_MS = 5000;

/**
 * The number of chunks that a recorder may send beyond the last acknowledgement. They have 100 KB, which take several
 * seconds at any payload size.
 */
export const STREAM_WINDOW_CHUNKS = 64;
/** The number of stored chunks between acknowledgements. A quarter of the window keeps the stream from pausing. */
export const ACKNOWLEDGE_EVERY_CHUNKS = 16;
/** The silence of an HTTP response after which the network counts as lost. */
export const HTTP_SILENCE_MS = 10_000;
/** The number of attempts to send the missing part of a firmware image. */
export const OTA_ROUNDS = 3;
/** The number of consecutive restarts of a stream without a new chunk after which reading fails. */
export const STREAM_RESTARTS = 3;
