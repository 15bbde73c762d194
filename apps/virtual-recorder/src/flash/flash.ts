/**
 * The flash image: a folder with the recorder's state, and for each session its packets and a small
 * record about it. Every step leaves something that the next start can make sense of.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '@linnet/base';
import { newDeviceKey } from '../device-key.ts';
import {
  PACKET_SIZE,
  PROJECT_CODE,
  type RecordMode,
  type RecordScene,
  type Settings,
} from '../device-types.ts';
import { type Note, nothingUsed, type Usage } from '../ledger.ts';
import { syncFolder, writeAtomically } from './atomic-file.ts';
import { type FirmwareState, factoryFirmware } from './firmware.ts';
import { SessionWriter } from './session-writer.ts';

/** What the recorder remembers without power, sessions aside. */
export interface DeviceState {
  readonly sn: string;
  /** Six bytes in hex. */
  readonly mac: string;
  /** Seed of the Ed25519 key that proves this recorder to a server, 32 bytes in hex. */
  readonly deviceKey: string;
  readonly isBind: boolean;
  /** A binding of version 2: its key, and the hash that says whose sessions are; both in hex. */
  readonly binding: { readonly key: string; readonly owner: string } | null;
  readonly nextSessionId: number;
  readonly sessionsPreloaded: boolean;
  /** Percent, with fractions. */
  readonly batteryLevel: number;
  readonly settings: Settings;
  readonly firmware: FirmwareState;
  /** Null: the factory's, which follows from the serial. */
  readonly hotspotPassword: string | null;
  readonly usage: Usage;
  /** Oldest first. */
  readonly notes: readonly Note[];
}

export interface SessionRecord {
  readonly sessionId: number;
  /** Seconds since 1970-01-01 UTC. */
  readonly startTime: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly hasMarkers: boolean;
  /** Whose it is, as in the state's binding; null for nobody's. */
  readonly owner: string | null;
  /** Absent while the session is recorded, and after a loss of power until the next start. */
  readonly closed?: { readonly fileSize: number; readonly sha256: string };
}

/** What is known of a session before it has a number and packets. */
export type NewSession = Omit<SessionRecord, 'sessionId' | 'closed' | 'hasMarkers'>;

/** A locally administered address (bit 1 of the first byte), unicast (bit 0 clear). */
function randomMac(): string {
  const mac = randomBytes(6);
  mac[0] = ((mac[0] ?? 0) & 0xfc) | 0x02;
  return mac.toString('hex');
}

function factoryState(): DeviceState {
  return {
    sn: `${PROJECT_CODE}${randomBytes(4).toString('hex').toUpperCase()}`,
    mac: randomMac(),
    deviceKey: newDeviceKey(),
    isBind: false,
    binding: null,
    nextSessionId: 1,
    sessionsPreloaded: false,
    batteryLevel: 92,
    settings: {
      recLedStatus: true,
      recScene: 'note',
      recMode: 'normal',
      dmicMode: 0,
      micGain: 'normal',
    },
    firmware: factoryFirmware,
    hotspotPassword: null,
    usage: nothingUsed,
    notes: [],
  };
}

export class Flash {
  /** The folder of the image. */
  readonly dir: string;
  private stored: DeviceState;
  private readonly states = new Mutex();
  /** So what was read of a session's record still holds when it is written. */
  private readonly changes = new Mutex();
  private readonly records = new Map<number, SessionRecord>();

  private constructor(dir: string, state: DeviceState) {
    this.dir = dir;
    this.stored = state;
  }

