/** Every delay of a session, with its reason. Milliseconds. */

/** Between two commands (specification, section 9: "write delay 300 ms"). Acks are no commands. */
export const WRITE_DELAY_MS = 300;
/** A recorder answers within one connection interval; five seconds outlive any retransmission. */
export const REQUEST_TIMEOUT_MS = 5000;
/** A busy recorder, or a lost reply, is asked for its list again (specification, section 9). */
export const SESSION_LIST_RETRY_MS = 1000;
export const SESSION_LIST_ATTEMPTS = 5;
/**
 * Silence in the middle of a frame after which its rest is taken for lost. Longer than any pause of
 * a working link at the slowest interval, shorter than the request time-out.
 */
export const FRAME_GAP_MS = 2000;
/**
 * Silence of a stream, nothing of ours being awaited, after which it is asked for again. A session
 * that is still recorded brings a chunk every 200 ms.
 */
export const STREAM_SILENCE_MS = 4000;
/** A recorder gives its owner one minute to confirm (specification: sleep after 1 min of pairing). */
export const BIND_CONFIRM_MS = 60_000;
/** Grace on top, so that the recorder's own refusal arrives before ours. */
export const BIND_GRACE_MS = 5000;

/** Chunks a recorder may send ahead of the last acknowledgement: 100 KB, seconds at any payload. */
export const STREAM_WINDOW_CHUNKS = 64;
/** Durable chunks between acknowledgements; a quarter of the window keeps the stream flowing. */
export const ACKNOWLEDGE_EVERY_CHUNKS = 16;
/** Silence of an HTTP answer after which the network is taken for gone. */
export const HTTP_SILENCE_MS = 10_000;
/** How often an image is sent from where something of it was lost, before giving up. */
export const OTA_ROUNDS = 3;
/** Restarts of a stream that lost a chunk or fell silent, without a new chunk, before giving up. */
export const STREAM_RESTARTS = 3;
