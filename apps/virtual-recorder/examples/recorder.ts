/**
 * A minimal software recorder in one file, as a starting point for firmware engineers. It implements only the required
 * part of PROTOCOL.md, with version 2, and shares no code with Linnet. Comments refer to the sections of PROTOCOL.md.
 *
 *     node apps/virtual-recorder/examples/recorder.ts 23011
 *
 * Enter is its button: it confirms a bind (on a bound recorder, type `hold` first). The recorder records silence and
 * keeps everything in memory. A real recorder stores the binding, the sessions and the next session ID before it
 * responds.
 */
import * as crypto from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { type WebSocket, WebSocketServer } from 'ws';

const port = Number(process.argv[2] ?? 23011);
const identity = { model: 'DEMO', sn: 'DEMO-00000001', firmware: '1.0.0', mac: '020000000001' };
/** Size of a notification, in bytes. */
const PAYLOAD = 244;
const PACKET_BYTES = 160;
const CHUNK = 1600;
const STORAGE_KIB = 1024 * 1024;
/** Section 3: 20 ms of silence. An Opus packet of 160 bytes, with one empty SILK frame and 157 bytes of padding. */
const SILENCE = Buffer.alloc(PACKET_BYTES);
SILENCE.set([0x4b, 0x41, 157]);

/** Section 7. */
const RESULT = {
  ok: 0,
  busy: 4,
  waitingForBind: 7,
  commandUnknown: 32,
  malformed: 33,
  outOfOrder: 34,
  versionUnsupported: 35,
  sessionUnknown: 40,
  sessionRecording: 41,
  notRecording: 42,
  chunkOutOfRange: 43,
  bindingUnknown: 44,
};

type Session = {
  readonly id: number;
  /** Hash of the owner tag of the binding under which the session was recorded. */
  readonly owner: Buffer;
  readonly mode: number;
  readonly scene: number;
  readonly startTime: number;
  readonly packets: Buffer[];
};

// The recorder's state.
let binding: { readonly key: Buffer; readonly owner: Buffer } | null = null;
let nextSessionId = 1;
const sessions = new Map<number, Session>();
let recording: { readonly session: Session; readonly since: number } | null = null;
/** Difference between the time set with `timeSync` and the system clock, in milliseconds. */
let clockOffset = 0;
let link: Link | null = null;

const unixTime = () => Math.floor((Date.now() + clockOffset) / 1000);
const countBytes = ({ packets }: Session) => packets.length * PACKET_BYTES;
const isRecording = (session: Session) => recording?.session === session;
/** Section 11, "Session owners": other owners' sessions are invisible. */
const visibleSessions = () =>
  [...sessions.values()].filter(({ owner }) => binding?.owner.equals(owner));
const findSession = (id: number) => visibleSessions().find((session) => session.id === id);

// --- Section 1: frames ---------------------------------------------------------------------------------------------

type Frame = { head: number; kind: number; command: number; sequence: number; payload: Buffer };

function crc8(bytes: Buffer): number {
  let crc = 0xff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return crc;
}

function crc16(bytes: Buffer): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

const u8 = (value: number) => Buffer.of(value & 0xff);
const u16 = (value: number) => Buffer.of(value & 0xff, value >> 8);
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
function text(value: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write(value, 'latin1');
  return bytes;
}

/** The header fields between sync marker and header check. A record authenticates them. */
function headerFields({ head, kind, command, sequence }: Frame, length: number): Buffer {
  return Buffer.concat([Buffer.of(head, kind, command), u16(sequence), u16(length)]);
}

function encodeFrame(frame: Frame): Buffer {
  const fields = headerFields(frame, frame.payload.length);
  const body = Buffer.concat([fields, u8(crc8(fields)), frame.payload]);
  return Buffer.concat([Buffer.from('LN'), body, u16(crc16(body))]);
}