  /** Opens an image, or makes a new one; sessions cut off by a loss of power are closed. */
  static async open(dir: string): Promise<Flash> {
    const sessionsDir = join(dir, 'sessions');
    // State and sessions hold the binding's key and recordings. Images of earlier versions were open to others.
    await mkdir(sessionsDir, { recursive: true, mode: 0o700 });
    for (const folder of [dir, sessionsDir]) await chmod(folder, 0o700);
    const text = await readFile(join(dir, 'state.json'), 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    // An image of an older recorder lacks what came later.
    const stored: Partial<DeviceState> = text === undefined ? {} : JSON.parse(text);
    const flash = new Flash(dir, { ...factoryState(), ...stored });
    // What is random must be the same at the next start.
    if (!stored.sn || !stored.deviceKey) await flash.saveState({});
    await flash.load();
    return flash;
  }

  get state(): DeviceState {
    return this.stored;
  }

  /** Resolves when the change is durable; changes are stored in the order of the calls. */
  saveState(change: Partial<DeviceState>): Promise<void> {
    this.stored = { ...this.stored, ...change };
    const text = JSON.stringify(this.stored, null, 2);
    return this.states.run(() => writeAtomically(join(this.dir, 'state.json'), text));
  }

  /** Oldest first. */
  sessions(): readonly SessionRecord[] {
    return [...this.records.values()].sort((a, b) => a.sessionId - b.sessionId);
  }

  session(sessionId: number): SessionRecord | undefined {
    return this.records.get(sessionId);
  }

  /** Bytes of all closed sessions. */
  usedBytes(): number {
    return this.sessions().reduce((sum, record) => sum + (record.closed?.fileSize ?? 0), 0);
  }

  /** A session that is to be recorded: it is listed from now on. @param onDurable more of it would survive */
  async createSession(
    about: NewSession,
    onDurable: () => void,
  ): Promise<{ record: SessionRecord; writer: SessionWriter }> {
    const { record, writer } = await this.newSession(about, onDurable);
    await this.changes.run(() => this.saveRecord(record));
    return { record, writer };
  }

  /** A session that is whole already: it is listed once all of it is durable, as one that was closed. */
  async storeSession(about: NewSession, packets: readonly Uint8Array[]): Promise<SessionRecord> {
    const { record, writer } = await this.newSession(about, () => {});
    writer.append(packets);
    const closed = await writer.finish();
    return this.changes.run(async () => {
      // Whoever claimed the recorder meanwhile adopted what was listed then, and so not this one.
      const owner = record.owner ?? this.stored.binding?.owner ?? null;
      const whole = { ...record, owner, closed };
      await this.saveRecord(whole);
      return whole;
    });
  }

  closeSession(sessionId: number, closed: NonNullable<SessionRecord['closed']>): Promise<void> {
    return this.changes.run(async () => {
      const record = this.records.get(sessionId);
      if (record) await this.saveRecord({ ...record, closed });
    });
  }

  /** Gives what is nobody's to an owner. */
  adoptSessions(owner: string): Promise<void> {
    return this.changes.run(async () => {
      const nobodys = this.sessions().filter((record) => record.owner === null);
      for (const record of nobodys) await this.saveRecord({ ...record, owner });
    });
  }

  /** The record goes first: packets without a record are swept away at the next start. */
  deleteSession(sessionId: number): Promise<void> {
    return this.changes.run(async () => {
      this.records.delete(sessionId);
      await rm(this.recordPath(sessionId), { force: true });
      await syncFolder(join(this.dir, 'sessions'));
      await rm(this.packetsPath(sessionId), { force: true });
    });
  }

  async read(sessionId: number, offset: number, length: number): Promise<Uint8Array> {
    const file = await open(this.packetsPath(sessionId), 'r');
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /**
   * Closes a session that was cut off: keeps every whole packet that reached the flash. A session
   * without any never was.
   */
  async recover(sessionId: number): Promise<void> {
    const path = this.packetsPath(sessionId);
    const file = await open(path, 'r');
    const { size } = await file.stat().finally(() => file.close());
    const fileSize = size - (size % PACKET_SIZE);
    if (fileSize === 0) return this.deleteSession(sessionId);
    await truncate(path, fileSize);
    const hash = createHash('sha256');
    for await (const part of createReadStream(path)) hash.update(part);
    await this.closeSession(sessionId, { fileSize, sha256: hash.digest('hex') });
  }

  /** A session id is spent before anything is stored under it, so that none ever comes twice. */
  private async newSession(
    about: NewSession,
    onDurable: () => void,
  ): Promise<{ record: SessionRecord; writer: SessionWriter }> {
    const sessionId = this.stored.nextSessionId;
    await this.saveState({ nextSessionId: sessionId + 1 });
    const record = { sessionId, hasMarkers: false, ...about };
    return { record, writer: await SessionWriter.create(this.packetsPath(sessionId), onDurable) };
  }

  private async load(): Promise<void> {
    const names = await readdir(join(this.dir, 'sessions'));
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const text = await readFile(join(this.dir, 'sessions', name), 'utf8');
      // A record of an older recorder has no owner.
      const record = { owner: null, ...JSON.parse(text) } as SessionRecord;
      this.records.set(record.sessionId, record);
      if (!record.closed) await this.recover(record.sessionId);
    }
    // Packets whose record was deleted or never written, and records that were being written.
    for (const name of names.filter((each) => !each.endsWith('.json'))) {
      const known = this.records.has(Number.parseInt(name, 10)) && name.endsWith('.opus');
      if (!known) await rm(join(this.dir, 'sessions', name), { force: true });
    }
  }

  private async saveRecord(record: SessionRecord): Promise<void> {
    await writeAtomically(this.recordPath(record.sessionId), JSON.stringify(record, null, 2));
    this.records.set(record.sessionId, record);
  }

  private packetsPath(sessionId: number): string {
    return join(this.dir, 'sessions', `${sessionId}.opus`);
  }

  private recordPath(sessionId: number): string {
    return join(this.dir, 'sessions', `${sessionId}.json`);
  }
}
