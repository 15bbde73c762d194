/**
 * Defines the numbers and layouts of all protocol messages. `PROTOCOL.md` contains the same tables; a test compares
 * them.
 *
 * Commands are numbered in groups of sixteen: 0x0_ link and account, 0x1_ recording, 0x2_ sessions, 0x3_ settings, 0x4_
 * Wi-Fi, 0x5_ firmware, 0x6_ statistics, 0x7_ reports. Numbers from 0x80 are unassigned.
 */
import {
  bits,
  bool,
  bytes,
  choice,
  choiceOr,
  i8,
  type Layout,
  list,
  rest,
  text,
  u8,
  u16,
  u32,
  utf8,
} from './layout.ts';

const recordMode = { normal: 0, call: 1 } as const;
const recordScene = { call: 1, meeting: 2, note: 3 } as const;
const micGain = { low: 0, normal: 1, high: 2 } as const;

/** Maximum number of sessions in a response (specification, section 9). */
export const MAX_SESSION_ITEMS = 7;
export const TOKEN_LENGTH = 16;
/** Size in bytes of all version 2 keys, including X25519 keys. */
export const KEY_LENGTH = 32;
/** Size in bytes of an owner tag, which identifies a recorder's account. */
export const OWNER_TAG_LENGTH = 16;
/** Size in bytes of the challenge that an account's server issues for a bind. */
export const CHALLENGE_LENGTH = 32;
/** Size of an Ed25519 signature (RFC 8032) in bytes. */
const SIGNATURE_LENGTH = 64;
/**
 * Maximum number of log entries in a response. Including its frame, such a response is 175 bytes long, so it fits in a single notification even on older iPhones (182 bytes at most).
 */
export const MAX_OPERATIONS = 16;

/** A session's `attr` field. */
const sessionAttr = bits({
  // One bit, so that there's no unknown value.
  mode: { bit: 0, width: 1, values: recordMode },
  // Recorders without scenes send 0. An unknown value must not invalidate the whole list.
  scene: { bit: 1, width: 2, values: recordScene, fallback: 'note' },
  hasMarkers: { bit: 3 },
  stillRecording: { bit: 4 },
});

export const sessionItem = {
  sessionId: u32,
  fileSize: u32,
  attr: sessionAttr,
  startTime: u32,
  durationMs: u32,
} as const satisfies Layout;

/** Storage usage. Sizes are in KiB, so four bytes suffice for 4 TiB. */
const storage = { totalSpace: u32, free: u32, useRate: u8, isFull: bool } as const satisfies Layout;
const battery = { charging: bool, level: u8 } as const satisfies Layout;
/** The settings in a request. A recorder refuses numbers that it doesn't know. */
const newSettings = {
  recLedStatus: bool,
  recScene: choice(recordScene),
  recMode: choice(recordMode),
  dmicMode: u8,
  micGain: choice(micGain),
} as const satisfies Layout;
/** The settings in a report. A phone tolerates numbers of newer recorders. */
const settings = {
  ...newSettings,
  recScene: choiceOr(recordScene, 'note'),
  recMode: choiceOr(recordMode, 'normal'),
  micGain: choiceOr(micGain, 'normal'),
} as const satisfies Layout;
/** The position at which a recording was paused or resumed. */
const recordingPosition = { sessionId: u32, elapsedMs: u32 } as const satisfies Layout;
/** Usage counters since manufacture. */
const usage = {
  recordings: u32,
  recordedSeconds: u32,
  transferredKib: u32,
  poweredSeconds: u32,
  starts: u16,
  charges: u16,
} as const satisfies Layout;

/** Maximum size of a network's name or password, in bytes (specification: "up to 33 bytes"). */
const WIFI_TEXT_LENGTH = 33;
/** Maximum number of sessions in a request, and of networks in a response. */
export const MAX_WIFI_ITEMS = 7;
const wifiState = { off: 0, hotspot: 1, joining: 2, joined: 3, failed: 4 } as const;
export const wifiSession = { sessionId: u32 } as const satisfies Layout;
export const wifiNetwork = {
  ssid: utf8(WIFI_TEXT_LENGTH),
  rssi: i8,
  isSecured: bool,
} as const satisfies Layout;

/** The result of a firmware update. 1 to 9 are the specification's firmware codes. */
const firmwareStatus = {
  ok: 0,
  upgrade_failed: 1,
  version_mismatch: 2,
  flash_failed: 3,
  too_large: 4,
  too_many_attempts: 5,
  usb_disk_mode: 6,
  recording: 7,
  no_space: 8,
  ota_failed: 9,
} as const;

