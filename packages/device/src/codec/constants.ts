/** Protocol constants shared by both sides. */

/** Authenticates with a fixed token, without encryption. Unsealed version 2 messages use the same frame format. */
export const VERSION_1 = 1;
/** Uses a separate key for each binding. Once a channel is open, every frame is sealed. */
export const VERSION_2 = 2;
export type ProtocolVersion = typeof VERSION_1 | typeof VERSION_2;
/** The token of all version 1 recorders (specification: "a fixed 16-character string"). */
export const FIXED_TOKEN = 'LinnetRecorder01';

/** The GATT service UUID. Like the characteristic UUIDs below, it's random (version 4). */
export const SERVICE_UUID = '2f1e0001-4467-4fb9-99fd-1bf004000535';
/** The characteristic for data from the phone to the recorder (write, and write without response). */
export const WRITE_UUID = '2f1e0002-4467-4fb9-99fd-1bf004000535';
/** The characteristic for data from the recorder to the phone (notify). */
export const NOTIFY_UUID = '2f1e0003-4467-4fb9-99fd-1bf004000535';

/** Size of an Opus packet in bytes: 20 ms at 64 kbit/s (specification, section 9). */
export const PACKET_SIZE = 160;
export const PACKET_MS = 20;
/** Size of a full chunk in bytes: ten packets (specification: "sync read chunk"). */
export const CHUNK_SIZE = 1600;

/** Size of a firmware packet in bytes, and maximum transfer rate (specification, section 9). */
export const OTA_PACKET_SIZE = 84;
export const OTA_BYTES_PER_SECOND = 10_240;

/** Payload per notification or write that every link allows, even with the smallest MTU (23), in bytes. */
export const MIN_PAYLOAD_SIZE = 20;
/** Maximum size of a write in bytes: the size of the largest GATT attribute. */
export const MAX_WRITE_SIZE = 512;