/** Section 8: takes the next valid frame from the buffer. @returns the frame, if complete, and the remaining bytes */
function takeFrame(buffer: Buffer): { frame: Frame | null; rest: Buffer } {
  for (let rest = buffer; ; rest = rest.subarray(1)) {
    const start = rest.indexOf('LN');
    if (start === -1) return { frame: null, rest: rest.subarray(-1) };
    rest = rest.subarray(start);
    if (rest.length < 10) return { frame: null, rest };
    const length = rest.readUInt16LE(7);
    if (crc8(rest.subarray(2, 9)) !== rest[9] || length > 2048) continue;
    const end = 10 + length;
    if (rest.length < end + 2) return { frame: null, rest };
    if (crc16(rest.subarray(2, end)) !== rest.readUInt16LE(end)) continue;
    const [head = 0, kind = 0, command = 0] = rest.subarray(2);
    const frame = { head, kind, command, sequence: rest.readUInt16LE(5) };
    const payload = Buffer.from(rest.subarray(10, end));
    return { frame: { ...frame, payload }, rest: rest.subarray(end + 2) };
  }
}

// --- Section 11: keys and records ----------------------------------------------------------------------------------

type KeyPair = { readonly secret: crypto.KeyObject; readonly publicKey: Buffer };

function createKeyPair(): KeyPair {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('x25519');
  const encoded = publicKey.export({ format: 'der', type: 'spki' });
  return { secret: privateKey, publicKey: encoded.subarray(-32) };
}

/** @returns null if the shared secret is all zeroes */
function agree({ secret }: KeyPair, phoneKey: Buffer): Buffer | null {
  const key = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), phoneKey]);
  const publicKey = crypto.createPublicKey({ key, format: 'der', type: 'spki' });
  try {
    return crypto.diffieHellman({ privateKey: secret, publicKey });
  } catch {
    return null;
  }
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, size: number) =>
  Buffer.from(crypto.hkdfSync('sha256', secret, salt, info, size));
const sha256 = (bytes: Buffer) => crypto.createHash('sha256').update(bytes).digest();
const hashOwnerTag = (tag: Buffer) => sha256(Buffer.concat([text('Linnet owner 2', 16), tag]));
const createNonce = (number: number) => Buffer.concat([u32(number), Buffer.alloc(8)]);
const CIPHER = 'chacha20-poly1305';
const TAG = { authTagLength: 16 };

