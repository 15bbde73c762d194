/**
 * The flash image, which emulates the recorder's flash memory: a directory with the recorder's state and, for each
 * session, a packet file and a metadata record. The image can be recovered after an interruption at any step.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '@linnet/base';
import { generateDeviceKey } from '../device-key.ts';
import {
  PACKET_SIZE,
  PROJECT_CODE,
  type RecordMode,
  type RecordScene,
  type Settings,
} from '../device-types.ts';
import { type LogEntry, type Usage, ZERO_USAGE } from '../usage-log.ts';
import { syncFolder, writeAtomically } from './atomic-file.ts';
import { type FirmwareState, factoryFirmware } from './firmware.ts';
import { SessionWriter } from './session-writer.ts';

/** The persistent recorder state, excluding sessions. */
export interface DeviceState {
  readonly sn: string;
  /** The MAC address: six bytes in hex. */
  readonly mac: string;
  /** The seed of the Ed25519 key that authenticates this recorder to a server, 32 bytes in hex. */
  readonly deviceKey: string;
  readonly isBind: boolean;
  /** The version 2 binding: its key and the owner hash that sessions are tagged with, both in hex. */
  readonly binding: { readonly key: string; readonly owner: string } | null;
  readonly nextSessionId: number;
  readonly sessionsPreloaded: boolean;
  /** The battery level in percent, with fractions. */
  readonly batteryLevel: number;
  readonly settings: Settings;
  readonly firmware: FirmwareState;
  /** The hotspot's password, or null for the factory default, which is derived from the serial number. */
  readonly hotspotPassword: string | null;
  readonly usage: Usage;
  /** The log entries, oldest first. */
  readonly notes: readonly LogEntry[];
}

export interface SessionRecord {
  readonly sessionId: number;
  /** The start time in seconds since 1970-01-01 UTC. */
  readonly startTime: number;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  readonly hasMarkers: boolean;
  /** The owner hash, as in {@link DeviceState.binding}, or null if the session has no owner. */
  readonly owner: string | null;
  /** The final size and hash. Absent while recording, and after a power loss until the next start. */
  readonly closed?: { readonly fileSize: number; readonly sha256: string };
}

/** The metadata of a session before it has an ID. */
export type NewSession = Omit<SessionRecord, 'sessionId' | 'closed' | 'hasMarkers'>;

/**
 * Returns a random MAC address that is locally administered (bit 1 of the first byte is set) and unicast (bit 0 is
 * clear).
 */
function randomMac(): string {
  const mac = randomBytes(6);
  mac[0] = ((mac[0] ?? 0) & 0xfc) | 0x02;
  return mac.toString('hex');
}

function factoryState(): DeviceState {
  return {
    sn: `${PROJECT_CODE}${randomBytes(4).toString('hex').toUpperCase()}`,
    mac: randomMac(),
    deviceKey: generateDeviceKey(),
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
    usage: ZERO_USAGE,
    notes: [],
  };
}

export class Flash {
  /** The directory of the image. */
  readonly dir: string;
  private currentState: DeviceState;
  private readonly stateMutex = new Mutex();
  /** Serializes read-modify-write updates of session records. */
  private readonly recordMutex = new Mutex();
  private readonly records = new Map<number, SessionRecord>();

  private constructor(dir: string, state: DeviceState) {
    this.dir = dir;
    this.currentState = state;
  }

