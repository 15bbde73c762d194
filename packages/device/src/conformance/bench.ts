/** The state of one check: the recorder's links, its properties, and the changes made by the check. */
import { type Channel, generateKeyPair, openPhoneChannel } from '../channel/index.ts';
import {
  type DecodedResponse,
  FIXED_TOKEN,
  MAX_WRITE_SIZE,
  MIN_PAYLOAD_SIZE,
  RESULTS,
  type RequestOf,
  type ResponseOf,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import { TransportError } from '../errors.ts';
import type { WifiAccess } from '../session/types.ts';
import type { Transport } from '../transport.ts';
import { describeResponse, Probe, type ProbeTiming } from './probe.ts';
import { Broken, formatResult, NotTested } from './verdict.ts';

/** A version 2 binding between the check and a recorder. */
export interface CheckBinding {
  /** The binding key, 32 bytes. */
  readonly key: Uint8Array;
  /** The owner tag sent with `claim`, 16 bytes. */
  readonly ownerTag: Uint8Array;
}

/** A recorder's service on the network, and the credential that the recorder returned. */
export type CheckEndpoint = WifiAccess & {
  /** Such as `http://192.168.0.23:80`. */
  readonly origin: string;
};

/** A Wi-Fi network that both this computer and the recorder can reach. */
export interface CheckNetwork {
  readonly ssid: string;
  /** Empty for an open network. */
  readonly password: string;
  /** Opens a link over the network. @throws {TransportError} `connect_failed`, with the close event as its cause */
  openLink(endpoint: CheckEndpoint): Promise<Transport>;
}

export interface BenchOptions {
  /** @throws {TransportError} `recorder_busy` if another phone is connected, `connect_failed` */
  connect(): Promise<Transport>;
  /** Whether `connect` can attempt a second connection, as a second phone, while one is open. */
  readonly supportsSecondConnection: boolean;
  /**
   * Requests the advertisement, in the JSON format of a software recorder. Rejects if there is none. Called only while
   * no link is open.
   */
  readAdvertisement(): Promise<unknown>;
  /** This computer's network, for the clauses about joined networks. If undefined, those clauses are skipped. */
  readonly network: CheckNetwork | undefined;
  /**
   * Whether to send invalid firmware images. A recorder that doesn't verify images will install them, and may not start
   * again.
   */
  readonly sendsInvalidFirmware: boolean;
  readonly timing: ProbeTiming;
  /** Skips clauses that wait for several seconds. */
  readonly isQuick: boolean;
  /** Removes the check's binding when the check ends. */
  readonly unbinds: boolean;
  loadBinding(sn: string): Promise<CheckBinding | undefined>;
  /** @param binding null to delete the stored binding */
  storeBinding(sn: string, binding: CheckBinding | null): Promise<void>;
  /** Asks for permission to bind the recorder. Called at most once. */
  mayBind(recorder: ResponseOf<'handshake'>): Promise<boolean>;
  /** Asks the user to confirm the bind on the recorder: with a press, or with a hold if it's already bound. */
  requestConfirmation(recorder: ResponseOf<'handshake'>): void;
}

/** Properties of the recorder, from the first handshakes. */
export interface Facts {
  /** The response to a handshake that offers versions 1 and 2. */
  readonly info: ResponseOf<'handshake'>;
  /** True if the recorder accepts a phone that offers only version 1. */
  readonly acceptsVersion1: boolean;
}

/** A version 2 bind in progress. Each step adds the values that the next one requires. */
export type PendingBind =
  | { readonly step: 'agreed'; readonly probe: Probe; readonly key: Uint8Array }
  | { readonly step: 'confirmed'; readonly probe: Probe; readonly key: Uint8Array }
  | { readonly step: 'opened'; readonly probe: Probe; readonly key: Uint8Array };

/** The recording made by the check. */
export interface Take {
  readonly sessionId: number;
  readonly startTime: number;
  /** The stream of the recording in progress. */
  readonly stream?: { readonly probe: Probe; readonly sequence: number };
  /** The session's size in bytes once the recording has ended. */
  readonly fileSize?: number;
}

/** A completely read session. */
export interface ReadSession {
  readonly sessionId: number;
  readonly bytes: Uint8Array;
  readonly sha256: Uint8Array;
}

export const BOTH_VERSIONS = { minVersion: VERSION_1, maxVersion: VERSION_2 } as const;
export const ONLY_VERSION_1 = { minVersion: VERSION_1, maxVersion: VERSION_1 } as const;

/** How long to retry while the recorder still counts the previous link as open, in milliseconds. */
const RECONNECT_MS = 5000;
const RECONNECT_DELAY_MS = 200;

export class Bench {
  readonly options: BenchOptions;
  facts: Facts | undefined;
  /** The check's binding, once it's known to be valid. */
  binding: CheckBinding | undefined;
  /** True if this check has bound the recorder under version 1. */
  isBoundByCheck = false;
  /** True if a version 1 link has accepted the token. */
  isTokenAccepted = false;
  pendingBind: PendingBind | undefined;
  take: Take | undefined;
  /** The recorder's settings before the check changed them. */
  savedSettings: RequestOf<'generalSetting'> | undefined;
  read: ReadSession | undefined;
  /** The recorder's endpoint on the network that it joined for the check. */
  endpoint: CheckEndpoint | undefined;
  /** True if a link over the network has been opened. Under version 2, this uses up the secret. */
  hasOpenedWifiLink = false;
  /** The announced firmware image, and the offset of the byte that the recorder expects next. */
  announced: { readonly request: RequestOf<'otaStart'>; readonly nextOffset: number } | undefined;
  /** The position of the first frame after the last start or end of a recording. */
  private mark: { readonly probe: Probe; readonly position: number } | undefined;
  /** Sessions that the check has recorded and not yet deleted. */
  readonly ownSessions = new Set<number>();
  /** All probes, for clauses about every link. */
  readonly probes: Probe[] = [];
  private current: Probe | undefined;
  /** The current probe, if it's authenticated. */
  private authenticated: Probe | undefined;
  private permission: Promise<boolean> | undefined;

  constructor(options: BenchOptions) {
    this.options = options;
  }

  /** Returns the facts. @throws {NotTested} if the first handshake failed */
  getFacts(): Facts {
    if (!this.facts) throw new NotTested('the first handshake failed');
    return this.facts;
  }

  async mayBind(): Promise<boolean> {
    const { info } = this.getFacts();
    this.permission ??= this.options.mayBind(info);
    return this.permission;
  }

  /** Closes the current link and opens a new one. @throws {TransportError} */
  async open(firstSequence?: number): Promise<Probe> {
    await this.close();
    const probe = this.createProbe(await this.connect(), firstSequence);
    this.current = probe;
    return probe;
  }

  /** Creates a probe on a link that the caller closes. */
  createProbe(transport: Transport, firstSequence?: number): Probe {
    const probe = new Probe(transport, this.options.timing, firstSequence);
    this.probes.push(probe);
    return probe;
  }

  /** Opens a link and negotiates a version. @throws {Broken} */
  async openNegotiated(versions: RequestOf<'handshake'>): Promise<Probe> {
    return this.negotiate(await this.open(), versions);
  }

  /** Negotiates a version on a new link. @throws {Broken} */
  async negotiate(probe: Probe, versions: RequestOf<'handshake'>): Promise<Probe> {
    const info = await probe.succeed('handshake', versions);
    probe.partSize = partSize(info, probe);
    probe.payloadSize = info.payloadSize;
    return probe;
  }

  /** Opens a link and completes the handshake, without authentication. */
  async openUnauthenticated(): Promise<Probe> {
    this.getFacts();
    try {
      return await this.openNegotiated(BOTH_VERSIONS);
    } catch (error) {
      if (error instanceof Broken) throw new NotTested('the handshake failed');
      throw error;
    }
  }

  /** Returns the authenticated link, opening one if necessary. @throws {NotTested} */
  async getLink(): Promise<Probe> {
    try {
      return await this.authenticate();
    } catch (error) {
      if (error instanceof Broken) throw new NotTested('no authenticated link could be opened');
      throw error;
    }
  }

  /** Returns the authenticated link of a recorder that isn't recording. @throws {Broken | NotTested} */
  async getIdleLink(): Promise<Probe> {
    const probe = await this.getLink();
    const { recording } = await probe.succeed('status', {});
    if (recording !== 'idle') throw new NotTested(`the recorder is ${recording}`);
    return probe;
  }

  /** Returns the authenticated link, opening one if necessary. @throws {Broken | NotTested} */
  async authenticate(): Promise<Probe> {
    const { authenticated } = this;
    if (authenticated && !authenticated.isClosed && authenticated === this.current) {
      return authenticated;
    }
    const { binding } = this;
    if (!binding && !this.isTokenAccepted) {
      throw new NotTested('the recorder is not bound to this check');
    }
    const probe = await this.openNegotiated(binding ? BOTH_VERSIONS : ONLY_VERSION_1);
    await this.authorize(probe);
    this.authenticated = probe;
    return probe;
  }

  /** Authenticates a link after the handshake, and sets the time. @throws {Broken} */
  async authorize(probe: Probe): Promise<void> {
    const { binding } = this;
    if (binding) await this.openChannel(probe, binding.key);
    else await probe.succeed('token', { token: FIXED_TOKEN });
    await this.setTime(probe);
  }

  /** Marks the position of the frames that follow the start or end of a recording. */
  markFrames(probe: Probe): void {
    this.mark = { probe, position: probe.received.length };
  }

  /** Returns the position marked by {@link markFrames}. @throws {NotTested} if that link has closed */
  getMark(): { readonly probe: Probe; readonly position: number } {
    if (this.mark && !this.mark.probe.isClosed) return this.mark;
    throw new NotTested("the recording's link has closed");
  }

  /** Marks a probe as authenticated, so that the next clauses use it. */
  adopt(probe: Probe): void {
    this.authenticated = probe;
  }

  /** Opens the channel. The next request proves to the recorder that the check has the key. @throws {Broken} */
  async openChannel(probe: Probe, key: Uint8Array): Promise<void> {
    const response = await this.requestChannel(probe, key);
    if (response.channel) probe.channel = response.channel;
    else throw new Broken('a proof of the binding key from openChannel', 'a different proof');
  }

  /** Requests a channel without using it. @returns null as the channel if the recorder's proof is invalid */
  async requestChannel(
    probe: Probe,
    key: Uint8Array,
  ): Promise<{ readonly channel: Channel | null }> {
    const response = await this.tryChannel(probe, key);
    if (response.kind === 'ok') return response.value;
    throw new Broken(`${formatResult(RESULTS.ok)} to openChannel`, describeResponse(response));
  }

  /** Requests a channel. The recorder may refuse. @throws {Broken} if it doesn't respond */
  async tryChannel(probe: Probe, key: Uint8Array) {
    const { info } = this.getFacts();
    const keyPair = generateKeyPair();
    const response: DecodedResponse<'openChannel'> = await probe.request('openChannel', {
      publicKey: keyPair.publicKey,
    });
    if (response.kind !== 'ok') return response;
    const { publicKey, proof } = response.value;
    const handshake = { ...BOTH_VERSIONS, version: VERSION_2, sn: info.sn };
    const channel = openPhoneChannel({ keyPair, peerKey: publicKey }, key, handshake, proof);
    return { kind: 'ok', value: { channel } } as const;
  }

  async setTime(probe: Probe): Promise<void> {
    const unixTime = Math.floor(this.options.timing.clock.now() / 1000);
    await probe.succeed('timeSync', { unixTime, timeZone: 0 });
  }

  async close(): Promise<void> {
    await this.current?.close();
    this.current = undefined;
    this.authenticated = undefined;
  }

  /** Connects. Retries while the recorder still serves the previous link. */
  private async connect(): Promise<Transport> {
    const { clock } = this.options.timing;
    const end = clock.elapsed() + RECONNECT_MS;
    for (;;) {
      try {
        return await this.options.connect();
      } catch (error) {
        const isBusy = error instanceof TransportError && error.code === 'recorder_busy';
        if (!isBusy || clock.elapsed() >= end) throw error;
      }
      await new Promise<void>((resolve) => clock.after(RECONNECT_DELAY_MS, resolve));
    }
  }
}

/** Returns the size of a write after the handshake, in bytes. */
function partSize({ payloadSize }: ResponseOf<'handshake'>, { maxWriteSize }: Probe): number {
  return Math.max(MIN_PAYLOAD_SIZE, Math.min(payloadSize, maxWriteSize, MAX_WRITE_SIZE));
}