function seal(key: Buffer, number: number, head: Buffer, plain: Buffer): Buffer {
  const cipher = crypto.createCipheriv(CIPHER, key, createNonce(number), TAG);
  cipher.setAAD(head, { plaintextLength: plain.length });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, number: number, head: Buffer, sealed: Buffer): Buffer | null {
  const decipher = crypto.createDecipheriv(CIPHER, key, createNonce(number), TAG);
  decipher.setAAD(head, { plaintextLength: sealed.length - 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  } catch {
    return null;
  }
}

class Channel {
  readonly bindingKey: Buffer;
  private readonly keys: { readonly toRecorder: Buffer; readonly toPhone: Buffer };
  private sent = 0;
  private received = 0;

  constructor(bindingKey: Buffer, keys: { readonly toRecorder: Buffer; readonly toPhone: Buffer }) {
    this.bindingKey = bindingKey;
    this.keys = keys;
  }

  proof(): Buffer {
    return seal(this.keys.toPhone, 0, Buffer.alloc(0), Buffer.alloc(0));
  }

  seal(frame: Frame): Frame {
    this.sent += 1;
    const sealed = { ...frame, head: 0x21 };
    const fields = headerFields(sealed, frame.payload.length + 20);
    const record = seal(this.keys.toPhone, this.sent, fields, frame.payload);
    return { ...sealed, payload: Buffer.concat([u32(this.sent), record]) };
  }

  /** @returns null unless the frame is a valid record that is newer than the last one */
  open(frame: Frame): Frame | null {
    if (frame.head !== 0x21 || frame.payload.length < 20) return null;
    const number = frame.payload.readUInt32LE(0);
    if (number <= this.received) return null;
    const fields = headerFields(frame, frame.payload.length);
    const payload = open(this.keys.toRecorder, number, fields, frame.payload.subarray(4));
    if (!payload) return null;
    this.received = number;
    return { ...frame, payload };
  }
}

// --- Section 3: one link -------------------------------------------------------------------------------------------

type Stage = 'connected' | 'negotiated' | 'proving' | 'claiming' | 'trusted';
type Stream = {
  session: Session;
  sequence: number;
  next: number;
  acknowledged: number;
  window: number;
};

class Link {
  stage: Stage = 'connected';
  channel: Channel | null = null;
  versions = Buffer.of(1, 2);
  /** A bind over this link: its key, and whether the user has confirmed it. */
  pending: { readonly key: Buffer; isConfirmed: boolean; readonly timer: NodeJS.Timeout } | null =
    null;
  stream: Stream | null = null;
  hasAgreed = false;
  private readonly socket: WebSocket;
  private buffer: Buffer = Buffer.alloc(0);
  private gapTimer: NodeJS.Timeout | undefined;
  private authenticationTimer: NodeJS.Timeout | undefined;
  private reports = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.authenticateWithin(10_000);
  }

  authenticateWithin(ms: number): void {
    clearTimeout(this.authenticationTimer);
    this.authenticationTimer = setTimeout(() => {
      if (this.stage !== 'trusted' && this.stage !== 'claiming') this.close();
    }, ms);
  }

  close(): void {
    clearTimeout(this.authenticationTimer);
    clearTimeout(this.gapTimer);
    this.cancelBind();
    this.stream = null;
    this.socket.close(4002);
  }

  cancelBind(): void {
    clearTimeout(this.pending?.timer);
    this.pending = null;
  }

  receive(bytes: Buffer): void {
    clearTimeout(this.gapTimer);
    this.buffer = Buffer.concat([this.buffer, bytes]);
    this.readFrames();
    // Section 8: an incomplete frame is abandoned after two seconds.
    this.gapTimer = setTimeout(() => {
      while (this.buffer.length > 0) {
        this.buffer = this.buffer.subarray(1);
        this.readFrames();
      }
    }, 2000);
  }

  private readFrames(): void {
    for (;;) {
      const { frame, rest } = takeFrame(this.buffer);
      this.buffer = rest;
      if (!frame) return;
      this.handle(frame);
    }
  }

  /** Section 11: in an open channel, anything but a valid record ends the link. */
  private handle(received: Frame): void {
    const { channel } = this;
    const isOpen = this.stage === 'claiming' || this.stage === 'trusted';
    let frame = received;
    if (channel && (isOpen || received.head === 0x21)) {
      const opened = channel.open(received);
      if (!opened) {
        this.close();
        return;
      }
      frame = { ...opened, head: 0x10 };
      // The first valid record proves that the phone has the key.
      if (this.stage === 'proving') this.stage = this.pending ? 'claiming' : 'trusted';
    }
    if (frame.kind === 1) this.respond(frame);
    if (frame.kind === 5 && frame.command === 0x26 && frame.payload.length >= 4)
      this.acknowledge(frame);
  }

  /** Section 3: frame version, unknown command, malformed payload, order, and then the command's own conditions. */
  private respond(request: Frame): void {
    const { command: number, payload, sequence } = request;
    const command = commands[number];
    let answer: Buffer | number;
    if (request.head !== 0x10) answer = RESULT.versionUnsupported;
    else if (!command) answer = RESULT.commandUnknown;
    else if (!command.isValid(payload)) answer = RESULT.malformed;
    else if (!command.stages.includes(this.stage)) answer = RESULT.outOfOrder;
    else answer = command.run(this, payload, sequence);
    const fields = typeof answer === 'number' ? u8(answer) : Buffer.concat([u8(RESULT.ok), answer]);
    this.send({ head: 0x10, kind: 2, command: number, sequence, payload: fields });
    this.pump();
  }

  /** Section 1: a notification carries at most the payload size. */
  send(frame: Frame): void {
    const isOpen = this.stage === 'claiming' || this.stage === 'trusted';
    const bytes = encodeFrame(isOpen && this.channel ? this.channel.seal(frame) : frame);
    for (let offset = 0; offset < bytes.length; offset += PAYLOAD) {
      this.socket.send(bytes.subarray(offset, offset + PAYLOAD));
    }
  }

  report(status: number, fields: Buffer): void {
    this.reports = (this.reports + 1) & 0xffff;
    const payload = Buffer.concat([u16(status), fields]);
    this.send({ head: 0x10, kind: 3, command: 0x70, sequence: this.reports, payload });
  }

  private acknowledge({ sequence, payload }: Frame): void {
    const { stream } = this;
    if (stream?.sequence !== sequence) return;
    const acknowledged = Math.min(payload.readUInt32LE(0), stream.next);
    stream.acknowledged = Math.max(stream.acknowledged, acknowledged);
    this.pump();
  }

  /** Section 3: sends the chunks for which there is space in the window, and then the end frame. */
  pump(): void {
    const { stream } = this;
    if (!stream || this.stage !== 'trusted') return;
    const { session, sequence } = stream;
    const bytes = Buffer.concat(session.packets);
    while (stream.next - stream.acknowledged < stream.window) {
      const data = bytes.subarray(stream.next * CHUNK, (stream.next + 1) * CHUNK);
      // Only complete chunks follow a recording.
      if (data.length === 0 || (data.length < CHUNK && isRecording(session))) break;
      const payload = Buffer.concat([u32(stream.next), data]);
      this.send({ head: 0x10, kind: 4, command: 0x24, sequence, payload });
      stream.next += 1;
    }
    if (isRecording(session) || stream.next * CHUNK < bytes.length) return;
    const payload = Buffer.concat([u32(bytes.length), sha256(bytes)]);
    this.send({ head: 0x10, kind: 4, command: 0x25, sequence, payload });
    this.stream = null;
  }
}