  /** Opens or creates an image and closes sessions interrupted by a power loss. */
  static async open(dir: string): Promise<Flash> {
    const sessionsDir = join(dir, 'sessions');
    // The image contains the binding key and recordings. Earlier versions left it readable by other users.
    await mkdir(sessionsDir, { recursive: true, mode: 0o700 });
    for (const folder of [dir, sessionsDir]) await chmod(folder, 0o700);
    const text = await readFile(join(dir, 'state.json'), 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    // Images created by older versions lack newer fields.
    const storedState: Partial<DeviceState> = text === undefined ? {} : JSON.parse(text);
    const flash = new Flash(dir, { ...factoryState(), ...storedState });
    // Randomly generated values must persist across restarts.
    if (!storedState.sn || !storedState.deviceKey) await flash.saveState({});
    await flash.loadSessions();
    return flash;
  }

  get state(): DeviceState {
    return this.currentState;
  }

  /** Resolves when the change is durable. Changes are written in call order. */
  saveState(change: Partial<DeviceState>): Promise<void> {
    this.currentState = { ...this.currentState, ...change };
    const text = JSON.stringify(this.currentState, null, 2);
    return this.stateMutex.run(() => writeAtomically(join(this.dir, 'state.json'), text));
  }

  /** Returns the records of all sessions, oldest first. */
  sessions(): readonly SessionRecord[] {
    return [...this.records.values()].sort((a, b) => a.sessionId - b.sessionId);
  }

  session(sessionId: number): SessionRecord | undefined {
    return this.records.get(sessionId);
  }

  /** The total size of all closed sessions in bytes. */
  usedBytes(): number {
    return this.sessions().reduce((sum, record) => sum + (record.closed?.fileSize ?? 0), 0);
  }

  /**
   * Creates a session for recording, and adds it to the list.
   * @param onDurable called after each sync to disk
   */
  async createSession(
    metadata: NewSession,
    onDurable: () => void,
  ): Promise<{ record: SessionRecord; writer: SessionWriter }> {
    const { record, writer } = await this.newSession(metadata, onDurable);
    await this.recordMutex.run(() => this.saveRecord(record));
    return { record, writer };
  }

  /** Stores a complete session and lists it as closed once it is durable. */
  async storeSession(metadata: NewSession, packets: readonly Uint8Array[]): Promise<SessionRecord> {
    const { record, writer } = await this.newSession(metadata, () => {});
    writer.append(packets);
    const contents = await writer.finish();
    return this.recordMutex.run(async () => {
      // A claim during the write only adopted sessions that were listed at that time, so adopt this session here.
      const owner = record.owner ?? this.currentState.binding?.owner ?? null;
      const storedRecord = { ...record, owner, closed: contents };
      await this.saveRecord(storedRecord);
      return storedRecord;
    });
  }

  closeSession(sessionId: number, closed: NonNullable<SessionRecord['closed']>): Promise<void> {
    return this.recordMutex.run(async () => {
      const record = this.records.get(sessionId);
      if (record) await this.saveRecord({ ...record, closed });
    });
  }

  /** Assigns all sessions without an owner to `owner`. */
  adoptSessions(owner: string): Promise<void> {
    return this.recordMutex.run(async () => {
      const unowned = this.sessions().filter((record) => record.owner === null);
      for (const record of unowned) await this.saveRecord({ ...record, owner });
    });
  }

  /** Deletes a session. The record is deleted first, because the next start removes packet files without a record. */
  deleteSession(sessionId: number): Promise<void> {
    return this.recordMutex.run(async () => {
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
   * Closes an interrupted session, keeping every complete packet in the flash. A session without a complete
   * packet is deleted.
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

  /** Creates a session's file. Persists the incremented session ID first, so IDs are never reused. */
  private async newSession(
    metadata: NewSession,
    onDurable: () => void,
  ): Promise<{ record: SessionRecord; writer: SessionWriter }> {
    const sessionId = this.currentState.nextSessionId;
    await this.saveState({ nextSessionId: sessionId + 1 });
    const record = { sessionId, hasMarkers: false, ...metadata };
    return { record, writer: await SessionWriter.create(this.packetsPath(sessionId), onDurable) };
  }

  private async loadSessions(): Promise<void> {
    const names = await readdir(join(this.dir, 'sessions'));
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const text = await readFile(join(this.dir, 'sessions', name), 'utf8');
      // Records created by older versions have no owner.
      const record = { owner: null, ...JSON.parse(text) } as SessionRecord;
      this.records.set(record.sessionId, record);
      if (!record.closed) await this.recover(record.sessionId);
    }
    // Remove orphaned packet files and partially written records.
    for (const name of names.filter((each) => !each.endsWith('.json'))) {
      const isKnown = this.records.has(Number.parseInt(name, 10)) && name.endsWith('.opus');
      if (!isKnown) await rm(join(this.dir, 'sessions', name), { force: true });
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