/** The kinds of entry in the recorder's operation log. */
export const operation = {
  switchedOn: 1,
  switchedOff: 2,
  recordingStarted: 3,
  recordingEnded: 4,
  sessionDeleted: 5,
  bound: 6,
  unbound: 7,
  settingChanged: 8,
  updated: 9,
  failed: 10,
} as const;
export const operationItem = {
  entry: u32,
  time: u32,
  operation: choiceOr(operation, 'failed'),
  detail: u8,
} as const satisfies Layout;

/**
 * Requests and their responses. A response's payload starts with the result (i8, 0 for success), followed by the fields
 * below only on success.
 */
export const COMMANDS = {
  handshake: {
    number: 0x01,
    request: { minVersion: u8, maxVersion: u8 },
    response: {
      version: u8,
      tranVersion: u8,
      payloadSize: u16,
      isBind: bool,
      mac: bytes(6),
      projectCode: text(8),
      sn: text(16),
      firmwareVersion: text(12),
    },
  },
  token: { number: 0x02, request: { token: text(TOKEN_LENGTH) }, response: {} },
  bind: {
    number: 0x03,
    request: {},
    // A newer state is treated as one that report 4097 ends.
    response: { state: choiceOr({ unbound: 0, waiting: 1, bound: 2 }, 'waiting') },
  },
  unbind: { number: 0x04, request: {}, response: {} },
  timeSync: {
    number: 0x05,
    request: { unixTime: u32, timeZone: i8 },
    response: {},
  },
  status: {
    number: 0x06,
    request: {},
    response: {
      recording: choiceOr({ unavailable: 0, idle: 1, recording: 2, paused: 3 }, 'unavailable'),
      mode: choiceOr(recordMode, 'normal'),
      scene: choiceOr(recordScene, 'note'),
      sessionId: u32,
      elapsedMs: u32,
      isBind: bool,
      ...battery,
      ...storage,
      ...settings,
      sessionCount: u16,
    },
  },
  serial: { number: 0x07, request: {}, response: { sn: text(16) } },
  agreeKey: {
    number: 0x08,
    request: { publicKey: bytes(KEY_LENGTH) },
    response: { publicKey: bytes(KEY_LENGTH) },
  },
  openChannel: {
    number: 0x09,
    request: { publicKey: bytes(KEY_LENGTH) },
    response: { publicKey: bytes(KEY_LENGTH), proof: bytes(16) },
  },
  claim: { number: 0x0a, request: { ownerTag: bytes(OWNER_TAG_LENGTH) }, response: {} },
  attest: {
    number: 0x0b,
    request: { ownerTag: bytes(OWNER_TAG_LENGTH), challenge: bytes(CHALLENGE_LENGTH) },
    response: { signature: bytes(SIGNATURE_LENGTH) },
  },
  recordStart: {
    number: 0x10,
    request: { mode: choice(recordMode), scene: choice(recordScene) },
    response: { sessionId: u32, startTime: u32 },
  },
  recordEnd: {
    number: 0x11,
    request: {},
    response: { sessionId: u32, fileSize: u32 },
  },
  recordPause: { number: 0x12, request: {}, response: recordingPosition },
  recordRestore: { number: 0x13, request: {}, response: recordingPosition },
  sessionList: {
    number: 0x20,
    request: { afterSessionId: u32 },
    response: { more: bool, items: list(sessionItem, MAX_SESSION_ITEMS) },
  },
  syncFile: {
    number: 0x21,
    request: { sessionId: u32, fromChunk: u32, window: u16 },
    response: { fileSize: u32, stillRecording: bool },
  },
  syncStop: { number: 0x22, request: {}, response: {} },
  deleteRecord: { number: 0x23, request: { sessionId: u32 }, response: {} },
  storageVolume: { number: 0x30, request: {}, response: storage },
  generalSetting: { number: 0x31, request: newSettings, response: {} },
  battery: { number: 0x32, request: {}, response: battery },
  ledGet: { number: 0x33, request: {}, response: { recLedStatus: bool } },
  ledSet: { number: 0x34, request: { recLedStatus: bool }, response: {} },
  resetPassword: { number: 0x35, request: {}, response: {} },
  wifiOpen: {
    number: 0x40,
    request: { sessions: list(wifiSession, MAX_WIFI_ITEMS) },
    response: {
      ssid: utf8(WIFI_TEXT_LENGTH),
      password: utf8(WIFI_TEXT_LENGTH),
      address: bytes(4),
      port: u16,
      token: bytes(16),
    },
  },
  wifiClose: { number: 0x41, request: {}, response: {} },
  wifiSearch: {
    number: 0x42,
    request: {},
    response: { networks: list(wifiNetwork, MAX_WIFI_ITEMS) },
  },
  wifiConfigure: {
    number: 0x43,
    request: { ssid: utf8(WIFI_TEXT_LENGTH), password: utf8(WIFI_TEXT_LENGTH) },
    response: { state: choiceOr(wifiState, 'failed'), token: bytes(16) },
  },
  otaStart: {
    number: 0x50,
    request: { fileSize: u32, crc16: u16, version: text(12), signature: bytes(SIGNATURE_LENGTH) },
    response: { status: choiceOr(firmwareStatus, 'upgrade_failed'), nextOffset: u32 },
  },
  otaFinish: {
    number: 0x52,
    request: {},
    response: {
      status: choiceOr(firmwareStatus, 'upgrade_failed'),
      isWaiting: bool,
      nextOffset: u32,
    },
  },
  usageStatistics: { number: 0x60, request: {}, response: usage },
  operationData: {
    number: 0x61,
    request: { afterEntry: u32 },
    response: { more: bool, items: list(operationItem, MAX_OPERATIONS) },
  },
} as const satisfies Record<string, { number: number; request: Layout; response: Layout }>;
export type CommandName = keyof typeof COMMANDS;