// --- Section 6: commands -------------------------------------------------------------------------------------------

type Command = {
  readonly stages: readonly Stage[];
  isValid(request: Buffer): boolean;
  /** @returns the response's fields, or the result that rejects the request */
  run(from: Link, request: Buffer, sequence: number): Buffer | number;
};

const NONE = Buffer.alloc(0);
const atLeast = (size: number) => (request: Buffer) => request.length >= size;
const trusted: readonly Stage[] = ['trusted'];
const opening: readonly Stage[] = ['negotiated', 'proving'];

function status(): Buffer {
  const session = recording?.session;
  const usedKilobytes =
    [...sessions.values()].reduce((sum, each) => sum + countBytes(each), 0) / 1024;
  return Buffer.concat([
    Buffer.of(session ? 2 : 1, session?.mode ?? 0, session?.scene ?? 3),
    u32(session?.id ?? 0),
    u32((session?.packets.length ?? 0) * 20),
    Buffer.of(binding ? 1 : 0, 0, 100),
    u32(STORAGE_KIB),
    u32(Math.floor(STORAGE_KIB - usedKilobytes)),
    Buffer.of(Math.ceil((100 * usedKilobytes) / STORAGE_KIB), 0),
    // Light, scene and mode of the button, microphone array, gain.
    Buffer.of(0, 3, 0, 0, 1),
    u16(visibleSessions().length),
  ]);
}

function listItem(session: Session): Buffer {
  const attr = session.mode | (session.scene << 1) | (isRecording(session) ? 16 : 0);
  const size = countBytes(session);
  return Buffer.concat([
    ...[u32(session.id), u32(size), u16(attr)],
    ...[u32(session.startTime), u32((size / PACKET_BYTES) * 20)],
  ]);
}

