/** Protocol constants shared by both sides. */

/** Authentication by a fixed token, no encryption. Version 2 uses its frame format for unsealed messages. */
export const VERSION_1 = 1;
/** A key for each binding. An open channel seals every frame. */
export const VERSION_2 = 2;
export type ProtocolVersion = typeof VERSION_1 | typeof VERSION_2;
/** Token shared by all recorders of version 1 (specification: "a fixed 16-character string"). */
export const FIXED_TOKEN = 'LinnetRecorder01';

/** GATT service and characteristics: random (version 4) UUIDs generated for Linnet. */
export const SERVICE_UUID = '2f1e0001-4467-4fb9-99fd-1bf004000535';
/** Phone → recorder: write, and write without response. */
export const WRITE_UUID = '2f1e0002-4467-4fb9-99fd-1bf004000535';
/** Recorder → phone: notify. */
export const NOTIFY_UUID = '2f1e0003-4467-4fb9-99fd-1bf004000535';

/** The bytes of one Opus packet: 20 ms at 64 kbit/s (specification, section 9). */
export const PACKET_SIZE = 160;
export const PACKET_MS = 20;
/** The bytes of a full chunk: ten packets (specification: "sync read chunk"). */
export const CHUNK_SIZE = 1600;

/** Firmware bytes per packet, and the transfer rate in bytes per second (specification, section 9). */
export const OTA_PACKET_SIZE = 84;
export const OTA_BYTES_PER_SECOND = 10_240;

/** Minimum payload of a notification or write, bytes: MTU 23 − 3. */
export const MIN_PAYLOAD_SIZE = 20;
/** Maximum attribute size, and therefore write size, bytes. */
export const MAX_WRITE_SIZE = 512;