/** The command number of all unsolicited reports. Their payload starts with the status number (u16). */
export const REPORT_COMMAND = 0x70;
export const REPORTS = {
  bindChanged: { status: 4097, layout: { isBind: bool } },
  batteryChanged: { status: 4098, layout: battery },
  recordingStarted: {
    status: 4099,
    layout: {
      sessionId: u32,
      mode: choiceOr(recordMode, 'normal'),
      scene: choiceOr(recordScene, 'note'),
      startTime: u32,
    },
  },
  recordingEnded: {
    status: 4100,
    layout: {
      sessionId: u32,
      fileSize: u32,
      durationMs: u32,
      because: choiceOr({ none: 0, space_full: 1, hardware_abnormal: 3, battery_empty: 8 }, 'none'),
    },
  },
  recordingPaused: { status: 4101, layout: recordingPosition },
  recordingRestored: { status: 4102, layout: recordingPosition },
  storageChanged: { status: 4103, layout: storage },
  settingsChanged: { status: 4104, layout: settings },
  sessionChanged: { status: 4105, layout: { sessionId: u32, fileSize: u32, attr: sessionAttr } },
  usageChanged: { status: 4106, layout: usage },
  wifiChanged: {
    status: 4108,
    layout: { state: choiceOr(wifiState, 'failed'), address: bytes(4), port: u16 },
  },
  firmwareChanged: {
    status: 4107,
    layout: { status: choiceOr(firmwareStatus, 'upgrade_failed'), version: text(12) },
  },
} as const satisfies Record<string, { status: number; layout: Layout }>;
export type ReportName = keyof typeof REPORTS;

/** Messages in frames of the kinds `stream`, `acknowledgement` and `data`. */
export const STREAM = {
  chunk: { number: 0x24, kind: 'stream', layout: { chunkIndex: u32, data: rest } },
  end: { number: 0x25, kind: 'stream', layout: { fileSize: u32, sha256: bytes(32) } },
  acknowledge: { number: 0x26, kind: 'acknowledgement', layout: { nextChunk: u32 } },
  otaData: { number: 0x51, kind: 'data', layout: { offset: u32, data: rest } },
} as const satisfies Record<
  string,
  { number: number; kind: 'stream' | 'acknowledgement' | 'data'; layout: Layout }
>;
export type StreamName = keyof typeof STREAM;

/** The result codes on the wire. −1 and 1 to 7 are the specification's recording errors. */
export const RESULTS = {
  ok: 0,
  bluetooth_abnormal: -1,
  space_full: 1,
  usb_disk_mode: 2,
  hardware_abnormal: 3,
  busy: 4,
  wifi_mode: 5,
  recording_stopped: 6,
  waiting_for_bind: 7,
  command_unknown: 32,
  request_malformed: 33,
  out_of_order: 34,
  version_unsupported: 35,
  token_refused: 36,
  bind_refused: 37,
  battery_low: 38,
  session_unknown: 40,
  session_recording: 41,
  not_recording: 42,
  chunk_out_of_range: 43,
  binding_unknown: 44,
} as const;
export type ResultName = keyof typeof RESULTS;