const commands: Readonly<Record<number, Command | undefined>> = {
  // handshake
  1: {
    stages: ['connected', 'negotiated', 'proving'],
    isValid: atLeast(2),
    run(from, request) {
      const [minVersion = 0, maxVersion = 0] = request;
      if (minVersion > 2 || maxVersion < 2) return RESULT.versionUnsupported;
      from.cancelBind();
      from.channel = null;
      from.stage = 'negotiated';
      from.versions = Buffer.of(minVersion, maxVersion);
      return Buffer.concat([
        ...[Buffer.of(2, 2), u16(PAYLOAD), u8(binding ? 1 : 0), Buffer.from(identity.mac, 'hex')],
        ...[text(identity.model, 8), text(identity.sn, 16), text(identity.firmware, 12)],
      ]);
    },
  },
  // unbind
  4: {
    stages: trusted,
    isValid: atLeast(0),
    run(from) {
      binding = null;
      from.report(4097, u8(0));
      return NONE;
    },
  },
  // timeSync
  5: {
    stages: ['claiming', 'trusted'],
    isValid: atLeast(5),
    run(_, request) {
      clockOffset = request.readUInt32LE(0) * 1000 - Date.now();
      return NONE;
    },
  },
  // status
  6: { stages: trusted, isValid: atLeast(0), run: status },
  // agreeKey
  8: {
    stages: opening,
    isValid: atLeast(32),
    run(from, request) {
      if (recording) return RESULT.busy;
      const phoneKey = request.subarray(0, 32);
      const pair = createKeyPair();
      const shared = agree(pair, phoneKey);
      if (!shared) return RESULT.malformed;
      from.cancelBind();
      from.channel = null;
      from.stage = 'negotiated';
      const keys = [phoneKey, pair.publicKey];
      const context = Buffer.concat([text('Linnet binding 2', 16), text(identity.sn, 16), ...keys]);
      const timer = setTimeout(() => decide(false), 60_000);
      from.pending = { key: hkdf(shared, NONE, context, 32), isConfirmed: false, timer };
      if (!from.hasAgreed) from.authenticateWithin(70_000);
      from.hasAgreed = true;
      console.log(binding ? 'Bind? Type "hold" and press Enter.' : 'Bind? Press Enter.');
      return pair.publicKey;
    },
  },
  // openChannel
  9: {
    stages: opening,
    isValid: atLeast(32),
    run(from, request) {
      if (from.pending && !from.pending.isConfirmed) return RESULT.waitingForBind;
      const key = from.pending?.key ?? binding?.key;
      if (!key) return RESULT.bindingUnknown;
      const phoneKey = request.subarray(0, 32);
      const pair = createKeyPair();
      const shared = agree(pair, phoneKey);
      if (!shared) return RESULT.malformed;
      const context = Buffer.concat([
        ...[text('Linnet channel 2', 16), from.versions, u8(2), text(identity.sn, 16)],
        ...[phoneKey, pair.publicKey],
      ]);
      const keys = hkdf(shared, key, context, 64);
      from.channel = new Channel(key, {
        toRecorder: keys.subarray(0, 32),
        toPhone: keys.subarray(32),
      });
      from.stage = 'proving';
      return Buffer.concat([pair.publicKey, from.channel.proof()]);
    },
  },
  // claim
  10: {
    stages: ['claiming', 'trusted'],
    isValid: atLeast(16),
    run(from, request) {
      const owner = hashOwnerTag(request.subarray(0, 16));
      const key = from.channel?.bindingKey;
      if (!key) return RESULT.outOfOrder;
      if (from.stage === 'trusted') {
        const isOwn = binding?.key.equals(key) && binding.owner.equals(owner);
        return isOwn ? NONE : RESULT.outOfOrder;
      }
      if (recording) return RESULT.busy;
      binding = { key, owner };
      from.cancelBind();
      from.stage = 'trusted';
      from.report(4097, u8(1));
      return NONE;
    },
  },
  // recordStart
  16: {
    stages: trusted,
    isValid: ([mode = 9, scene = 9]) => mode <= 1 && scene >= 1 && scene <= 3,
    run(from, request) {
      if (!binding) return RESULT.waitingForBind;
      if (recording) return RESULT.busy;
      const [mode = 0, scene = 3] = request;
      const { owner } = binding;
      const session = { id: nextSessionId, owner, mode, scene, startTime: unixTime(), packets: [] };
      nextSessionId += 1;
      sessions.set(session.id, session);
      recording = { session, since: performance.now() };
      const started = [u32(session.id), Buffer.of(mode, scene), u32(session.startTime)];
      from.report(4099, Buffer.concat(started));
      return Buffer.concat([u32(session.id), u32(session.startTime)]);
    },
  },
  // recordEnd
  17: {
    stages: trusted,
    isValid: atLeast(0),
    run(from) {
      if (!recording) return RESULT.notRecording;
      record();
      const { session } = recording;
      recording = null;
      const size = countBytes(session);
      const fields = [u32(session.id), u32(size), u32((size / PACKET_BYTES) * 20), u8(0)];
      from.report(4100, Buffer.concat(fields));
      return Buffer.concat([u32(session.id), u32(size)]);
    },
  },
  // sessionList
  32: {
    stages: trusted,
    isValid: atLeast(4),
    run(_, request) {
      const laterSessions = visibleSessions().filter(({ id }) => id > request.readUInt32LE(0));
      const page = laterSessions.slice(0, 7);
      const head = Buffer.of(laterSessions.length > page.length ? 1 : 0, page.length);
      return Buffer.concat([head, ...page.map(listItem)]);
    },
  },
  // syncFile
  33: {
    stages: trusted,
    isValid: atLeast(10),
    run(from, request, sequence) {
      const session = findSession(request.readUInt32LE(0));
      if (!session) return RESULT.sessionUnknown;
      const next = request.readUInt32LE(4);
      if (next > Math.ceil(countBytes(session) / CHUNK)) return RESULT.chunkOutOfRange;
      const window = Math.max(1, request.readUInt16LE(8));
      from.stream = { session, sequence, next, acknowledged: next, window };
      return Buffer.concat([u32(countBytes(session)), u8(isRecording(session) ? 1 : 0)]);
    },
  },
  // syncStop
  34: {
    stages: trusted,
    isValid: atLeast(0),
    run(from) {
      from.stream = null;
      return NONE;
    },
  },
  // deleteRecord
  35: {
    stages: trusted,
    isValid: atLeast(4),
    run(from, request) {
      const session = findSession(request.readUInt32LE(0));
      if (!session) return RESULT.sessionUnknown;
      if (isRecording(session)) return RESULT.sessionRecording;
      sessions.delete(session.id);
      if (from.stream?.session === session) from.stream = null;
      return NONE;
    },
  },
};

// --- The hardware --------------------------------------------------------------------------------------------------

/** Records the packets that are due. */
function record(): void {
  if (!recording) return;
  const { session, since } = recording;
  const dueCount = Math.max(1, Math.floor((performance.now() - since) / 20));
  while (session.packets.length < dueCount) session.packets.push(SILENCE);
}
setInterval(() => {
  record();
  link?.pump();
}, 100);

/** Applies the user's decision on the pending bind. */
function decide(isConfirmed: boolean): void {
  const pending = link?.pending;
  if (!link || !pending) return;
  clearTimeout(pending.timer);
  if (isConfirmed) pending.isConfirmed = true;
  else link.cancelBind();
  link.authenticateWithin(10_000);
  link.report(4097, u8(isConfirmed ? 1 : 0));
}
createInterface({ input: process.stdin }).on('line', (line) => {
  // Section 11: on a bound recorder, a bind requires a hold of five seconds.
  if (!binding || line.trim() === 'hold') decide(true);
});

// --- Section 12: the software recorder's addresses -----------------------------------------------------------------

const server = createServer((request, response) => {
  if (request.url !== '/advertisement') return response.writeHead(404).end();
  const { model: projectCode, sn, firmware: version } = identity;
  const extendInfo = { projectCode, version, sn, isBind: binding !== null, tranVersion: 2 };
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Access-Control-Allow-Origin': '*',
  });
  response.end(JSON.stringify({ name: `Linnet ${sn.slice(-4)}`, sn, extendInfo }));
});
new WebSocketServer({ server, path: '/ble' }).on('connection', (socket) => {
  if (link) return socket.close(4001);
  const opened = new Link(socket);
  link = opened;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) opened.receive(data);
  });
  socket.on('close', () => {
    opened.close();
    link = null;
  });
  socket.send('connected');
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  console.log(`${identity.sn} on http://127.0.0.1:${actualPort}`);
});
